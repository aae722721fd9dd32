"""The detector of known identities."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from nadie.detectors.known.forms import initials, joins, titled
from nadie.detectors.known.identities import Identity, IdentityValue, read_identities
from nadie.detectors.known.names import NameFound, Names
from nadie.detectors.known.numbers import Numbers
from nadie.detectors.known.phrases import ADDRESS_NOISE, DATE_NOISE, KINDS_OF_WAY, address_cores, date_forms
from nadie.document import Document, Span
from nadie.resolve.terms import FoldedWord, Terms, are_adjacent, folded_words
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.name_use import is_name_in_lower_case

_SOURCE = "known"
_WHOLE, _CUT, _ALONE = 0.99, 0.9, 0.8
_SHORT = 3


@dataclass
class _Index:
    """The values to look for in a set of documents."""

    names: Names = field(default_factory=Names)
    numbers: Numbers = field(default_factory=Numbers)
    addresses: Terms = field(default_factory=lambda: Terms(ADDRESS_NOISE))
    dates: Terms = field(default_factory=lambda: Terms(DATE_NOISE))
    terms: Terms = field(default_factory=Terms)
    owners: list[int] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    people: int = 0

    def add(self, identity: Identity) -> None:
        person = self.people
        self.people += 1
        by_label: dict[str, list[str]] = {}
        for value in identity.values:
            if value.kind == "name":
                by_label.setdefault(value.label, []).append(value.text)
            else:
                self._add_value(value, person)
        for label, parts in by_label.items():
            self.names.add(parts)
            self.owners.append(person)
            self.labels.append(label)

    def _add_value(self, value: IdentityValue, person: int) -> None:
        if value.kind in ("number", "phone"):
            self.numbers.add(value.text, person, value.label, dialled=value.kind == "phone")
        elif value.kind == "address":
            for words in address_cores(value.text):
                self.addresses.add_words(words, value.label)
        elif value.kind == "date":
            for words in date_forms(value.text):
                self.dates.add_words(words, value.label)
        else:
            self.terms.add(value.text, value.label)


class Known:
    """Finds known identities: names in any order and spelling, numbers with any grouping, and other values.

    A single part of a name is taken as the person only if just one person is looked for, or if the note has another
    value of the same person; in a table of thousands of persons, every García would be one of them.

    >>> known = Known([Identity.of({"nombre": "María José", "apellidos": "García López", "dni": "12345678Z"})])
    >>> text = "GARCIA LOPEZ, Mª Jose. DNI 12.345.678-Z"
    >>> [text[span.start : span.end] for span in known.detect([Document("", text)])[0]]
    ['GARCIA LOPEZ, Mª Jose', '12.345.678-Z']
    """

    name = _SOURCE

    def __init__(self, identities: Iterable[Identity] = ()) -> None:
        self._everywhere = _Index()
        self._by_document: dict[str, _Index] = {}
        for identity in identities:
            index = self._everywhere
            if identity.document is not None:
                index = self._by_document.setdefault(identity.document, _Index())
            index.add(identity)

    @property
    def count(self) -> int:
        """The number of identities."""
        return self._everywhere.people + sum(index.people for index in self._by_document.values())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the identities from a CSV file; see `read_identities`."""
        return cls(read_identities(path))

    @classmethod
    def of(cls, identities: Iterable[Mapping[str, str] | str]) -> Self:
        """The detector of identities that are given as names or as fields."""
        return cls(Identity.of({"nombre": each} if isinstance(each, str) else each) for each in identities)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self._spans(document) for document in documents]

    def _spans(self, document: Document) -> tuple[Span, ...]:
        words = folded_words(document.text)
        found: set[Span] = set()
        for index in (self._everywhere, self._by_document.get(document.id)):
            if index is not None and index.people:
                found.update(_search(index, document.text, words))
        return tuple(sorted(found))


def _search(index: _Index, text: str, words: Sequence[FoldedWord]) -> Iterator[Span]:
    certain = {0} if index.people == 1 else set()
    for number in index.numbers.find(text, words):
        certain.add(number.person)
        yield Span(number.start, number.end, number.payload, _WHOLE, f"{_SOURCE}:number")
    names = [*index.names.find(text, words), *joins(index.names, text, words)]
    certain |= {index.owners[person] for name in names if name.full > 1 for person in name.persons}
    taken = bytearray(len(text))
    for name in names:
        owners = sorted(person for person in name.persons if index.owners[person] in certain)
        if score := _score(name, bool(owners), text, words):
            label = index.labels[(owners or sorted(name.persons))[0]]
            place = (words[name.first].start, _end(text, words[name.stop - 1]))
            taken[slice(*place)] = b"\1" * (place[1] - place[0])
            yield Span(*place, label, score, f"{_SOURCE}:name")
    for span in _short_forms(index, text, frozenset(certain)):
        if not any(taken[span.start : span.end]):
            taken[span.start : span.end] = b"\1" * len(span)
            yield span
    for terms, source in ((index.addresses, "address"), (index.dates, "date"), (index.terms, "term")):
        for found in terms.find(text, words):
            start = _with_kind_of_way(text, words, found.start) if source == "address" else found.start
            yield Span(start, found.end, found.payload, _WHOLE, f"{_SOURCE}:{source}")


def _short_forms(index: _Index, text: str, certain: frozenset[int]) -> Iterator[Span]:
    """Initials and titled words of persons who are certainly in the note."""
    persons = frozenset(person for person, owner in enumerate(index.owners) if owner in certain)
    for start, end, person in initials(index.names, text, persons):
        yield Span(start, end, index.labels[person], _CUT, f"{_SOURCE}:name")
    for start, owners in titled(index.names, text).items():
        if whose := sorted(owners & persons):
            end = start
            while text[end : end + 1].isalpha():
                end += 1
            yield Span(start, end, index.labels[whose[0]], _CUT, f"{_SOURCE}:name")


def _with_kind_of_way(text: str, words: Sequence[FoldedWord], start: int) -> int:
    """The start of an address, including the words before its name: `calle de la`, `C/`."""
    first = bisect_left(words, start, key=lambda word: word.start)
    i = first
    while i > max(0, first - 4) and words[i - 1].folded in ADDRESS_NOISE and are_adjacent(text, words[i - 1], words[i]):
        i -= 1
    while i < first and words[i].folded not in KINDS_OF_WAY:
        i += 1
    return words[i].start


def _score(name: NameFound, is_certain: bool, text: str, words: Sequence[FoldedWord]) -> float:
    """The score of a run of words; 0 for a single word that is ambiguous or written like an ordinary word."""
    if name.full > 1:
        return _WHOLE
    if name.initials:
        return _CUT if is_certain or name.initials > 1 else 0.0
    return _ALONE if is_certain and not _is_ordinary(words[name.first], text) else 0.0


def _is_ordinary(word: FoldedWord, text: str) -> bool:
    """Whether a word may be an ordinary one: in lower case, unless it is clearly a surname, or `GIL` in capitals."""
    is_lower = text[word.start].islower()
    if len(word.folded) <= _SHORT:
        written = text[word.start : word.end]
        rather_name = Lexicon.shared().rarity(written) <= Lexicon.shared().rarity(word.folded)
        return is_lower or written.isupper() or not rather_name
    return is_lower and not text.islower() and not is_name_in_lower_case(word.folded)


def _end(text: str, word: FoldedWord) -> int:
    """The end of a word, after the full stop if it is an initial."""
    cut = word.end - word.start == 1 and text[word.end : word.end + 1] == "."
    return word.end + cut
