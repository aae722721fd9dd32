"""The words for identities, for one side of the split: those of `nadie.spanish`, and names by origin."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

from nadie.augment.split import Split, choose, choose_names
from nadie.spanish import tables
from nadie.spanish.tables import Country


class Region(NamedTuple):
    """A Spanish province with its postal prefix, or a whole American country without either."""

    name: str
    postal: str
    towns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InventedWords:
    """The lists of words for identities, for one side of the split."""

    split: Split
    given: dict[tuple[str, str], tuple[str, ...]]
    surnames: dict[str, tuple[str, ...]]
    regions: dict[str, tuple[Region, ...]]
    states: dict[str, tuple[str, ...]]
    streets: tuple[str, ...]
    hospitals: dict[str, tuple[str, ...]]
    health_centres: dict[str, tuple[str, ...]]
    institutions: dict[tuple[str, str], tuple[str, ...]]
    companies: tuple[str, ...]
    professions: tuple[tuple[str, str], ...]


@cache
def vocabulary(split: Split) -> InventedWords:
    """All tables, read once."""
    return InventedWords(
        split=split,
        given={(key[0], key[1]): names for key, names in _names("given.tsv", "given_hand.tsv", split=split).items()},
        surnames={key[0]: names for key, names in _names("surnames.tsv", "surnames_hand.tsv", split=split).items()},
        regions=_regions(split),
        states=tables.states(),
        streets=choose(tables.lines("streets.txt"), split),
        hospitals={code: choose(names.split("|"), split) for code, names in tables.rows("hospitals.tsv")},
        health_centres={code: tuple(names.split("|")) for code, names in tables.rows("health_centres.tsv")},
        institutions={(w, kind): choose(names.split("|"), split) for w, kind, names in tables.rows("institutions.tsv")},
        companies=choose(tables.lines("firms.txt"), split),
        professions=tuple((man, woman) for man, woman in tables.professions() if choose((man,), split)),
    )


@cache
def countries() -> dict[str, Country]:
    """Countries with a demonym, by their ISO code. Both sides have all of them."""
    return {country.code: country for country in tables.countries() if country.masculine}


def lines(name: str) -> Iterator[str]:
    """The lines of a data file that are not empty."""
    text = (files("nadie.augment") / "data" / name).read_text(encoding="utf-8")
    return (line for line in text.split("\n") if line.strip())


def rows(name: str) -> Iterator[list[str]]:
    """The cells of each line of a data file."""
    return (line.split("\t") for line in lines(name))


def pick(options: tuple[str, ...], rng: Random) -> str:
    """One of the options, all with the same probability."""
    return options[int(rng.random() * len(options))]


def _names(*tables: str, split: Split) -> dict[tuple[str, ...], tuple[str, ...]]:
    gathered: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
    for table in tables:
        for *key, names in rows(table):
            gathered[tuple(key)].update(dict.fromkeys(" ".join(name.split()) for name in names.split("|")))
    return {key: choose_names(names, split) for key, names in gathered.items()}


def _regions(split: Split) -> dict[str, tuple[Region, ...]]:
    provinces = [
        Region(province.name, code, choose((province.capital, *tables.drawn_towns(code)), split))
        for code, province in tables.provinces().items()
    ]
    abroad = {code: (Region("", "", choose(towns, split)),) for code, towns in tables.towns_abroad().items()}
    return {"ES": tuple(region for region in provinces if region.towns), **abroad}
