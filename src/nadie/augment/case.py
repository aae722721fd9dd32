"""The case of one synthetic note: the patient, relatives and staff, and every fact that the note may mention."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from nadie.augment.dates import random_date
from nadie.augment.invention import new_name
from nadie.augment.people import InventedPerson, new_person
from nadie.augment.places import InventedAddress, new_address
from nadie.augment.split import Split
from nadie.augment.vocabulary import InventedWords, pick, vocabulary

AMERICA = {
    "MX": 9, "CO": 9, "AR": 9, "CL": 8, "PE": 6, "EC": 4, "VE": 4, "UY": 3, "BO": 2, "CU": 3, "DO": 2, "PY": 1,
    "GT": 1, "HN": 1, "SV": 1, "NI": 1, "CR": 1, "PA": 1,
}  # fmt: skip
_SPANISH_SHARE = 0.5


@dataclass(slots=True)
class Case:
    """Consistent facts. They are drawn once and can be written in many ways."""

    rng: Random
    split: Split
    country: str
    patient: InventedPerson
    days_old: int
    today: date
    address: InventedAddress
    hospital: str
    staff: list[InventedPerson] = field(default_factory=list)
    fillers: tuple[str, ...] = ()

    @property
    def words(self) -> InventedWords:
        return vocabulary(self.split)

    @property
    def feminine(self) -> bool:
        return self.patient.sex == "f"

    @property
    def years(self) -> int:
        return self.days_old // 365

    @property
    def born(self) -> date:
        return self.today - timedelta(days=self.days_old)

    @property
    def tags(self) -> frozenset[str]:
        """The properties of the case that alternatives of the grammar depend on."""
        age = "bebe" if self.days_old < 730 else "nino" if self.years < 14 else "mayor" if self.years >= 65 else "medio"
        group = {"bebe": "menor", "nino": "menor"}.get(age, "adulto")
        world = "ES" if self.country == "ES" else "LA"
        return frozenset({age, group, world, self.country, self.patient.sex})

    def physician(self, which: int = 0) -> InventedPerson:
        """The physician with that number, invented on first use."""
        while len(self.staff) <= which:
            self.staff.append(new_person(self.words, self.rng, country=self.country))
        return self.staff[which]

    def past_day(self, most_years: int = 25) -> date:
        """A day of the patient's life before today, mostly a recent one."""
        most = max(2, min(self.days_old, most_years * 365))
        return self.today - timedelta(days=1 + int(most * self.rng.random() ** 2))

    def next_day(self) -> date:
        return self.today + timedelta(days=self.rng.randint(2, 200))


def new_case(rng: Random, split: Split, fillers: tuple[str, ...] = ()) -> Case:
    """A new case in Spain or in America."""
    words = vocabulary(split)
    country = "ES" if rng.random() < _SPANISH_SHARE else rng.choices(tuple(AMERICA), tuple(AMERICA.values()))[0]
    return Case(
        rng=rng,
        split=split,
        country=country,
        patient=new_person(words, rng, country=country),
        days_old=_age_in_days(rng),
        today=random_date(rng, 2004, 2025),
        address=new_address(words, rng, country),
        hospital=any_hospital(words, rng, country),
        fillers=fillers,
    )


def any_hospital(words: InventedWords, rng: Random, country: str) -> str:
    """A hospital from the list or an invented one."""
    names = words.hospitals.get(country) or words.hospitals["ES"]
    if rng.random() < 0.4:
        return new_name("ES hospital" if country == "ES" else "LA hospital", words, rng, country)
    return pick(names, rng)


def _age_in_days(rng: Random) -> int:
    share = rng.random()
    if share < 0.05:
        return rng.randint(1, 60)
    if share < 0.1:
        return rng.randint(60, 730)
    if share < 0.18:
        return rng.randint(730, 14 * 365)
    return int(rng.triangular(14, 101, 62) * 365) + rng.randint(0, 364)
