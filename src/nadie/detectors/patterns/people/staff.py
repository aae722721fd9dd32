"""Names of health professionals, after their title or after what they did."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nadie.detectors.patterns.base import LABEL_END, follows, precedes
from nadie.detectors.patterns.people.names import NameMatch, NamePattern, name_at, names_from
from nadie.detectors.patterns.plain_text import PlainText
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("people", "nadie.detectors.patterns")

_DOCTOR = r"(?:d(?:octo)?r(?:es|s|\.?/dra|/a|\(a\)|a)?s?\b|doctora|dr\.?ª|drª|dras?\b)\.?ª?:?"
_SHORT = (
    r"(?:profa?|lic|licd[oa]|ldo|lda|lcd[oa]|enf|d\.?u\.?e|mir|r[1-5]|tcae|tec|psic|klg[oa]|obst|q\.?f|"
    r"int|tens|aux)\b\.?"
)
_OTHER = rf"{_WORDS.pattern('professions of staff')}\b"
# Streets and hospitals that are named after doctors.
_NAMED_AFTER = rf"\b{_WORDS.pattern('named after doctors')}(?: [a-z]{{2,14}}){{0,4}} ?(?:del |de )?[\"'(]?"
_ROLE = _WORDS.pattern("roles of staff")
_NAME = Label.NOMBRE_PERSONAL_SANITARIO


def _after_doctor(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`Dr. Juan Pérez`, `Dres. Gil y Ruiz`."""
    if follows(note, match.start(), _NAMED_AFTER, 80):
        return
    title = note.plain[match.start(1) : match.end(1)].lower().rstrip(".")
    names = names_from(note, match.end(), several=True) if title.endswith("s") else [name_at(note, match.end())]
    for name in filter(None, names):
        yield name, _score(note, name, 0.5 if precedes(note, name.end, r",? (?:n[º.]|\d{1,3}\b|s/n)") else 0.95)


def _after_profession(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`Enf. Marta Sanz`."""
    name = name_at(note, match.end(), title_case=note.casing(match.start()) == "mixed")
    if name and note.casing(name.start) != "lower" and not follows(note, match.start(), _NAMED_AFTER, 80):
        yield name, _score(note, name, 0.85 if name.full_words > 1 else 0.6)


def _after_role(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`Médico: Juan Pérez`, `Remitido por: Juan Pérez`, `Fdo.: J. Pérez`."""
    for name in names_from(note, match.end()):
        yield name, 0.93 if note.casing(name.start) == "mixed" else 0.75


def _score(note: PlainText, name: NameMatch, score: float) -> float:
    return score if note.casing(name.start) == "mixed" else score - 0.15


PATTERNS = (
    NamePattern("staff_title", _NAME, rf"(?i)\b({_DOCTOR}) {{0,2}}", _after_doctor),
    NamePattern("staff_title", _NAME, rf"(?i)\b(?:{_SHORT}|{_OTHER}) {{1,2}}", _after_profession),
    NamePattern(
        "staff_field",
        _NAME,
        (
            rf"(?i)\b{_ROLE}(?: por\b[ .]?:? ?|{LABEL_END})"
            rf"(?:(?:{_DOCTOR}|{_SHORT}|{_OTHER}|dn?\.|dna\.?|d\.?ª|don|dona|sra?\.) {{0,2}}){{0,2}}"
        ),
        _after_role,
    ),
)
