"""Many inputs through one command: where they come from, and how it went."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import typer

from nadie.cli.console import Bar, stderr
from nadie.document import Document
from nadie.errors import ConfigError, FormatError, NadieError
from nadie.formats.files import decode
from nadie.formats.reading import count_documents_files, guess, iter_readable
from nadie.rewriting import STDIN, Rewritten
from nadie.run import Failure

_NAMED_FAILURES = 20


class Summary:
    """Counts what was handled and what failed."""

    def __init__(self, bar: Bar) -> None:
        self.handled = 0
        self.failures: list[str] = []
        self._accounts: list[str] = []
        self._uncovered: list[str] = []
        self._bar = bar

    def done(self) -> None:
        self.handled += 1
        self._bar.advance(1)

    def fail(self, message: str) -> None:
        self.failures.append(message)
        self._bar.advance(1)

    def write(self, results: Iterable[Document | Failure | Rewritten], writer: Callable[[Document], None]) -> None:
        """Write each document; one that cannot be written is a failure, and the rest goes on."""
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
        """Tell what a file was taken for and what was done; what failed inside it counts like a file of its own."""
        self.done()
        self.failures += file.account.failures
        texts = f"{file.texts} text" if file.texts == 1 else f"{file.texts} texts"
        told = f"{file.name}: {file.title}, {texts}, {file.spans} replaced"
        self._accounts.append("; ".join((told, *file.account.remarks)))
        self._uncovered += [f"{file.name}, {place}: {reason}" for place, reason in file.account.uncovered]

    def finish(self) -> None:
        """Print the summary; exit with 1 if anything failed."""
        console = stderr()
        for style, title, lines in (("green", "written", self._accounts), ("yellow", "not covered", self._uncovered)):
            for line in lines[:_NAMED_FAILURES]:
                console.print(f"[{style}]{title}[/] " + line.replace("[", r"\["), soft_wrap=True)
            if len(lines) > _NAMED_FAILURES:
                console.print(f"[{style}]{title}[/] and {len(lines) - _NAMED_FAILURES} more")
        for message in self.failures[:_NAMED_FAILURES]:
            console.print("[red]failed[/] " + message.replace("[", r"\["), soft_wrap=True)
        if len(self.failures) > _NAMED_FAILURES:
            console.print(f"[red]failed[/] and {len(self.failures) - _NAMED_FAILURES} more")
        console.print(f"{self.handled} handled, {len(self.failures)} failed")
        if self.failures:
            raise typer.Exit(1)


def read_inputs(paths: Iterable[Path]) -> Iterator[Document | FormatError]:
    """Every document of every path without its spans, or the error in its place."""
    for path in paths:
        for item in [_stdin()] if path == STDIN else _readable(path):
            yield Document(item.id, item.text, (), item.meta) if isinstance(item, Document) else item


def count_inputs(paths: Sequence[Path]) -> int | None:
    """How many documents there are to read, for the progress bar; None if that is not known beforehand."""
    return None if STDIN in paths else count_documents_files(paths)


def check_output(out: Path | None, paths: Iterable[Path]) -> None:
    """Refuse an output folder that would overwrite an input, or be read as input by the next run."""
    if out is None:
        return
    target = out.resolve()
    for path in paths:
        if path == STDIN:
            continue
        source = path.resolve()
        if target == (source if source.is_dir() else source.parent):
            raise ConfigError(f"the output would overwrite the input: choose another folder than {out}")
        if source.is_dir() and target.is_relative_to(source):
            raise ConfigError(f"the output folder {out} lies inside the input folder {path}: choose one outside it")


def _readable(path: Path) -> Iterator[Document | FormatError]:
    try:
        form = guess(path)
    except FormatError as error:
        yield error
        return
    # Annotations beside the texts are not wanted here, so a broken one must not stand in the way of its text.
    yield from iter_readable(path, "text" if form == "brat" else None)


def _stdin() -> Document | FormatError:
    try:
        return Document("stdin", decode(sys.stdin.buffer.read(), "standard input"))
    except FormatError as error:
        return error
