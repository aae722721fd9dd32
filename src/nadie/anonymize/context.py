"""The information that operators have about the document of a span; each part is computed on first use."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.labels import NAMES, Label
from nadie.spanish.squashing import squash
from nadie.surrogates.dates import shifting
from nadie.surrogates.dates.births import AgeRule, birth_outcome
from nadie.surrogates.dates.calendar import Calendar, years_between
from nadie.surrogates.decision import Outcome
from nadie.surrogates.originals import Originals
from nadie.surrogates.own_values import OwnValues
from nadie.surrogates.traits import TraitRules

if TYPE_CHECKING:  # imported on first use: a policy that only inserts labels needs none of them
    from nadie.persons.people import People
    from nadie.surrogates.ages import Ages
    from nadie.surrogates.centres import Centres
    from nadie.surrogates.contacts import Contacts
    from nadie.surrogates.identifiers import Identifiers
    from nadie.surrogates.mail import Mails
    from nadie.surrogates.names import Inventor
    from nadie.surrogates.phones import Phones
    from nadie.surrogates.places import Places
    from nadie.surrogates.relatives import Relatives
    from nadie.surrogates.streets import Streets

CLASS_OF_LABEL: dict[str, str] = {
    Label.NOMBRE_PERSONAL_SANITARIO: "staff",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "staff",
    Label.ID_EMPLEO_PERSONAL_SANITARIO: "staff",
    Label.HOSPITAL: "centres",
    Label.CENTRO_SALUD: "centres",
    Label.INSTITUCION: "centres",
    Label.TERRITORIO: "places",
    Label.CALLE: "places",
    Label.PAIS: "places",
}
"""The classes of labels that a policy may give a scope of their own; all other labels are the patient's."""
_AGE_WORDS = {"nonagenari": 90, "centenari": 100}


@dataclass(frozen=True, slots=True)
class PolicyOptions:
    """The options of a policy besides the operator of each label; `ages` follows from the operator of ages.

    `own` are the user's own values for surrogates, `traits` what surrogates do to traits and professions.
    """

    dates: shifting.ShiftOptions = shifting.DEFAULT
    places_within: str = "country"
    ages: AgeRule = field(default_factory=AgeRule)
    own: OwnValues = field(default_factory=OwnValues)
    traits: TraitRules = field(default_factory=TraitRules)


