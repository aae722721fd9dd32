"""The words for identities, for one side of the split: those of `nadie.spanish`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

from nadie.augment.split import Split, choose, choose_names
from nadie.spanish import population, tables
from nadie.spanish.pools import Pool
from nadie.spanish.tables import Country
from nadie.spanish.towns import all_towns

# An origin of people → the origins in the tables of names.
ORIGINS = {
    "es": ("es", "CL", "AR"), "la": ("la",), "ca": ("ca",), "eu": ("eu",), "gl": ("gl",), "ar": ("ar",),
    "ro": ("ro", "ea"), "zh": ("zh",), "uk": ("uk",), "af": ("af",), "in": ("in",), "west": ("we",),
}  # fmt: skip
_COMMON = 0.5


class Region(NamedTuple):
    """A Spanish province with its postal prefix, or a whole American country without either."""

    name: str
    postal: str
    towns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InventedWords:
    """The lists of words for identities, for one side of the split."""

    split: Split
    given: dict[tuple[str, str], Pool]
    surnames: dict[str, Pool]
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
        given=_given(split),
        surnames=_surnames(split),
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


@cache
def table(name: str) -> dict[str, str]:
    """The second cell of each line of a data file, by the first."""
    return {row[0]: row[1] for row in rows(name)}


def pick(options: tuple[str, ...], rng: Random) -> str:
    """One of the options, all with the same probability."""
    return options[int(rng.random() * len(options))]


def pick_name(pool: Pool, rng: Random) -> str:
    """A name of the pool: often a common one, by the number of bearers, and as often any of them."""
    return pool.at(int(rng.random() * pool.total)) if rng.random() < _COMMON else pick(pool.values, rng)


def _pool(tables: Iterable[dict[str, int]], split: Split) -> Pool:
    bearers = {name: max(1, count) for table in tables for name, count in table.items()}
    return Pool.of({name: bearers[name] for name in choose_names(bearers, split)})


def _given(split: Split) -> dict[tuple[str, str], Pool]:
    known = population.given_by_origin()
    return {
        (o, sex): _pool((known[of, sex] for of in origins), split) for o, origins in ORIGINS.items() for sex in "mf"
    }


def _surnames(split: Split) -> dict[str, Pool]:
    known = population.surnames_by_origin()
    return {origin: _pool((known[of] for of in origins), split) for origin, origins in ORIGINS.items()}


def _regions(split: Split) -> dict[str, tuple[Region, ...]]:
    towns: dict[str, dict[str, None]] = {code: {p.capital: None} for code, p in tables.provinces().items()}
    for code, name, _ in tables.municipalities():
        towns[code][name] = None
    provinces = (Region(tables.provinces()[code].name, code, choose(names, split)) for code, names in towns.items())
    abroad = {code: (Region("", "", choose(names, split)),) for code, names in all_towns().items()}
    return {"ES": tuple(region for region in provinces if region.towns), **abroad}
