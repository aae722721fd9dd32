"""The words that identities are made of, read from the tables in `data/`, for one side of the split."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

from nadie.augment.split import Split, choose, choose_names


class Region(NamedTuple):
    """A Spanish province with its postal prefix, or a whole American country with neither."""

    name: str
    postal: str
    towns: tuple[str, ...]


class Country(NamedTuple):
    name: str
    masculine: str
    feminine: str
    dialling: str


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Every list a generator may draw from, of one side only."""

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
def vocabulary(split: Split) -> Vocabulary:
    """All tables, read once."""
    return Vocabulary(
        split=split,
        given={(key[0], key[1]): names for key, names in _names("given.tsv", "given_hand.tsv", split=split).items()},
        surnames={key[0]: names for key, names in _names("surnames.tsv", "surnames_hand.tsv", split=split).items()},
        regions=_regions(split),
        states={code: tuple(names.split("|")) for code, names in rows("regions.tsv")},
        streets=choose(lines("streets.txt"), split),
        hospitals={code: choose(names.split("|"), split) for code, names in rows("hospitals.tsv")},
        health_centres={code: tuple(names.split("|")) for code, names in rows("health_centres.tsv")},
        institutions={(code, kind): choose(names.split("|"), split) for code, kind, names in rows("institutions.tsv")},
        companies=choose(lines("companies.txt"), split),
        professions=tuple((m, f) for m, f in rows("professions.tsv") if choose((m,), split)),
    )


@cache
def countries() -> dict[str, Country]:
    """Countries by their ISO code. They are no secret vocabulary: both sides have them all."""
    return {code: Country(*rest) for code, *rest in rows("countries.tsv")}


def lines(name: str) -> Iterator[str]:
    """The lines of a data file that are not empty."""
    text = (files("nadie.augment") / "data" / name).read_text(encoding="utf-8")
    return (line for line in text.split("\n") if line.strip())


def rows(name: str) -> Iterator[list[str]]:
    """The cells of each line of a data file."""
    return (line.split("\t") for line in lines(name))


def pick(options: tuple[str, ...], rng: Random) -> str:
    """One of several, with the same chance for each."""
    return options[int(rng.random() * len(options))]


def _names(*tables: str, split: Split) -> dict[tuple[str, ...], tuple[str, ...]]:
    gathered: dict[tuple[str, ...], dict[str, None]] = defaultdict(dict)
    for table in tables:
        for *key, names in rows(table):
            gathered[tuple(key)].update(dict.fromkeys(" ".join(name.split()) for name in names.split("|")))
    return {key: choose_names(names, split) for key, names in gathered.items()}


def _regions(split: Split) -> dict[str, tuple[Region, ...]]:
    gathered: dict[str, list[Region]] = defaultdict(list)
    for code, name, postal, towns in rows("towns.tsv"):
        if chosen := choose(towns.split("|"), split):
            gathered[code].append(Region(name, postal, chosen))
    return {code: tuple(regions) for code, regions in gathered.items()}
