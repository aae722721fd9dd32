"""Messages for the user: on stderr, so that stdout has only data."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

_RATE_SECONDS = 30.0
_COLOURS = {"red": 31, "green": 32, "yellow": 33}


def tell(message: str, title: str = "", colour: str = "red") -> None:
    """Print one line, with a title that is coloured if the terminal supports it."""
    if title and sys.stderr.isatty() and not os.environ.get("NO_COLOR"):
        title = f"\x1b[{_COLOURS[colour]}m{title}\x1b[0m"
    sys.stderr.write(f"{title} {printable(message)}\n" if title else f"{printable(message)}\n")


def printable(message: str) -> str:
    """The message in one line, with control characters escaped as in Python."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)


def stderr() -> Console:
    """The console for tables and colours, imported on demand: loading it takes longer than processing a short note."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


class Bar:
    """A progress bar: consecutive tasks, each with its latest figures next to it."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = None if progress.disable else progress.add_task("", total=None, figures="")

    def start(self, task: str, total: int | None) -> None:
        if self._task is not None:
            self._progress.reset(self._task, total=total, description=task, figures="")

    def advance(self, done: int, **figures: float) -> None:
        if self._task is None:
            return
        self._progress.advance(self._task, done)
        if figures:
            self._progress.update(self._task, figures="  ".join(f"{k} {v:.4g}" for k, v in figures.items()))


class ArchiveBar:
    """A progress bar over bytes of files, with the texts processed, the texts per second and the time left."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None, figures="")
        self._texts = 0
        self._seen: deque[tuple[float, int]] = deque()

    def start(self, total: int | None) -> None:
        self._progress.reset(self._task, total=total, description="anonymizing", figures="")

    def advance(self, files: int) -> None:
        """Do nothing: progress is measured in bytes, because the sizes of files differ too much."""

    def reach(self, position: int) -> None:
        """Count one more text, at this byte position."""
        self._texts += 1
        now = time.monotonic()
        if self._seen and now < self._seen[-1][0] + 0.1:
            return
        self._seen.append((now, self._texts))
        while now - self._seen[0][0] > _RATE_SECONDS:
            self._seen.popleft()
        began, before = self._seen[0]
        rate = f"  {(self._texts - before) / (now - began):,.0f} a second" if now > began else ""
        self._progress.update(self._task, completed=position, figures=f"{self._texts:,} texts{rate}")


@contextmanager
def archive_bar() -> Iterator[ArchiveBar]:
    """The progress bar of a run over files, if stderr is a terminal."""
    from rich import progress as columns

    shown = (
        columns.SpinnerColumn(),
        columns.TextColumn("{task.description}"),
        columns.BarColumn(),
        columns.TaskProgressColumn(),
        columns.TextColumn("{task.fields[figures]}"),
        columns.TextColumn("elapsed"),
        columns.TimeElapsedColumn(),
        columns.TextColumn("left"),
        columns.TimeRemainingColumn(),
    )
    with _progress(*shown) as progress:
        yield ArchiveBar(progress)


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """A progress bar if stderr is a terminal, otherwise no output."""
    from rich import progress as columns

    shown = (
        columns.SpinnerColumn(),
        columns.TextColumn("{task.description}"),
        columns.BarColumn(),
        columns.MofNCompleteColumn(),
        columns.TimeRemainingColumn(),
        columns.TextColumn("{task.fields[figures]}"),
    )
    with _progress(*shown) as progress:
        yield Bar(progress)


def _progress(*columns: ProgressColumn) -> Progress:
    from rich.progress import Progress

    console = stderr()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
