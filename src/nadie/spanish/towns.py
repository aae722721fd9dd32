"""The towns of Spain's provinces and of other countries, with weights by population for drawing."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from math import isqrt

from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.pools import Pool
from nadie.spanish.word_lists import Lists

_NAMES = Lists("town_names")
SHORT_STATES = dict(_NAMES.pairs("short states"))
"""How the states of Mexico are written short, folded."""
_DISTRICT = re.compile(r"(?i)\b(?:county|borough|district|arrondissement|municipality|metropolitan|city of|township)\b")


_TOWNS_OF_STATES = {
    (country, state): tuple(towns.split("|")) for country, state, towns in tables.rows("towns_of_states.tsv")
}
TOWNS_OF_AMERICA = {state: towns for (country, state), towns in _TOWNS_OF_STATES.items() if country == "US"}
"""Some towns of states of the United States, by the code of the state."""


@cache
def _rows() -> list[list[str]]:
    """Country, province of Spain, town, and its inhabitants where it is drawn."""
    return tables.rows("towns.tsv.gz")


@cache
def _pools() -> dict[tuple[str, str], Pool]:
    towns: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    in_spanish = dict(_NAMES.pairs("in Spanish"))
    for country, province, name, *inhabitants in _rows():
        if not inhabitants or _DISTRICT.search(name):
            continue
        count = int(inhabitants[0])
        weight = count if country == "ES" else isqrt(count) + 1  # or all would be capitals
        towns[country, province][in_spanish.get(name, name)] = weight
    return {place: Pool.of(names) for place, names in towns.items()}


def towns_of(province: str) -> Pool:
    """The towns of a province of Spain, without its capital."""
    return _pools()["ES", province]


def towns_abroad(country: str) -> Pool:
    """The larger towns of a country; empty where none is known."""
    return _pools().get((country, ""), Pool((), ()))


@cache
def _countries() -> dict[str, str]:
    """Folded town → country of the largest one of that name, outside of Spain."""
    found: dict[str, tuple[int, str]] = {}
    for country, _, name, *inhabitants in _rows():
        if country != "ES":
            here = (int(inhabitants[0]) if inhabitants else -1, country)
            found[key_of(name)] = max(found.get(key_of(name), here), here)
    return {name: country for name, (_, country) in found.items()} | dict(_NAMES.pairs("countries"))


def country_of(folded: str) -> str | None:
    """The country of a town or region that does not lie in Spain, where that is known."""
    return _countries().get(folded) or _states().get(folded)


@cache
def all_towns() -> dict[str, tuple[str, ...]]:
    """The known towns of each country other than Spain."""
    found: dict[str, list[str]] = defaultdict(list)
    for country, _, name, *_ in _rows():
        found[country].append(name)
    return {country: tuple(names) for country, names in found.items() if country != "ES"}


@cache
def _states() -> dict[str, str]:
    return {key_of(name): country for country, names in tables.states().items() if country != "ES" for name in names}


def is_state(folded: str, country: str) -> bool:
    """Whether a name is that of a region, state or province of the country."""
    return folded in _states_of(country)


@cache
def _states_of(country: str) -> frozenset[str]:
    return frozenset(key_of(name) for name in tables.states().get(country, ()))


SAINTS = ("san ", "santa ", "santo ", "el ", "la ")
"""How towns begin that are in every country."""


def is_state_abroad(folded: str) -> bool:
    """Whether a name is that of a state of another country, and of no province of Spain."""
    return (folded in _states() or folded in SHORT_STATES) and folded not in tables.town_codes()


FAMOUS_TOWNS = frozenset(name for name, _ in _NAMES.pairs("countries"))
"""Towns whose country everybody knows, folded."""
MEXICAN_POSTCODES = dict(_NAMES.pairs("mexican postcodes"))
"""The first two figures of the first postcodes of each state of Mexico."""

ARGENTINE_POSTCODES = {key_of(state): letter for state, letter in _NAMES.pairs("argentine postcodes")}
"""The letter of the postcodes of each province of Argentina, by its folded name."""


def towns_of_state(state: str, country: str) -> Pool:
    """Some towns of a region, state or province of another country; empty where none is known."""
    return Pool.evenly(_TOWNS_OF_STATES.get((country, state), ()))


def states_with_towns(country: str) -> tuple[str, ...]:
    """The regions, states or provinces of a country of which towns are known."""
    return tuple(state for of, state in _TOWNS_OF_STATES if of == country)


@lru_cache
def provinces_by_inhabitants(codes: tuple[str, ...]) -> Pool:
    """Provinces of Spain, weighted by their inhabitants."""
    return Pool.of({code: tables.inhabitants()[code] for code in codes})


def mexican_state(postcode: str) -> str | None:
    """The state of Mexico in which a postcode lies."""
    below = [state for figures, state in MEXICAN_POSTCODES.items() if figures <= postcode[:2]]
    return below[-1] if below else None


def country_voted_by(folded: str) -> str | None:
    """The country that a town indicates; None if Spain and another country have it, or if a saint has that name."""
    abroad = country_of(folded)
    if folded in tables.capital_codes() or folded in tables.province_codes():
        return "ES"
    if folded in _states() and folded not in tables.town_codes():
        return _states()[folded]
    if folded in SHORT_STATES:
        return "MX"
    is_anywhere = folded.startswith(SAINTS) and folded.count(" ") == 1  # not `San Pedro Sula`
    if folded in tables.town_codes():
        return None if abroad or is_anywhere else "ES"
    return None if is_anywhere or abroad not in tables.states() else abroad
