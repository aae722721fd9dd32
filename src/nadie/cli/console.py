"""Messages, progress bars and the summary of a command: on stderr, so that stdout has only data."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import typer

from nadie.cli.language import say, say_error
from nadie.errors import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

    from nadie.run.report import RunReport
    from nadie.run.rewriting import Rewritten

T = TypeVar("T")
_RATE_SECONDS = 30.0
_NAMED = 20
_TABLE_WIDTH = 118
_FIGURES = "{task.fields[figures]}"
_COLOURS = {"red": 31, "green": 32, "yellow": 33}


def print_line(message: str, title: str = "", colour: str = "red") -> None:
    """Print one line in the user's language, with a title that is coloured if the terminal supports it."""
    title, message = say(title), say(message)
    if title and sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        title = f"\x1b[{_COLOURS[colour]}m{title}\x1b[0m"
    sys.stderr.write(f"{title} {printable(message)}\n" if title else f"{printable(message)}\n")


def counted(number: int, unit: str) -> str:
    """A number with its unit, in the plural unless it is one."""
    return f"{number} {unit}{'' if number == 1 else 's'}"


def stderr() -> Console:
    """The console for tables and colours, imported on demand: loading it takes longer than processing a short note."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def table_console() -> Console:
    """The console for tables on stdout; they have a fixed width if it is not a terminal."""
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_TABLE_WIDTH)


class Bar:
    """A progress bar: consecutive tasks, each with its latest figures next to it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = None if progress.disable else progress.add_task("", total=None, figures="")

    def start(self, task: str, total: int | None) -> None:
        if self._task is not None:
            self._progress.reset(self._task, total=total, description=say(task), figures="")

    def advance(self, done: int, **figures: float) -> None:
        if self._task is None:
            return
        self._progress.advance(self._task, done)
        if figures:
            self._progress.update(self._task, figures="  ".join(f"{k} {v:.4g}" for k, v in figures.items()))

    def counted(self, items: Iterable[T]) -> Iterator[T]:
        """The items, each counted when the next one is asked for."""
        for item in items:
            yield item
            self.advance(1)


class ArchiveBar:
    """A progress bar over bytes of files, with the texts processed, the texts per second and the time left."""

    def __init__(self, progress: Progress, task: str) -> None:
        self._progress = progress
        self._task = progress.add_task(say(task), total=None, figures="")
        self._texts = 0
        self._seen: deque[tuple[float, int]] = deque()

    def reach(self, position: int, total: int | None) -> None:
        """Count one more text, at this byte position of that many bytes; the sizes of files differ too much."""
        self._texts += 1
        now = time.monotonic()
        if self._seen and now < self._seen[-1][0] + 0.1:
            return
        self._seen.append((now, self._texts))
        while now - self._seen[0][0] > _RATE_SECONDS:
            self._seen.popleft()
        began, before = self._seen[0]
        rate = say(f"{(self._texts - before) / (now - began):,.0f} a second") if now > began else ""
        figures = f"{say(f'{self._texts:,} texts')}  {rate}"
        self._progress.update(self._task, completed=position, total=total, figures=figures)


@contextmanager
def archive_bar(task: str = "anonymizing") -> Iterator[Callable[[int, int | None], None]]:
    """The progress bar of a run over files, as the function that moves it."""
    from rich import progress as columns

    times = (
        columns.TextColumn(_FIGURES),
        columns.TextColumn(say("elapsed")),
        columns.TimeElapsedColumn(),
        columns.TextColumn(say("left")),
    )
    with _progress(
        columns.TaskProgressColumn(), columns.TextColumn(_FIGURES), *times, columns.TimeRemainingColumn()
    ) as progress:
        yield ArchiveBar(progress, task).reach


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """A progress bar if stderr is a terminal, otherwise no output."""
    from rich import progress as columns

    with _progress(
        columns.MofNCompleteColumn(), columns.TimeRemainingColumn(), columns.TextColumn(_FIGURES)
    ) as progress:
        yield Bar(progress)


def _progress(*columns: ProgressColumn) -> Progress:
    """The description and the bar, followed by these columns."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    console = stderr()
    first = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn())
    return Progress(*first, *columns, console=console, transient=True, disable=not console.is_terminal)


def finish(report: RunReport) -> None:
    """Print the summary of a run; exit with 1 if anything failed or there is a warning.

    A few files are listed by name; when there are many, written files are counted by format and failures by reason.
    """
    is_many = report.files.count > len(report.files.first)
    if is_many:
        _print_counts("written", "green", report.formats)
    _print_first("written", "green", [] if is_many else map(_line_of, report.files.first), 0)
    _print_counts("written", "green", report.counted)
    _print_first("not covered", "yellow", report.uncovered.first, report.uncovered.more)
    _print_first("note", "yellow", report.notes.first, report.notes.more)
    _print_first("warning", "red", report.warnings.first, report.warnings.more)
    _print_first("failed", "red", map(say_error, report.failures.first[:_NAMED]), report.failed - _NAMED)
    if report.failed > _NAMED:
        _print_counts("failed", "red", report.reasons)
    handled = str(report.handled)
    if report.inputs:
        handled = f"{counted(report.handled, 'text')} of {counted(report.inputs, 'file')}"
    print_line(f"{handled} handled, {report.failed} failed")
    if report.failed or report.warnings.count:
        raise typer.Exit(1)


def _line_of(file: Rewritten) -> str:
    done = f"{file.name}: {say(file.title)}, {say(counted(file.texts, file.unit))}, {say(f'{file.spans} replaced')}"
    return "; ".join((done, *map(say, file.account.remarks)))


def _print_first(title: str, colour: str, lines: Iterable[str], more: int) -> None:
    for line in lines:
        print_line(line, title, colour)
    if more > 0:
        print_line(f"and {more} more", title, colour)


def _print_counts(title: str, colour: str, counts: Counter[str]) -> None:
    for what, count in counts.most_common():
        print_line(f"{count:,} × {say(what)}", title, colour)
