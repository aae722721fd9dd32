"""What kind of note a text is: its language and its document type, guessed from its words, and its length.

Samples are spread over these kinds, and figures are given by them. A wrong guess makes an estimate less precise and
never wrong, so a few frequent words are enough.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from nadie.spanish.folding import fold

_WORD = re.compile(r"[^\W\d_]+")
_BEGINNING = 800
_WORDS = 400
_LEAST = 4
OTHER = "other"
_FUNCTION_WORDS = {
    "es": "el los del con que una por para se sin y su fue presenta refiere paciente",
    "ca": "els dels amb que una per i sense seva fou presenta aquest refereix pacient pel les",
    "gl": "os dos con que unha por e sen sua foi presenta non ao pola refire doente",
    "eu": "eta da du zen ez bat izan dira batean gaixoa zuen ditu egin dago zaio",
    "pt": "os dos com que uma por e sem sua foi apresenta nao ao pela refere doente",
    "en": "the of and with was for without his her patient is on at presents denies",
}
_LANGUAGES = {name: frozenset(words.split()) for name, words in _FUNCTION_WORDS.items()}
_TYPES = (
    ("discharge", r"informe de alta|epicrisis|alta hospitalaria|resumen de egreso|informe d'alta|informe de egreso"),
    ("emergency", r"urgencias?\b|triaje|triage|emergencias?\b|112\b|061\b"),
    ("pathology", r"anatomia patologica|biopsia|macroscopic|histologic"),
    ("radiology", r"radiolog|ecografia|tomografia|\btac\b|\btc\b|resonancia|\brm\b|rx "),
    ("laboratory", r"laboratorio|hemograma|microbiolog|analitica"),
    ("surgery", r"quirurgic|quirofano|intervencion|anestesia|operatori"),
    ("nursing", r"enfermeria|cuidados|infermeria|erizaintza"),
    ("referral", r"interconsulta|derivacion|derivo|volante|remito"),
    ("message", r"^\s*(?:de|from|para|to|asunto|subject):|whatsapp|estimad[oa]"),
    ("certificate", r"certifica|consentimiento|justificante|baja laboral"),
    ("progress", r"evolucion|evolutivo|curso clinico|nota de"),
    ("consultation", r"consulta|consultas externas|primaria|anamnesis|motivo"),
)
_PATTERNS = tuple((name, re.compile(pattern, re.MULTILINE)) for name, pattern in _TYPES)


class Kind(NamedTuple):
    """The kind of a note; `length` is the power of two that its number of characters reaches."""

    folder: str
    type: str
    language: str
    length: int


def kind_of(name: str, text: str) -> Kind:
    """The kind of a note with that name, whose first folder is part of it."""
    folder = name.partition("/")[0] if "/" in name else ""
    return Kind(folder, type_of(text), language_of(text), max(0, len(text).bit_length() - 1))


def language_of(text: str) -> str:
    """The language with the most of its function words in the beginning of a text; Spanish unless one has more."""
    words = Counter(fold(word) for word in _WORD.findall(text[: _WORDS * 12])[:_WORDS])
    counts = {name: sum(words[word] for word in known) for name, known in _LANGUAGES.items()}
    best = max(counts, key=lambda name: (counts[name], name == "es"))
    return best if counts[best] >= _LEAST else "es"


def type_of(text: str) -> str:
    """The document type that the first words of a note name."""
    beginning = fold(text[:_BEGINNING])
    found = [(match.start(), name) for name, pattern in _PATTERNS if (match := pattern.search(beginning))]
    return min(found)[1] if found else OTHER
