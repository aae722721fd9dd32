"""How many persons share what stays readable of a patient: sex, age, place and year.

k is the number of patients of the release with the same values. The prosecutor knows that somebody is in the release: a
patient's risk is 1 / k. The journalist does not: the risk is 1 / K, where K is the number of people in the population
with these values (El Emam and Dankar 2008). K is approximated by the inhabitants of the province, half of them of each
sex, with the ages of the whole of Spain; a year does not narrow it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nadie.spanish import tables

_SMALL = 5
_BAND = 10
_TOP = 90


class Person(NamedTuple):
    """What stays readable of a patient; None or empty where nothing does. `width` is that of the band of ages."""

    sex: str = ""
    age: int | None = None
    width: int = 1
    place: str = ""
    year: int | None = None


class Uniqueness(NamedTuple):
    """The figures of a release: patients, k, and the two risks."""

    patients: int
    smallest: int
    share_small: float
    share_unique: float
    prosecutor_mean: float
    prosecutor_most: float
    journalist_mean: float
    journalist_most: float


def uniqueness(persons: Sequence[Person]) -> Uniqueness | None:
    """The figures; None for a release without patients."""
    if not persons:
        return None
    sizes = Counter(persons)
    ks = [sizes[person] for person in persons]
    whole = [1 / max(k, in_population(person)) for person, k in zip(persons, ks, strict=True)]
    return Uniqueness(
        len(persons),
        min(ks),
        sum(k < _SMALL for k in ks) / len(ks),
        ks.count(1) / len(ks),
        sum(1 / k for k in ks) / len(ks),
        1 / min(ks),
        sum(whole) / len(whole),
        max(whole),
    )


def in_population(person: Person) -> float:
    """How many inhabitants of Spain, or of the province, have this sex and age."""
    thousands = tables.inhabitants()
    people = 1000.0 * (thousands.get(person.place) or sum(thousands.values()))
    if person.sex:
        people /= 2
    if person.age is not None:
        people *= _share(range(person.age, person.age + max(1, person.width)))
    return people


def _share(ages: Iterable[int]) -> float:
    """The share of the inhabitants with these ages; from 90 on, the whole band is one age."""
    shares = tables.age_shares()
    bands = Counter(min(_TOP, age // _BAND * _BAND) for age in ages)
    return sum(shares[band] * (1.0 if band == _TOP else count / _BAND) for band, count in bands.items())
