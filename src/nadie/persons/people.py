"""Grouping the spans of a document by the person they name.

`Pérez Soto, Ana`, `Ana Pérez`, `Sra. Pérez`, `A. P. S.`, `Anita`, `ANAPEREZ` and a form's `Nombre: Ana` with
`Apellidos: Pérez Soto` are one person. Names are processed from the fullest on; each one is assigned to a person if
all its parts are consistent with that person's names, otherwise to a new person.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.persons.fields import kind_by_field, sex_by_row
from nadie.persons.joined import NamePiece, cut, is_joined
from nadie.persons.mending import as_letters
from nadie.persons.parsing import Kind, Name, Part, parse
from nadie.persons.person import PATIENT, RELATIVE, STAFF, Person
from nadie.persons.relatives import names_in
from nadie.persons.sex import (
    is_of_either_sex,
    sex_around,
    sex_as_said,
    sex_by_article,
    sex_by_condition,
    sex_by_ending,
    sex_by_form,
    sex_by_kinship,
    sex_by_name,
    sex_by_profession,
    sex_by_trade,
    sex_by_traits,
    sex_by_usual_ending,
    sex_of_patient,
)
from nadie.persons.somebody import OTHER_LABELS, is_somebody
from nadie.spanish.folding import same_length
from nadie.spanish.name_forms import full_name, one_letter_less
from nadie.spanish.population import bearers, surname_bearers

_NEAR = 10
_SOME_TEXT = 400
_LONGEST_WORD = 32
_MOST_GIVEN = 3
_MOST_CANDIDATES = 24
_SHORTEST_JOINED = 6
_SHORTEST_UNKNOWN = 4  # of a word that is no name by itself
_ROLES = {
    Label.NOMBRE_SUJETO_ASISTENCIA: PATIENT,
    Label.NOMBRE_PERSONAL_SANITARIO: STAFF,
    Label.FAMILIARES_SUJETO_ASISTENCIA: RELATIVE,
}
_LONE = {PATIENT: Kind.GIVEN, STAFF: Kind.SURNAME, RELATIVE: Kind.GIVEN}
_SURNAME_FIRST = re.compile(r"\s*[,^]\s{0,3}")
_WORD_BEFORE = re.compile(r"(?<![^\W_])([^\W\d_]{2,30})_$")  # of a file name: `PEREZ_` before `ANA_TC.dcm`
_WORD_AFTER = re.compile(r"_?(?<=_)([^\W\d_]{2,30})(?![^\W_])")


class Mention(NamedTuple):
    """A name at `document.text[span.start + start : span.start + end]`; `pieces` are those of joined names."""

    span: Span
    start: int
    end: int
    name: Name
    person: Person
    pieces: tuple[NamePiece, ...] = ()


class People:
    """The persons of a document, found from its name spans."""

    def __init__(self, document: Document) -> None:
        self.persons: list[Person] = []
        self._document = document
        self._stated = sex_of_patient(document)
        self._by_key: dict[str, list[Person]] = defaultdict(list)
        self._before: dict[Span, Span] = {}
        self._mentions: dict[Span, list[Mention]] = defaultdict(list)
        self._spans: dict[Person, list[Span]] = defaultdict(list)
        self._read()
        self._order = sorted(self._mentions)

    def mentions(self, span: Span) -> list[Mention]:
        """The names in a span, in order."""
        return self._mentions.get(span, [])

    def person(self, span: Span) -> Person | None:
        """The person that a span names, if it is one."""
        found = self.mentions(span)
        return found[0].person if found else None

    def spans_of(self, person: Person) -> list[Span]:
        """The spans that name a person, one for each name."""
        return self._spans[person]

    def _read(self) -> None:
        found = list(self._names())
        found.sort(key=lambda item: (-len(item[3].full), item[0].start, item[1]))
        for span, start, end, name in found:
            role = _role(span)
            name = self._as_word(name)
            person, pieces = self._join(span, name, role)
            self._mentions[span].append(Mention(span, start, end, name, person, pieces))
        for span, mentions in self._mentions.items():
            mentions.sort(key=lambda mention: mention.start)
            for mention in mentions:
                self._spans[mention.person].append(span)
        particles = {surname for person in self.persons for surname in person.with_particle}
        after_de = {surname for person in self.persons for surname in person.after_de}
        for person in self.persons:
            person.sex = self._sex(person)
            person.with_particle.update(particles.intersection(person.surnames))
            person.after_de.update(after_de.intersection(person.surnames))

    def _names(self) -> Iterator[tuple[Span, int, int, Name]]:
        text, spans = self._document.text, [s for s in self._document.spans if self._is_named(s)]
        kinds = _split_names(text, spans) | {s: kind for s in spans if (kind := kind_by_field(text, s))}
        is_dictated = not any(map(str.isupper, text[:_SOME_TEXT]))
        for first, second in pairwise(spans):
            if kinds.get(first) is Kind.SURNAME and kinds.get(second) is Kind.GIVEN:
                self._before[second] = first
        for span in spans:
            value = as_letters(self._document.text_of(span))
            is_relative = span.label == Label.FAMILIARES_SUJETO_ASISTENCIA
            for start, end in names_in(value, is_dictated=is_dictated) if is_relative else [(0, len(value))]:
                place = span.start + start
                before = text[max(0, place - 40) : place]
                lone = _LONE[_role(span)]
                yield span, start, end, parse(value[start:end], before, only=kinds.get(span), lone=lone)

    def _is_named(self, span: Span) -> bool:
        if span.label not in OTHER_LABELS:
            return span.label in _ROLES
        before = self._document.text[max(0, span.start - 40) : span.start]
        return is_somebody(self._document.text_of(span), before)

    def _join(self, span: Span, name: Name, role: str) -> tuple[Person, tuple[NamePiece, ...]]:
        """The person with this name, a new one if no known person matches, and the parts of a joined name."""
        person = self._goes_on(span, name) or self._in_file_name(span, name) or self._best(name, role)
        if person is None or not _is_written_so(name, person):
            for known in self._candidates_of(role):
                pieces = _joined(name, known)
                if pieces:
                    return known, pieces
        if person is None:
            self._learn_kinds(name)
            person = self._cut_short(name, role) or self._completed(span, name, role) or Person(role)
        person.add(name)
        person.sex = sex_by_name(person.given) or person.title_sex
        for _, key in person.names:
            for entry in {key, full_name(key), *one_letter_less(key)}:
                if person not in self._by_key[entry]:
                    self._by_key[entry].append(person)
        if person not in self.persons:
            self.persons.append(person)
        return person, ()

    def _goes_on(self, span: Span, name: Name) -> Person | None:
        """The person whose surnames are just before a first name that is known to be that person's."""
        before = self._mentions.get(self._before[span]) if span in self._before else None
        person = before[-1].person if before else None
        is_known = person is not None and bool(name.full) and all(person.match(part, set()) for part in name.full)
        return person if is_known else None

    def _as_word(self, name: Name) -> Name:
        """A name in capitals that looks like initials, as one word if a person has that name: `UC` of Nemesio Uc."""
        letters = name.initials
        key = "".join(part.key for part in letters)
        is_run = len(letters) > 1 and letters[-1].end - letters[0].start == len(letters)
        kinds = [kind for person in self._by_key.get(key, ()) for kind, known in person.names if known == key]
        if name.full or not is_run or not kinds:
            return name
        raw = "".join(part.raw for part in letters)
        return replace(name, parts=(Part(letters[0].start, letters[-1].end, raw, key, kind=kinds[0]),))

    def _in_file_name(self, span: Span, name: Name) -> Person | None:
        """The person with both the name in the span and the word that is joined to it by `_`."""
        if len(name.full) != 1 or name.initials:
            return None
        text = same_length(self._document.text[max(0, span.start - _LONGEST_WORD) : span.end + _LONGEST_WORD])
        start = min(span.start, _LONGEST_WORD)
        end = start + span.end - span.start
        beside = (_WORD_BEFORE.search(text[:start]), _WORD_AFTER.match(text, end))
        words = [match[1] for match in beside if match]
        own = name.full[0].key
        known = (p for word in words if word != own for p in self._by_key.get(word, ())[:_MOST_CANDIDATES])
        return next((p for p in known if any(key == own for _, key in p.names)), None)

    def _learn_kinds(self, name: Name) -> None:
        """Mark single words that no table has as first names or surnames, by the other persons of the document."""
        for part in name.full if len(name.parts) == 1 else ():
            known = [kind for person in self._by_key.get(part.key, ()) for kind, key in person.names if key == part.key]
            if known and not bearers(part.key) and not surname_bearers(part.key):
                part.kind = known[0]

    def _best(self, name: Name, role: str) -> Person | None:
        if not name.full:
            return next((p for p in self._candidates_of(role) if p.has_initials(name)), None)
        candidates: dict[Person, None] = {}
        for part in name.full:
            for entry in {part.key, full_name(part.key), *one_letter_less(part.key)}:
                candidates.update(dict.fromkeys(self._by_key.get(entry, ())[:_MOST_CANDIDATES]))
        fits = [(person.fits(name, role), person.role == role, person) for person in candidates]
        best = max((fit for fit in fits if fit[0]), key=lambda fit: fit[:2], default=None)
        return best[2] if best else None

    def _candidates_of(self, role: str) -> list[Person]:
        """The persons to compare with a name: those of that role first, in the order in which they were found."""
        return sorted(self.persons[:_MOST_CANDIDATES], key=lambda person: person.role != role)

    def _cut_short(self, name: Name, role: str) -> Person | None:
        if len(name.parts) != 1 or name.initials:
            return None
        part = name.parts[0]
        for person in self._candidates_of(role):
            if person.role == role and (whole := person.may_be_cut(part)):
                part.kind, part.key = whole
                return person
        return None

    def _completed(self, span: Span, name: Name, role: str) -> Person | None:
        """The person whose surnames are just before a first name, or in another field of the form."""
        before = self._before.get(span)
        if before is not None and self._mentions.get(before):
            person = self._mentions[before][-1].person
            return person if person.may_complete(name) else None
        if role != PATIENT or before is not None or span in self._before.values():
            return None
        patients = [person for person in self.persons if person.role == PATIENT]
        return patients[0] if len(patients) == 1 and patients[0].may_complete(name) else None

    def _sex(self, person: Person) -> str:
        """The sex of a person, by the name, the title, the form, the words around, and finally the name's ending."""
        spans = self._spans[person][:_NEAR]
        given = person.given if person.role == PATIENT else ()
        known = next((sex for span in spans if (sex := sex_by_kinship(self._document, span))), "")
        known = known or next((sex for span in spans if (sex := sex_as_said(self._document, span, given))), "")
        if not known and is_of_either_sex(person.given):
            known = next((sex for span in spans if (sex := sex_by_trade(self._document, span))), "")
        if not known and person.role == PATIENT and sum(other.role == PATIENT for other in self.persons) == 1:
            known = sex_by_form(self._document, person.given)
        known = known or sex_by_name(person.given) or person.title_sex
        if not known and person.role == PATIENT:
            known = next((sex for span in spans if (sex := sex_by_row(self._document, span))), "")
        known = known or next((sex for span in spans if (sex := sex_by_article(self._document, span))), "")
        known = known or next((sex for span in spans if (sex := sex_by_profession(self._document, span))), "")
        known = known or next((sex for span in spans if (sex := sex_by_trade(self._document, span))), "")
        if not known and person.role == PATIENT and spans:
            known = sex_by_traits(self._document, spans[0])
        if not known and len(person.given) == 1 and len(person.given[0]) > 4:
            known = sex_by_ending(person.given)  # before the form, where `M` is a man in some countries
        if not known and person.role == PATIENT:
            known = self._stated or self._sex_by_condition
        if not known:
            votes = [sex for span in spans if (sex := sex_around(self._document, span))]
            known = max(sorted(set(votes)), key=votes.count, default="")
        if not known and person.given:
            same = (
                p for p in self._by_key.get(person.given[0], ()) if p is not person and p.given[:1] == person.given[:1]
            )
            known = next((sex for p in same if (sex := p.sex)), "")
        return known or sex_by_ending(person.given) or sex_by_usual_ending(person.given)

    @cached_property
    def _sex_by_condition(self) -> str:
        return sex_by_condition(self._document)

    def numbers(self) -> dict[Person, int]:
        """1, 2, 3 ... for the persons of each role, in the order in which they appear."""
        counts = dict.fromkeys((PATIENT, STAFF, RELATIVE), 0)
        numbers: dict[Person, int] = {}
        for span in self._order:
            for mention in self._mentions[span]:
                person = mention.person
                if person not in numbers:
                    counts[person.role] += 1
                    numbers[person] = counts[person.role]
        return numbers

    def nearest(self, span: Span) -> Iterator[Person]:
        """The persons, the one named closest before or after `span` first."""
        place = bisect_left(self._order, span)
        around = self._order[max(0, place - _NEAR) : place + _NEAR]
        order = sorted(around, key=lambda s: min(abs(span.start - s.end), abs(s.start - span.end)))
        yield from dict.fromkeys(mention.person for s in order for mention in self._mentions[s])


