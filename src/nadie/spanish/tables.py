"""The tables of people and places in `data/`, read once when first needed."""

from __future__ import annotations

import gzip
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from nadie.spanish.folding import fold, key_of


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


def rows(name: str, package: str = "nadie.spanish") -> list[list[str]]:
    """The cells of each line of a table; a line that begins with # is a remark."""
    return [line.split("\t") for line in text(name, package).splitlines() if line and not line.startswith("#")]


def text(name: str, package: str = "nadie.spanish") -> str:
    """The content of a file of the package's `data/`."""
    content = (files(package) / "data" / name).read_bytes()
    return (gzip.decompress(content) if name.endswith(".gz") else content).decode()


@cache
def lines(name: str) -> tuple[str, ...]:
    return tuple(row[0] for row in rows(name))


@cache
def words(name: str) -> frozenset[str]:
    """The folded entries of `name`.txt."""
    return frozenset(lines(f"{name}.txt"))


@cache
def alternatives(entries: Iterable[str]) -> str:
    """The entries as one regular expression, the longest first, so that no entry hides a longer one."""
    ordered = sorted(entries, key=lambda entry: (-len(entry), entry))
    return "(?:" + "|".join(entry.replace(".", r"\.") for entry in ordered) + ")"


def _others(cell: str) -> list[str]:
    return [name for part in cell.split(",") if (name := part.strip())]


@cache
def key(name: str) -> str:
    """The folded form of a name of these tables, cached without limit: not for names from documents."""
    return key_of(name)


@cache
def double_names() -> frozenset[str]:
    """Two folded words that are one first name: `jose luis`."""
    names = (row for row in rows("given_names.tsv.gz") if row[2] == "es")
    return frozenset(key_of(row[0]) for row in names if row[0].count(" ") == 1)


@cache
def ordinary_names() -> frozenset[str]:
    """Names that are ordinary words as well: `rosa`, `blanco`, `dolores`."""
    return frozenset(lines("ordinary_names.txt"))


@cache
def provinces() -> dict[str, Province]:
    return {row[0]: Province(row[0], row[1], row[2], row[3], tuple(row[4].split())) for row in rows("provinces.tsv")}


@cache
def inhabitants() -> dict[str, int]:
    """Code of a province of Spain → its inhabitants, in thousands."""
    return {code: int(count) for code, count in rows("province_inhabitants.tsv")}


@cache
def age_shares() -> dict[int, float]:
    """First age of a band of ten years → its share of the inhabitants of Spain."""
    return {int(age): int(share) / 1000 for age, share in rows("age_shares.tsv")}


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
def municipalities() -> tuple[tuple[str, str, str], ...]:
    """The code of the province, the name, and the inhabitants, where it is drawn, of each municipality of Spain."""
    content = text("towns.tsv.gz")
    lines = content[content.index("\nES\t") :].split("\n")[1:]
    return tuple((code, name, "".join(count)) for _, code, name, *count in (line.split("\t") for line in lines))


@cache
def town_codes() -> dict[str, str]:
    """Folded name of a municipality → code of its province; names that two provinces share are left out."""
    codes: dict[str, set[str]] = defaultdict(set)
    halves: dict[str, set[str]] = defaultdict(set)  # Maó-Mahón, Sagunto/Sagunt
    for code, name, _ in municipalities():
        codes[key_of(name)].add(code)
        for half in re.split("[/-]", name) if name.count("-") + name.count("/") == 1 else ():
            halves[key_of(half)].add(code)
    single = {name: next(iter(found)) for name, found in codes.items() if len(found) == 1}
    unique = {half: next(iter(found)) for half, found in halves.items() if len(found) == 1 and half not in codes}
    return {**unique, **single, **province_codes(), **capital_codes()}


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
