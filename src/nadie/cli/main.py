"""The command line: `nadie COMMAND`."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

from nadie import __version__
from nadie.cli import (
    annotate,
    anonymize,
    augment,
    convert,
    corpus,
    distil,
    evaluate,
    models,
    restore,
    serve,
    show,
    tokens,
    train,
    vault,
    vectors,
)
from nadie.errors import NadieError

app = typer.Typer(
    name="nadie",
    help="Find and remove what identifies a person in Spanish clinical text: offline, on an ordinary CPU.",
    epilog="Begin with: nadie anonymize note.txt",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _help_of(command: Callable[..., Any]) -> str:
    """A command's docstring as its help: paragraphs are wrapped to the terminal, indented examples stay as they are."""
    paragraphs = inspect.cleandoc(command.__doc__ or "").split("\n\n")
    return "\n\n".join("\b\n" + p if p.startswith(" ") else " ".join(p.split()) for p in paragraphs)


for command in (
    anonymize.anonymize,
    restore.restore,
    vault.vault,
    annotate.annotate,
    show.show,
    serve.serve,
    evaluate.evaluate,
    train.train,
    distil.distil,
    augment.augment,
    convert.convert,
    models.models,
):
    app.command(help=_help_of(command))(command)
for name, commands in {
    "corpus": corpus.app,
    "vectors": vectors.app,
    "tokens": tokens.app,
}.items():
    for registered in commands.registered_commands:
        registered.help = _help_of(registered.callback) if registered.callback else registered.help
    app.add_typer(commands, name=name)


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False) -> None:
    if version:
        sys.stdout.write(f"nadie {__version__}\n")
        raise typer.Exit


def main() -> None:
    """Run a command; what nadie itself objects to is one line on stderr and exit code 2, never a traceback."""
    try:
        app()
    except NadieError as error:
        sys.stderr.write(f"nadie: {error}\n")
        sys.exit(2)
