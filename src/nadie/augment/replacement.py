"""Identities replaced by new ones in the form of the original."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from nadie.augment import contacts, dates, identifiers
from nadie.augment.edits import TextEdit, rewrite, substitution
from nadie.augment.fields import find_cues
from nadie.augment.people import InventedPerson, new_person, shortened
from nadie.augment.places import new_address
from nadie.augment.split import Split
from nadie.augment.vocabulary import InventedWords, countries, pick, vocabulary
from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish.calendar import MONTHS
from nadie.spanish.folding import fold
from nadie.spanish.kinship import FEMALE
from nadie.spanish.numbers import before_noun

_YEAR = re.compile(r"(?:año )?(?:19|20)\d\d")
_DAY = re.compile(
    r"\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4}|\d{1,2}\W+(?:de )?[a-záéíóú]{3,}\W+(?:del? )?\d{2,4}", re.IGNORECASE
)
_MONTH = re.compile(rf"(?:{'|'.join(MONTHS[0])}) (?:del? )?\d{{2,4}}", re.IGNORECASE)
_AGE = re.compile(r"(\d{1,3}) años")


class _Replacer:
    """The new identities of one document: equal values get equal replacements."""

    def __init__(self, document: Document, rng: Random, split: Split, country: str) -> None:
        self.rng = rng
        self.words: InventedWords = vocabulary(split)
        self.country = country
        self.patient = new_person(self.words, rng, country=country, sex=_sex(document))
        self.address = new_address(self.words, rng, country)
        self.staff: dict[str, InventedPerson] = {}
        self.seen: dict[tuple[str, str], str] = {}
        self.cue_before = {cue.end: cue.kind for cue in find_cues(document)}

    def new(self, span: Span, old: str) -> str:
        key = (span.label, fold(old))
        if key not in self.seen:
            maker = _MAKERS.get(Label(span.label))
            self.seen[key] = maker(self, span, old) if maker else old
        return self.seen[key]

    def patient_name(self, span: Span, old: str) -> str:
        kind = self.cue_before.get(span.start, "")
        if kind == "given" or (kind != "surnames" and len(old.split()) == 1):
            return self.patient.given
        return self.patient.surname if kind == "surnames" else self.patient.full

    def staff_name(self, span: Span, old: str) -> str:
        words = frozenset(fold(old).replace("-", " ").split())
        for key, person in self.staff.items():
            if words <= frozenset(key.split()):
                return person.surnames[0] if len(words) == 1 else person.full
        person = new_person(self.words, self.rng, country=self.country)
        self.staff[" ".join(sorted(words))] = person
        if len(words) == 1:
            return person.surnames[0]
        return shortened(person.full, self.rng) if self.rng.random() < 0.1 else person.full

    def date(self, span: Span, old: str) -> str:
        kind = self.cue_before.get(span.start, "")
        first, last = (1928, 2018) if kind == "birth_date" else (1996, 2024)
        day = dates.random_date(self.rng, first, last)
        if _YEAR.fullmatch(old):
            return dates.year(day, self.rng)
        if _DAY.fullmatch(old):
            return dates.full_date(day, self.rng)
        return dates.month_and_year(day, self.rng) if _MONTH.fullmatch(old) else old

    def age(self, span: Span, old: str) -> str:
        match = _AGE.fullmatch(old)
        if match is None:
            return old
        years = max(1, int(match[1]) + self.rng.randint(-9, 9))
        share = self.rng.random()
        if share < 0.1:
            return f"{before_noun(years)} año{'s' if years > 1 else ''}"
        if share < 0.2 and years > 1:
            return f"{years}{self.rng.choice(('a', ' a', ' a.', 'años', ' AÑOS'))}"
        return f"{years} año{'s' if years > 1 else ''}"

    def territory(self, span: Span, old: str) -> str:
        if any(character.isdigit() for character in old):
            return self.address.postcode
        if self.cue_before.get(span.start) == "town":
            return self.address.town
        if self.rng.random() < 0.25:
            return self.address.region or old
        return new_address(self.words, self.rng, self.country).town

    def street(self, span: Span, old: str) -> str:
        if self.cue_before.get(span.start) == "street":
            return self.address.street
        return new_address(self.words, self.rng, self.country).street if any(c.isdigit() for c in old) else old

    def nation(self, span: Span, old: str) -> str:
        if self.rng.random() < 0.3:
            return self.rng.choice(tuple(countries().values())).name
        return countries()[self.country].name if self.country in countries() else old

    def hospital(self, span: Span, old: str) -> str:
        names = self.words.hospitals.get(self.country) or self.words.hospitals["ES"]
        return pick(names, self.rng) if len(old) > 6 else old

    def phone(self, span: Span, old: str) -> str:
        return contacts.phone(self.rng, self.country).lstrip("+(")

    def mail(self, span: Span, old: str) -> str:
        person = next(iter(self.staff.values()), self.patient)
        return contacts.mail(self.rng, person) if "@" in old else old

    def patient_id(self, span: Span, old: str) -> str:
        if sum(c.isdigit() for c in old) < 4:
            return old
        return identifiers.number("history", self.rng)

    def insurance(self, span: Span, old: str) -> str:
        return identifiers.number("social_security", self.rng) if any(c.isdigit() for c in old) else old

    def episode(self, span: Span, old: str) -> str:
        return identifiers.number("episode", self.rng)

    def licence(self, span: Span, old: str) -> str:
        return identifiers.number("licence_spain" if self.country == "ES" else "licence_america", self.rng)


_MAKERS: dict[Label, Callable[[_Replacer, Span, str], str]] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: _Replacer.patient_name,
    Label.NOMBRE_PERSONAL_SANITARIO: _Replacer.staff_name,
    Label.FECHAS: _Replacer.date,
    Label.EDAD_SUJETO_ASISTENCIA: _Replacer.age,
    Label.TERRITORIO: _Replacer.territory,
    Label.CALLE: _Replacer.street,
    Label.PAIS: _Replacer.nation,
    Label.HOSPITAL: _Replacer.hospital,
    Label.NUMERO_TELEFONO: _Replacer.phone,
    Label.NUMERO_FAX: _Replacer.phone,
    Label.CORREO_ELECTRONICO: _Replacer.mail,
    Label.ID_SUJETO_ASISTENCIA: _Replacer.patient_id,
    Label.ID_ASEGURAMIENTO: _Replacer.insurance,
    Label.ID_CONTACTO_ASISTENCIAL: _Replacer.episode,
    Label.ID_TITULACION_PERSONAL_SANITARIO: _Replacer.licence,
}
_NAMES = frozenset(
    {
        Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO, Label.TERRITORIO, Label.CALLE, Label.HOSPITAL,
        Label.CORREO_ELECTRONICO,
    }
)  # fmt: skip


def new_identities(document: Document, rng: Random) -> Document:
    """The note with every identity replaced, from any country."""
    country = "ES" if rng.random() < 0.6 else rng.choice("MX CO AR CL PE EC VE UY BO CU DO".split())
    return _replaced(document, _Replacer(document, rng, Split.TRAINING, country), frozenset(_MAKERS))


def unseen_names(document: Document, rng: Random) -> Document:
    """Names of people, places and hospitals replaced by held-out ones; numbers and dates stay."""
    return _replaced(document, _Replacer(document, rng, Split.HELD_OUT, "ES"), _NAMES)


def _replaced(document: Document, replacer: _Replacer, labels: frozenset[Label]) -> Document:
    edits: list[TextEdit] = []
    end = 0
    for span in document.spans:
        if span.label not in labels or span.start < end:
            continue
        overlapped = any(other != span and other.overlaps(span) for other in document.spans)
        old = document.text_of(span)
        if not overlapped and (new := replacer.new(span, old)) and new != old:
            edits.append(substitution(span.start, span.end, new))
        end = span.end
    return rewrite(document, edits)


def _sex(document: Document) -> str:
    """The patient's sex as the note states it, for names that agree with it."""
    for span in document.spans:
        if span.label == Label.SEXO_SUJETO_ASISTENCIA:
            return "f" if fold(document.text_of(span)) in FEMALE else "m"
    return ""
