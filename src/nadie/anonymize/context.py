"""What an operator knows about the document that a span stands in; each part is worked out when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from nadie.anonymize.dates import shifting
from nadie.anonymize.dates.calendar import Calendar
from nadie.anonymize.originals import Originals
from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.ages import Ages
from nadie.anonymize.surrogates.centres import Centres
from nadie.anonymize.surrogates.contacts import Contacts
from nadie.anonymize.surrogates.identifiers import Identifiers
from nadie.anonymize.surrogates.names import Inventor
from nadie.anonymize.surrogates.people import People
from nadie.anonymize.surrogates.places import Places
from nadie.anonymize.surrogates.relatives import Relatives
from nadie.anonymize.surrogates.streets import Streets
from nadie.document import Document


@dataclass(frozen=True, slots=True)
class Settings:
    """What a policy says beyond the operator of each label."""

    dates: shifting.Settings = field(default_factory=shifting.Settings)
    places_within: str = "country"


class Context:
    """One document on its way through the engine.

    `scope` is what identities are keyed by (a document, a patient, or the whole corpus), `patient` whose dates they
    are, and `originals` the values that no invented value may repeat.
    """

    def __init__(
        self, document: Document, key: Key, *, scope: str, patient: str, settings: Settings, originals: Originals
    ) -> None:
        self.document = document
        self.key = key
        self.scope = scope
        self.patient = patient
        self.settings = settings
        self.originals = originals

    @cached_property
    def people(self) -> People:
        return People(self.document)

    @cached_property
    def inventor(self) -> Inventor:
        return Inventor(self.key, self.scope, self.originals)

    @cached_property
    def shift(self) -> shifting.Shift:
        """The secret shift of this patient's dates."""
        possible = self.settings.dates.possible()
        return shifting.Shift(possible[self.key.number(len(possible), "shift", self.patient)])

    @cached_property
    def calendar(self) -> Calendar:
        return Calendar(self.document, self.shift)

    @cached_property
    def places(self) -> Places:
        return Places(self.document, self.key, self.scope, self.originals, self.settings.places_within)

    @cached_property
    def streets(self) -> Streets:
        return Streets(self.key, self.scope, self.originals)

    @cached_property
    def centres(self) -> Centres:
        return Centres(self.key, self.scope, self.originals, self.places)

    @cached_property
    def contacts(self) -> Contacts:
        return Contacts(self.key, self.scope, self.originals, self.places, self.inventor)

    @cached_property
    def identifiers(self) -> Identifiers:
        return Identifiers(self.key, self.scope, self.originals, self.places)

    @cached_property
    def ages(self) -> Ages:
        return Ages(self.key, self.patient, self.calendar)

    @cached_property
    def relatives(self) -> Relatives:
        return Relatives(self.people, self.inventor, self.ages)
