"""What marks out one person: what is tattooed changes, a scar loses its shape, and a fame what it is for."""

from __future__ import annotations

import re

from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.spanish.folding import key_of, same_length

_TATTOO = re.compile(r"tatuajes?\b|tatuad[oa]s?\b")
_TATTOO_WITHIN = re.compile(r"(?:un |el )?tatuaje (?:de |con )?")
_MARK = re.compile(r"(?:una? )?(?:quemadura|cicatriz|lunar|mancha|marca de nacimiento|angioma)\b")
_FAMOUS = re.compile(r"(?:el |la |un |una )?(?:primera?|ultim[oa]|unic[oa]|campeona?|ganadora?|fundadora?|autora?)\b")
_SOMETHING = re.compile(r"[a-z]+(?:,? [a-z]+){2,20}")
_LONG = 4
_IS = re.compile(r"\b(?:es|fue|era|llaman|dicen|conocen como)\s+$")
_DRAWINGS = (
    "una estrella", "un ancla", "una flor", "un corazón", "una mariposa", "un ave", "una luna", "un árbol", "una letra",
)  # fmt: skip


def another_mark(value: str, before: str, key: Key, scope: str) -> str | None:
    """Another drawing for a tattoo, a scar without its shape, nothing of a fame; None for what is none of these."""
    folded = same_length(value)
    if _FAMOUS.match(folded):
        return "una persona conocida"
    if mark := _MARK.match(folded):
        return value[: mark.end()] if mark.end() < len(value) else None
    if folded.startswith("gano "):
        return "ganó un premio"
    within = _TATTOO_WITHIN.match(folded)
    if within is None and not _TATTOO.search(same_length(before)):
        told = "una persona conocida" if _IS.search(same_length(before)) else "una señal particular"
        return in_case_of(told, value) if _is_free_text(value, folded) else None
    drawing = key.choose(_DRAWINGS, lambda d: key_of(d) not in key_of(value), "tattoo", scope, key_of(value))
    if drawing is None:
        return None
    if within is None:
        return in_case_of(drawing, value)
    start = value[: within.end()].rstrip()
    return f"{start if start.lower().endswith(('de', 'con')) else f'{start} de'} {in_case_of(drawing, value)}"


def _is_free_text(value: str, folded: str) -> bool:
    """Words without a name among them, which no other surrogate fits."""
    is_long = value.isupper() and value.count(" ") >= _LONG
    return _SOMETHING.fullmatch(folded) is not None and (is_long or value[:1].islower())
