"""Many inputs through one pipeline: what fails is named and counted, and the rest goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import typer

from nadie.cli.console import Bar, stderr
from nadie.document import Document
from nadie.errors import FormatError, NadieError
from nadie.formats.files import decode
from nadie.formats.reading import count_documents_files, guess, iter_readable
from nadie.pipeline import Pipeline

STDIN = Path("-")
_TOGETHER = 16
_NAMED_FAILURES = 20


class Batch:
    """The run of a command over its inputs."""

    def __init__(self, bar: Bar) -> None:
        self.handled = 0
        self.failures: list[str] = []
        self._bar = bar

    def read(self, paths: Iterable[Path]) -> Iterator[Document]:
        """Every document of every path; what cannot be read becomes a failure. Spans already there are dropped."""
        for path in paths:
            for item in _readable(path):
                if isinstance(item, FormatError):
                    self.fail(str(item))
                else:
                    yield Document(item.id, item.text, (), item.meta)

    def annotate(self, documents: Iterable[Document], pipeline: Pipeline) -> Iterator[Document]:
        """The documents with their spans; where one cannot be handled, the others of its group still are."""
        waiting = iter(documents)
        while group := list(islice(waiting, _TOGETHER)):
            try:
                yield from list(pipeline.annotate_all(group))
            except Exception:
                yield from self._one_by_one(group, pipeline)

    def _one_by_one(self, group: Sequence[Document], pipeline: Pipeline) -> Iterator[Document]:
        for document in group:
            try:
                yield pipeline.annotate(document)
            except NadieError as error:
                self.fail(f"{document.id}: {error}")
            except Exception as error:  # the message of a stranger may quote the text: only its kind is told
                self.fail(f"{document.id}: {type(error).__name__} while it was being annotated")

    def write(self, documents: Iterable[Document], writer: Callable[[Document], None]) -> None:
        """Write each document; one that cannot be written becomes a failure."""
        for document in documents:
            try:
                writer(document)
                self.done()
            except FormatError as error:
                self.fail(str(error))

    def done(self) -> None:
        self.handled += 1
        self._bar.advance(1)

    def fail(self, message: str) -> None:
        self.failures.append(message)

    def finish(self) -> None:
        """Say how it went; leave with exit code 1 if anything failed."""
        console = stderr()
        for message in self.failures[:_NAMED_FAILURES]:
            console.print(f"[red]failed[/] {_plain(message)}", soft_wrap=True)
        if len(self.failures) > _NAMED_FAILURES:
            console.print(f"[red]failed[/] and {len(self.failures) - _NAMED_FAILURES} more")
        console.print(f"{self.handled} handled, {len(self.failures)} failed")
        if self.failures:
            raise typer.Exit(1)


def count_inputs(paths: Sequence[Path]) -> int | None:
    """How many documents there are to read, for the progress bar; None where that cannot be told."""
    return None if STDIN in paths else count_documents_files(paths)


def _readable(path: Path) -> Iterator[Document | FormatError]:
    if path == STDIN:
        yield _stdin()
        return
    try:
        form = guess(path)
    except FormatError as error:
        yield error
        return
    # Annotations beside the texts are not wanted here, so a broken one must not stand in the way of its text.
    yield from iter_readable(path, "text" if form == "brat" else form)


def _stdin() -> Document | FormatError:
    try:
        return Document("stdin", decode(sys.stdin.buffer.read(), "standard input"))
    except FormatError as error:
        return error


def _plain(message: str) -> str:
    return message.replace("[", r"\[")
