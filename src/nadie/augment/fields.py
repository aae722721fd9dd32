"""The labels of header fields, such as `Nombre:`, `NHC:`, `Tel.`, and their positions in a note."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import NamedTuple

from nadie.augment.passage import AnnotatedText
from nadie.augment.split import Split
from nadie.augment.vocabulary import rows
from nadie.document import Document
from nadie.spanish.folding import same_length

_SIDE = {"T": Split.TRAINING, "H": Split.HELD_OUT}
# MEDDOCAN's labels; they take precedence over labels of other kinds with the same spelling.
_OWN = {
    "Nombre": "given", "Apellidos": "surnames", "NHC": "history", "CIPA": "history", "CIP": "history", "CP": "postcode",
    "NASS": "social_security", "Domicilio": "street", "Localidad/ Provincia": "town", "País": "country", "Edad": "age",
    "Sexo": "sex", "Fecha de nacimiento": "birth_date", "País de nacimiento": "country", "Episodio": "episode",
    "Fecha de Ingreso": "admission", "Médico": "physician", "NºCol": "licence", "Servicio": "service",
    "Especialidad": "service", "Remitido por": "physician", "Responsable clínico": "physician", "Matrícula": "plate",
    "Responsable clinico": "physician", "E-mail autor": "mail", "Correspondencia": "mail", "Tel. y Fax": "phone",
}  # fmt: skip
_SPACED = frozenset({"phone", "fax", "mail", "licence"})  # these labels also occur without a colon, before a value


class HeaderField(NamedTuple):
    """A field of a header: its kind and its value."""

    kind: str
    value: AnnotatedText


@cache
def field_labels(split: Split) -> dict[str, tuple[str, ...]]:
    """Field labels by kind, of one side of the split."""
    labels: dict[str, list[str]] = defaultdict(list)
    for kind, side, names in rows("headers.tsv"):
        if _SIDE[side] is split:
            labels[kind].extend(names.split("|"))
    return {kind: tuple(names) for kind, names in labels.items()}


def label_for(kind: str, split: Split, rng: Random) -> str:
    """One of the labels of that kind."""
    labels = field_labels(split)
    return rng.choice(labels.get(kind) or labels["XX"])


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
    """The expression for labels in folded text, which has the same offsets as the text."""
    labels = "|".join(re.escape(label) for label in sorted(_kinds(), key=len, reverse=True))
    return re.compile(rf"(?<![^\W_])(?P<label>{labels})(?P<mark>[ \t]?[:;][ \t]*|[ \t]+(?=[\d(+])|[ \t]+(?=\S+@))")


def find_cues(document: Document) -> Iterator[Cue]:
    """Every field label outside the spans, in order."""
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
    """Whether the label is capitalised or starts its line; otherwise it usually ends a title."""
    return not text[start].islower() or not text[text.rfind("\n", 0, start) + 1 : start].strip()
