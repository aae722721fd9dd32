"""Relatives: the names that follow a word of kinship, and, worth less, the word itself.

The guidelines mark relatives even without a name (`dos hijos y una hija`); the corpus does so about every second time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.people.names import name_at
from nadie.detectors.patterns.time.calendar import COUNT
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.kinship import RELATIVES, SIDES

_NOUN = "|".join((*sorted(RELATIVES, reverse=True), "companer[oa] sentimental", "tutora? legal"))
_SIDE = "|".join((*sorted(SIDES, reverse=True), "varon(?:es)?", "viud[oa]"))
KIN = rf"(?:(?:{_NOUN})(?: (?:{_SIDE}))?)"
# Words of kinship that mean nobody: a family doctor, a family history, nobody at all.
_NOBODY = r"\b(?:medic[oa] de|medicina|antecedentes|historia|sin|ninguna?|planificacion|unidad de|otra) "
_LABEL = Label.FAMILIARES_SUJETO_ASISTENCIA


@dataclass(frozen=True)
class RelativeName:
    """`su esposa M. Jesús Calvo`, `hijo (Pedro)`, `madre: Ana Ruiz`."""

    name: str = "relative_name"

    def find(self, note: PlainText) -> Iterator[Span]:
        regex = (
            rf"(?i)\b{KIN}(?:,? (?:llamad[oa]|de nombre|se llama)|,| ?:)? {{1,2}}[(\"]?(?:(?:don|dona|d\.|"
            r"dna\.|sr[a]?\.) )?"
        )
        for match in note.scan(regex):
            if note.casing(match.start()) == "lower":
                continue
            name = name_at(note, match.end(), title_case=note.casing(match.start()) == "mixed")
            if name:
                yield hit(
                    self.name, _LABEL, (name.start, name.end), 0.85 if note.casing(name.start) == "mixed" else 0.5
                )


@dataclass(frozen=True)
class Relative:
    """The word of kinship, with the number before it."""

    name: str = "relative"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b((?:(?:\d{{1,2}}|{COUNT}|ambos) )?{KIN})\b"):
            yield hit(self.name, _LABEL, match.span(1), 0.2 if follows(note, match.start(1), _NOBODY) else 0.55)


PATTERNS = (RelativeName(), Relative())
