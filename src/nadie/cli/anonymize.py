"""`nadie anonymize`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def anonymize(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders, or - for standard input.", metavar="PATH...")],
    out: Annotated[
        Path | None, typer.Option(help="The folder for the anonymized texts; else they go to stdout.")
    ] = None,
    model: Annotated[str, typer.Option(help="A model's name (see `nadie models`) or folder.")] = "recrf",
) -> None:
    """Replace what identifies a person by the label of what it was.

    Files are read as they are; folders are searched for .txt, .xml and .jsonl files, recursively. What is not
    replaced comes out byte for byte. Exit code 0 means that every input was handled.

    Examples:

        nadie anonymize note.txt                     one note, to the screen

        cat note.txt | nadie anonymize -             in a pipe

        nadie anonymize notes/ --out anonymized/     a folder, keeping its sub-folders
    """
    from nadie.anonymize.engine import anonymize as replace_spans
    from nadie.cli.batch import Batch, count_inputs
    from nadie.cli.console import progress_bar
    from nadie.document import Document
    from nadie.errors import FormatError
    from nadie.formats.text import Text
    from nadie.pipeline import load

    pipeline = load(model)
    total = count_inputs(paths)
    with progress_bar() as bar:
        batch = Batch(bar)
        bar.start("anonymizing", total)
        annotated = batch.annotate(batch.read(paths), pipeline)
        if out is None:
            for document in annotated:
                _print(document.id, replace_spans(document, pipeline.operator), alone=total in (None, 1))
                batch.done()
        else:
            with Text().writer(out) as write:
                for document in annotated:
                    try:
                        write(Document(document.id, replace_spans(document, pipeline.operator)))
                        batch.done()
                    except FormatError as error:
                        batch.fail(str(error))
    batch.finish()


def _print(name: str, text: str, *, alone: bool) -> None:
    if not alone:
        sys.stdout.buffer.write(f"==> {name} <==\n".encode())
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    if not alone and not text.endswith("\n"):
        sys.stdout.buffer.write(b"\n")
    sys.stdout.buffer.flush()
