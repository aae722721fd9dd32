"""What the commands say to a person: on stderr, so that stdout is for data alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn


def stderr() -> Console:
    return Console(stderr=True, highlight=False)


class Bar:
    """A progress bar: tasks that follow one another, each with its latest figures beside it."""

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


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """A bar on a terminal; silence where nobody looks."""
    console = stderr()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[figures]}"),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        yield Bar(progress)
