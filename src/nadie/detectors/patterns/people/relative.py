"""Relatives: names after a word of kinship, and, with a lower score, the word itself.

The guidelines mark relatives even without a name (`dos hijos y una hija`); the corpus does so in about half the cases.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nadie.detectors.patterns.base import follows
from nadie.detectors.patterns.people.names import NameMatch, NamePattern, name_at
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.detectors.patterns.time.calendar import COUNT
from nadie.labels import Label
from nadie.spanish.kinship import RELATIVES, SIDES

_NOUN = "|".join((*sorted(RELATIVES, reverse=True), "companer[oa] sentimental", "tutora? legal"))
_SIDE = "|".join((*sorted(SIDES, reverse=True), "varon(?:es)?", "viud[oa]"))
KIN = rf"(?:(?:{_NOUN})(?: (?:{_SIDE}))?)"
# Before these, a word of kinship means no person: a family doctor, a family history, no relatives.
_NOBODY = r"\b(?:medic[oa] de|medicina|antecedentes|historia|sin|ninguna?|planificacion|unidad de|otra) "
_LABEL = Label.FAMILIARES_SUJETO_ASISTENCIA


def _after_kin(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`su esposa M. Jesús Calvo`, `hijo (Pedro)`, `madre: Ana Ruiz`."""
    casing = note.casing(match.start())
    if casing != "lower" and (name := name_at(note, match.end(), title_case=casing == "mixed")):
        yield name, 0.85 if note.casing(name.start) == "mixed" else 0.5


def _kin(note: PlainText, start: int, _: int) -> float:
    return 0.2 if follows(note, start, _NOBODY) else 0.55


PATTERNS = (
    NamePattern(
        "relative_name",
        _LABEL,
        (
            rf"(?i)\b{KIN}(?:,? (?:llamad[oa]|de nombre|se llama)|,| ?:)? {{1,2}}[(\"]?(?:(?:don|dona|d\.|"
            r"dna\.|sr[a]?\.) )?"
        ),
        _after_kin,
    ),
    ContextPattern("relative", _LABEL, rf"(?i)\b((?:(?:\d{{1,2}}|{COUNT}|ambos) )?{KIN})\b", _kin),
)
