"""Readable names of scores and errors, in English and in Spanish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from nadie.evaluation.errors import ErrorKind
from nadie.report.markup import Phrase


class ErrorName(NamedTuple):
    """The name of an error type, its sign, and its meaning."""

    name: Phrase
    sign: str
    meaning: Phrase


_TASKS = {
    "subtask1": Phrase("subtask 1", "subtarea 1"),
    "strict": Phrase("subtask 2 strict", "subtarea 2 estricta"),
    "merged": Phrase("subtask 2 merged", "subtarea 2 fusionada"),
}
_PARTS = {
    "precision": Phrase("precision", "precisión"),
    "recall": Phrase("recall", "exhaustividad"),
    "f1": Phrase("F1", "F1"),
}

MEASURES: Mapping[str, Phrase] = {
    **{
        f"{task}.{part}": Phrase(f"{name.english}, {word.english}", f"{name.spanish}, {word.spanish}")
        for task, name in _TASKS.items()
        for part, word in _PARTS.items()
    },
    "subtask1.leak": Phrase("leak (misses per sentence)", "fuga (no detectados por frase)"),
    "characters.recall": Phrase("characters of PHI covered", "caracteres protegidos cubiertos"),
    "characters.precision": Phrase("covered characters that are PHI", "caracteres cubiertos que son datos protegidos"),
    "characters.leaked_share": Phrase("characters of PHI left readable", "caracteres protegidos legibles"),
    "documents.safe_share": Phrase("documents with nothing missed", "documentos sin fugas"),
}

ERROR_NAMES: Mapping[ErrorKind, ErrorName] = {
    ErrorKind.MISS: ErrorName(
        Phrase("missed", "no detectado"),
        "✗",
        Phrase("the system found nothing here", "el sistema no encontró nada aquí"),
    ),
    ErrorKind.WRONG_BOUNDARY: ErrorName(
        Phrase("wrong boundary", "límite erróneo"),
        "↔",
        Phrase("found, but too short or too long", "detectado, pero demasiado corto o largo"),
    ),
    ErrorKind.WRONG_LABEL_AND_BOUNDARY: ErrorName(
        Phrase("wrong label and boundary", "etiqueta y límite erróneos"),
        "⤨",
        Phrase("another label, too short or too long", "otra etiqueta, demasiado corto o largo"),
    ),
    ErrorKind.WRONG_LABEL: ErrorName(
        Phrase("wrong label", "etiqueta errónea"),
        "⇄",
        Phrase("hidden, but under another label", "oculto, pero con otra etiqueta"),
    ),
    ErrorKind.FALSE_ALARM: ErrorName(
        Phrase("false alarm", "falsa alarma"), "+", Phrase("nothing to protect here", "aquí no hay nada que proteger")
    ),
}
