"""Who is who in a document: the spans that name one person, put together.

`Pérez Soto, Ana`, `Ana Pérez`, `Sra. Pérez` and a form's `Nombre: Ana` with `Apellidos: Pérez Soto` are one person:
a name joins a person when all its parts agree with what is known of that person.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from nadie.anonymize.surrogates.name_parts import Kind, Name, parse
from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.kinship import FEMALE, MALE

PATIENT = "patient"
STAFF = "staff"
RELATIVE = "relative"
_NEAR = 10
_ROLES = {Label.NOMBRE_SUJETO_ASISTENCIA: PATIENT, Label.NOMBRE_PERSONAL_SANITARIO: STAFF}


@dataclass(eq=False)
class Person:
    """What a document tells of one person's name, in folded parts."""

    role: str
    given: list[str] = field(default_factory=list)
    surnames: list[str] = field(default_factory=list)
    sex: str = ""
    title_sex: str = ""

    @property
    def identity(self) -> str:
        """The name as far as it is known, in one order."""
        return " ".join((*self.given, *self.surnames))

    def add(self, name: Name) -> None:
        for part in name.parts:
            known = self.given if part.kind is Kind.GIVEN else self.surnames
            if not part.initial and not any(_same(part.key, key) for key in known):
                known.append(part.key)
        self.title_sex = self.title_sex or name.sex

    def agrees(self, name: Name) -> bool:
        """Whether the name may be this person's and shares a part with what is known."""
        if self._contradicts(name):
            return False
        given, surnames = name.keys(Kind.GIVEN), name.keys(Kind.SURNAME)
        shared = any(_known(key, self.given) for key in given) or any(_known(key, self.surnames) for key in surnames)
        return shared or (self.role == PATIENT and self._completes(name))

    def _contradicts(self, name: Name) -> bool:
        for part in name.parts:
            known = self.given if part.kind is Kind.GIVEN else self.surnames
            if part.initial and known and not any(key[0] == part.key for key in known):
                return True
            if not part.initial and known and not _known(part.key, known):
                return True
        return False

    def _completes(self, name: Name) -> bool:
        """The first name of a person of whom only surnames are known, or the other way round."""
        given, surnames = name.keys(Kind.GIVEN), name.keys(Kind.SURNAME)
        return bool(given and not surnames and not self.given) or bool(surnames and not given and not self.surnames)


def _same(part: str, known: str) -> bool:
    return part == known or known.startswith(f"{part} ")


def _known(part: str, known: list[str]) -> bool:
    return any(_same(part, key) for key in known)


class People:
    """The persons of a document, found from its name spans."""

    def __init__(self, document: Document) -> None:
        self.named: dict[Span, tuple[Name, Person]] = {}
        self.persons: list[Person] = []
        self._stated = sex_of_patient(document)
        self._by_part: dict[tuple[str, str], list[Person]] = defaultdict(list)
        self._incomplete: dict[tuple[str, Kind], dict[Person, None]] = defaultdict(dict)
        names = [
            (span, parse(document.text_of(span), document.text[max(0, span.start - 40) : span.start]))
            for span in document.spans
            if span.label in _ROLES
        ]
        for span, name in sorted(names, key=lambda item: (-_known_parts(item[1]), item[0].start)):
            person = self.join(name, _ROLES[Label(span.label)])
            self.named[span] = (name, person)
        self._order = sorted(self.named)

    def join(self, name: Name, role: str) -> Person:
        """The person of that name and role, who is a new one when nobody known agrees with it."""
        person = next((p for p in self._candidates(name, role) if p.agrees(name)), None)
        if person is None:
            person = Person(role)
            self.persons.append(person)
        person.add(name)
        self._remember(person)
        person.sex = _sex_of(person) or person.title_sex or (self._stated if role == PATIENT else "") or _ending(person)
        return person

    def _candidates(self, name: Name, role: str) -> Iterator[Person]:
        """Those of that role who share a part with the name, then those whom it may complete."""
        for part in name.parts:
            yield from self._by_part.get((role, part.key.split()[0]), ())
        for missing in (Kind.GIVEN, Kind.SURNAME):
            yield from list(self._incomplete[role, missing])[:1]

    def _remember(self, person: Person) -> None:
        for part in (*person.given, *person.surnames):
            known = self._by_part[person.role, part.split()[0]]
            if person not in known:
                known.append(person)
        for missing, parts in ((Kind.GIVEN, person.given), (Kind.SURNAME, person.surnames)):
            if parts:
                self._incomplete[person.role, missing].pop(person, None)
            else:
                self._incomplete[person.role, missing][person] = None

    def numbers(self) -> dict[Person, int]:
        """1, 2, 3 ... for the persons of each role, in the order in which they appear."""
        counts = dict.fromkeys((PATIENT, STAFF, RELATIVE), 0)
        numbers: dict[Person, int] = {}
        for span in sorted(self.named):
            person = self.named[span][1]
            if person not in numbers:
                counts[person.role] += 1
                numbers[person] = counts[person.role]
        return numbers

    def nearest(self, span: Span) -> Iterator[Person]:
        """The persons, the one named closest before or after `span` first."""
        place = bisect_left(self._order, span)
        around = self._order[max(0, place - _NEAR) : place + _NEAR]
        order = sorted(around, key=lambda s: min(abs(span.start - s.end), abs(s.start - span.end)))
        seen: set[Person] = set()
        for named in order:
            person = self.named[named][1]
            if person not in seen:
                seen.add(person)
                yield person


def _known_parts(name: Name) -> int:
    return sum(not part.initial for part in name.parts)


def _sex_of(person: Person) -> str:
    name = tables.given_names().get(person.given[0]) if person.given else None
    return name.sex if name else ""


def _ending(person: Person) -> str:
    if not person.given:
        return ""
    return {"a": "f", "o": "m"}.get(person.given[0][-1], "")


def sex_of_patient(document: Document) -> str:
    """What the document's sex words tell: `m`, `f`, or empty. See `nadie.spanish.kinship` for a lone `M`."""
    words = [key_of(document.text_of(s)) for s in document.spans if s.label == Label.SEXO_SUJETO_ASISTENCIA]
    for word in sorted(words, key=len, reverse=True):
        if word in FEMALE:
            return "f"
        if word in MALE:
            return "m"
    return ""
