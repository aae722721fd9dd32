"""`nadie project`: backup, restoring and checking of the folder of `nadie serve --project`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli.console import print_line
from nadie.cli.language import say

if TYPE_CHECKING:
    from nadie.service.project.trail import Checked

app = typer.Typer(help="The folder of `nadie serve --project DIR`.", no_args_is_help=True)
Folder = Annotated[Path, typer.Argument(help="The folder of the project.", metavar="DIR")]


@app.command()
def backup(folder: Folder, to: Annotated[Path, typer.Option(help="The file to create.", metavar="FILE")]) -> None:
    """Back a project up while the service runs: documents, files, changes and its key, in one file.

    Example:

        nadie project backup review --to review.tar.gz
    """
    from nadie.service.project.backup import back_up

    _tell(back_up(folder, to))


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="The backup.", metavar="FILE")],
    to: Annotated[Path, typer.Option(help="The folder to create.", metavar="DIR")],
) -> None:
    """Create the folder of a project from a backup.

    Example:

        nadie project restore review.tar.gz --to review-restored
    """
    from nadie.service.project.backup import restore as restore_project

    _tell(restore_project(file, to))


@app.command()
def check(
    folder: Folder,
    head: Annotated[
        list[str] | None, typer.Option(help="A hash (`chain`) from the log of the service; may be repeated.")
    ] = None,
) -> None:
    """Check that no entry of the change log was changed or taken out.

    Example:

        nadie project check review --head 5d41402abc4b2a76b9719d911017c592
    """
    from nadie.service.project.backup import check as check_project

    _tell(check_project(folder, tuple(head or ())))


def _tell(state: Checked) -> None:
    sys.stdout.write(say(f"{state.entries} entries in the change log, the last hash is {state.head}") + "\n")
    if state.broken_at:
        print_line(f"The change log is broken at entry {state.broken_at}.")
        raise typer.Exit(1)
