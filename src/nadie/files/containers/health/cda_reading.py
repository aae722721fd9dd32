"""Reads a CDA document: header fields and entries by their meaning, and all narrative as one text."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Sequence

from nadie.files.container import Edits
from nadie.files.containers.health import cda_elements as elements
from nadie.files.containers.health.countries import country
from nadie.files.containers.health.embedded import Files, from_base64, to_base64
from nadie.files.containers.health.hl7_dates import is_likely_date, put_together, taken_apart
from nadie.files.containers.health.pseudonyms import Pseudonyms
from nadie.files.containers.health.record import CAPTIONS, Change, HealthRecord, RecordValue, whole
from nadie.files.containers.markup.html_pieces import Attribute, Piece, add_text
from nadie.files.containers.markup.xml_pieces import xml_pieces
from nadie.files.containers.names import shows_person
from nadie.files.containers.prose import is_identifier, is_prose
from nadie.files.containers.raw import Range, changes_of, replaced
from nadie.files.mapped import MappedText, TextBuilder
from nadie.labels import Label

_MASKED = 'nullFlavor="MSK"'
_SEXES = {"M": "hombre", "F": "mujer"}
_LONG_NUMBER = re.compile(r"\d{7}")
_VERSION = re.compile(r"POCD_HD\d{6}|\d{4}-\d\d-\d\d")  # of the schema, or of a template
_NUMBER = re.compile(r"[-+]?\d{0,5}(?:\.\d+)?|true|false|#.*", re.DOTALL)
_BREAKS = frozenset({"section", "component", "entry", "nonXMLBody"})


class CdaReader:
    """Reads one document into one record."""

    def __init__(self, raw: str, pseudonyms: Pseudonyms, files: Files) -> None:
        self.record = HealthRecord()
        self.patient = ""
        self._raw = raw
        self._pseudonyms = pseudonyms
        self._files = files
        self._stack: list[str] = []
        self._data: dict[int, str] = {}  # depths of elements whose text is base64, with its media type
        self._literal: set[int] = set()
        self._prose: TextBuilder[Range] = TextBuilder()

    def read(self) -> None:
        asides: list[Piece] = []
        for piece in xml_pieces(self._raw):
            if piece.kind == "open":
                self._stack.append(piece.name)
                self._separate(piece.name)
                self._element({each.name: each for each in piece.attributes}, piece)
            elif piece.kind == "close":
                self._separate(piece.name)
                self._data.pop(len(self._stack), None)
                self._stack.pop()
            elif piece.kind == "comment":
                asides.append(piece)
            else:
                self._text(piece)
        for piece in asides:
            self._prose.cut()
            self._literal.add(piece.start)
            self._add(self._prose, (piece.start, piece.end), collapse=False)
        text = self._prose.build()
        self.record.embed(self._value(text), [text])

    def _separate(self, name: str) -> None:
        if name in elements.CELLS:
            self._prose.cut("\t")
        elif name in _BREAKS:
            self._prose.cut("\n\n")
        elif name not in elements.INLINE:
            self._prose.cut()

    def _element(self, attributes: dict[str, Attribute], piece: Piece) -> None:
        if "representation" in attributes and attributes["representation"].value == "B64":
            self._data[len(self._stack)] = attributes["mediaType"].value if "mediaType" in attributes else ""
        is_id = "root" in attributes and piece.name not in ("templateId", "typeId")
        if is_id:
            self._id(attributes)
        if piece.name == "administrativeGenderCode" and "patient" in self._stack[:-1]:
            self._sex(attributes)
        is_public = "codeSystem" in attributes and elements.is_terminology(attributes["codeSystem"].value)
        for name, attribute in attributes.items():
            is_number = name not in elements.NUMBERED and _LONG_NUMBER.search(attribute.value) is not None
            is_personal = is_number or shows_person(attribute.value) or is_identifier(attribute.value)
            is_technical = name in elements.TECHNICAL and not is_prose(attribute.value) and not is_personal
            is_term = name == "displayName" and is_public and not is_personal
            if is_technical or name.startswith("xmlns") or is_term:
                continue
            if name == "extension" and (is_id or ("root" in attributes and _VERSION.fullmatch(attribute.value))):
                continue
            if name == "integrityCheck":
                self.record.fixed.append((*attribute.outer, ""))
            elif name == "value":
                self._attribute_value(attribute, piece.name, has_unit="unit" in attributes)
            else:
                self._search(attribute)

    def _attribute_value(self, attribute: Attribute, name: str, *, has_unit: bool) -> None:
        value = attribute.value.strip()
        if name == "telecom":
            self._telecom(attribute)
        elif not value or (has_unit and _NUMBER.fullmatch(value)):
            return
        elif elements.is_time(self._stack) or is_likely_date(value[:14]):
            date, time = taken_apart(value)
            caption = CAPTIONS["birth"] if name == "birthTime" and "patient" in self._stack else ""
            self.record.add_field(RecordValue(_dated(attribute, date, time)), date, Label.FECHAS, caption)
        elif not _NUMBER.fullmatch(value) or is_prose(value) or shows_person(value):
            self._search(attribute)

    def _telecom(self, attribute: Attribute) -> None:
        """`tel:+34…`: the scheme is kept, the rest is a field."""
        scheme, colon, _ = self._raw[attribute.start : attribute.end].partition(":")
        label = elements.TELECOM.get(scheme.strip().lower()) if colon else None
        start = attribute.start + (len(scheme) + 1 if label and label != Label.URL_WEB else 0)
        text = self._text_at((start, attribute.end))
        label = label or (Label.CORREO_ELECTRONICO if "@" in text.text else Label.NUMERO_TELEFONO)
        self.record.add_field(self._value(text), text.text, label)

    def _id(self, attributes: dict[str, Attribute]) -> None:
        root, extension = attributes.get("root"), attributes.get("extension")
        own = extension or root
        if "patientRole" in self._stack and own and not self.patient:
            self.patient = own.value
        if extension is None or not extension.value:
            if root is not None and root.value:
                self._replace(root, self._pseudonyms.of(root.value))
            return
        label = elements.label_of_id(self._stack[:-1])
        if label is None:
            self._replace(extension, self._pseudonyms.of(extension.value))
        else:
            text = self._text_at((extension.start, extension.end))
            self.record.add_field(self._value(text), text.text, label)

    def _sex(self, attributes: dict[str, Attribute]) -> None:
        code, shown = attributes.get("code"), attributes.get("displayName")
        word = _SEXES.get(code.value.upper()) if code else None
        if code and word:
            gone = [(*shown.outer, "")] if shown else []
            value = RecordValue(lambda _: [(*code.outer, _MASKED), *gone])
            self.record.add_field(value, word, Label.SEXO_SUJETO_ASISTENCIA)

    def _text(self, piece: Piece) -> None:
        bounds = (piece.start, piece.end)
        if piece.kind == "cdata":
            self._literal.add(piece.start)
        if len(self._stack) in self._data:
            content, kind = from_base64(self._raw[slice(*bounds)]), self._data[len(self._stack)]
            self._files.embed(self.record, content, kind, lambda new: [(*bounds, to_base64(new))], [(*bounds, "")])
            return
        label, part = elements.label_of_text(self._stack) if self._stack else (None, "")
        if not label:
            self._add(self._prose, bounds, collapse=True)
            return
        text = self._text_at(bounds)
        if label == Label.PAIS:
            self._country(text)
        elif text.text.strip():
            self.record.add_field(self._value(text), text.text, label, CAPTIONS.get(part, ""))

    def _country(self, text: MappedText[Range]) -> None:
        name, finish = country(text.text.strip())
        if not name:
            return
        bounds = (text.segments[0].address[0], text.segments[-1].address[1])
        value = whole(bounds, name, lambda new: html.escape(finish(new) or ""))
        self.record.add_field(value, name, Label.PAIS)

    def _search(self, attribute: Attribute) -> None:
        text = self._text_at((attribute.start, attribute.end))
        self.record.add_field(self._value(text), text.text, None)

    def _add(self, builder: TextBuilder[Range], bounds: Range, *, collapse: bool) -> None:
        if bounds[0] in self._literal:
            builder.add(self._raw[slice(*bounds)], bounds)
        else:
            add_text(builder, self._raw, bounds, collapse=collapse)

    def _text_at(self, bounds: Range) -> MappedText[Range]:
        builder: TextBuilder[Range] = TextBuilder()
        self._add(builder, bounds, collapse=True)
        return builder.build()

    def _replace(self, attribute: Attribute, new: str) -> None:
        self.record.fixed.append((attribute.start, attribute.end, html.escape(new)))

    def _value(self, text: MappedText[Range]) -> RecordValue:
        return RecordValue(lambda edits: changes_of(self._raw, text, edits[0], self._escaped))

    def _escaped(self, new: str, bounds: Range) -> str:
        if bounds[0] not in self._literal:
            return html.escape(new)
        return new.replace("]]>", "]] >").replace("--", "- -").replace("?>", "? >")


def _dated(attribute: Attribute, date: str, time: str) -> Callable[[Sequence[Edits]], Iterable[Change]]:
    """A new date in the value; if there is no date to show, the attribute is marked as masked."""

    def changed(edits: Sequence[Edits]) -> Iterable[Change]:
        new = put_together(replaced(date, edits[0]), time)
        return [(attribute.start, attribute.end, new)] if new else [(*attribute.outer, _MASKED)]

    return changed
