"""The values of spans: which of them identify somebody, and where one stands once more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from nadie.document import UNKNOWN_FIELD, Document, Span
from nadie.labels import NAMES, Label, Parent
from nadie.resolve.name_words import FIELDS, is_eponym, is_plural, is_written_as_name
from nadie.resolve.outside import Candidate, Outside
from nadie.spanish import tables
from nadie.spanish.centre_words import KINDS, LINKS
from nadie.spanish.folding import words_of
from nadie.spanish.name_forms import pet_names
from nadie.spanish.name_use import is_rather_a_word
from nadie.spanish.names import SHORT_SURNAMES, SHORT_TITLES, short_surnames
from nadie.spanish.squashing import squash
from nadie.spanish.words_elsewhere import is_word_elsewhere

# Short lists of words that many people share: their occurrence reveals nothing about a person.
CLOSED = frozenset(
    {
        Label.SEXO_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA, Label.FAMILIARES_SUJETO_ASISTENCIA,
        Label.PROFESION, Label.OTROS_SUJETO_ASISTENCIA, Label.FECHAS, Label.PAIS,
    }
)  # fmt: skip
_CENTRES = frozenset({Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION})
_IDS = frozenset(label for label in Label if label.parent is Parent.ID)
_KIND_WORDS = KINDS | LINKS
_LEAST_LETTERS = 3
_LEAST_DIGITS = 5
_LEAST_OF_A_PART = 3
_LEAST_GLUED = 8
_SHORT_FORMS = {name: short_surnames(name) for name in SHORT_SURNAMES.values()}

_Scores = dict[str, float]
"""The labels that a value has, the likeliest first, each with its highest score."""


def identifying_value(value: str, label: str) -> str | None:
    """The squashed value if its occurrence would identify somebody, None if it is too short or too common."""
    squashed = squash(value)
    if label in _CENTRES and _KIND_WORDS.issuperset(words_of(value)):
        return None
    if squashed.isdigit():
        return squashed if len(squashed) >= _LEAST_DIGITS else None
    if label == Label.FECHAS:
        return squashed if sum(c.isdigit() for c in squashed) >= 4 and len(squashed) >= 6 else None
    if label == Label.PAIS:
        return squashed if len(squashed) > _LEAST_LETTERS else None
    if label in CLOSED or len(squashed) < _LEAST_LETTERS:
        return None
    if label in _IDS and not any(c.isdigit() for c in squashed):
        return None
    return squashed if label in NAMES or len(squashed) > _LEAST_LETTERS else None


def identifying_values(document: Document) -> dict[Span, str]:
    """The identifying value of each span that has one."""
    identifying = ((span, identifying_value(document.text_of(span), span.label)) for span in document.spans)
    return {span: value for span, value in identifying if value is not None}


def values_of(identifying: Mapping[Span, str]) -> set[str]:
    """The values of the open classes: names, places, contacts, numbers."""
    return {value for span, value in identifying.items() if span.label not in CLOSED}


def is_value(squashed: str, seen: str) -> bool:
    """Whether an occurrence is really the value: `dolores` in lower case is not Dolores, `País:` is not Dr. Pais.

    `seen` is the occurrence with the character after it.
    """
    if squashed in FIELDS and seen.endswith(":"):
        return False
    is_word = squashed in tables.ordinary_names() or (squashed.isalpha() and is_rather_a_word(squashed))
    return not (is_word and seen[:-1].islower())


def values_again(text: Outside) -> Iterator[Candidate]:
    """Values once more, whole ones first; parts of names and nicknames only where they are written like a name.

    Case, accents and spacing are ignored.
    """
    whole, parts = _whole(text.detected), _parts(text.document)
    unknown = _unknown(text.detected)
    glued = {value for value, scores in whole.items() if len(value) >= _LEAST_GLUED and next(iter(scores)) in NAMES}
    places = text.squashed.find_all((whole.keys() | parts.keys()) - glued)
    places.update((value, text.squashed.find(value, glued=True)) for value in glued)
    written = text.document.text
    for value in sorted(whole.keys() & places.keys(), key=lambda value: (-len(value), value)):
        scores = whole[value]
        for place in places[value]:
            seen = written[place.start : place.end + 1]
            is_term = is_plural(written, *place) or is_eponym(written, *place, next(iter(scores)))
            if is_value(value, seen) and not is_term and not is_word_elsewhere(written, *place):
                as_part = parts.get(value, {}) if is_written_as_name(written, *place, value) else {}
                others = (label for label in as_part if not is_eponym(written, *place, label))
                labels = tuple(dict.fromkeys((*scores, *others)))
                yield Candidate(*place, labels, max(scores.values()), UNKNOWN_FIELD if value in unknown else "")
    for value in sorted((parts.keys() - whole.keys()) & places.keys()):
        scores = parts[value]
        for place in places[value]:
            if is_written_as_name(written, *place, value) and not is_eponym(written, *place, next(iter(scores))):
                yield Candidate(*place, tuple(scores), max(scores.values()))


def _whole(document: Document) -> Mapping[str, _Scores]:
    """The identifying values; where one has several labels, that of its first span comes first."""
    whole: dict[str, _Scores] = defaultdict(dict)
    for span, value in identifying_values(document).items():
        whole[value][span.label] = max(span.score, whole[value].get(span.label, 0.0))
    return whole


def _unknown(document: Document) -> set[str]:
    """The identifying values of fields whose meaning is not known, unless another span has them too."""
    if not any(span.source == UNKNOWN_FIELD for span in document.spans):
        return set()
    values = identifying_values(document)
    known = {value for span, value in values.items() if span.source != UNKNOWN_FIELD}
    return {*values.values()} - known


def _parts(document: Document) -> Mapping[str, _Scores]:
    """The words of names, and their pet names and short forms; the label of the last span comes first."""
    parts: dict[str, _Scores] = defaultdict(dict)
    for span in reversed(document.spans):
        for word in words_of(document.text_of(span)) if span.label in NAMES else ():
            if len(word) >= _LEAST_OF_A_PART and word not in SHORT_TITLES:
                for form in (word, *pet_names(word), *_SHORT_FORMS.get(word, ())):
                    parts[form][span.label] = max(span.score, parts[form].get(span.label, 0.0))
    return parts
