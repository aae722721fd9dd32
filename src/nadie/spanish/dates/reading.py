"""Parsing of dates: text → expression, the dates of one list or range, with shared years and months resolved."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from nadie.spanish import calendar, languages
from nadie.spanish.dates import forms
from nadie.spanish.dates.atoms import Atom, Grain
from nadie.spanish.dates.corrections import (
    as_figures,
    as_words,
    is_month_first,
    month_first,
    swapped,
    with_month_first,
)
from nadie.spanish.dates.sharing import inherited
from nadie.spanish.folding import key_of, same_length
from nadie.spanish.numbers import NUMBERS

# Text allowed around dates without being part of one; it is not changed.
_AROUND = re.compile(
    r"(?:\s|[-–→/.,;:()\[\]'’ºª°&]|\b(?:y|e|o|u|i|a|al|el|la|los|las|de|del|des|d|desde|hasta|entre|en|por|para|ano|anos|"
    r"any|mes|meses|dia|dias|fecha|semana|semanas|fin|fines|finales|final|principio|principios|primeros|comienzo|"
    r"comienzos|inicio|inicios|mediado|mediados|ultimo|ultimos|ultima|ultimas|primera|primeras|segunda|tercera|cuarta|"
    r"quincena|mitad|tercio|hacia|sobre|aproximadamente|aprox|tarde|noche|madrugada|pasado|pasada|pasados|proximo|"
    r"proxima|proximos|siguiente|mismo|presente|actual|corriente|curso|temporada|campana|decada|decadas|este|esta|"
    r"inclusive|ambos|que viene|anterior|on|the|of|to|and|from|in)\b)*"
)
_FIELDS = frozenset(
    "d ord dw of m name y yy yw six season pair feast part unit weekday week of_week decade ko case".split()
)
_CENTURY = 35
_SHORT = 3


@dataclass(frozen=True, slots=True)
class Expression:
    """The atoms of a range of text; their offsets refer to the whole text."""

    start: int
    end: int
    atoms: tuple[Atom, ...]

    def days(self) -> list[date]:
        """The full dates."""
        return [day for atom in self.atoms if not atom.is_assumed and (day := atom.date()) is not None]

    def years(self) -> list[int]:
        """The years that are written; for decades, the first year."""
        return [atom.year for atom in self.atoms if atom.year is not None and not atom.is_assumed]

    @property
    def is_open(self) -> bool:
        """Whether a date lacks a year or month that a neighbouring date might have."""
        grains = (Grain.DAY, Grain.MONTH, Grain.SEASON, Grain.PART)
        return any(atom.year is None and atom.grain in grains for atom in self.atoms)


def read(text: str, start: int = 0, end: int | None = None, *, near: int | None = None) -> Expression | None:
    """The dates in a range of text, or None if one is impossible or if the range has other text.

    `near` is the year of a neighbouring date, which determines the reading of six digits.
    """
    end = len(text) if end is None else end
    # The text before the range may determine its reading: `curso 2010-11`, `años 90`.
    first = max(0, start - 20)
    folded = same_length(text[first:end])
    is_american = is_month_first(text)
    found = _find(folded, start - first, near, is_american)
    if found is None and (corrected := as_words(as_figures(folded))) != folded:
        found = _find(corrected, start - first, near, is_american)
    if found is None:
        return None
    found = month_first(found)
    atoms = [_at(atom, first) for atom in found]
    return Expression(start, end, tuple(inherited(_in_one_language(atoms), text))) if atoms else None


def _find(folded: str, start: int, near: int | None, is_american: bool) -> list[Atom] | None:
    """The atoms; None if the text between them is not part of a date."""
    atoms: list[Atom] = []
    at = done = start
    while at < len(folded):
        is_edge = not folded[at - 1 : at].isalnum() or (folded[at] == "t" and folded[at - 1].isdigit())
        time = forms.TIME.match(folded, at) if is_edge else None
        atom = None if time else _atom_at(folded, at, start, near, is_american)
        if atom is None and time is None:
            at += 1
            continue
        stop = time.end() if time else atom.end if atom else at
        if not _AROUND.fullmatch(folded, done, at) or (atom is not None and not atom.is_possible()):
            return None
        atoms += [atom] if atom else []
        at = done = stop
    return atoms if _AROUND.fullmatch(folded, done) else None


def _atom_at(folded: str, at: int, start: int, near: int | None, is_american: bool) -> Atom | None:
    is_inside = folded[at - 1 : at].isalnum()  # no form begins inside of a word
    if is_inside or (not folded[at].isalnum() and folded[at] not in "'’"):
        return None
    impossible: Atom | None = None
    for number, (grain, pattern) in enumerate(forms.patterns()):
        match = pattern.match(folded, at)
        if match is None or not _is_meant(number, match, start):
            continue
        atom = _atom(grain, match, near)
        atom = with_month_first(atom) if atom is not None and is_american else atom
        if atom is not None and atom.is_possible():
            return atom
        other = swapped(atom) if atom is not None else None
        if other is not None:
            return other
        if impossible is None and atom is not None:
            impossible = atom
        if atom is not None and grain is Grain.DAY and atom.says_year:
            return atom
    return impossible


def _is_meant(number: int, match: re.Match[str], start: int) -> bool:
    groups = match.groupdict()
    if number == forms.LONE:
        is_whole = match.start() == start and match.end() == len(match.string)
        return is_whole or forms.BEFORE_LONE.search(match.string[: match.start()]) is not None
    if groups.get("pair") and groups.get("y"):
        return int(re.sub(r"\D", "", groups["pair"])[-2:]) == (_year_in(groups["y"]) + 1) % 100
    return True


def _atom(grain: Grain, match: re.Match[str], near: int | None) -> Atom | None:
    found = {name: text for name, text in match.groupdict().items() if text is not None and name in _FIELDS}
    fields = {name: match.span(name) for name in found}
    atom = Atom(grain, match.start(), match.end(), _year(found), _month(found), _day(found), fields=fields)
    if "six" in found:
        return _six(atom, found["six"], near)
    if grain is Grain.SEASON:
        seasons = [same_length(name) for name in calendar.SEASONS]
        year = None if atom.year is None else atom.year + ("pair" in found)
        return replace(atom, place=seasons.index(found["season"]), per_year=4, year=year)
    if grain is Grain.PART:
        return _part(atom, found)
    if grain is Grain.WEEK:
        return replace(atom, place=int(found["week"]), day=int(found.get("of_week", "1")))
    if grain is Grain.DECADE:
        return _decade(atom, found["decade"])
    if grain is Grain.WEEKDAY:
        english = "en" if found["weekday"] in languages.ENGLISH_DAYS else ""
        return replace(atom, place=languages.weekday_of(found["weekday"])[0], language=english)
    if grain is Grain.FEAST:
        return replace(atom, word=_feast(found["feast"]))
    if (grain is Grain.DAY and atom.day is None) or ("yw" in found and atom.year is None):
        return None
    return replace(atom, language=_language(found, fields, match.group()))


def _language(found: dict[str, str], fields: dict[str, tuple[int, int]], text: str) -> str:
    """`Mar 15, 2020` is English and `12 d'abril` Catalan, although Spanish has months with the same names."""
    name = found.get("name", "")
    is_first = "d" in fields and fields.get("name", (0, 0)) < fields["d"] < fields.get("y", (0, 0))
    if name in languages.ENGLISH_MONTHS or (name and is_first and "," in text and len(name) == _SHORT):
        return "en"
    is_catalan = "’" in found.get("of", "") or "'" in found.get("of", "")
    return "ca" if name and (is_catalan or languages.month_of(name)[1] is languages.CATALAN) else ""


def _feast(name: str) -> str:
    words = key_of(name)
    short = re.sub(r"^dia de (?:la |los )?", "", words)
    return words if words in calendar.DATED_FEASTS else short if short in calendar.DATED_FEASTS else f"la {short}"


def _year(found: dict[str, str]) -> int | None:
    if "yw" in found:
        return forms.YEARS_IN_WORDS.get(key_of(found["yw"]))
    written = found.get("y", found.get("yy"))
    return None if written is None else _year_in(written)


def _year_in(written: str) -> int:
    """Two digits up to 35 are in this century. Only leap years depend on it, because two digits are written again."""
    number = int(written.replace(".", ""))
    return number if number > 99 else number + (2000 if number <= _CENTURY else 1900)


def _month(found: dict[str, str]) -> int | None:
    if "name" in found:
        return languages.month_of(found["name"])[0]
    return int(found["m"]) if "m" in found else None


def _day(found: dict[str, str]) -> int | None:
    if "d" in found:
        return int(found["d"])
    return NUMBERS.get(found.get("dw", ""))


def _part(atom: Atom, found: dict[str, str]) -> Atom | None:
    per_year = forms.PER_YEAR[found["unit"]]
    digits = re.sub(r"\D", "", found["part"])
    place = int(digits) - 1 if digits else forms.PLACES[found["part"]]
    return replace(atom, place=place, per_year=per_year) if place < per_year else None


def _decade(atom: Atom, written: str) -> Atom:
    number = forms.DECADES[written] if written in forms.DECADES else int(written)
    if number < 100:
        number += 2000 if number <= 10 else 1900
    return replace(atom, place=number // 10, year=number)


def _six(atom: Atom, figures: str, near: int | None) -> Atom | None:
    """`120510` and `100512`: day first or year first, if only one is a date or only one is near the other dates."""
    one, two, three = figures[:2], figures[2:4], figures[4:]
    readings = [
        replace(atom, year=_year_in(year), month=int(two), day=int(day), word=order)
        for year, day, order in ((three, one, "dmy"), (one, three, "ymd"))
    ]
    possible = [reading for reading in readings if reading.is_possible()]
    if len(possible) == 2 and near is not None:
        possible = [reading for reading in possible if reading.year == near]
    return possible[0] if len(possible) == 1 or (possible and one == three) else None


def _at(atom: Atom, first: int) -> Atom:
    fields = {name: (start + first, end + first) for name, (start, end) in atom.fields.items()}
    return replace(atom, start=atom.start + first, end=atom.end + first, fields=fields)


def _in_one_language(atoms: list[Atom]) -> list[Atom]:
    language = next((atom.language for atom in atoms if atom.language), "")
    return [replace(atom, language=language) for atom in atoms] if language else atoms
