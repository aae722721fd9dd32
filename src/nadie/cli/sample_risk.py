"""`nadie risk` of a reviewed sample."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from nadie.risk.review.reading import Readings, ReviewedNote


class Compared(NamedTuple):
    """What is measured: the reviewed notes up to a last one, a system instead of the model, and a second system."""

    gold: Path | None = None
    last: int | None = None
    system: Path | None = None
    second: Path | None = None


def measure(paths: Sequence[Path], compared: Compared, page: Path | None, *, as_json: bool) -> None:
    """Print the figures of a sample, and write its page."""
    from nadie.cli.language import say
    from nadie.errors import ConfigError
    from nadie.files.disk import write_bytes
    from nadie.risk.review.agreement import agreement
    from nadie.risk.review.comparison import differences
    from nadie.risk.review.figures import Figures
    from nadie.risk.review.page import html
    from nadie.risk.review.reading import read_reviewed
    from nadie.risk.review.report import Report
    from nadie.risk.sample import Sample, is_sample

    if len(paths) != 1 or not is_sample(paths[0]):
        raise ConfigError("give a folder of `nadie sample`, or an output with --audit")
    sample = Sample.read(paths[0])
    notes = read_reviewed(paths[0], sample, compared.gold, compared.last)
    if compared.system is not None:
        notes = _of_system(notes, compared.system)
    figures = Figures(sample, notes)
    measured = compared.system.name if compared.system else ""
    report = Report(figures, agreement(notes, _readings(paths[0])), system=measured)
    if compared.second is not None:
        second = Figures(sample, _of_system(notes, compared.second))
        report = replace(report, differences=differences(figures, second), second=compared.second.name)
    if as_json:
        sys.stdout.write(json.dumps(report.summary(), ensure_ascii=False, indent=1) + "\n")
    else:
        sys.stdout.writelines(f"{say(line)}\n" for line in report.lines())
    if page is not None:
        write_bytes(page, html(report).encode())


def _of_system(notes: list[ReviewedNote], system: Path) -> list[ReviewedNote]:
    from nadie.cli.console import print_line
    from nadie.risk.review.reading import with_system

    read, missing = with_system(notes, system)
    if missing:
        lacking, all_of_them, names = len(missing), len(notes), ", ".join(missing)
        message = f"warning: {system} lacks {lacking} of {all_of_them} documents, counted as all missed: {names}"
        print_line(message, colour="yellow")
    return read


def _readings(folder: Path) -> Readings:
    """What two reviewers marked, if the sample is a project and the service is installed."""
    if not (folder / "project.sqlite3").is_file():
        return {}
    try:
        from nadie.service.team.sampled import readings
    except ModuleNotFoundError:
        return {}
    return readings(folder)
