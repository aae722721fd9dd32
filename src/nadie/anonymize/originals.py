"""The original values of a document, so that no surrogate repeats one of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from nadie.anonymize.squash import squash
from nadie.anonymize.surrogates.centre_words import is_only_kind
from nadie.document import Document, Span
from nadie.labels import Label, Parent
from nadie.spanish.folding import words_of

# Short lists of words that many people share: their occurrence reveals nothing about a person.
CLOSED = frozenset(
    {
        Label.SEXO_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA, Label.FAMILIARES_SUJETO_ASISTENCIA,
        Label.PROFESION, Label.OTROS_SUJETO_ASISTENCIA, Label.FECHAS, Label.PAIS,
    }
)  # fmt: skip
_CENTRES = frozenset({Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION})
_NAMES = frozenset({Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO})
_LEAST_LETTERS = 3
_LEAST_DIGITS = 5
_MOST_WORDS = 8


def telling(value: str, label: str) -> str | None:
    """The squashed value if its occurrence would identify somebody, None if it is too short or too common."""
    squashed = squash(value)
    if label in _CENTRES and is_only_kind(words_of(value)):
        return None
    if squashed.isdigit():
        return squashed if len(squashed) >= _LEAST_DIGITS else None
    if label == Label.FECHAS:
        return squashed if sum(c.isdigit() for c in squashed) >= 4 and len(squashed) >= 6 else None
    if label == Label.PAIS:
        return squashed if len(squashed) > _LEAST_LETTERS else None
    if label in CLOSED or len(squashed) < _LEAST_LETTERS:
        return None
    if Label(label).parent is Parent.ID and not any(c.isdigit() for c in squashed):
        return None
    return squashed if label in _NAMES or len(squashed) > _LEAST_LETTERS else None


def told_by(document: Document) -> dict[Span, str]:
    """The identifying value of each span that has one."""
    identifying = ((span, telling(document.text_of(span), span.label)) for span in document.spans)
    return {span: value for span, value in identifying if value is not None}


def values_of(identifying: Mapping[Span, str]) -> set[str]:
    """The values of the open classes: names, places, contacts, numbers."""
    return {value for span, value in identifying.items() if span.label not in CLOSED}


class Originals:
    """The original values of one document, for comparison with its surrogates."""

    def __init__(self, values: Set[str]) -> None:
        self._values = values

    def within(self, text: str) -> bool:
        """Whether some consecutive words of `text` are an original value."""
        return any(piece in self._values for piece in _joined(words_of(text)))

    def has(self, squashed: str) -> bool:
        """Whether a squashed value is an original value."""
        return squashed in self._values

    def side_by_side(self, folded: list[str]) -> bool:
        """Whether two or more consecutive folded words are an original value."""
        return any(self.has(piece) for piece in _joined(folded, at_least=2))


def _joined(parts: list[str], at_least: int = 1) -> Iterable[str]:
    for first in range(len(parts)):
        piece = ""
        for count, part in enumerate(parts[first : first + _MOST_WORDS], start=1):
            piece += part
            if count >= at_least:
                yield piece
