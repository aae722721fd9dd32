"""Where the persons of a document are named once more, outside of all spans, in a form that no span had."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from nadie.labels import NAMES, Label
from nadie.persons.people import People
from nadie.persons.person import PATIENT, STAFF, Person
from nadie.resolve.name_words import is_eponym, is_plural
from nadie.resolve.outside import Candidate, Outside
from nadie.spanish import tables
from nadie.spanish.folding import words_of
from nadie.spanish.lexicon import UNKNOWN, Lexicon
from nadie.spanish.name_forms import TITLED, cut_names_in, initials_of, is_login, joins, logins, pet_names

_BEFORE = re.compile(r"(?<![^\W_])(?P<word>[^\W\d_]{2,30})(?:,? |_|\^)$")
_AFTER = re.compile(r"(?:,? |_|\^)(?:de )?(?P<word>[^\W\d_]{2,30})(?![^\W_])")
_SENTENCE_END = re.compile(r"[.;:!?]\s")
_LIST = re.compile(r"[.,;:!?]\s")  # of surnames alone, which may be words: `color rubio, cruz de sangre`
_ILL = re.compile(r"(?:pac|pcte|paciente|usuari[oa]|enf|familia)\b")
_LETTERS = re.compile(r"[^\W\d_]+")
_LEAST_GLUED = 8
_LEAST_UNTOLD = 6  # of an account's name that nothing says to be one
_MOST_PERSONS = 100
_LABELS = {PATIENT: Label.NOMBRE_SUJETO_ASISTENCIA, STAFF: Label.NOMBRE_PERSONAL_SANITARIO}

Place = tuple[int, int, Sequence[Person]]
"""A range of the text, and the persons whom it may name, the likeliest first."""


def names_again(text: Outside) -> Iterator[Candidate]:
    """Joins (`ANARUBIO.dcm`), accounts (`arubio`), initials (`A.R.C.`, `ARC`), `A. Rubio`, and titled surnames.

    Only names that are labelled as a patient's or as of the staff are looked for.
    """
    people = People(text.detected)
    for start, end, persons in _places(text, people):
        spans = [span for person in persons for span in people.spans_of(person)]
        labels = (*(_LABELS[person.role] for person in persons), *(s.label for s in spans if s.label in NAMES))
        yield Candidate(start, end, tuple(dict.fromkeys(labels)), max(span.score for span in spans))


def _places(text: Outside, people: People) -> Iterator[Place]:
    persons = [person for person in people.persons if person.role in _LABELS][:_MOST_PERSONS]
    yield from _joins(text, persons)
    yield from _beside(text, people)
    yield from _initials(text, persons)
    yield from _cut(text, persons)
    yield from _titled(text, people, persons)
    yield from _accounts(text, persons)


def _joins(text: Outside, persons: Sequence[Person]) -> Iterator[Place]:
    forms = ((join, p) for p in persons for join in joins(p.given, p.surnames))
    whose = _by_form((join, p) for join, p in forms if join in text.squashed)
    for is_glued in (False, True):  # whole words first: inside of words, a join may end in the middle of another
        for join, named in whose.items():
            if not is_glued or len(join) >= _LEAST_GLUED:
                ends = _LIST if join == "".join(named[0].surnames) else _SENTENCE_END
                for place in text.squashed.find(join, glued=is_glued):
                    is_phrase = is_plural(text.document.text, place.start, place.end)
                    if not ends.search(text.document.text, place.start, place.end) and not is_phrase:
                        yield place.start, place.end, named


def _beside(text: Outside, people: People) -> Iterator[Place]:
    """A short name of the person beside a name that has a span: `[Ana] Gil`, `[ana gil] blanco`, `ANA_GIL`."""
    for span in text.detected.spans:
        person = people.person(span)
        if person is None or person.role not in _LABELS:
            continue
        names = {key for _, key in person.names} - set(words_of(text.detected.text_of(span)))
        before = _BEFORE.search(text.folded, max(0, span.start - 40), span.start)
        for match in (before, _AFTER.match(text.folded, span.end)):
            if match and match["word"] in names:
                yield *match.span("word"), [person]


def _initials(text: Outside, persons: Sequence[Person]) -> Iterator[Place]:
    whose = _by_form((letters, p) for p in persons for letters in initials_of(p.given, p.surnames))
    for start, end, letters in text.initials:
        if letters in whose:
            yield start, end, whose[letters]


def _cut(text: Outside, persons: Sequence[Person]) -> Iterator[Place]:
    """A name beside the initial of another name of the person: `A. Rubio`, `Ana R.`"""
    whose: dict[tuple[str, str], list[Person]] = defaultdict(list)
    for person in persons:
        for given in person.given:
            for surname in person.surnames:
                whose[surname, given[0]].append(person)
                whose[given, surname[0]].append(person)
    if not any(word in text.squashed for word, _ in whose):
        return
    for start, end, word, initial in cut_names_in(text.document.text, text.folded):
        if (word, initial) in whose:
            yield start, end, whose[word, initial]


def _titled(text: Outside, people: People, persons: Sequence[Person]) -> Iterator[Place]:
    forms = ((word, p) for p in persons for word in (*p.given, *p.surnames, *chain(*map(pet_names, p.given))))
    whose = _by_form((word, p) for word, p in forms if word in text.squashed)
    for match in TITLED.finditer(text.folded) if whose else ():
        named = whose.get(match["word"])
        if named is None or _is_said_of_patient(text, match, people):
            continue
        may_be_ill = " de " in match.group() or all(p.role == PATIENT for p in named)
        if not (may_be_ill and is_eponym(text.document.text, *match.span("word"))):  # `enf. de Paget`, `enf. Paget`
            yield *match.span("word"), named


def _is_said_of_patient(text: Outside, match: re.Match[str], people: People) -> bool:
    """Whether a word is no name after `paciente`: `paciente delgado` in a note that writes Delgado with a capital."""
    written = text.document.text
    is_word = match["word"] in tables.ordinary_names() and written[match.start("word")].islower()
    if not is_word or not _ILL.match(match.group()):
        return False
    whose = [span for person in people.persons for span in people.spans_of(person)]
    return all(written[span.start].isupper() for span in whose)


def _accounts(text: Outside, persons: Sequence[Person]) -> Iterator[Place]:
    forms = ((login, p) for p in persons for login in logins(p.given, p.surnames))
    whose = _by_form((login, p) for login, p in forms if login in text.squashed)
    for match in _LETTERS.finditer(text.folded) if whose else ():
        word, (start, end) = match.group(), match.span()
        if word in whose and _is_account(word, text.folded[max(0, start - 24) : start]):
            yield start, end, whose[word]


def _by_form(forms: Iterable[tuple[str, Person]]) -> dict[str, list[Person]]:
    """The persons whom each form may name, in order."""
    whose: dict[str, list[Person]] = defaultdict(list)
    for form, person in forms:
        whose[form].append(person)
    return whose


def _is_account(word: str, before: str) -> bool:
    return is_login(before) or (len(word) >= _LEAST_UNTOLD and Lexicon.shared().rarity(word) == UNKNOWN)
