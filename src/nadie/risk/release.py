"""A release as an attacker sees it: the texts of an output, what the detector finds in them, and the run's audit."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from nadie.document import Document, Span
from nadie.labels import NAMES, Label
from nadie.persons.sex import sex_of_patient
from nadie.risk.audit import Audit
from nadie.risk.dates import possible_shifts
from nadie.risk.misses import Misses
from nadie.risk.parrot import mentions
from nadie.risk.uniqueness import Person, Uniqueness, uniqueness
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of
from nadie.surrogates.dates.calendar import Calendar
from nadie.surrogates.dates.events import contradicts_event
from nadie.surrogates.dates.shifting import Shift, ShiftOptions

_NUMBER = re.compile(r"\d{1,3}")
_BAND = re.compile(r"(\d{1,3})\s*-\s*(\d{1,3})")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_MOVED_BY = 5  # an age under `surrogate` moves by up to two years: it stays readable within five
# An age in years of 90 or more that is not the open band `90 años o más`.
_OVER_89 = re.compile(r"(?<!\d)(?:9\d|1[01]\d)(?!\d)(?!\s*(?:(?:años\s+)?o más|d[ií]as?\b|d\b|sem|mes|m\b))")
_MANY = 3
_FEW_SHIFTS = 60


@dataclass
class Release:
    """Adds up the documents of an output; call `add` for each, then read the figures."""

    audit: Audit
    documents: int = 0
    possible_names: int = 0
    unseen_names: int = 0
    events: int = 0
    over_89: int = 0
    fine_dates: int = 0
    persons: dict[str, Person] = field(default_factory=dict)
    days: dict[str, set[date]] = field(default_factory=lambda: defaultdict(set))
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    without_patient: int = 0

    def __post_init__(self) -> None:
        self.misses = Misses(second=self.audit.has_second_look)

    def add(self, document: Document, possible: Sequence[Span], patient: str) -> None:
        """Add an output with the spans found in it, those of recall mode, and its patient; empty if it has none."""
        self.documents += 1
        self.without_patient += not patient
        patient = patient or f"document {self.documents}"
        self.misses.add(document.spans, possible, self.audit.certainty(document.id))
        seen = mentions(document.text, document.spans, possible)
        self.possible_names += len(seen)
        self.unseen_names += sum(mention.is_unseen for mention in seen)
        calendar = Calendar(document, Shift(0))
        self.days[patient].update(calendar.days)
        self.events += contradicts_event(document.text, [day.year for day in calendar.days])
        for span in document.spans:
            words = words_of(document.text_of(span))
            if span.label in NAMES and len(words) > 1:
                self.names[" ".join(words)].add(patient)
        person = self._person(document)
        ages = _values(document).get(Label.EDAD_SUJETO_ASISTENCIA, [])
        ages = [*ages, *_values(document).get(Label.FAMILIARES_SUJETO_ASISTENCIA, [])]
        self.over_89 += any(_OVER_89.search(age) for age in ages)
        self.fine_dates += self.audit.operator(Label.FECHAS) != "shift" and calendar.tells_more_than_years()
        self.persons.setdefault(patient, person)

    def _person(self, document: Document) -> Person:
        """What stays readable of the document's patient under the run's policy."""
        stays, values = self.audit.stays, _values(document)
        sex = sex_of_patient(document) if stays(Label.SEXO_SUJETO_ASISTENCIA) else ""
        age, width = _age(values.get(Label.EDAD_SUJETO_ASISTENCIA, []))
        if self.audit.operator(Label.EDAD_SUJETO_ASISTENCIA) == "surrogate" and age is not None:
            age, width = age // _MOVED_BY * _MOVED_BY, _MOVED_BY
        places = values.get(Label.TERRITORIO, []) if stays(Label.TERRITORIO) else []
        codes = (tables.town_codes().get(key_of(v)) or tables.province_codes().get(key_of(v)) for v in places)
        years = [int(year) for value in values.get(Label.FECHAS, []) for year in _YEAR.findall(value)]
        is_year = self.audit.stays(Label.FECHAS) and bool(years)
        return Person(sex, age, width, next(filter(None, codes), ""), max(years) if is_year else None)

    def uniqueness(self) -> Uniqueness | None:
        return uniqueness(list(self.persons.values()))

    def recurring_names(self) -> int:
        """The number of names that stand in the notes of three patients or more."""
        return sum(len(patients) >= _MANY for patients in self.names.values())

    def guessable_shifts(self, options: ShiftOptions) -> tuple[int, int]:
        """The number of patients whose dates leave fewer than 60 shifts possible, and the fewest that they leave."""
        left = [possible_shifts(days, options)[0] for days in self.days.values() if days]
        return sum(count < _FEW_SHIFTS for count in left), min(left, default=0)

    def lines(self, options: ShiftOptions) -> list[str]:
        """The figures, one a line."""
        shared, (patients, fewest) = self.uniqueness(), self.guessable_shifts(options)
        whole = self.misses.total()
        expected = [
            f"{label}: {each.expected:.1f} expected, {each.low:.1f} to {each.high:.1f}"
            for label, each in self.misses.estimates().items()
        ]
        return [
            f"patients {len(self.persons)}, documents {self.documents}, without a patient {self.without_patient}",
            *(f"missed {line}" for line in expected),
            f"missed in all: {whole.expected:.1f} expected, {whole.low:.1f} to {whole.high:.1f}",
            *(_shares(shared) if shared else ()),
            f"documents with a readable age over 89, of relatives too: {self.over_89}",
            f"documents with a date that is not shifted and tells more than the year: {self.fine_dates}",
            f"parrot: {self.unseen_names} of {self.possible_names} possible names are not found again",
            f"recurrence: {self.recurring_names()} names stand in the notes of three patients or more",
            f"holidays: {patients} patients with fewer than {_FEW_SHIFTS} possible shifts, the fewest {fewest}",
            f"events: {self.events} documents name an event later than their dates",
        ]


def _shares(shared: Uniqueness) -> Iterator[str]:
    yield f"k at least {shared.smallest}, below 5 for {shared.share_small:.1%} of the patients"
    yield f"prosecutor {shared.prosecutor_mean:.2%}, journalist {shared.journalist_mean:.4%}"


def _values(document: Document) -> dict[str, list[str]]:
    values: dict[str, list[str]] = defaultdict(list)
    for span in document.spans:
        values[span.label].append(document.text_of(span))
    return values


def _age(values: Sequence[str]) -> tuple[int | None, int]:
    """The first age and the width of its band."""
    for value in values:
        if band := _BAND.search(value):
            return int(band[1]), max(1, int(band[2]) - int(band[1]) + 1)
        if number := _NUMBER.search(value):
            return int(number[0]), 1
    return None, 1
