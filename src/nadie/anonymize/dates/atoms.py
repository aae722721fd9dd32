"""The single dates in a written date, by their form: `3 de enero de 2010`, `07.06.22`, `feb 2021`, `verano`, `2019`.

Everything is matched on the folded text, which has the same offsets as the text itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from enum import Enum

from nadie.spanish import calendar
from nadie.spanish.folding import same_length
from nadie.spanish.numbers import NUMBERS


class Grain(Enum):
    """How much an atom says."""

    DAY = "day"
    DAY_OF_YEAR = "day without year"
    DAY_OF_MONTH = "day alone"
    MONTH = "month"
    MONTH_OF_YEAR = "month without year"
    YEAR = "year"
    SEASON = "season"
    SEASON_OF_YEAR = "season without year"
    WEEKDAY = "weekday"
    FEAST = "feast"
    RELATIVE = "today, yesterday"


@dataclass(frozen=True, slots=True)
class Atom:
    """One date: its grain, its values, and where each of its fields stands in the text."""

    grain: Grain
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    word: str = ""
    fields: dict[str, tuple[int, int]] = field(default_factory=dict)

    def is_possible(self) -> bool:
        """Whether such a day exists; a 29 February without a year does."""
        if self.month is not None and not 1 <= self.month <= 12:
            return False
        if self.day is None:
            return True
        try:
            date(self.year or 2000, self.month or 1, self.day)
        except ValueError:
            return False
        return True


_SEP = r"\s?[-/.,·]{1,2}\s?"
_MONTH = rf"(?P<name>{'|'.join(calendar.month_words())})(?![a-z])\.?"
_ROMAN = rf"(?P<name>{'|'.join(sorted(map(str.lower, calendar.MONTHS[calendar.ROMAN]), key=len, reverse=True))})\b"
_DAY_WORDS = "|".join(sorted((k for k, n in NUMBERS.items() if 1 <= n <= 31), key=len, reverse=True))
_OF = r"(?:\s+de(?:l)?(?:\s+ano|\s+mes\s+de)?\s+|\s*[-/.,]\s*|\s+)"
_YEAR4 = r"(?P<y>(?:1[89]|20)\d{2})(?!\d)"
_YEAR2 = r"['’`´]?(?P<y>\d{2})(?!\d|[:h])"
_YEAR = rf"(?:{_YEAR4}|{_YEAR2.replace('<y>', '<yy>')})"

_FORMS: tuple[tuple[Grain, str], ...] = (
    (Grain.DAY, rf"{_YEAR4}(?P<s>[-/. ])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d)"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}})(?:{_SEP}|\s)(?P<m>\d{{1,2}})(?:{_SEP}|\s){_YEAR4}"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}}){_SEP}(?P<m>\d{{1,2}}){_SEP}{_YEAR2}"),
    (Grain.DAY, r"(?P<y>(?:19|20)\d{2})(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?!\d)"),
    (Grain.DAY, r"(?P<d>\d{2})(?P<m>\d{2})(?P<y>(?:19|20)\d{2})(?!\d)"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}})(?P<ord>[ºª°])?(?:{_OF}|(?=[a-z])){_MONTH}(?:{_OF}|(?=\d)){_YEAR}"),
    (Grain.DAY, rf"(?P<dw>{_DAY_WORDS}){_OF}{_MONTH}(?:{_OF}|(?=\d)){_YEAR}"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}})(?:{_SEP}|\s){_ROMAN}(?:{_SEP}|\s){_YEAR}"),
    (Grain.DAY_OF_YEAR, rf"(?P<d>\d{{1,2}})(?P<ord>[ºª°])?(?:{_OF}|(?=[a-z])){_MONTH}"),
    (Grain.DAY_OF_YEAR, rf"(?P<dw>{_DAY_WORDS})\s+de\s+{_MONTH}"),
    (Grain.MONTH, rf"{_MONTH}(?:{_OF}|(?=\d)){_YEAR}"),
    (Grain.MONTH, rf"(?P<m>\d{{1,2}})[-/. ]{_YEAR4}"),
    (Grain.MONTH, rf"{_YEAR4}[-/](?P<m>\d{{1,2}})(?!\d)"),
    (Grain.SEASON, rf"(?P<season>{'|'.join(map(same_length, calendar.SEASONS))}){_OF}{_YEAR}"),
    (Grain.FEAST, rf"(?P<feast>{'|'.join(calendar.DATED_FEASTS)})(?:{_OF}{_YEAR4})?\b"),
    (Grain.YEAR, rf"{_YEAR4}"),
    (Grain.YEAR, r"(?<=ano )(?P<yy>\d{2})(?!\d)|['’](?P<y>\d{2})(?!\d)"),
    (Grain.DAY_OF_YEAR, r"(?P<d>\d{1,2})[-/.](?P<m>\d{1,2})(?![\d/])"),
    (Grain.MONTH_OF_YEAR, _MONTH),
    (Grain.SEASON_OF_YEAR, rf"(?P<season>{'|'.join(map(same_length, calendar.SEASONS))})\b"),
    (Grain.WEEKDAY, rf"(?P<weekday>{'|'.join(same_length(w) for names in calendar.WEEKDAYS for w in names)})\b\.?"),
    (Grain.RELATIVE, r"hoy|ayer|anteayer|antier|anoche|manana|pasado manana"),
    (Grain.DAY_OF_MONTH, r"(?P<d>\d{1,2})(?=\s*(?:,|-|y|e|al|a|/)\s*\d)(?!\d)"),
)
_PATTERNS = tuple((grain, re.compile(rf"(?<![^\W_]){pattern}")) for grain, pattern in _FORMS)
_FIELDS = ("d", "ord", "dw", "m", "name", "y", "yy", "season", "feast", "weekday")


def find_atoms(text: str) -> list[Atom]:
    """The atoms of a text from left to right; at each place the fullest form wins."""
    folded = same_length(text)
    atoms: list[Atom] = []
    at = 0
    while at < len(folded):
        atom = _atom_at(folded, at)
        if atom is None:
            at += 1
        else:
            atoms.append(atom)
            at = atom.end
    return atoms


def _atom_at(folded: str, at: int) -> Atom | None:
    if not folded[at].isalnum() and folded[at] not in "'’":
        return None
    impossible: Atom | None = None
    for grain, pattern in _PATTERNS:
        match = pattern.match(folded, at)
        if match is None:
            continue
        atom = _atom(grain, match)
        if atom.is_possible():
            return atom
        swapped = _swapped(atom)
        if swapped is not None:
            return swapped
        if grain is Grain.DAY:
            return atom
        if impossible is None:
            impossible = atom
    return impossible


def _atom(grain: Grain, match: re.Match[str]) -> Atom:
    found = {name: text for name, text in match.groupdict().items() if text is not None and name in _FIELDS}
    month = int(found["m"]) if "m" in found else None
    if "name" in found:
        named = calendar.month_of(found["name"])
        month = named[0] if named else None
    day = int(found["d"]) if "d" in found else NUMBERS.get(found.get("dw", ""))
    written = found.get("y", found.get("yy"))
    year = None if written is None else _full_year(written)
    word = found.get("season") or found.get("feast") or found.get("weekday") or ""
    places = {name: match.span(name) for name in found}
    return Atom(grain, match.start(), match.end(), year, month, day, word, places)


def _full_year(written: str) -> int:
    """Two figures up to 35 are of this century: only leap years depend on it, for two figures are written again."""
    return int(written) if len(written) == 4 else int(written) + (2000 if int(written) <= 35 else 1900)


def _swapped(atom: Atom) -> Atom | None:
    """`12/25/2010`: the month first, where it can only be so."""
    if atom.grain is not Grain.DAY or "m" not in atom.fields or "d" not in atom.fields:
        return None
    fields = {**atom.fields, "d": atom.fields["m"], "m": atom.fields["d"]}
    other = Atom(atom.grain, atom.start, atom.end, atom.year, atom.day, atom.month, atom.word, fields)
    return other if other.is_possible() else None
