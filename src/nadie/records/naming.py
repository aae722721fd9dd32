"""The names of files and documents in the output, since their own names may identify a person."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import PurePosixPath

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.secret import Key
from nadie.bounded import BoundedMap
from nadie.document import Document
from nadie.files.container import CONTAINERS
from nadie.files.signatures import FORMATS_OF_SUFFIX
from nadie.labels import NAMES
from nadie.options import Rename
from nadie.resolve.values import identifying_values
from nadie.spanish.folding import words_of
from nadie.spanish.squashing import squash

_SUFFIXES = frozenset((*FORMATS_OF_SUFFIX, ".csv", ".htm", ".html", ".jsonl", ".tab", ".tsv", ".txt", ".xhtml", ".xml"))
_JOINS = re.compile(r"[_\-.,+\s]+|(?<=[a-záéíóúñ])(?=[A-ZÁÉÍÓÚÑ])|(?<=[^\W\d_])(?=\d)")
_LEAST = 4
_DIGITS = 16


class Naming:
    """The names of one run: every folder and file has one new name, which is always the same.

    `finds` returns whether a detector finds PHI in a text. Hashes are keyed, so the original name cannot be found by
    trying.
    """

    def __init__(self, rule: Rename, key: Key, finds: Callable[[str], bool]) -> None:
        self._rule = rule
        self._key = key
        self._finds = finds
        self._new, self._counts = BoundedMap(), BoundedMap()

    def named(self, done: Anonymized) -> Anonymized:
        """The output with its new name."""
        if self._rule is Rename.KEEP:
            return done
        path, mark, part = done.document.id.partition("#")
        return replace(done, name=self.path(path, done.document) + mark + part)

    def path(self, path: str, document: Document | None = None) -> str:
        """The new path of a file; with its document, it contains no value that was found there."""
        if self._rule is Rename.KEEP:
            return path
        *folders, last = path.split("/")
        suffix = known_suffix(last)
        parts: list[str] = []
        parent = ""
        for part in (*folders, last.removesuffix(suffix)):
            parts.append(self._part(parent, part, document))
            parent = f"{parent}{part}/"
        return "/".join(parts) + suffix

    def _part(self, parent: str, part: str, document: Document | None) -> str:
        place = f"{len(parent)} {parent}{part}"
        known = self._new.get(place)
        if known is None:
            self._new.set(place, known := self._first(parent, part))
        if known == part and self._rule is Rename.AUTO and document is not None and _holds(part, document):
            self._new.set(place, known := self._hashed(part))
        return known

    def _first(self, parent: str, part: str) -> str:
        if self._rule is Rename.NUMBER:
            count = str(int(self._counts.get(parent) or 0) + 1)
            self._counts.set(parent, count)
            return count
        tells_nothing = len(part) == 1 or not self._finds(" ".join(_JOINS.split(part)))
        is_kept = self._rule is Rename.AUTO and tells_nothing
        return part if is_kept else self._hashed(part)

    def _hashed(self, part: str) -> str:
        return self._key.digest("name of a file", part).hex()[:_DIGITS]


def known_suffix(name: str) -> str:
    """The suffix of a file name if it is that of a format; whatever else follows a dot may be a name or a number."""
    suffix = PurePosixPath(name).suffix
    known = _SUFFIXES.union(*(each.suffixes for each in CONTAINERS.third_party().values()))
    return suffix if suffix.lower() in known else ""


class Renames:
    """Counts the outputs with a new name and, if a table is wanted, writes their new and old names to it.

    The table is as confidential as the originals: old names may identify a person.
    """

    def __init__(self, write: Callable[[bytes], None] | None = None) -> None:
        self.count = 0
        self._write = write
        if write:
            write(_row("output", "input"))

    def add(self, old: str, new: str) -> None:
        self.count += old != new
        if self._write:
            self._write(_row(new, old))


def _row(*cells: str) -> bytes:
    line = StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode("utf-8", "surrogatepass")


def _values(document: Document) -> frozenset[str]:
    words = {
        word
        for span in document.spans
        if span.label in NAMES
        for word in words_of(document.text_of(span))
        if len(word) >= _LEAST
    }
    return frozenset(words | {value for value in identifying_values(document).values() if len(value) >= _LEAST})


def _holds(part: str, document: Document) -> bool:
    """Whether a value of the document occurs in a part of its path."""
    squashed, found = squash(part), squash("".join(map(document.text_of, document.spans)))
    if not any(squashed[at : at + _LEAST] in found for at in range(len(squashed) - _LEAST + 1)):
        return False  # nothing in common, so the values need not be computed
    return any(value in squashed for value in _values(document))
