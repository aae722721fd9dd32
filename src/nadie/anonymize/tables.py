"""The tables of invented identities, read once when first needed."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from nadie.spanish.folding import key_of

_FEW_TOWNS = 25


class GivenName(NamedTuple):
    """A first name as it is spelled, and how many men and women bear it in Spain."""

    spelled: str
    men: int
    women: int

    @property
    def sex(self) -> str:
        """`m`, `f`, or empty where both bear it."""
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


def _rows(name: str) -> list[list[str]]:
    content = (files("nadie.anonymize") / "data" / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in content.splitlines() if line and not line.startswith("#")]


@cache
def lines(name: str) -> tuple[str, ...]:
    return tuple(row[0] for row in _rows(name))


def _others(cell: str) -> list[str]:
    return [name for part in cell.split(",") if (name := part.strip())]


@cache
def key(name: str) -> str:
    """The folded form of a name of these tables, worked out once. It is for them alone: what it sees, it remembers."""
    return key_of(name)


@cache
def given_names() -> dict[str, GivenName]:
    return {key_of(row[0]): GivenName(row[0], int(row[1]), int(row[2])) for row in _rows("given_names.tsv")}


@cache
def drawn_given_names(sex: str) -> tuple[str, ...]:
    """The names that invented men (`m`), women (`f`) or people of either sex bear."""
    rows = [GivenName(row[0], int(row[1]), int(row[2])) for row in _rows("given_names.tsv") if row[3] == "1"]
    return tuple(row.spelled for row in rows if not sex or (row.men > row.women) == (sex == "m"))


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
def drawn_surnames() -> tuple[str, ...]:
    return tuple(name for key, name in surnames().items() if key not in common_words() and key not in given_names())


@cache
def common_words() -> frozenset[str]:
    """Names that are ordinary words as well: `rosa`, `blanco`, `dolores`."""
    return frozenset(lines("common_words.txt"))


@cache
def provinces() -> dict[str, Province]:
    return {row[0]: Province(row[0], row[1], row[2], row[3], tuple(row[4].split())) for row in _rows("provinces.tsv")}


@cache
def capital_codes() -> dict[str, str]:
    """Folded name of a capital → code of the province. Most provinces are called after their capital."""
    return {key_of(n): row[0] for row in _rows("provinces.tsv") for n in (row[2], *_others("".join(row[6:])))}


@cache
def province_codes() -> dict[str, str]:
    """Folded name of a province or of one of its islands → code."""
    return {key_of(n): row[0] for row in _rows("provinces.tsv") for n in (row[1], *_others("".join(row[5:6])))}


@cache
def regions() -> dict[str, str]:
    """Folded name of an autonomous community → as it is spelled."""
    return {key_of(n): row[0] for row in _rows("regions.tsv") for n in (row[0], *_others(row[1] if row[1:] else ""))}


@cache
def countries() -> tuple[tuple[str, ...], ...]:
    """The names of each country, its usual one first."""
    return tuple(tuple(_others(row[1])) for row in _rows("countries.tsv"))


@cache
def country_codes() -> dict[str, str]:
    return {key_of(name): row[0] for row in _rows("countries.tsv") for name in _others(row[1])}


@cache
def _municipalities() -> dict[str, list[tuple[str, bool]]]:
    towns: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for code, name, drawn in _rows("municipalities.tsv"):
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
    return {**single, **province_codes(), **capital_codes()}


@cache
def drawn_towns(code: str) -> tuple[str, ...]:
    """Towns of a province, without its capital: the larger ones, or all where the larger ones are few."""
    rows = _municipalities()[code]
    large = [name for name, drawn in rows if drawn]
    capital = {key_of(provinces()[code].capital), key_of(provinces()[code].name)}
    pool = large if len(large) >= _FEW_TOWNS else [name for name, _ in rows]
    return tuple(name for name in pool if key_of(name) not in capital)


@cache
def towns_abroad() -> dict[str, tuple[str, ...]]:
    towns: dict[str, list[str]] = defaultdict(list)
    for country, name in _rows("towns_abroad.tsv"):
        towns[country].append(name)
    return {country: tuple(names) for country, names in towns.items()}


@cache
def countries_of_towns() -> dict[str, str]:
    return {key_of(name): country for country, names in towns_abroad().items() for name in names}


@cache
def professions() -> tuple[tuple[str, str], ...]:
    return tuple((row[0], row[1]) for row in _rows("professions.tsv"))
