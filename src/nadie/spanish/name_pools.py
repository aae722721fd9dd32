"""Names that may replace a name: as common, as old-fashioned and as foreign as it is.

Names are grouped by frequency, sex, generation and language. An invented name is drawn from the group of the original,
weighted by the number of bearers, so an original that was missed does not stand out among them. A name that hardly
anybody in Spain has is replaced by a rare one that Spain and America share, or by one of the same origin.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from nadie.spanish.folding import key_of, same_length
from nadie.spanish.name_kin import (
    ABROAD,
    NATIVE,
    WESTERN,
    american_bearers,
    certain_kin,
    given_kin,
    is_known_in_america,
    is_of_europe,
    kin_elsewhere,
    listed,
    surname_kin,
)
from nadie.spanish.name_spelling import is_alien, spelling_of
from nadie.spanish.pools import Pool
from nadie.spanish.population import (
    CENSUS,
    ELSEWHERE,
    LAST_WORD,
    GivenName,
    bearers,
    given_names,
    single_names,
    surname_bearers,
    table_lines,
    table_rows,
)

_REMEMBERED = 1 << 12
_GIVEN_STEPS = (600, 2_000, 6_000, 20_000, 60_000, 150_000)
_SURNAME_STEPS = (300, 1_000, 3_000, 10_000, 30_000, 100_000)
_AGE_STEPS = (18.0, 40.0, 57.0)
_AT_HOME = 5_000  # bearers of a first name that also a foreign person's neighbours have
_FEWEST, _SOME = 12, 8
_SHORTEST_GIVEN = 3
_FEWEST_DOUBLES = 8
_FEWEST_BEARERS = 200  # in Chile, of a name that is drawn
_RARE = 2  # steps of frequency
_COINED = re.compile(r"[kwy]|sh|th|ph|nn|ff|ss|son$|lin$|[bcdfgjkmptv]$")  # `Yamilette`, `Wilson`, `Jhon`
_HOME = ("es", "es only", "american", "ca", "eu", "vas", "gl", "cn")
_ONLY_LISTED = NATIVE | frozenset((*WESTERN, "we", "pt", "tr", "vi", "ea", "eu"))  # no spelling tells them from others
_AS_IN_SPAIN = ("ar", "af", "zh", "ro")  # the lists have names that none of those who live there has
_BY_LISTS = ABROAD | {"cn", "gl"}
_USUAL = 6_000  # bearers of a surname in Spain
_USUAL_GIVEN, _MANY_BEARERS = 1_500, 30_000
_SHORTEST_SURNAME = 4
_FEWEST_AFTER_DE = 1_000  # bearers, of a surname such as `de Castro`
_STRANGE = -2.8  # of `spelling_of`: a fifth of the rare surnames, and most of those of immigrants, are below
_ARABIC = re.compile("(?:El|Ait|Ben) ")
_MIXED = ("es only", "de", "sl", "it")  # kins by spelling, into which rare names of any origin fall


class Group(NamedTuple):
    """The properties that a name and its surrogate have in common."""

    sex: str
    frequency: int
    age: int
    origin: str
    is_double: bool  # begins double names, as José does


@cache
def _seconds() -> dict[tuple[str, str], Pool]:
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for row in given_names():
        if " " in row.name:
            first, second = row.name.split()
            found[key_of(first), row.sex][second] = row.bearers
    return {first: Pool.of(names) for first, names in found.items() if len(names) >= _FEWEST_DOUBLES}


def seconds(first: str, sex: str) -> Pool:
    """The second parts of double names with this first part, by the number of bearers; empty if there are few."""
    return _seconds().get((first, sex), Pool((), ()))


def _step(value: float, steps: Sequence[float]) -> int:
    return bisect_right(steps, value)


def _group(row: GivenName) -> Group:
    double = bool(seconds(key_of(row.name), row.sex).values)
    kin = given_kin(key_of(row.name), row.origin, row.bearers)
    return Group(row.sex, _step(row.bearers, _GIVEN_STEPS), _step(row.age, _AGE_STEPS), kin, double)


@cache
def _groups() -> dict[Group, dict[str, int]]:
    groups: dict[Group, dict[str, int]] = defaultdict(dict)
    for row in single_names().values():
        if len(row.name) >= _SHORTEST_GIVEN and not _is_odd_given(row):
            groups[_group(row)][row.name] = row.bearers
    return groups


def _is_odd_given(row: GivenName) -> bool:
    """Whether only immigrants have a first name that no origin is known of: it is not drawn."""
    key, origin = key_of(row.name), _group(row).origin
    if origin not in _HOME:
        return False
    is_rare = origin.startswith("es") and row.bearers < _USUAL_GIVEN and american_bearers(key) < _FEWEST_BEARERS
    is_foreign = row.bearers < _MANY_BEARERS and is_of_europe(key)
    return is_rare or is_foreign or (is_alien(key) and origin != "eu")


@cache
def _surname_spelling() -> Callable[[str], float]:
    usual = (name for name, origin, count in table_rows("surnames", CENSUS) if origin == "es" and int(count) >= _USUAL)
    return spelling_of(key_of(name) for name in usual if " " not in name)


def _is_odd_surname(core: str, kin: str, count: int) -> bool:
    """Whether a surname of few bearers is not spelled like those of its kin: it is not drawn."""
    if kin not in _HOME or count >= _MANY_BEARERS:
        return False
    is_strange = count < _USUAL and kin.startswith("es") and _surname_spelling()(core) < _STRANGE
    return is_alien(core) or is_strange or (count < _USUAL and len(core) < _SHORTEST_SURNAME)


@cache
def _pool_of(wanted: Group) -> Pool:
    """The names of a group; with those of other generations, languages and frequencies where it is small."""
    looser: tuple[Callable[[Group], bool], ...] = (
        lambda g: g == wanted,
        lambda g: g[0] == wanted[0] and g[2:4] == wanted[2:4] and abs(g.frequency - wanted.frequency) < 2,
        lambda g: g._replace(age=wanted.age) == wanted,
        lambda g: g._replace(age=wanted.age, is_double=wanted.is_double) == wanted,
        lambda g: g.sex == wanted.sex and g.origin == wanted.origin and abs(g.frequency - wanted.frequency) < 2,
        lambda g: g.sex == wanted.sex and g.origin == wanted.origin,
        lambda g: g.sex == wanted.sex and g.origin == "es",
    )
    for fits in looser:
        found = {name: n for group, names in _groups().items() if fits(group) for name, n in names.items()}
        if len(found) >= _FEWEST:
            break
    return Pool.of(found)


@lru_cache(_REMEMBERED)
def given_pool(key: str, sex: str) -> Pool:
    """The first names of that sex (`m`, `f`) that may replace a folded one."""
    row = single_names().get((key, sex))
    origin = _group(row).origin if row else ""
    if row and origin not in _BY_LISTS:
        return _pool_of(_group(row))
    kin = origin if origin != "we" and origin in _BY_LISTS else kin_elsewhere(key, "given_names")
    is_coined = kin in ("es", "we") and _COINED.search(key) is not None
    return _given_elsewhere(sex, "es" if is_coined else kin, is_coined)


@cache
def _given_elsewhere(sex: str, kin: str, is_coined: bool) -> Pool:
    """First names for one that the census does not have: coined ones of America, or rare ones of the same kin."""
    if is_coined:
        names = (
            name for name, of in table_rows("given_names", ELSEWHERE) if of == sex and _COINED.search(key_of(name))
        )
        at_home = (name for name in names if not is_of_europe(key_of(name)))
        return Pool.of({name: n for name in at_home if (n := american_bearers(key_of(name))) >= _FEWEST_BEARERS})
    if kin == "we":
        return Pool.evenly(listed("given_names", kin, sex))
    rare = {
        name: n
        for group, names in _groups().items()
        if group.sex == sex and group.origin == kin and (kin != "es" or group.frequency <= _RARE)
        for name, n in names.items()
        if kin in _AS_IN_SPAIN or not _COINED.search(key_of(name))
    }
    if kin in _AS_IN_SPAIN and len(rare) >= _SOME:
        return Pool.of(rare)
    found = {**dict.fromkeys(listed("given_names", kin, sex), _FEWEST), **rare}
    return Pool.of(found) if len(found) >= _FEWEST else _given_elsewhere(sex, "es", False)


@cache
def _surnames_elsewhere(kin: str) -> Pool:
    """Surnames for one that the census does not have: of the same kin, or rare ones that America has as well."""
    pools = (
        pool for (step, of, is_long), pool in _surname_pools().items() if of == kin and not is_long and step <= _RARE
    )
    found = {name: 1 for pool in pools for name in pool.values}
    if kin in _AS_IN_SPAIN and (usual := _of_kin(kin)):
        return usual
    if kin in _ONLY_LISTED:
        return Pool.evenly(name for name in listed("surnames", kin) if "ß" not in name)
    if kin != "es":
        names = table_lines("surnames", ELSEWHERE)
        keyed = zip(names.split("\n"), same_length(names).split("\n"), strict=True)
        found |= {name: 1 for name, key in keyed if kin_elsewhere(key, "surnames") == kin}
        found |= dict.fromkeys(listed("surnames", kin), 1)
    return Pool.of(found) if len(found) >= _FEWEST else _surnames_elsewhere("es")


class _Surname(NamedTuple):
    name: str
    core: str  # folded, without particles: `fuente` of `de la Fuente`
    kin: str
    bearers: int


@cache
def _surnames() -> tuple[_Surname, ...]:
    """The surnames of the census, the most frequent first."""
    cores = LAST_WORD.findall(same_length(table_lines("surnames", CENSUS)))
    rows = zip(table_rows("surnames", CENSUS), cores, strict=True)
    return tuple(
        _Surname(name, core, "ar" if _ARABIC.match(name) else surname_kin(core, origin, int(count)), int(count))
        for (name, origin, count), core in rows
    )


@cache
def _surname_pools() -> dict[tuple[int, str, bool], Pool]:
    groups: dict[tuple[int, str, bool], dict[str, int]] = defaultdict(dict)
    for name, core, kin, count in _surnames():
        if name.startswith("de ") and name.count(" ") == 1:
            continue  # a bare `de` is no part of a surname: it stays where it stood
        if kin in _MIXED and not is_known_in_america(core):
            continue
        if _is_odd_surname(core, kin, count):
            continue
        is_long = " " in name
        groups[0 if is_long else _step(count, _SURNAME_STEPS), kin, is_long][name] = count
    return {group: Pool.of(names) for group, names in groups.items() if len(names) >= _FEWEST}


@cache
def surnames_after_de() -> Pool:
    """The surnames that usually come after a bare `de`: `Castro`, `León`, `Miguel`."""
    named = ((name[3:], count) for name, _, of, count in _surnames() if of in _HOME and name.startswith("de "))
    return Pool.of({name: count for name, count in named if " " not in name and count >= _FEWEST_AFTER_DE})


@cache
def _surname_origins() -> dict[str, str]:
    return {surname.core: surname.kin for surname in reversed(_surnames())}


@lru_cache(_REMEMBERED)
def surname_pool(key: str, *, with_particle: bool) -> Pool:
    """The surnames that may replace a folded one; with `with_particle`, each has a particle."""
    if not with_particle and not surname_bearers(key):
        return _surnames_elsewhere(kin_elsewhere(key, "surnames"))
    frequency = _step(surname_bearers(key), _SURNAME_STEPS)
    origin = _surname_origins().get(key, "es")
    pools = _surname_pools()
    if with_particle:
        return pools.get((0, origin, True)) or pools[0, "es", True]
    if origin in _ONLY_LISTED or origin in ABROAD:
        return _surnames_elsewhere(origin)
    return pools.get((frequency, origin, False)) or _of_kin(origin) or pools[frequency, "es", False]


@cache
def _of_kin(kin: str) -> Pool | None:
    """All surnames of a kin that has few of each frequency."""
    names = {name: count for name, _, of, count in _surnames() if of == kin and " " not in name}
    return Pool.of(names) if len(names) >= _FEWEST else None


@lru_cache(_REMEMBERED)
def foreign_pool(key: str, kin: str, sex: str = "") -> Pool | None:
    """The first names of that sex, or the surnames, of a foreign person's kin; None for a name that is at home here."""
    if sex:
        row = single_names().get((key, sex))
        of = _group(row).origin if row else kin_elsewhere(key, "given_names")
        is_usual = bearers(key) >= _AT_HOME or kin in WESTERN  # the census counts `Lyudmila` as well
        is_home = (of.startswith("es") and is_usual) or of in _HOME[2:] or of in ABROAD
        return None if is_home else _given_elsewhere(sex, kin, False)
    of = _surname_origins().get(key) or kin_elsewhere(key, "surnames")
    is_own = (
        kin in ("ro", "uk") and certain_kin([key]) == kin
    )  # the census counts `Zamfir` among the rare names of Spain
    is_home = of.startswith("es") and surname_bearers(key) > 0 and not is_own
    is_told = of in ABROAD and (surname_bearers(key) > 0 or certain_kin([key]) == of)  # not by its spelling alone
    return None if is_home or is_told else _surnames_elsewhere(kin)
