"""Reads the segments of HL7 v2 messages and adds every value to the record, by its data type."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nadie.files.containers.health import hl7_types as types
from nadie.files.containers.health.countries import country
from nadie.files.containers.health.embedded import Files, from_base64, to_base64
from nadie.files.containers.health.hl7_dates import is_likely_date, put_together, taken_apart
from nadie.files.containers.health.hl7_syntax import Delimiters, Hl7Segment, split, text_of
from nadie.files.containers.health.identifiers import label_of_identifier
from nadie.files.containers.health.pseudonyms import Pseudonyms
from nadie.files.containers.health.record import CAPTIONS, HealthRecord, RecordValue, whole
from nadie.files.containers.names import is_code, shows_person
from nadie.files.containers.prose import is_prose
from nadie.files.containers.raw import Range, changes_of
from nadie.files.mapped import MappedText
from nadie.labels import Label

_SEXES = {"M": "hombre", "F": "mujer"}
# A field for a code may contain something else.
_NO_CODE = re.compile(r"\s|\d{6}|@|[^\W\d_a-zA-Z]")
_LONGEST_CODE = 200
_TEXTS = frozenset({"TX", "FT", "ST"})
_REPORTS = frozenset({("OBX", 5), ("NTE", 3)})
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{96,}={0,2}\s*")
_DATA_KINDS = {"IM": "image/x", "IMAGE": "image/x", "AU": "audio/x", "TEXT": "text/plain"}


class Hl7Reader:
    """Reads one message into one record."""

    def __init__(self, raw: str, encoding: str, pseudonyms: Pseudonyms, files: Files) -> None:
        self.record = HealthRecord()
        self.patient = ""
        self._raw = raw
        self._encoding = encoding
        self._pseudonyms = pseudonyms
        self._files = files
        self._last = ""
        self._delimiters = Delimiters()
        self._segment = Hl7Segment("", [], self._delimiters)

    def read(self, segment: Hl7Segment) -> None:
        self._segment, self._delimiters = segment, segment.delimiters
        if segment.name not in types.tables().segments:
            self._line(segment.fields)
        else:
            for number, bounds in enumerate(segment.fields, start=1):
                if bounds[0] < bounds[1] and self._raw[slice(*bounds)] != '""':
                    self._field(number, bounds)
        self._last = segment.name

    def _field(self, number: int, bounds: Range) -> None:
        name = self._segment.name
        kind = types.type_of_field(name, number)
        role = types.role_of_field(name, number)
        if number in (1, 2) and name in ("MSH", "FHS", "BHS"):
            return
        if name == "OBX" and number == 5:
            kind, role = self._text(self._segment.fields[1]).text.strip(), None
        if kind is None:
            self._line([bounds])
            return
        for repetition in split(self._raw, bounds, self._delimiters.repetition):
            if name == "PID" and number in (2, 3, 4) and not self.patient:
                self.patient = self._first(repetition)
            if role == types.KEEP:
                self._simple(repetition, role, number, self._delimiters.component)
            elif role:
                self._labelled(repetition, role, number)
            elif kind == "ED":
                self._data(repetition)
            elif kind in _TEXTS:
                self._prose(repetition, is_report=(name, number) in _REPORTS)
            else:
                self._typed(repetition, kind, number, self._delimiters.component)

    def _typed(self, bounds: Range, kind: str, number: int, separator: str) -> None:
        """A value by its data type; components of components have another separator."""
        if types.components(kind) is None or types.role_of(kind) == types.KEEP:
            self._simple(bounds, types.role_of(kind) or types.SEARCH, number, separator)
            return
        parts = split(self._raw, bounds, separator)
        skipped = self._public_terms(kind, parts)
        for n, part in enumerate(parts, start=1):
            role = types.role_of(kind, n)
            if n in skipped:
                continue
            inner = (types.components(kind) or [])[n - 1 : n]
            if separator == self._delimiters.component and inner and types.components(inner[0]):
                if role is None:
                    self._typed(part, inner[0], number, self._delimiters.subcomponent)
                else:
                    for smaller in split(self._raw, part, self._delimiters.subcomponent):
                        self._leaf(smaller, role, number, self._type_code(kind, parts))
            else:
                self._leaf(part, role or types.SEARCH, number, self._type_code(kind, parts))

    def _simple(self, bounds: Range, role: str, number: int, separator: str) -> None:
        """A value without relevant components; any components that it has are searched."""
        parts = [bounds] if role == types.SEARCH else split(self._raw, bounds, separator)
        for n, part in enumerate(parts):
            self._leaf(part, types.SEARCH if n and role != types.KEEP else role, number, "")

    def _labelled(self, bounds: Range, role: str, number: int) -> None:
        """A field with a specific role, which applies to its first component; the others are searched."""
        for n, part in enumerate(split(self._raw, bounds, self._delimiters.component)):
            self._leaf(part, types.SEARCH if n else role, number, "")

    def _leaf(self, bounds: Range, role: str, number: int, type_code: str) -> None:
        text = self._text(bounds)
        value, record = text.text.strip(), self.record
        is_fixed = role == types.CODE and not _NO_CODE.search(value)
        is_fixed = is_fixed or (role == types.KEEP and not is_prose(value))
        if not value or (is_fixed and len(value) < _LONGEST_CODE and not shows_person(value)):
            return
        role = types.SEARCH if role in (types.CODE, types.KEEP) else role
        if role == types.DATE or (role == types.SEARCH and is_likely_date(value)):
            self._date(bounds, value, is_birth=(self._segment.name, number) == ("PID", 7))
        elif role == types.SEX:
            self._sex(bounds, value)
        elif role == types.CONTROL:
            record.fixed.append((*bounds, self._delimiters.escaped(self._pseudonyms.of(value))))
        elif role == types.SEARCH:
            record.add_field(self._value(text), text.text, None)
        elif role in (types.FAMILY, types.GIVEN):
            record.add_field(self._value(text), text.text, self._name_label(number), CAPTIONS[role])
        elif role == types.IDENTIFIER:
            record.add_field(self._value(text), text.text, self._identifier_label(number, type_code))
        elif role == Label.PAIS:
            self._country(bounds, value)
        else:
            label = Label.CORREO_ELECTRONICO if "@" in value and role == Label.NUMERO_TELEFONO else role
            record.add_field(self._value(text), text.text, label)

    def _name_label(self, number: int) -> str:
        kind = types.type_of_field(self._segment.name, number)
        is_staff = kind not in ("XPN", "varies") or self._segment.name in types.STAFF_SEGMENTS
        return Label.NOMBRE_PERSONAL_SANITARIO if is_staff else Label.NOMBRE_SUJETO_ASISTENCIA

    def _identifier_label(self, number: int, type_code: str) -> str:
        name = self._segment.name
        if types.type_of_field(name, number) not in ("CX", "varies"):
            return label_of_identifier(type_code, "Practitioner")
        owner = "Encounter" if (name, number) in types.VISITS else types.OWNERS.get(name, "Patient")
        return label_of_identifier(type_code, owner)

    def _type_code(self, kind: str, parts: Sequence[Range]) -> str:
        """The code of table 0203 that CX has in its fifth component, XCN in its thirteenth."""
        index = {"CX": 4, "XCN": 12, "PPN": 12}.get(kind, len(parts))
        return self._text(parts[index]).text.strip() if index < len(parts) else ""

    def _public_terms(self, kind: str, parts: Sequence[Range]) -> set[int]:
        if kind not in ("CE", "CWE", "CNE"):
            return set()
        known = {n for n in (3, 6) if n <= len(parts) and types.is_terminology(self._text(parts[n - 1]).text.strip())}
        return {n - 1 for n in known}

    def _date(self, bounds: Range, value: str, *, is_birth: bool) -> None:
        date, time = taken_apart(value)
        value_at = whole(bounds, date, lambda new: put_together(new, time))
        self.record.add_field(value_at, date, Label.FECHAS, CAPTIONS["birth"] if is_birth else "")

    def _sex(self, bounds: Range, value: str) -> None:
        if word := _SEXES.get(value.upper()):
            self.record.add_field(whole(bounds, word, lambda new: ""), word, Label.SEXO_SUJETO_ASISTENCIA)
        elif is_prose(value) or not is_code(value):
            self._leaf(bounds, types.SEARCH, 0, "")

    def _country(self, bounds: Range, value: str) -> None:
        text, finish = country(value)
        escaped = self._delimiters.escaped
        self.record.add_field(whole(bounds, text, lambda new: escaped(finish(new) or "")), text, Label.PAIS)

    def _prose(self, bounds: Range, *, is_report: bool) -> None:
        """A free text, in which unescaped separators are text; lines of one report are consecutive."""
        text = self._text(bounds)
        name = self._segment.name
        if _BASE64.fullmatch(text.text):
            self._embedded(bounds, text.text, "", "BASE64")
        elif is_report:
            self.record.add_prose(self._value(text), text.text, "\n" if self._last == name else "")
            self._last = name
        else:
            self._leaf(bounds, types.SEARCH, 0, "")

    def _data(self, bounds: Range) -> None:
        """Encapsulated data: source, kind, subtype, encoding, data."""
        parts = split(self._raw, bounds, self._delimiters.component)
        if len(parts) < 5:
            self._prose(bounds, is_report=True)
            return
        for part in parts[:4]:
            self._leaf(part, types.CODE, 0, "")
        kind, subtype, encoding = (self._text(part).text.strip().upper() for part in parts[1:4])
        content_type = _DATA_KINDS.get(kind, f"{kind}/{subtype}".lower() if kind == "APPLICATION" else "")
        content_type = "text/html" if subtype == "HTML" else content_type
        self._embedded((parts[4][0], bounds[1]), self._text((parts[4][0], bounds[1])).text, content_type, encoding)

    def _embedded(self, bounds: Range, text: str, content_type: str, encoding: str) -> None:
        escaped = self._delimiters.escaped
        self._files.embed(
            self.record,
            _decoded(text, encoding),
            content_type,
            lambda new: [(*bounds, escaped(_encoded(new, encoding)))],
            [(*bounds, "")],
        )

    def _line(self, fields: Sequence[Range]) -> None:
        """A segment or field that the standard does not define: one line, with dates recognised by their form."""
        separator = "" if self._segment.name else "\n"
        for field in fields:
            for repetition in split(self._raw, field, self._delimiters.repetition):
                for part in split(self._raw, repetition, self._delimiters.component):
                    text = self._text(part)
                    if is_likely_date(text.text.strip()):
                        self._date(part, text.text.strip(), is_birth=False)
                    elif _BASE64.fullmatch(text.text):
                        self._embedded(part, text.text, "", "BASE64")
                    elif text.text.strip():
                        self.record.add_prose(self._value(text), text.text, separator)
                        separator = " "

    def _first(self, bounds: Range) -> str:
        return self._text(split(self._raw, bounds, self._delimiters.component)[0]).text.strip()

    def _text(self, bounds: Range) -> MappedText[Range]:
        return text_of(self._raw, bounds, self._delimiters, self._encoding)

    def _value(self, text: MappedText[Range]) -> RecordValue:
        delimiters = self._delimiters
        return RecordValue(lambda edits: changes_of(self._raw, text, edits[0], lambda new, _: delimiters.escaped(new)))


def _decoded(text: str, encoding: str) -> bytes | None:
    if encoding in ("BASE64", "B64"):
        return from_base64(text)
    try:
        return bytes.fromhex(text) if encoding == "HEX" else text.encode()
    except ValueError:
        return None


def _encoded(content: bytes, encoding: str) -> str:
    if encoding in ("BASE64", "B64"):
        return to_base64(content)
    return content.hex().upper() if encoding == "HEX" else content.decode("utf-8", "replace")
