"""Files inside a file, each opened by its format: members of an archive, embedded objects, attachments."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple, NoReturn

from nadie.errors import Failure, FormatError, NadieError
from nadie.files.container import Account, Edits, Opened, OpenOptions, Uncovered, needed
from nadie.files.mapped import MappedText
from nadie.files.recognition import open_as, recognise, texts_of
from nadie.files.source import Source


class Member(NamedTuple):
    """One inner file: its name and all its texts, which are read in advance so that errors are known."""

    name: str
    opened: Opened
    texts: list[MappedText[Any]]


class Members:
    """The files inside one file. Their remarks go to the account of the outer file."""

    def __init__(self, source: Source, options: OpenOptions, account: Account) -> None:
        self._source = source
        self._options = options
        self._account = account
        self._members: list[Member] = []

    def __len__(self) -> int:
        return len(self._members)

    def add(self, name: str, content: bytes) -> None:
        """Open an inner file; raise an error that names it if this is not possible."""
        inner = self._source.inside(name, content)
        kind = recognise(inner)
        opened = open_as(kind, inner, self._options)
        self._members.append(Member(name, opened, texts_of(opened, kind, inner.where)))

    def failure_of(self, name: str, content: bytes) -> Failure | None:
        """Open an inner file that can be left out; return its failure if it cannot be opened."""
        try:
            self.add(name, content)
        except NadieError as error:
            if isinstance(error, FormatError) and error.where == self._source.where:
                raise  # the outer file is too large or too deep
            return self._failure(name, error)
        return None

    def texts(self) -> Iterator[MappedText[Any]]:
        for name, _, texts in self._members:
            for text in texts:
                yield replace(text, name=f"{name}#{text.name}" if text.name else name)

    def written(self, edits: Iterator[Edits | None], failed: Callable[[str, Failure], None]) -> dict[str, bytes]:
        """The copies by name; `failed` is called with the name and the failure of each that cannot be written."""
        copies: dict[str, bytes] = {}
        for name, opened, texts in self._members:
            of_member = [next(edits) for _ in texts]
            copy = io.BytesIO()
            try:
                opened.write(iter(of_member), copy)
            except NadieError as error:
                failed(name, self._failure(name, error))
                continue
            copies[name] = copy.getvalue()
            account = self._account
            account.uncovered += [Uncovered(f"{name}, {place}", why) for place, why in opened.account.uncovered]
            account.remarks += [f"{name}: {remark}" for remark in opened.account.remarks]
            account.warnings += [f"{name}: {warning}" for warning in opened.account.warnings]
            account.failures += opened.account.failures
        return copies

    def _failure(self, name: str, error: NadieError) -> Failure:
        return Failure.of(error, f"{self._source.where}!{name}")


class TextWithMembers(ABC):
    """An open container with one text of its own, held in memory, and inner files."""

    _text: MappedText[Any]

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source, self._options = source, options
        self._members = Members(source, options, self.account)

    def texts(self) -> Iterator[MappedText[Any]]:
        if self._text.text:
            yield self._text
        yield from self._members.texts()

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        self._put(needed(next(edits)) if self._text.text else ())
        self._save(self._members.written(edits, self._fail_in), out)

    @abstractmethod
    def _put(self, edits: Edits) -> None:
        """Apply the edits of the text to the data in memory."""

    @abstractmethod
    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        """Write the container with the copies of the inner files, by name."""

    def _fail(self, problem: str) -> NoReturn:
        raise FormatError(problem, where=self._source.where)

    def _fail_in(self, name: str, failure: Failure) -> None:
        """Refuse the whole file if an inner file cannot be written; other formats can leave it out."""
        self._fail(f"contains a file that cannot be written back ({failure.reason})")
