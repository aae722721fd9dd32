"""Where the persons of a document are named once more, outside of all spans, in a form that no span had."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator

from nadie.anonymize.name_words import is_eponym
from nadie.anonymize.persons.parsing import Kind
from nadie.anonymize.persons.people import People
from nadie.anonymize.persons.person import PATIENT, STAFF, Person
from nadie.anonymize.values import SOURCE, outside
from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish.folding import NOTHING, same_length
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.name_forms import (
    TITLED,
    capitals_in,
    cut_names_in,
    initials_in,
    initials_of,
    is_login,
    joins,
    logins,
    pet_names,
)

_BEFORE = re.compile(r"(?<![^\W_])(?P<word>[^\W\d_]{2,30})(?:,? |_|\^)$")
_AFTER = re.compile(r"(?:,? |_|\^)(?:de )?(?P<word>[^\W\d_]{2,30})(?![^\W_])")
_SENTENCE_END = re.compile(r"[.;:!?]\s")
_LIST = re.compile(r"[.,;:!?]\s")  # of surnames alone, which may be words: `color rubio, cruz de sangre`
_LETTERS = re.compile(r"[^\W\d_]+")
_LEAST_GLUED = 8
_LEAST_UNTOLD = 6  # of an account's name that nothing says to be one
_UNKNOWN = 10  # the rarity of words that the lexicon does not have
_MOST_PERSONS = 100
_LABELS = {PATIENT: Label.NOMBRE_SUJETO_ASISTENCIA, STAFF: Label.NOMBRE_PERSONAL_SANITARIO}


def named_again(document: Document, kept: Collection[str]) -> list[Span]:
    """Spans for joins (`ANARUBIO.dcm`), accounts (`arubio`), initials (`A.R.C.`, `ARC`), `A. Rubio`, titled surnames.

    Only names that are labelled as a patient's or as of the staff are looked for, and no label in `kept`.
    """
    people = People(document)
    persons = [p for p in people.persons if p.role in _LABELS and _LABELS[p.role] not in kept][:_MOST_PERSONS]
    taken = bytearray(len(document.text))
    for span in document.spans:
        taken[span.start : span.end] = b"\1" * (span.end - span.start)
    found: list[Span] = []
    for start, end, person in _places(document, people, persons, taken):
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            found.append(Span(start, end, _LABELS[person.role], 1.0, SOURCE))
    return found


def _places(
    document: Document, people: People, persons: list[Person], taken: bytearray
) -> Iterator[tuple[int, int, Person]]:
    text = outside(document)
    for is_glued in (False, True):  # whole words first: inside of words, a join may end in the middle of another
        for person in persons:
            for join in joins(person.given, person.surnames):
                if not is_glued or len(join) >= _LEAST_GLUED:
                    for place in text.find(join, glued=is_glued):
                        ends = _LIST if join == "".join(person.surnames) else _SENTENCE_END
                        if not ends.search(document.text, place.start, place.end):
                            yield place.start, place.end, person
    folded = same_length(document.text).replace(NOTHING, " ")
    yield from _beside(document, folded, people)
    yield from _initials(document.text, folded, persons)
    yield from _cut(document.text, folded, persons)
    yield from _titled(folded, persons)
    yield from _accounts(folded, persons, taken)


def _beside(document: Document, folded: str, people: People) -> Iterator[tuple[int, int, Person]]:
    """A short name of the person beside a name that has a span: `[Ana] Gil`, `[ana gil] blanco`, `ANA_GIL`."""
    for span in document.spans:
        person = people.person(span)
        if person is None or person.role not in _LABELS:
            continue
        names = {key for _, key in person.names}
        for match in (_BEFORE.search(folded, max(0, span.start - 40), span.start), _AFTER.match(folded, span.end)):
            if match and match["word"] in names:
                yield *match.span("word"), person


def _initials(text: str, folded: str, persons: list[Person]) -> Iterator[tuple[int, int, Person]]:
    whose: dict[str, Person] = {}
    for person in persons:
        for letters in initials_of(person.given, person.surnames):
            whose.setdefault(letters, person)
    for found in (initials_in(folded), capitals_in(text)):
        for start, end, letters in found:
            if letters in whose:
                yield start, end, whose[letters]


def _cut(text: str, folded: str, persons: list[Person]) -> Iterator[tuple[int, int, Person]]:
    """A name beside the initial of another name of the person: `A. Rubio`, `Ana R.`"""
    whose: dict[tuple[str, str], Person] = {}
    for person in persons:
        for given in person.given:
            for surname in person.surnames:
                whose.setdefault((surname, given[0]), person)
                whose.setdefault((given, surname[0]), person)
    for start, end, word, initial in cut_names_in(text, folded) if whose else ():
        if (word, initial) in whose:
            yield start, end, whose[word, initial]


def _titled(folded: str, persons: list[Person]) -> Iterator[tuple[int, int, Person]]:
    whose: dict[str, Person] = {}
    for person in persons:
        for _, name in sorted(person.names, key=lambda named: named[0] is Kind.GIVEN):
            whose.setdefault(name, person)
        for name in person.given:
            for short in pet_names(name):
                whose.setdefault(short, person)
    for match in TITLED.finditer(folded):
        named = whose.get(match["word"])
        is_illness = named is not None and named.role == PATIENT and is_eponym(folded, *match.span("word"))
        if named is not None and not is_illness:  # `enf. Paget` of a patient who is called so
            yield *match.span("word"), named


def _accounts(folded: str, persons: list[Person], taken: bytearray) -> Iterator[tuple[int, int, Person]]:
    whose: dict[str, list[Person]] = defaultdict(list)
    for person in persons:
        for login in logins(person.given, person.surnames):
            whose[login].append(person)
    for match in _LETTERS.finditer(folded) if whose else ():
        word, (start, end) = match.group(), match.span()
        if word in whose and not any(taken[start:end]) and _is_account(word, folded[max(0, start - 24) : start]):
            yield start, end, whose[word][0]


def _is_account(word: str, before: str) -> bool:
    return is_login(before) or (len(word) >= _LEAST_UNTOLD and Lexicon.shared().rarity(word) == _UNKNOWN)
