"""Where a note names its fields: `Nombre:`, `NHC:`, `Tel.`, outside of what is protected."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from nadie.augment.fields import field_labels
from nadie.augment.split import Split
from nadie.document import Document
from nadie.spanish.folding import same_length

# MEDDOCAN's own labels, where a label of another kind is spelled the same.
_OWN = {
    "Nombre": "given", "Apellidos": "surnames", "NHC": "history", "CIPA": "history", "CIP": "history", "CP": "postcode",
    "NASS": "social_security", "Domicilio": "street", "Localidad/ Provincia": "town", "País": "country", "Edad": "age",
    "Sexo": "sex", "Fecha de nacimiento": "birth_date", "País de nacimiento": "country", "Episodio": "episode",
    "Fecha de Ingreso": "admission", "Médico": "physician", "NºCol": "licence", "Servicio": "service",
    "Especialidad": "service", "Remitido por": "physician", "Responsable clínico": "physician", "Matrícula": "plate",
    "Responsable clinico": "physician", "E-mail autor": "mail", "Correspondencia": "mail", "Tel. y Fax": "phone",
}  # fmt: skip
_SPACED = frozenset({"phone", "fax", "mail", "licence"})  # these cues also stand without a colon, before a value


class Cue(NamedTuple):
    """`text[start:end]` is a field label of that kind, with its colon and the spaces after it."""

    start: int
    end: int
    kind: str


@cache
def _kinds() -> dict[str, str]:
    kinds = {same_length(label): kind for label, kind in _OWN.items()}
    for split in Split:
        for kind, labels in field_labels(split).items():
            for label in labels:
                kinds.setdefault(same_length(label), kind)
    return kinds


@cache
def _pattern() -> re.Pattern[str]:
    """Over the folded text, in which case and accents are levelled and every character keeps its place."""
    labels = "|".join(re.escape(label) for label in sorted(_kinds(), key=len, reverse=True))
    return re.compile(rf"(?<![^\W_])(?P<label>{labels})(?P<mark>[ \t]?[:;][ \t]*|[ \t]+(?=[\d(+])|[ \t]+(?=\S+@))")


def find_cues(document: Document) -> Iterator[Cue]:
    """Every field label outside of the spans, in order."""
    starts = [span.start for span in document.spans]
    for match in _pattern().finditer(same_length(document.text)):
        kind = _kinds()[match["label"]]
        if not _begins_a_field(document.text, match.start()):
            continue
        if ":" not in match["mark"] and ";" not in match["mark"] and kind not in _SPACED:
            continue
        i = bisect_right(starts, match.end() - 1) - 1
        if i < 0 or all(span.end <= match.start() for span in document.spans[max(0, i - 3) : i + 1]):
            yield Cue(match.start(), match.end(), kind)


def _begins_a_field(text: str, start: int) -> bool:
    """A label in small letters within a line is mostly the end of a longer title (`Informe clínico del paciente:`)."""
    return not text[start].islower() or not text[text.rfind("\n", 0, start) + 1 : start].strip()
