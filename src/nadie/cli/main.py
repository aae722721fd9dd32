"""The command line: `nadie COMMAND`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Annotated, Any

import typer

import nadie
from nadie.errors import InterruptedRunError, NadieError

_COMMANDS = (
    *("anonymize", "restore", "vault", "annotate", "show", "check", "serve", "gateway"),
    *("evaluate", "train", "distil", "augment", "convert", "models", "sample", "risk", "suggest", "adapt"),
    "drift",
)
_INTERRUPTED = 130  # as a shell reports Ctrl-C
_GROUPS = ("key", "corpus", "patterns", "vectors", "tokens", "project")


def _help_of(command: Callable[..., Any]) -> str:
    """A command's docstring as its help: paragraphs are wrapped to the terminal, indented examples are not."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join("\b\n" + p if p.startswith(" ") else " ".join(p.split()) for p in paragraphs)


def build(names: Iterable[str] = (*_COMMANDS, *_GROUPS)) -> typer.Typer:
    """The command line with these commands; the others are not imported."""
    app = typer.Typer(
        name="nadie",
        help="Find and remove what identifies a person in Spanish clinical text: offline, on an ordinary CPU.",
        epilog="Begin with: nadie anonymize note.txt",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,  # loading rich takes longer than the rest of --help
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_root)
    for name in names:
        module = import_module(f"nadie.cli.{name}")
        if name in _COMMANDS:
            command = getattr(module, name)
            text = _help_of(command)
            app.command(help=text, short_help=text.partition("\n\n")[0])(command)
            continue
        for registered in module.app.registered_commands:
            if registered.callback:
                registered.help = _help_of(registered.callback)
                registered.short_help = registered.help.partition("\n\n")[0]
        app.add_typer(module.app, name=name)
    return app


def _root(version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False) -> None:
    if version:
        sys.stdout.write(f"nadie {nadie.__version__}\n")
        raise typer.Exit


def main() -> None:
    """Run a command. An error of nadie is one line on stderr and exit code 2, never a traceback."""
    named = [argument for argument in sys.argv[1:2] if argument in (*_COMMANDS, *_GROUPS)]
    try:
        (build(named) if named else build())()
    except InterruptedRunError as error:
        sys.stderr.write(f"nadie: {error}\n")
        sys.exit(_INTERRUPTED)
    except NadieError as error:
        sys.stderr.write(f"nadie: {error}\n")
        sys.exit(2)
