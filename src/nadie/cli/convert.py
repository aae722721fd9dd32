"""`nadie convert`: convert annotated documents from one format into another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.cli.language import say, say_error


def convert(
    path: Annotated[Path, typer.Argument(help="A file, or a folder that is read recursively.")],
    to: Annotated[str, typer.Option(help="The format to write: brat, conll, docbin, i2b2, jsonl or text.")],
    out: Annotated[Path, typer.Option(help="The folder to write into. Ids become paths below it.")],
    format: Annotated[  # noqa: A002
        str | None, typer.Option("--from", help="The format to read, if it cannot be guessed from the suffixes.")
    ] = None,
    labels: Annotated[
        str, typer.Option(help="The label set to write: meddocan, presidio or i2b2.", metavar="SET")
    ] = "meddocan",
    from_labels: Annotated[
        str, typer.Option(help="The label set of the files to read: meddocan, presidio or i2b2.", metavar="SET")
    ] = "meddocan",
) -> None:
    """Convert annotated documents between brat, the task's XML, JSONL, CoNLL, spaCy's DocBin and plain text.

    Offsets count characters of the text as it is stored, and the text is kept byte for byte. Plain text cannot store
    annotations, so they are dropped. Spans for which another label set has no label are left out and counted.

    Examples:

        nadie convert meddocan/dev/brat --to i2b2 --out dev-xml
        nadie convert notes.jsonl --to brat --out notes-brat
        nadie convert mixed/ --from i2b2 --to jsonl --out one-file
        nadie convert dev/brat --to docbin --labels presidio --out dev-spacy
        nadie convert 2014/ --from i2b2 --from-labels i2b2 --to jsonl --out ours
    """
    from rich.console import Console

    from nadie.errors import ConfigError, FormatError
    from nadie.files.annotated.reading import iter_readable
    from nadie.files.format import FORMATS, Format
    from nadie.files.label_sets import label_set

    if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
        raise ConfigError("the output folder is inside the input folder: choose one outside it")
    target: Format = FORMATS.get(to)()
    target.labels = label_set(labels)
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    done, failed, left_out = 0, 0, 0
    with target.writer(out) as add, errors.status(say("converting")):
        for item in iter_readable(path, format, label_set(from_labels)):
            try:
                if isinstance(item, FormatError):
                    raise item
                fitted = target.labels.fitted(item)
                add(fitted)
                done += 1
                left_out += len(item.spans) - len(fitted.spans)
            except FormatError as error:
                failed += 1
                errors.print(say_error(error), style="red", markup=False)
    if left_out:
        errors.print(say(f"{left_out} spans left out: {labels} has no label for them"), markup=False)
    errors.print(say(f"{done} converted, {failed} failed"), markup=False)
    if failed:
        raise typer.Exit(1)
