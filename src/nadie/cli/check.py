"""`nadie check`."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions

if TYPE_CHECKING:
    from nadie.cli.checked_files import Annotate, CheckedFile

_SHOWN = 20  # spans of a file


@given.with_detection_options
def check(
    paths: given.Paths,
    label: Annotated[
        list[str] | None,
        typer.Option(
            help="A label or a class of labels to look for; may be repeated. Default: names, identifiers, addresses.",
            metavar="LABEL",
        ),
    ] = None,
    min_score: Annotated[
        float | None,
        typer.Option(
            help="The minimum score of a span to be reported, if the model found it. [default: 0.92, and 0 for full"
            " names]",
            min=0.0,
            max=1.0,
            show_default=False,
        ),
    ] = None,
    sarif: Annotated[
        Path | None, typer.Option(help="Also write the result as SARIF 2.1.0, for code hosts.", metavar="FILE")
    ] = None,
    released: Annotated[
        bool,
        typer.Option(
            "--released",
            help="For an output of nadie: report only telephones, e-mail and web addresses that are not invented.",
        ),
    ] = False,
    skip_unreadable: Annotated[
        bool, typer.Option("--skip-unreadable", help="Ignore files that nadie cannot read, such as images.")
    ] = False,
    model: given.Model = "fast",
    *,
    detection: DetectionOptions,
) -> None:
    """Look for files that probably contain PHI, such as notes that got into a repository. Changes nothing.

    Prints a line for each span found: file, line, column, label, score, and never the text; of the spans of one file,
    the first 20. Without --label it looks for names, identifiers, bank accounts, telephones, e-mail addresses and
    streets, but not for dates, ages and places, which are common in any text. Full names and numbers with valid check
    digits are reported whatever their score, and so is what --patterns, --known and --deny find. In source code and
    notebooks nothing else is reported but full names and what a pattern is certain of.

    Exit code 0: nothing was found. 1: something was found. 2: nothing was found, but some files could not be read.

    Examples:

        nadie check notebooks/ data/
        nadie check . --sarif check.sarif --skip-unreadable
        nadie check results.csv --label NAME --allow authors.txt

    An output with surrogates has telephones, e-mail and web addresses that belong to nobody; others were missed. This
    needs no key:

        nadie check anonymized/ --released

    For the pre-commit hook, see the file .pre-commit-hooks.yaml.
    """
    from nadie.cli.checked_files import checked_files, contacts_not_ours, identifying, with_labels
    from nadie.cli.console import progress_bar
    from nadie.cli.language import say
    from nadie.cli.likely_phi import PhiSearch
    from nadie.cli.sarif import sarif_of
    from nadie.files.disk import write_bytes
    from nadie.run.documents import Run, RunOptions

    wanted = with_labels(label) if label else (lambda span: True) if released else identifying
    found: list[CheckedFile] = []
    with ExitStack() as stack:
        bar = stack.enter_context(progress_bar())
        bar.start("checking", None)
        annotate: Annotate = contacts_not_ours
        if not released:
            annotate = PhiSearch(stack.enter_context(Run(RunOptions(model, detection))), min_score).annotate
        for file in bar.counted(checked_files(paths, annotate, wanted)):
            found.append(file)
            for position in file.positions[:_SHOWN]:
                sys.stdout.write(f"{file.name}{position.where}: {position.label} {position.score:.2f}\n")
            if (more := len(file.positions) - _SHOWN) > 0:
                sys.stdout.write(f"{file.name}: {say(f'and {more} more')}\n")
    if sarif is not None:
        write_bytes(sarif, sarif_of(found, complete=skip_unreadable or not any(f.errors for f in found)).encode())
    _finish(found, skip_unreadable=skip_unreadable)


def _finish(found: list[CheckedFile], *, skip_unreadable: bool) -> None:
    """Print the summary, and exit with the code that it means."""
    from nadie.cli.console import counted, print_line
    from nadie.cli.language import say_error

    for failure in (failure for file in found for failure in file.errors):
        print_line(say_error(failure), "not checked", "yellow")
    with_phi = sum(bool(file.positions) for file in found)
    unread = sum(bool(file.errors) for file in found)
    print_line(f"{counted(len(found), 'file')}, {with_phi} with likely PHI, {unread} not checked")
    if with_phi:
        raise typer.Exit(1)
    if unread and not skip_unreadable:
        raise typer.Exit(2)
