"""The command line: `nadie COMMAND`."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Annotated, Any

import typer
import typer.main

import nadie
from nadie.cli.language import is_translated, run_translated, say_error, take_language
from nadie.errors import InterruptedRunError, NadieError

_COMMANDS = (
    *("anonymize", "restore", "vault", "annotate", "show", "check", "database", "serve", "gateway", "mcp"),
    *("evaluate", "train", "distil", "augment", "convert", "models", "sample", "risk", "suggest", "adapt"),
    "drift",
)
_INTERRUPTED = 130  # as a shell reports Ctrl-C
_GROUPS = ("key", "corpus", "patterns", "policy", "vectors", "tokens", "project")


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


def _root(
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
    lang: Annotated[  # read by `main` before anything else, wherever it stands
        str,
        typer.Option(metavar="en|es", help="The language of messages: en or es; by default $NADIE_LANG or the locale."),
    ] = "",
) -> None:
    if version:
        sys.stdout.write(f"nadie {nadie.__version__}\n")
        raise typer.Exit


def main() -> None:
    """Run a command. An error of nadie is one line on stderr and exit code 2, never a traceback."""
    try:
        arguments = take_language(sys.argv[1:], os.environ)
        named = [argument for argument in arguments[:1] if argument in (*_COMMANDS, *_GROUPS)]
        command = typer.main.get_command(build(named) if named else build())
        sys.exit(run_translated(command, arguments) if is_translated() else command(arguments, prog_name="nadie"))
    except InterruptedRunError as error:
        sys.stderr.write(f"nadie: {say_error(error)}\n")
        sys.exit(_INTERRUPTED)
    except NadieError as error:
        sys.stderr.write(f"nadie: {say_error(error)}\n")
        sys.exit(2)
