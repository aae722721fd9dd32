"""`nadie annotate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.cli.finding_options import AllowOption, DenyOption, KnownOption, ModeOption, ThresholdsOption
from nadie.finding import Finding, Mode


def annotate(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders, or - for standard input.", metavar="PATH...")],
    out: Annotated[Path, typer.Option(help="The folder for the annotations.")],
    to: Annotated[str, typer.Option(help="The format to write: brat, i2b2, jsonl or another with spans.")] = "brat",
    model: Annotated[str, typer.Option(help="A model's name (see `nadie models`) or folder.")] = "fast",
    mode: ModeOption = Mode.BALANCED,
    known: KnownOption = None,
    allow: AllowOption = None,
    deny: DenyOption = None,
    thresholds: ThresholdsOption = None,
) -> None:
    """Find what identifies a person and write it down beside the text, which stays as it is.

    For brat, every input gives `ID.ann` and a byte-identical `ID.txt`; for i2b2, `ID.xml`; for JSONL, one file with
    a line for each document. Exit code 0 means that every input was handled.

    Examples:

        nadie annotate notes/ --out annotated/

        nadie annotate notes/ --out annotated/ --to jsonl --model recrf
    """
    from nadie import registry
    from nadie.cli.batch import Batch, count_inputs
    from nadie.cli.console import progress_bar
    from nadie.errors import ConfigError
    from nadie.pipeline import load

    target = registry.formats.get(to)()
    if not target.holds_spans:
        raise ConfigError(f"the format {to} has no place for annotations")
    pipeline = load(model, finding=Finding(mode, known, allow, deny, thresholds))
    with progress_bar() as bar:
        batch = Batch(bar)
        bar.start("annotating", count_inputs(paths))
        with target.writer(out) as write:
            batch.write(batch.annotate(batch.read(paths), pipeline), write)
    batch.finish()
