"""The towns of Spain's provinces and of other countries, and which of them are drawn, by their inhabitants."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from math import isqrt

from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.population import Pool

# What Spanish calls towns by another name than their countries do.
_SPANISH_NAMES = {
    "londres": "GB", "paris": "FR", "burdeos": "FR", "marsella": "FR", "perpinan": "FR", "roma": "IT", "milan": "IT",
    "napoles": "IT", "florencia": "IT", "venecia": "IT", "lisboa": "PT", "oporto": "PT", "berlin": "DE", "munich": "DE",
    "hamburgo": "DE", "colonia": "DE", "moscu": "RU", "san petersburgo": "RU", "pekin": "CN", "bruselas": "BE",
    "amberes": "BE", "ginebra": "CH", "zurich": "CH", "viena": "AT", "praga": "CZ", "varsovia": "PL", "cracovia": "PL",
    "bucarest": "RO", "sofia": "BG", "kiev": "UA", "leopolis": "UA", "atenas": "GR", "estambul": "TR", "dublin": "IE",
    "edimburgo": "GB", "copenhague": "DK", "estocolmo": "SE", "tanger": "MA", "tetuan": "MA", "casablanca": "MA",
    "nador": "MA", "argel": "DZ", "oran": "DZ", "tunez": "TN", "el cairo": "EG", "nueva york": "US", "filadelfia": "US",
    "nueva orleans": "US", "la habana": "CU", "ciudad de mexico": "MX", "bogota": "CO", "nueva delhi": "IN",
    "santiago de chile": "CL", "tokio": "JP", "manila": "PH", "dakar": "SN", "malabo": "GQ", "bata": "GQ",
    "texas": "US",
    "california": "US", "florida": "US", "arizona": "US", "oregon": "US", "nuevo mexico": "US",
    "la haya": "NL", "amsterdam": "NL",
}  # fmt: skip

_IN_SPANISH = {
    "Havana": "La Habana", "Mexico City": "Ciudad de México", "Guatemala City": "Ciudad de Guatemala",
    "Rio de Janeiro": "Río de Janeiro", "London": "Londres", "Lisbon": "Lisboa", "Porto": "Oporto", "Rome": "Roma",
    "Milan": "Milán", "Naples": "Nápoles", "Florence": "Florencia", "Paris": "París", "Marseille": "Marsella",
    "Bordeaux": "Burdeos", "Berlin": "Berlín", "Munich": "Múnich", "Hamburg": "Hamburgo", "Brussels": "Bruselas",
    "Geneva": "Ginebra", "Vienna": "Viena", "Warsaw": "Varsovia", "Bucharest": "Bucarest", "Moscow": "Moscú",
    "Tangier": "Tánger", "New York City": "Nueva York", "Philadelphia": "Filadelfia", "Algiers": "Argel",
}  # fmt: skip
TOWNS_OF_AMERICA = {
    "AZ": ("Tucson", "Mesa", "Tempe"), "CA": ("Modesto", "Salinas", "Bakersfield"), "CO": ("Aurora", "Pueblo"),
    "CT": ("Hartford", "Waterbury"), "FL": ("Orlando", "Hialeah", "Tampa"), "GA": ("Savannah", "Macon"),
    "ID": ("Boise", "Nampa"), "IL": ("Aurora", "Elgin", "Joliet"), "IN": ("Gary", "South Bend"),
    "KS": ("Wichita", "Dodge City"), "MA": ("Lowell", "Worcester"), "MI": ("Lansing", "Flint"),
    "MN": ("Rochester", "Duluth"), "NC": ("Durham", "Raleigh"), "NJ": ("Paterson", "Elizabeth"),
    "NM": ("Las Cruces", "Roswell"), "NV": ("Reno", "Henderson"), "NY": ("Yonkers", "Buffalo"),
    "OH": ("Toledo", "Dayton"), "OK": ("Tulsa", "Norman"), "OR": ("Salem", "Eugene"), "PA": ("Reading", "Allentown"),
    "TX": ("Laredo", "Lubbock", "Amarillo"), "UT": ("Provo", "Ogden"), "VA": ("Norfolk", "Richmond"),
    "WA": ("Yakima", "Spokane"),
}  # fmt: skip
"""Some towns of states of the United States."""
SHORT_STATES = {
    "ags": "Aguascalientes", "chih": "Chihuahua", "chis": "Chiapas", "coah": "Coahuila", "dgo": "Durango",
    "gro": "Guerrero", "gto": "Guanajuato", "hgo": "Hidalgo", "jal": "Jalisco", "mich": "Michoacán", "oax": "Oaxaca",
    "pue": "Puebla", "qro": "Querétaro", "tamps": "Tamaulipas", "tlax": "Tlaxcala", "yuc": "Yucatán",
    "zac": "Zacatecas",
}  # fmt: skip
"""How the states of Mexico are written short, folded."""
_DISTRICT = re.compile(r"(?i)\b(?:county|borough|district|arrondissement|municipality|metropolitan|city of|township)\b")


@cache
def _rows() -> list[list[str]]:
    """Country, province of Spain, town, and its inhabitants where it is drawn."""
    return tables.rows("towns.tsv.gz")


@cache
def _pools() -> dict[tuple[str, str], Pool]:
    towns: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for country, province, name, *inhabitants in _rows():
        if not inhabitants or _DISTRICT.search(name):
            continue
        count = int(inhabitants[0])
        weight = count if country == "ES" else isqrt(count) + 1  # or all would be capitals
        towns[country, province][_IN_SPANISH.get(name, name)] = weight
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
    return {name: country for name, (_, country) in found.items()} | _SPANISH_NAMES


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
    return any(key_of(name) == folded for name in tables.states().get(country, ()))


@cache
def _towns_of_states() -> dict[tuple[str, str], tuple[str, ...]]:
    rows = tables.rows("towns_of_states.tsv")
    return {(country, state): tuple(towns.split("|")) for country, state, towns in rows}


def towns_of_state(state: str, country: str) -> Pool:
    """Some towns of a region, state or province of another country; empty where none is known."""
    return Pool.of(dict.fromkeys(_towns_of_states().get((country, state), ()), 1))


def states_with_towns(country: str) -> tuple[str, ...]:
    """The regions, states or provinces of a country of which towns are known."""
    return tuple(state for of, state in _towns_of_states() if of == country)


def country_voted_by(folded: str) -> str | None:
    """The country that a town speaks for; one that Spain and another country have, or that a saint has, for none."""
    abroad = country_of(folded)
    if folded in tables.capital_codes() or folded in tables.province_codes():
        return "ES"
    if folded in SHORT_STATES:
        return "MX"
    if folded in tables.town_codes():
        return None if abroad or folded.startswith(("san ", "santa ", "santo ")) else "ES"
    return abroad