@dataclass
class Context:
    """One document while the engine processes it.

    `scope` is the unit in which identities are consistent (a document, a patient, or the whole corpus), and `scopes`
    has those of staff, centres and places where they differ. `patient` determines the shift of dates, and `originals`
    are the values that no surrogate may repeat. `number_scope` is the unit in which a number always becomes the same
    one; only in one scope for all do different numbers stay different.
    """

    document: Document
    key: Key
    scope: str
    patient: str
    options: PolicyOptions
    originals: Originals
    scopes: Mapping[str, str] = field(default_factory=dict)
    number_scope: str = ""

    def scope_of(self, label: str) -> str:
        """The scope of the class that a label belongs to."""
        return self.scopes.get(CLASS_OF_LABEL.get(label, ""), self.scope)

    @cached_property
    def people(self) -> People:
        from nadie.persons.people import People

        return People(self.document)

    @cached_property
    def hospitals(self) -> tuple[str, ...]:
        """The hospitals of the document as they are written, each once."""
        named = (span for span in self.document.spans if span.label == Label.HOSPITAL)
        return tuple(dict.fromkeys(map(self.document.text_of, named)))

    def sex_of_patient_at(self, place: int) -> str:
        """The sex of the patient named last before a place, or else of the first one, or as the note tells it."""
        named, otherwise = self._sexes_of_patients
        number = bisect_right(named, place, key=lambda each: each[0])
        return named[number - 1][1] if number else otherwise

    @cached_property
    def _sexes_of_patients(self) -> tuple[list[tuple[int, str]], str]:
        """The end of each span that names a patient whose sex is known, and the sex; and that before all."""
        from nadie.persons.person import PATIENT
        from nadie.persons.sex import sex_of_patient

        mentions = ((span.end, m.person) for span in self.document.spans for m in self.people.mentions(span)[::-1])
        named = {end: person.sex for end, person in mentions if person.role == PATIENT and person.sex}
        others = (person.sex for person in self.people.persons if person.role == PATIENT and person.sex)
        return list(named.items()), next(others, "") or sex_of_patient(self.document)

    @cached_property
    def numbers(self) -> dict[Span, int]:
        """1, 2, 3 ... for the persons, and for the values of each other label, in order of appearance."""
        persons = self.people.numbers()
        named = ((span, self.people.person(span)) for span in self.document.spans if span.label in NAMES)
        numbers = {span: persons[person] for span, person in named if person is not None}
        values: dict[str, dict[str, int]] = defaultdict(dict)
        for span in self.document.spans:
            if span not in numbers:
                seen = values[span.label]
                numbers[span] = seen.setdefault(squash(self.document.text_of(span)), len(seen) + 1)
        return numbers

    @cached_property
    def stated_ages(self) -> list[int]:
        """The patient's ages in years that the document states."""
        from nadie.surrogates.age_forms import read

        values = [self.document.text_of(s) for s in self.document.spans if s.label == Label.EDAD_SUJETO_ASISTENCIA]
        words = [years for value in values for stem, years in _AGE_WORDS.items() if stem in value.lower()]
        return [*(age.number for value in values for age in read(value) or [] if age.unit == "year"), *words]

    @cached_property
    def years_lived(self) -> int:
        """The highest age of the patient that the document states, explicitly or by the date of birth."""
        birth, year = self.calendar.birth, self.calendar.birth_year
        lived = [years_between(birth, day) for day in self.calendar.days] if birth else []
        latest = self.calendar.latest_year
        is_coarse = year is not None and (birth is None or latest > max(self.calendar.days, default=birth).year)
        return max((*self.stated_ages, *lived, latest - year if is_coarse and year is not None else 0), default=0)

    def moved_date(self, span: Span) -> Outcome:
        """The span's date after the shift; a date of birth reveals no more about the age than the policy allows."""
        outcome = birth_outcome(self.calendar, span, self.options.ages, self.stated_ages, self.shift)
        return self.calendar.moved(span) if outcome is None else outcome

    @cached_property
    def inventor(self) -> Inventor:
        from nadie.surrogates.names import Inventor

        return Inventor(
            self.key, self.scope, self.originals, self.options.own, self.scope_of(Label.NOMBRE_PERSONAL_SANITARIO)
        )

    @cached_property
    def shift(self) -> shifting.Shift:
        """The secret shift of this patient's dates."""
        possible = self.options.dates.possible()
        days = possible[self.key.base.number(len(possible), "shift", self.patient)]
        return shifting.Shift(days, self._more_days) if self.options.dates.series == "vary" else shifting.Shift(days)

    def _more_days(self, year: int) -> int:
        """What the days of a year are shifted more or less than others."""
        weeks = shifting.WEEKS_MORE
        return 7 * (self.key.base.number(2 * weeks + 1, "series", self.patient, str(year)) - weeks)

    @cached_property
    def calendar(self) -> Calendar:
        return Calendar(self.document, self.shift)

    @cached_property
    def places(self) -> Places:
        from nadie.surrogates.places import Places

        options = self.options
        scope = self.scope_of(Label.TERRITORIO)
        return Places(self.document, self.key, scope, self.originals, options.places_within, options.own)

    @cached_property
    def streets(self) -> Streets:
        from nadie.surrogates.streets import Streets

        scope = self.scope_of(Label.CALLE)
        return Streets(self.key, scope, self.originals, self.options.own, self.places.country)

    @cached_property
    def centres(self) -> Centres:
        from nadie.surrogates.centres import Centres

        return Centres(self.key, self.scope_of(Label.HOSPITAL), self.originals, self.places)

    @cached_property
    def contacts(self) -> Contacts:
        from nadie.surrogates.contacts import Contacts

        return Contacts(self.key, self.scope)

    @cached_property
    def phones(self) -> Phones:
        from nadie.surrogates.phones import Phones

        return Phones(self.key, self.scope, self.originals, self.places)

    @cached_property
    def mails(self) -> Mails:
        from nadie.surrogates.mail import Mails

        return Mails(self.key, self.scope, self.originals, self.inventor)

    @cached_property
    def identifiers(self) -> Identifiers:
        from nadie.surrogates.identifiers import Identifiers
        from nadie.surrogates.told_times import ToldTimes

        rule = self.options.ages
        is_exact = not rule.is_hidden and not rule.band and self.years_lived < rule.top
        times = ToldTimes(self.shift, self.calendar.birth, tells_births=is_exact)
        return Identifiers(self.key, self.number_scope, self.originals, self.places, times)

    @cached_property
    def ages(self) -> Ages:
        from nadie.surrogates.ages import Ages

        return Ages(self.key.base, self.patient, self.calendar)

    @cached_property
    def relatives(self) -> Relatives:
        from nadie.surrogates.relatives import Relatives

        return Relatives(self.inventor, self.ages)
