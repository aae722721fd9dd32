"""Marked notes: several documents in one text file, with their spans marked in the text itself.

    === discharge-es-1 ES region=aragon
    Remitida por la Dra. {SAN|Lourdes Ibarra} por enfermedad de {!Wilson}.

A document begins with the line `=== id COUNTRY`, optionally followed by `key=value` pairs; its text is everything up to
the next line that begins with `===`. `{CODE|text}` is a span and `{!text}` a trap: text that looks like an identifier
but is not. Marks are not nested and do not cross lines, and a span begins and ends with a letter or a digit, as rule G3
of the annotation guidelines requires. A literal brace is escaped: `\\{`, `\\}`.

The header's values become the document's meta, with the file's stem as `style`, the country as `country`, and as
`traps` the offsets of its traps, `12-18 40-46`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.format import Format, scan_collections
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

_HEADER = re.compile(r"=== (?P<id>[a-z0-9_-]+) (?P<country>[A-Z]{2})(?P<meta>(?: [a-z]+=[^ ]+)*)")
_BEGINS = "==="
_LINES = re.compile(r"(?<=\n)")
_MARK = re.compile(r"(?<!\\)\{(?:(?P<code>[A-Z]+)\||!)(?P<marked>[^{}\n]+)\}")
_ESCAPED = re.compile(r"\\([{}])")


class Notes(Format):
    """Read only: the marks cannot express every document."""

    name = "notes"
    suffixes = (".notes", ".txt")
    one_document_per_file = False
    first_line = _HEADER

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        return scan_collections(files.walk(path, self.suffixes), _scan_file)


class _FileLine(NamedTuple):
    """The position of a line in a file, for errors."""

    file: str
    line: int

    def error(self, message: str) -> FormatError:
        return FormatError(message, where=self.file, line=self.line)

    def after(self, text: str) -> _FileLine:
        return _FileLine(self.file, self.line + text.count("\n"))


class Marked(NamedTuple):
    """A text without its marks, and the marked ranges."""

    text: str
    spans: tuple[Span, ...]
    traps: tuple[tuple[int, int], ...]


def parse_marks(source: str, *, file: str, line: int = 1) -> Marked:
    """Remove the marks from `source`, which begins at that line of the file."""
    pieces: list[str] = []
    spans: list[Span] = []
    traps: list[tuple[int, int]] = []
    read = length = 0
    begin = _FileLine(file, line)
    for mark in _MARK.finditer(source):
        where = begin.after(source[: mark.start()])
        between, marked = _unescaped(source[read : mark.start()], where), mark["marked"]
        start = length + len(between)
        end = start + len(marked)
        if (code := mark["code"]) is None:
            if marked != marked.strip():
                raise where.error("a trap begins or ends with white space")
            traps.append((start, end))
        else:
            if code not in CODES:
                raise where.error(f"there is no mark with the code {code[:20]}")
            if not (marked[0].isalnum() and marked[-1].isalnum()):
                raise where.error("a mark begins or ends with white space or punctuation")
            spans.append(Span(start, end, CODES[code]))
        pieces += (between, marked)
        read, length = mark.end(), end
    pieces.append(_unescaped(source[read:], begin.after(source[:read])))
    return Marked("".join(pieces), tuple(spans), tuple(traps))


def _split(file: Path) -> Iterator[tuple[_FileLine, list[str]]]:
    """The lines of each note, with the position of its first line. Line ends are unchanged."""
    lines = _LINES.split(files.decode(files.read_bytes(file), str(file)))
    starts = [i for i, line in enumerate(lines) if line.startswith(_BEGINS)]
    if starts[:1] != [0]:
        raise _FileLine(str(file), 1).error("does not begin with a line '=== id COUNTRY'")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield _FileLine(str(file), start + 1), lines[start:end]


def _scan_file(_: str, file: Path) -> Iterator[tuple[int, Document | FormatError]]:
    for where, lines in _split(file):
        yield where.line, _scan_note(lines, file.stem, where)


def _scan_note(lines: list[str], style: str, where: _FileLine) -> Document | FormatError:
    header = _HEADER.fullmatch(lines[0].rstrip("\r\n"))
    if header is None:
        return where.error("is not a header '=== id COUNTRY', with or without key=value pairs after it")
    try:
        marked = parse_marks("".join(lines[1:]), file=where.file, line=where.line + 1)
    except FormatError as error:
        return error
    if not marked.text.strip():
        return where.error("the note has no text")
    meta = {"style": style, "country": header["country"]} | dict(pair.split("=", 1) for pair in header["meta"].split())
    if marked.traps:
        meta["traps"] = " ".join(f"{start}-{end}" for start, end in marked.traps)
    return Document(header["id"], marked.text, marked.spans, meta)


def _unescaped(text: str, where: _FileLine) -> str:
    """The text between marks with its braces unescaped; a bare brace is an error."""
    bare = _ESCAPED.sub("", text)
    if "{" in bare or "}" in bare:
        raise where.error("a brace here or below does not belong to a mark")
    return _ESCAPED.sub(r"\1", text)
