"""The frequency of names in Spain: first names by sex, bearers and age, surnames by bearers."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache
from typing import NamedTuple

from nadie.spanish import tables
from nadie.spanish.folding import key_of, same_length
from nadie.spanish.name_kin import american_bearers, american_sex
from nadie.spanish.word_tables import WordTable

_REMEMBERED = 1 << 14


class GivenName(NamedTuple):
    name: str
    sex: str
    bearers: int
    age: float
    origin: str


# The lines of the tables: names of Spain's census, with their bearers, and names of other countries.
CENSUS = re.compile(r"^.*\t\d.*$", re.MULTILINE)
ELSEWHERE = re.compile(r"^(.*)\t[A-Z]{2}$", re.MULTILINE)


@cache
def table_lines(table: str, of: re.Pattern[str]) -> str:
    return "\n".join(of.findall(tables.text(f"{table}.tsv.gz")))


def table_rows(table: str, of: re.Pattern[str]) -> list[list[str]]:
    return [line.split("\t") for line in table_lines(table, of).split("\n")]


@cache
def _folded(table: str, of: re.Pattern[str]) -> WordTable:
    """A table by its folded names."""
    return WordTable(same_length(table_lines(table, of)))


@cache
def _surname_cores() -> WordTable:
    """Surnames by their cores; those with particles come after all others."""
    folded = same_length(table_lines("surnames", CENSUS))
    return WordTable("\n".join([folded, *re.findall(r" (\w+\t.*)", folded)]))


@cache
def given_names() -> tuple[GivenName, ...]:
    rows = table_rows("given_names", CENSUS)
    return tuple(GivenName(name, sex, int(count), float(age), origin) for name, sex, origin, count, age in rows)


@cache
def single_names() -> dict[tuple[str, str], GivenName]:
    """Folded first name of one word, and sex → its row."""
    found: dict[tuple[str, str], GivenName] = {}
    for row in given_names():
        if " " not in row.name:
            found.setdefault((key_of(row.name), row.sex), row)
    return found


@lru_cache(_REMEMBERED)
def sex_of(key: str) -> str:
    """`m` or `f` for a folded first name that nearly only men or women have, and otherwise empty."""
    by_sex = _bearers_by_sex(key)
    american = {american_sex(key): american_bearers(key)}
    men, women = (by_sex.get(sex, 0) + american.get(sex, 0) for sex in "mf")
    if men > 4 * women:
        return "m"
    return "f" if women > 4 * men else ""


@lru_cache(_REMEMBERED)
def bearers(key: str) -> int:
    """How many people have the folded word as a first name."""
    return sum(_bearers_by_sex(key).values())


def _bearers_by_sex(key: str) -> dict[str, int]:
    rows = _folded("given_names", CENSUS)[key] if " " not in key else []
    return {sex: int(count) for sex, _, count, _ in reversed(rows)}


@lru_cache(_REMEMBERED)
def surname_bearers(key: str) -> int:
    """How many people have the folded word as a first surname."""
    return next((int(count) for _, count in _surname_cores()[key]), 0) if " " not in key else 0


def spelled_given(key: str) -> str | None:
    """A folded first name with its accents, where it is known."""
    return _spelled_given().get(key)


def spelled_surname(key: str) -> str | None:
    return _spelled_surnames().get(key)


def sex_elsewhere(key: str) -> str:
    """`m` or `f` for a folded first name that only men or only women have in other countries, else empty."""
    sexes = {sex for (sex,) in _folded("given_names", ELSEWHERE)[key]}
    return sexes.pop() if len(sexes) == 1 else ""


def is_given_elsewhere(key: str) -> bool:
    """Whether a folded word is a first name of another country, and no surname there."""
    return key in _folded("given_names", ELSEWHERE) and key not in _folded("surnames", ELSEWHERE)


def is_named_elsewhere(key: str) -> bool:
    """Whether a folded word is a first name or a surname of another country."""
    return key in _folded("given_names", ELSEWHERE) or key in _folded("surnames", ELSEWHERE)


@cache
def _spelled_given() -> dict[str, str]:
    """The folded first names of one word → their spelling, that of men before that of women."""
    lines = table_lines("given_names", CENSUS)
    pairs = zip(same_length(lines).split("\n"), lines.split("\n"), strict=True)
    rows = [(folded.partition("\t")[0], *line.split("\t")[:2]) for folded, line in pairs]
    found: dict[str, str] = {}
    for wanted in "mf":
        for folded, name, sex in rows:
            if sex == wanted and " " not in name:
                found.setdefault(folded if folded.isalpha() else key_of(name), name)
    return found


LAST_WORD = re.compile(r"^(?:.* )?(.*?)\t.*$", re.MULTILINE)


@cache
def _spelled_surnames() -> dict[str, str]:
    """The core of each surname → its spelling, the most frequent one."""
    lines = table_lines("surnames", CENSUS)
    cores, spellings = LAST_WORD.findall(same_length(lines)), LAST_WORD.findall(lines)
    return dict(zip(reversed(cores), reversed(spellings), strict=True))


def given_by_origin() -> dict[tuple[str, str], dict[str, int]]:
    """Origin and sex → first names with their bearers in Spain, 0 where the census does not have them."""
    found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for name, sex, origin, *count in tables.rows("given_names.tsv.gz"):
        found[origin, sex][name] = int(count[0]) if count else 0
    return found


def surnames_by_origin() -> dict[str, dict[str, int]]:
    """Origin → surnames with their bearers in Spain, 0 where the census does not have them."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for name, origin, *count in tables.rows("surnames.tsv.gz"):
        found[origin][name] = int(count[0]) if count else 0
    return found
