"""`nadie annotate`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from nadie.cli import detection_options as given
from nadie.options import DetectionOptions


@given.with_detection_options
def annotate(
    paths: given.Paths,
    out: Annotated[Path, typer.Option(help="The folder for the annotations.")],
    to: Annotated[str, typer.Option(help="The format to write: brat, i2b2, jsonl or another with spans.")] = "brat",
    model: given.Model = "fast",
    *,
    detection: DetectionOptions,
) -> None:
    """Find what identifies a person and write annotations; the text is not changed.

    For brat, every input gives `ID.ann` and a byte-identical `ID.txt`; for i2b2, `ID.xml`; for JSONL, one file with
    a line for each document. Exit code 0 means that every input was processed.

    Examples:

        nadie annotate notes/ --out annotated/
        nadie annotate notes/ --out annotated/ --to jsonl --model recrf
    """
    from nadie.cli.batch import count_inputs, read_inputs
    from nadie.cli.console import finish, progress_bar
    from nadie.errors import ConfigError
    from nadie.files.format import FORMATS
    from nadie.run.documents import Run, RunOptions
    from nadie.run.files import check_output
    from nadie.run.report import RunReport

    check_output(out, paths)
    target = FORMATS.get(to)()
    if not target.holds_spans:
        raise ConfigError(f"the format {to} cannot store annotations")
    report = RunReport()
    with Run(RunOptions(model, detection)) as run, target.writer(out) as write, progress_bar() as bar:
        bar.start("annotating", count_inputs(paths))
        report.write(bar.counted(run.annotate(read_inputs(paths))), write)
    finish(report)
