"""The tables of people and places in `data/`, read once when first needed."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from nadie.spanish.folding import fold, key_of

_FEW_TOWNS = 25


class GivenName(NamedTuple):
    """A first name as it is spelled, and how many men and women have it in Spain."""

    spelled: str
    men: int
    women: int

    @property
    def sex(self) -> str:
        """`m`, `f`, or empty if both have it."""
        if self.men > 4 * self.women:
            return "m"
        return "f" if self.women > 4 * self.men else ""


class Province(NamedTuple):
    """A province: its code is the first two digits of its postcodes."""

    code: str
    name: str
    capital: str
    region: str
    prefixes: tuple[str, ...]


class Country(NamedTuple):
    """A territory of ISO 3166, its people and its dialling code; `is_clear` where the name alone is unambiguous."""

    code: str
    name: str
    is_clear: bool
    other_names: tuple[str, ...]
    masculine: str
    feminine: str
    dialling: str


def rows(name: str) -> list[list[str]]:
    """The cells of each line of a table; a line that begins with # is a remark."""
    content = (files("nadie.spanish") / "data" / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in content.splitlines() if line and not line.startswith("#")]


@cache
def lines(name: str) -> tuple[str, ...]:
    return tuple(row[0] for row in rows(name))


@cache
def words(name: str) -> frozenset[str]:
    """The folded entries of `name`.txt."""
    return frozenset(lines(f"{name}.txt"))


@cache
def alternatives(entries: Iterable[str]) -> str:
    """The entries as one pattern, the longest first, so that none hides one it is the beginning of."""
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return "(?:" + "|".join(entry.replace(".", r"\.") for entry in ordered) + ")"


def _others(cell: str) -> list[str]:
    return [name for part in cell.split(",") if (name := part.strip())]


@cache
def key(name: str) -> str:
    """The folded form of a name of these tables, worked out once. It is for them alone: what it sees, it remembers."""
    return key_of(name)


@cache
def given_names() -> dict[str, GivenName]:
    return {key_of(row[0]): GivenName(row[0], int(row[1]), int(row[2])) for row in rows("given_names.tsv")}


@cache
def double_names() -> frozenset[str]:
    return frozenset(lines("double_names.txt"))


@cache
def surnames() -> dict[str, str]:
    """Folded surname → as it is spelled; with an accent where both spellings are found."""
    spelled: dict[str, str] = {}
    for name in lines("surnames.txt"):
        key = key_of(name)
        if key not in spelled or spelled[key].isascii():
            spelled[key] = name
    return spelled


@cache
def ordinary_names() -> frozenset[str]:
    """Names that are ordinary words as well: `rosa`, `blanco`, `dolores`."""
    return frozenset(lines("ordinary_names.txt"))


@cache
def provinces() -> dict[str, Province]:
    return {row[0]: Province(row[0], row[1], row[2], row[3], tuple(row[4].split())) for row in rows("provinces.tsv")}


@cache
def capital_codes() -> dict[str, str]:
    """Folded name of a capital → code of the province. Most provinces are called after their capital."""
    return {key_of(n): row[0] for row in rows("provinces.tsv") for n in (row[2], *_others("".join(row[6:])))}


@cache
def province_codes() -> dict[str, str]:
    """Folded name of a province or of one of its islands → code."""
    return {key_of(n): row[0] for row in rows("provinces.tsv") for n in (row[1], *_others("".join(row[5:6])))}


@cache
def regions() -> dict[str, str]:
    """Folded name of an autonomous community → as it is spelled."""
    found = [row for row in rows("regions.tsv") if row[0] == "ES"]
    return {key_of(n): row[1] for row in found for n in (row[1], *_others("".join(row[2:])))}


@cache
def states() -> dict[str, tuple[str, ...]]:
    """The regions, states or provinces of each Spanish-speaking country."""
    found: dict[str, list[str]] = defaultdict(list)
    for country, name, *_ in rows("regions.tsv"):
        found[country].append(name)
    return {country: tuple(names) for country, names in found.items()}


@cache
def countries() -> tuple[Country, ...]:
    """All territories of CLDR."""
    padded = ([*row, *[""] * (7 - len(row))] for row in rows("countries.tsv"))
    return tuple(
        Country(c, name, clear == "1", tuple(_others(others)), *rest) for c, name, clear, others, *rest in padded
    )


def _clear_names(country: Country) -> Iterable[str]:
    return (country.name, *country.other_names) if country.is_clear else country.other_names


@cache
def country_names() -> frozenset[str]:
    """The folded names that unambiguously mean a country."""
    return frozenset(fold(name) for country in countries() for name in _clear_names(country))


@cache
def country_codes() -> dict[str, str]:
    return {key_of(name): country.code for country in countries() for name in _clear_names(country)}


@cache
def _municipalities() -> dict[str, list[tuple[str, bool]]]:
    towns: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for code, name, drawn in rows("municipalities.tsv"):
        towns[code].append((name, drawn == "1"))
    return towns


@cache
def town_codes() -> dict[str, str]:
    """Folded name of a municipality → code of its province; names that two provinces share are left out."""
    codes: dict[str, set[str]] = defaultdict(set)
    for code, towns in _municipalities().items():
        for name, _ in towns:
            codes[key_of(name)].add(code)
    single = {name: next(iter(found)) for name, found in codes.items() if len(found) == 1}
    halves: dict[str, set[str]] = defaultdict(set)  # Maó-Mahón, Sagunto/Sagunt
    for code, towns in _municipalities().items():
        for name, _ in towns:
            for half in re.split("[/-]", name) if name.count("-") + name.count("/") == 1 else ():
                halves[key_of(half)].add(code)
    unique = {half: next(iter(found)) for half, found in halves.items() if len(found) == 1 and half not in codes}
    return {**unique, **single, **province_codes(), **capital_codes()}


@cache
def drawn_towns(code: str) -> tuple[str, ...]:
    """Towns of a province, without its capital: the larger ones, or all where the larger ones are few."""
    here = _municipalities()[code]
    large = [name for name, drawn in here if drawn]
    capital = {key_of(provinces()[code].capital), key_of(provinces()[code].name)}
    pool = large if len(large) >= _FEW_TOWNS else [name for name, _ in here]
    return tuple(name for name in pool if key_of(name) not in capital)


@cache
def towns_abroad() -> dict[str, tuple[str, ...]]:
    towns: dict[str, list[str]] = defaultdict(list)
    for country, name in rows("towns_abroad.tsv"):
        towns[country].append(name)
    return {country: tuple(names) for country, names in towns.items()}


@cache
def countries_of_towns() -> dict[str, str]:
    return {key_of(name): country for country, names in towns_abroad().items() for name in names}


@cache
def professions() -> tuple[tuple[str, str], ...]:
    """The professions of invented people, of a man and of a woman."""
    return tuple((row[0], row[1]) for row in rows("professions.tsv") if row[4:] == ["1"])


# The lexicon and the patterns have different words, and models were trained with both: an entry has a letter, `l` or
# `p`, for each of the two that it belongs to.
LEXICON, PATTERNS = "l", "p"


@cache
def known_professions(feature: str) -> frozenset[str]:
    """The folded professions on the list of a feature of the shipped models."""
    forms = (
        (row[place], row[place + 2]) for row in rows("professions.tsv") for place in (0, 1) if len(row) > place + 2
    )
    return frozenset(fold(form) for form, marks in forms if feature in marks)


@cache
def known_peoples(feature: str) -> frozenset[str]:
    """The folded peoples, religions and orientations on the list of a feature of the shipped models."""
    return frozenset(word for word, marks in rows("peoples.tsv") if feature in marks)
