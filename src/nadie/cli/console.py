"""Messages, progress bars and the summary of a command: on stderr, so that stdout has only data."""

from __future__ import annotations

import os
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from nadie.bounded import FirstMessages
from nadie.errors import NadieError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, ProgressColumn

    from nadie.document import Document
    from nadie.rewriting import Rewritten
    from nadie.run import Failure

_RATE_SECONDS = 30.0
_NAMED = 20
_NAMED_IN_REPORT = 200
_REASONS = 50
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

    times = (columns.TextColumn("elapsed"), columns.TimeElapsedColumn(), columns.TextColumn("left"))
    with _progress(columns.TaskProgressColumn(), _figures(), *times, columns.TimeRemainingColumn()) as progress:
        yield ArchiveBar(progress)


@contextmanager
def progress_bar() -> Iterator[Bar]:
    """A progress bar if stderr is a terminal, otherwise no output."""
    from rich import progress as columns

    with _progress(columns.MofNCompleteColumn(), columns.TimeRemainingColumn(), _figures()) as progress:
        yield Bar(progress)


def _figures() -> ProgressColumn:
    from rich.progress import TextColumn

    return TextColumn("{task.fields[figures]}")


def _progress(*columns: ProgressColumn) -> Progress:
    """The description and the bar, followed by these columns."""
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

    console = stderr()
    first = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn())
    return Progress(*first, *columns, console=console, transient=True, disable=not console.is_terminal)


class Summary:
    """Counts of documents processed and failed. `on_failure` is called with every failure; only the first are stored.

    A few files are listed by name; when there are many, written files are counted by format and failures by reason.
    """

    def __init__(self, bar: Bar | ArchiveBar | None, on_failure: Callable[[str], None] | None = None) -> None:
        self.handled = 0
        self.failures = FirstMessages(_NAMED_IN_REPORT)
        self._accounts, self._uncovered, self._remarks, self._warnings = (FirstMessages(_NAMED) for _ in range(4))
        self._written: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._bar = bar
        self._on_failure = on_failure

    def done(self) -> None:
        self.handled += 1
        self._advance()

    def remark(self, messages: Iterable[str] | FirstMessages) -> None:
        """Add a message that the user should read although nothing failed."""
        if isinstance(messages, FirstMessages):
            self._remarks.add(messages.first)
            self._remarks.count += messages.more
        else:
            self._remarks.add(messages)

    def fail(self, message: str) -> None:
        self._failed([message])
        self._advance()

    def _advance(self) -> None:
        if self._bar is not None:
            self._bar.advance(1)

    def _failed(self, messages: Iterable[str]) -> None:
        for message in messages:
            self.failures.add([message])
            reason = message.partition(": ")[2] or message
            self._reasons[reason if reason in self._reasons or len(self._reasons) < _REASONS else "other reasons"] += 1
            if self._on_failure:
                self._on_failure(message)

    def write(self, results: Iterable[Document | Failure | Rewritten], writer: Callable[[Document], None]) -> None:
        """Write each document; a document that cannot be written is a failure, and the others are still written."""
        from nadie.rewriting import Rewritten  # imported on demand: other commands only print messages
        from nadie.run import Failure

        for result in results:
            if isinstance(result, Failure):
                self.fail(result.message)
                continue
            if isinstance(result, Rewritten):
                self._rewritten(result)
                continue
            try:
                writer(result)
                self.done()
            except NadieError as error:
                self.fail(str(error))

    def _rewritten(self, file: Rewritten) -> None:
        """Report the format of a file and its replacements; a failure inside it counts like a failed file."""
        self.done()
        self._failed(file.account.failures)
        texts = f"{file.texts} text" if file.texts == 1 else f"{file.texts} texts"
        line = f"{file.name}: {file.title}, {texts}, {file.spans} replaced"
        self._accounts.add(["; ".join((line, *file.account.remarks))])
        self._written[file.title] += 1
        self._uncovered.add(f"{file.name}, {place}: {reason}" for place, reason in file.account.uncovered)
        self._warnings.add(f"{file.name}: {warning}" for warning in file.account.warnings)

    def finish(self) -> None:
        """Print the summary; exit with 1 if anything failed or there is a warning."""
        is_many = self._accounts.count > _NAMED
        if is_many:
            _tell_counts("written", "green", self._written)
        for colour, title, messages in (
            ("green", "written", FirstMessages(0) if is_many else self._accounts),
            ("yellow", "not covered", self._uncovered),
            ("yellow", "note", self._remarks),
            ("red", "warning", self._warnings),
            ("red", "failed", self.failures),
        ):
            for line in messages.first[:_NAMED]:
                tell(line, title, colour)
            if messages.count > _NAMED:
                tell(f"and {messages.count - _NAMED} more", title, colour)
        if self.failures.count > _NAMED:
            _tell_counts("failed", "red", self._reasons)
        tell(f"{self.handled} handled, {self.failures.count} failed")
        if self.failures.count or self._warnings.count:
            raise typer.Exit(1)


def _tell_counts(title: str, colour: str, counts: Counter[str]) -> None:
    for what, count in counts.most_common():
        tell(f"{count:,} × {what}", title, colour)
