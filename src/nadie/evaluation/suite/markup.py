"""The markup of the hand-written notes: `{CODE|text}` is protected health information, `{!text}` is a trap.

    Remitida por la Dra. {SAN|Lourdes Ibarra} por enfermedad de {!Wilson}.

The markup is strict: nothing nests, nothing crosses a line, and what is marked begins and ends with a letter or a
digit, as rule G3 of the annotation guidelines asks. A literal brace is escaped: `\\{`, `\\}`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nadie.document import Span
from nadie.errors import FormatError
from nadie.labels import Label

CODES: dict[str, Label] = {
    "PAC": Label.NOMBRE_SUJETO_ASISTENCIA,
    "SAN": Label.NOMBRE_PERSONAL_SANITARIO,
    "PROF": Label.PROFESION,
    "HOSP": Label.HOSPITAL,
    "INST": Label.INSTITUCION,
    "CALLE": Label.CALLE,
    "TERR": Label.TERRITORIO,
    "PAIS": Label.PAIS,
    "CS": Label.CENTRO_SALUD,
    "EDAD": Label.EDAD_SUJETO_ASISTENCIA,
    "FECHA": Label.FECHAS,
    "TEL": Label.NUMERO_TELEFONO,
    "FAX": Label.NUMERO_FAX,
    "MAIL": Label.CORREO_ELECTRONICO,
    "URL": Label.URL_WEB,
    "SEG": Label.ID_ASEGURAMIENTO,
    "EPI": Label.ID_CONTACTO_ASISTENCIAL,
    "BENEF": Label.NUMERO_BENEF_PLAN_SALUD,
    "VEH": Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS,
    "DISP": Label.IDENTIF_DISPOSITIVOS_NRSERIE,
    "BIO": Label.IDENTIF_BIOMETRICOS,
    "ID": Label.ID_SUJETO_ASISTENCIA,
    "COL": Label.ID_TITULACION_PERSONAL_SANITARIO,
    "EMP": Label.ID_EMPLEO_PERSONAL_SANITARIO,
    "NUM": Label.OTRO_NUMERO_IDENTIF,
    "SEXO": Label.SEXO_SUJETO_ASISTENCIA,
    "FAM": Label.FAMILIARES_SUJETO_ASISTENCIA,
    "OTRO": Label.OTROS_SUJETO_ASISTENCIA,
    "NET": Label.DIREC_PROT_INTERNET,
}

_MARK = re.compile(r"(?<!\\)\{(?:(?P<code>[A-Z]+)\||!)(?P<marked>[^{}\n]+)\}")
_ESCAPED = re.compile(r"\\([{}])")


@dataclass(frozen=True, slots=True, order=True)
class Trap:
    """`text[start:end]` looks like an identifier and is none. `figure` tells values from names and terms."""

    start: int
    end: int
    figure: bool

    def touches(self, span: Span) -> bool:
        """Whether the span covers any of its characters, which is enough to spoil a term."""
        return self.start < span.end and span.start < self.end


@dataclass(frozen=True, slots=True)
class Marked:
    """A note's text without its marks, and the places that were marked."""

    text: str
    spans: tuple[Span, ...]
    traps: tuple[Trap, ...]


def parse(source: str, *, where: str, first_line: int = 1) -> Marked:
    """Take the marks out of `source`. What the markup does not allow is a FormatError with its line."""
    pieces: list[str] = []
    spans: list[Span] = []
    traps: list[Trap] = []
    read = length = 0
    for mark in _MARK.finditer(source):
        line = first_line + source.count("\n", 0, mark.start())
        between, marked = _unescaped(source[read : mark.start()], where, line), mark["marked"]
        start = length + len(between)
        end = start + len(marked)
        if (code := mark["code"]) is None:
            _no_space_around(marked, where, line)
            traps.append(Trap(start, end, not marked[0].isalpha()))
        else:
            spans.append(Span(start, end, _label(code, where, line)))
            _no_punctuation_around(marked, where, line)
        pieces += (between, marked)
        read, length = mark.end(), end
    pieces.append(_unescaped(source[read:], where, first_line + source.count("\n", 0, read)))
    return Marked("".join(pieces), tuple(spans), tuple(traps))


def _label(code: str, where: str, line: int) -> Label:
    if code not in CODES:
        raise FormatError(f"there is no mark with the code {code[:20]}", where=where, line=line)
    return CODES[code]


def _unescaped(text: str, where: str, line: int) -> str:
    """The text between marks with its escaped braces as they are; a bare brace belongs to no mark."""
    bare = _ESCAPED.sub("", text)
    if "{" in bare or "}" in bare:
        raise FormatError("a brace that belongs to no mark begins here or below", where=where, line=line)
    return _ESCAPED.sub(r"\1", text)


def _no_space_around(text: str, where: str, line: int) -> None:
    if text != text.strip():
        raise FormatError("a mark begins or ends with white space", where=where, line=line)


def _no_punctuation_around(text: str, where: str, line: int) -> None:
    if not (text[0].isalnum() and text[-1].isalnum()):
        raise FormatError("a mark begins or ends with white space or punctuation", where=where, line=line)