def _role(span: Span) -> str:
    return _ROLES.get(Label(span.label), RELATIVE)


def _split_names(text: str, spans: list[Span]) -> dict[Span, Kind]:
    """Pairs of spans of one name with a comma or a caret (HL7) between them: the surnames, then the first name."""
    kinds: dict[Span, Kind] = {}
    for first, second in pairwise(spans):
        gap = text[first.end : second.start]
        is_beside = first.label == second.label and first not in kinds and _SURNAME_FIRST.fullmatch(gap)
        if is_beside and ("^" in gap or _is_form(text, first, second)):
            kinds[first], kinds[second] = Kind.SURNAME, Kind.GIVEN
    return kinds


def _is_form(text: str, first: Span, second: Span) -> bool:
    """Whether two spans are one name, as in `PEREZ SOTO, ANA`, and not a list, as in `vinieron Ana, Luis y Eva`."""
    if first.label == Label.FAMILIARES_SUJETO_ASISTENCIA:
        return False
    before, after = parse(text[first.start : first.end]), parse(text[second.start : second.end], lone=Kind.GIVEN)
    starts_given = bool(after.full) and after.full[0].kind is Kind.GIVEN and len(after.full) < _MOST_GIVEN
    is_given = all(bearers(part.key) > surname_bearers(part.key) for part in after.full)
    is_certain = bool(after.keys(Kind.GIVEN)) and (is_given or not after.keys(Kind.SURNAME))
    surnames = before.full[:1] if is_certain and len(before.full) > 1 else before.full  # `Santillana Hilario, Luis`
    is_surname = bool(surnames) and not any(bearers(part.key) > surname_bearers(part.key) for part in surnames)
    return is_surname and starts_given and (is_certain or not surname_bearers(after.full[-1].key))


def _is_written_so(name: Name, person: Person) -> bool:
    """Whether a single word is exactly one of the person's names, not one with a typing error."""
    return len(name.parts) != 1 or any(full_name(name.parts[0].key) == full_name(key) for _, key in person.names)


def _joined(name: Name, person: Person) -> tuple[NamePiece, ...]:
    """The pieces of a single word that is made of names of the person."""
    if len(name.parts) != 1:
        return ()
    key = name.parts[0].key
    is_known = bearers(key) or surname_bearers(key)
    if len(key) < (_SHORTEST_JOINED if is_known else _SHORTEST_UNKNOWN):
        return ()
    if not any(whole in key for _, whole in person.names):
        return ()
    pieces = cut(key, person.names)
    return tuple(pieces) if is_joined(pieces) else ()
