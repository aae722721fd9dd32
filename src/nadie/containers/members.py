"""Files inside a file, each opened as what it is: those of an archive, embedded objects, attachments."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, BinaryIO, NamedTuple, NoReturn

from nadie.containers.base import Account, Edits, Opened, OpenOptions, Uncovered, damaged, needed
from nadie.containers.mapped import MappedText
from nadie.containers.recognition import open_as, recognise, title_of
from nadie.containers.source import Source
from nadie.errors import FormatError, NadieError


class Member(NamedTuple):
    """One file inside: its name, and all its texts, read ahead so that what is wrong with it is known."""

    name: str
    opened: Opened
    texts: list[MappedText[Any]]


class Members:
    """The files inside one file. What the summary says about them goes to the account of the file around them."""

    def __init__(self, source: Source, options: OpenOptions, account: Account) -> None:
        self._source = source
        self._options = options
        self._account = account
        self._members: list[Member] = []

    def __len__(self) -> int:
        return len(self._members)

    def add(self, name: str, content: bytes) -> None:
        """Open a file; an error that names it where that cannot be done."""
        title = ""
        try:
            inner = self._source.inside(name, content)
            kind = recognise(inner)
            title = title_of(kind)
            opened = open_as(kind, inner, self._options)
            self._members.append(Member(name, opened, list(opened.texts())))
            return
        except NadieError:
            raise
        except Exception as error:
            problem = damaged(title, f"{self._source.where}!{name}", error)
        raise problem

    def problem_with(self, name: str, content: bytes) -> str:
        """Open a file; what is wrong with it where that cannot be done, for one that can be left out."""
        try:
            self.add(name, content)
        except NadieError as error:
            if isinstance(error, FormatError) and error.where == self._source.where:
                raise  # the file around it is too large or too deep
            return str(error)
        return ""

    def texts(self) -> Iterator[MappedText[Any]]:
        for name, _, texts in self._members:
            for text in texts:
                yield replace(text, name=f"{name}#{text.name}" if text.name else name)

    def refuse(self, name: str, problem: str) -> NoReturn:
        """For a file that cannot do without the one inside whose copy cannot be written."""
        raise FormatError(f"holds a file that cannot be written back ({problem})", where=self._source.where)

    def written(self, edits: Iterator[Edits | None], failed: Callable[[str, str], None]) -> dict[str, bytes]:
        """The copies by name; `failed` is told the name and the problem of each that cannot be written."""
        copies: dict[str, bytes] = {}
        for name, opened, texts in self._members:
            of_member = [next(edits) for _ in texts]
            copy = io.BytesIO()
            try:
                opened.write(iter(of_member), copy)
            except NadieError as error:
                failed(name, str(error))
                continue
            copies[name] = copy.getvalue()
            account = self._account
            account.uncovered += [Uncovered(f"{name}, {place}", why) for place, why in opened.account.uncovered]
            account.failures += opened.account.failures
        return copies


class TextWithMembers(ABC):
    """An open container with one text of its own, held in memory, and files inside."""

    account: Account
    _text: MappedText[Any]
    _members: Members

    def texts(self) -> Iterator[MappedText[Any]]:
        if self._text.text:
            yield self._text
        yield from self._members.texts()

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        self._put(needed(next(edits)) if self._text.text else ())
        self._save(self._members.written(edits, self._fail_in), out)

    @abstractmethod
    def _put(self, edits: Edits) -> None:
        """Change what is held in memory by the edits of the text."""

    @abstractmethod
    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        """Write all of it, with the copies of the files inside, by their names."""

    def _fail_in(self, name: str, problem: str) -> None:
        """Refuse the whole file for one inside whose copy cannot be written; other formats can leave that one out."""
        self._members.refuse(name, problem)
