"""One patient's record as one text: first its fields, each on a line with a caption and a full stop, as in the header
of a letter; then its free texts. So a name in a field is found in every text of the record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from nadie.files.container import Edits
from nadie.files.containers.raw import Range, replaced
from nadie.files.mapped import Edit, MappedText, TextBuilder
from nadie.labels import Label

Change = tuple[int, int, str]
"""The replacement of a range of the raw file."""


@dataclass(eq=False)
class RecordValue:
    """A value in a file with one or more texts: a field, a narrative, an attached file.

    `changed` returns the changes of the raw file, from the edits of each text.
    """

    changed: Callable[[Sequence[Edits]], Iterable[Change]]
    count: int = 1


def whole(bounds: Range, text: str, finish: Callable[[str], str]) -> RecordValue:
    """A value whose text differs from its spelling in the file: it is always rewritten as a whole."""
    return RecordValue(lambda edits: [(*bounds, finish(replaced(text, edits[0])))])


class At(NamedTuple):
    """The address of a segment: an offset in a text of a value. A caption has no address."""

    value: RecordValue
    number: int
    offset: int


class _Entry(NamedTuple):
    caption: str
    text: str
    label: str | None
    at: At | None


_ENDS = (".", ":", ";", "!", "?")
CAPTIONS: dict[str, str] = {
    "birth": "Fecha de nacimiento: ",
    "family": "Apellidos: ",
    "given": "Nombre: ",
    Label.CALLE: "Domicilio: ",
    Label.CENTRO_SALUD: "Centro de salud: ",
    Label.CORREO_ELECTRONICO: "Correo electrónico: ",
    Label.FECHAS: "Fecha: ",
    Label.HOSPITAL: "Hospital: ",
    Label.ID_ASEGURAMIENTO: "NASS: ",
    Label.ID_CONTACTO_ASISTENCIAL: "Episodio: ",
    Label.ID_SUJETO_ASISTENCIA: "NHC: ",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "N.º colegiado: ",
    Label.NOMBRE_PERSONAL_SANITARIO: "Médico: ",
    Label.NOMBRE_SUJETO_ASISTENCIA: "Paciente: ",
    Label.NUMERO_FAX: "Fax: ",
    Label.NUMERO_TELEFONO: "Teléfono: ",
    Label.PAIS: "País: ",
    Label.SEXO_SUJETO_ASISTENCIA: "Sexo: ",
    Label.TERRITORIO: "Localidad: ",
}
"""The caption of a field in the text, so that a detector recognises it, for example a date of birth. Never written."""


@dataclass
class HealthRecord:
    """Collects the values of one record and builds their text; `fixed` are changes that need no edits."""

    fixed: list[Change] = field(default_factory=list)
    _fields: list[_Entry] = field(default_factory=list)
    _prose: list[list[_Entry]] = field(default_factory=list)
    _always: list[RecordValue] = field(default_factory=list)

    def add_field(self, value: RecordValue, text: str, label: str | None, caption: str = "") -> None:
        """Add a single-line value; with a label it is replaced, without a label it is searched."""
        if text:
            self._fields.append(_Entry(caption or CAPTIONS.get(label or "", ""), text, label, At(value, 0, 0)))

    def add_prose(self, value: RecordValue, text: str, joined_by: str = "") -> None:
        """Add a free text; a continuation of the previous one is joined to it."""
        if not text:
            return
        if joined_by and self._prose:
            self._prose[-1].append(_Entry("", joined_by, None, None))
        else:
            self._prose.append([])
        self._prose[-1].append(_Entry("", text, None, At(value, 0, 0)))

    def embed(self, value: RecordValue, texts: Sequence[MappedText[Any]]) -> None:
        """Add all texts, including fields, of a value that has its own map. The value is always changed."""
        self._always.append(value)
        self._prose += [list(_entries(value, number, text)) for number, text in enumerate(texts) if text.text]

    def text(self, name: str, meta: Mapping[str, str]) -> MappedText[At | None]:
        builder: TextBuilder[At | None] = TextBuilder()
        for entry in self._fields:
            builder.cut("\n")
            builder.add(entry.caption, None)
            builder.add(entry.text, entry.at, entry.label)
            builder.add("" if entry.text.endswith(_ENDS) else ".", None)
        for entries in self._prose:
            builder.cut("\n\n")
            for entry in entries:
                if entry.at is None:
                    builder.cut(entry.text)
                else:
                    builder.add(entry.text, entry.at, entry.label)
        return builder.build(name, meta)

    def changes(self, text: MappedText[At | None], edits: Edits) -> list[Change]:
        """The changes of the raw file for the edits of the text, in order and without overlaps."""
        touched: dict[RecordValue, list[list[Edit]]] = {
            value: [[] for _ in range(value.count)] for value in self._always
        }
        for change in text.split(edits):
            at = change.segment.address
            if at is not None:
                of_value = touched.setdefault(at.value, [[] for _ in range(at.value.count)])
                start = at.offset + change.start
                of_value[at.number].append(Edit(start, at.offset + change.end, change.replacement))
        return _outermost([*self.fixed, *(c for value, of_texts in touched.items() for c in value.changed(of_texts))])


def _outermost(changes: Iterable[Change]) -> list[Change]:
    """The changes without those inside another: removed text need not be changed."""
    outer: list[Change] = []
    for start, end, new in sorted(changes, key=lambda change: (change[0], -change[1])):
        if not outer or start >= outer[-1][1]:
            outer.append((start, end, new))
        elif end > outer[-1][1]:
            outer[-1] = (outer[-1][0], end, outer[-1][2])
    return outer


def _entries(value: RecordValue, number: int, text: MappedText[Any]) -> Iterable[_Entry]:
    """The text split into ranges with and without a label."""
    reached = 0
    for segment in (s for s in text.segments if s.label):
        yield _Entry("", text.text[reached : segment.start], None, At(value, number, reached))
        yield _Entry("", segment.text, segment.label, At(value, number, segment.start))
        reached = segment.end
    yield _Entry("", text.text[reached:], None, At(value, number, reached))
