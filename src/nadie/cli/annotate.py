"""`nadie annotate`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions


@given.with_detection_options
def annotate(
    paths: given.Paths,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the annotations; without it, JSON lines go to standard output."),
    ] = None,
    to: Annotated[
        str, typer.Option(help="The format to write into the folder: brat, i2b2, jsonl or another with spans.")
    ] = "brat",
    workers: given.Workers = 1,
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Continue an interrupted run: skip what its folder has. Needs brat or i2b2."),
    ] = False,
    model: given.Model = "fast",
    *,
    detection: DetectionOptions,
    reading: given.Reading,
) -> None:
    """Find what identifies a person and write annotations; the text is not changed.

    Reads the same files as `nadie anonymize`. For brat, every text gives `ID.ann` and `ID.txt`, which is byte-identical
    to a plain text file; for i2b2, `ID.xml`; for JSONL, one file with a line for each document. A text file with a
    `.ann` file beside it is read as plain text, whatever its content looks like. Exit code 0 means that every input was
    processed.

    Examples:

        nadie annotate notes/ --out annotated/
        nadie annotate letters.docx extract.csv --out annotated/ --to jsonl
        nadie annotate - < note.txt
    """
    from nadie.cli.batch import print_json_line
    from nadie.cli.console import archive_bar, finish
    from nadie.files.source import FileList
    from nadie.run.annotation import AnnotationOptions, annotate_files
    from nadie.run.documents import RunOptions

    files = FileList(paths)
    options = AnnotationOptions(RunOptions(model, detection), reading.options(), to, workers, resume)
    is_shown = sys.stderr.isatty() and not files.is_one_document()
    with archive_bar("annotating") if is_shown else nullcontext() as progress:
        report = annotate_files(files, out or print_json_line, options, progress)
    finish(report)
