"""The values of spans: which of them identify somebody, and what is an occurrence of one."""

from __future__ import annotations

from collections.abc import Mapping

from nadie.document import Document, Span
from nadie.labels import NAMES, Label, Parent
from nadie.resolve.name_words import FIELDS
from nadie.spanish import tables
from nadie.spanish.centre_words import KINDS, LINKS
from nadie.spanish.folding import words_of
from nadie.spanish.name_use import is_rather_a_word
from nadie.spanish.squashing import squash

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


def telling(value: str, label: str) -> str | None:
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


def told_by(document: Document) -> dict[Span, str]:
    """The identifying value of each span that has one."""
    identifying = ((span, telling(document.text_of(span), span.label)) for span in document.spans)
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
