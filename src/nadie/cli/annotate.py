"""`nadie annotate`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nadie.cli.detection_options import (
    AllowOption,
    DenyOption,
    KnownOption,
    ModelOption,
    ModeOption,
    PathsArgument,
    ThresholdsOption,
)
from nadie.options import DetectionOptions, Mode


class Target(StrEnum):
    """The formats that can hold annotations."""

    brat = "brat"
    i2b2 = "i2b2"
    jsonl = "jsonl"


def annotate(
    paths: PathsArgument,
    out: Annotated[Path, typer.Option(help="The folder for the annotations.")],
    to: Annotated[Target, typer.Option(help="The format to write.")] = Target.brat,
    model: ModelOption = "fast",
    mode: ModeOption = Mode.BALANCED,
    known: KnownOption = None,
    allow: AllowOption = None,
    deny: DenyOption = None,
    thresholds: ThresholdsOption = None,
) -> None:
    """Find what identifies a person and write it beside the text, which stays as it is.

    For brat, every input gives `ID.ann` and a byte-identical `ID.txt`; for i2b2, `ID.xml`; for JSONL, one file with
    a line for each document. Exit code 0 means that every input was handled.

    Examples:

        nadie annotate notes/ --out annotated/
        nadie annotate notes/ --out annotated/ --to jsonl --model recrf
    """
    from nadie import registry
    from nadie.cli.batch import Summary, check_output, count_inputs, read_inputs
    from nadie.cli.console import progress_bar
    from nadie.run import Run, RunOptions

    check_output(out, paths)
    options = RunOptions(model, DetectionOptions(mode, known, allow, deny, thresholds))
    with Run(options) as run, registry.formats.get(to.value)().writer(out) as write, progress_bar() as bar:
        summary = Summary(bar)
        bar.start("annotating", count_inputs(paths))
        summary.write(run.annotate(read_inputs(paths)), write)
    summary.finish()
