"""`nadie convert`: annotated documents from one format into another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def convert(
    path: Annotated[Path, typer.Argument(help="A file, or a folder that is read recursively.")],
    to: Annotated[str, typer.Option(help="The format to write: brat, i2b2, jsonl or text.")],
    out: Annotated[Path, typer.Option(help="The folder to write into. Ids become paths below it.")],
    format: Annotated[  # noqa: A002
        str | None, typer.Option("--from", help="The format to read, where it cannot be guessed from the suffixes.")
    ] = None,
) -> None:
    """Convert annotated documents between brat, the task's XML, JSONL and plain text.

    Offsets count characters of the text as it is stored, and the text is kept byte for byte. Plain text has no place
    for annotations, so they are dropped.

    Examples:

        nadie convert corpus/dev/brat --to i2b2 --out dev-xml
        nadie convert notes.jsonl --to brat --out notes-brat
        nadie convert mixed/ --from i2b2 --to jsonl --out one-file
    """
    from rich.console import Console

    from nadie.errors import ConfigError, FormatError
    from nadie.formats.base import FORMATS, Format
    from nadie.formats.reading import iter_readable

    if path.is_dir() and out.resolve().is_relative_to(path.resolve()):
        raise ConfigError("the output folder lies inside the input: the next run would read what this one writes")
    target: Format = FORMATS.get(to)()
    errors = Console(stderr=True, highlight=False, soft_wrap=True)
    done, failed = 0, 0
    with target.writer(out) as add, errors.status("converting"):
        for item in iter_readable(path, format):
            try:
                if isinstance(item, FormatError):
                    raise item
                add(item)
                done += 1
            except FormatError as error:
                failed += 1
                errors.print(str(error), style="red", markup=False)
    errors.print(f"{done} converted, {failed} failed", markup=False)
    if failed:
        raise typer.Exit(1)
