"""Inputs and summary of a command that processes many documents."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import typer

from nadie.bounded import FirstMessages
from nadie.cli.console import ArchiveBar, Bar, tell
from nadie.document import Document
from nadie.errors import ConfigError, FormatError, NadieError
from nadie.formats.files import decode
from nadie.formats.reading import count_documents_files, guess, iter_readable
from nadie.inputs import STDIN
from nadie.rewriting import Rewritten
from nadie.run import Failure

_NAMED = 20
_NAMED_IN_REPORT = 200
_REASONS = 50


class Summary:
    """Counts of documents processed and failed. `on_failure` is called with every failure; only the first are stored.

    A few files are listed by name; when there are many, written files are counted by format and failures by reason.
    """

    def __init__(self, bar: Bar | ArchiveBar | None, on_failure: Callable[[str], None] | None = None) -> None:
        self.handled = 0
        self.failures = FirstMessages(_NAMED_IN_REPORT)
        self._accounts, self._uncovered, self._remarks = (FirstMessages(_NAMED) for _ in range(3))
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

    def finish(self) -> None:
        """Print the summary; exit with 1 if anything failed."""
        is_many = self._accounts.count > _NAMED
        if is_many:
            _tell_counts("written", "green", self._written)
        for colour, title, messages in (
            ("green", "written", FirstMessages(0) if is_many else self._accounts),
            ("yellow", "not covered", self._uncovered),
            ("yellow", "note", self._remarks),
            ("red", "failed", self.failures),
        ):
            for line in messages.first[:_NAMED]:
                tell(line, title, colour)
            if messages.count > _NAMED:
                tell(f"and {messages.count - _NAMED} more", title, colour)
        if self.failures.count > _NAMED:
            _tell_counts("failed", "red", self._reasons)
        tell(f"{self.handled} handled, {self.failures.count} failed")
        if self.failures.count:
            raise typer.Exit(1)


def _tell_counts(title: str, colour: str, counts: Counter[str]) -> None:
    for what, count in counts.most_common():
        tell(f"{count:,} × {what}", title, colour)


def read_inputs(paths: Iterable[Path]) -> Iterator[Document | FormatError]:
    """Every document of every path without its spans, or an error in its place."""
    for path in paths:
        for item in [_stdin()] if path == STDIN else _readable(path):
            yield Document(item.id, item.text, (), item.meta) if isinstance(item, Document) else item


def count_inputs(paths: Sequence[Path]) -> int | None:
    """The number of documents to read, for the progress bar; None if it is not known in advance."""
    return None if STDIN in paths else count_documents_files(paths)


def folder_in_place(paths: Sequence[Path], out: Path | None, *, can_restore: bool) -> Path:
    """The folder in which files are changed; an error if the originals could not be restored."""
    if out is not None:
        raise ConfigError("give either --in-place or --out, not both")
    if not can_restore:
        raise ConfigError("--in-place overwrites the originals: give --vault or --backup to be able to restore them")
    if len(paths) != 1 or paths[0] == STDIN:
        raise ConfigError("--in-place takes one file or one folder")
    return paths[0] if paths[0].is_dir() else paths[0].parent


def check_output(out: Path | None, paths: Iterable[Path]) -> None:
    """Raise an error if the output folder would overwrite an input or be read as input by the next run."""
    if out is None:
        return
    target = out.resolve()
    for path in paths:
        if path == STDIN:
            continue
        source = path.resolve()
        if target == (source if source.is_dir() else source.parent):
            raise ConfigError(f"the output would overwrite the input: choose a folder other than {out}")
        if source.is_dir() and target.is_relative_to(source):
            raise ConfigError(f"the output folder {out} is inside the input folder {path}: choose one outside it")


def _readable(path: Path) -> Iterator[Document | FormatError]:
    try:
        form = guess(path)
    except FormatError as error:
        yield error
        return
    # Annotations are not used here, so a broken annotation file must not prevent the reading of its text.
    yield from iter_readable(path, "text" if form == "brat" else None)


def _stdin() -> Document | FormatError:
    try:
        return Document("stdin", decode(sys.stdin.buffer.read(), "standard input"))
    except FormatError as error:
        return error
