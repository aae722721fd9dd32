"""The columns of a table to anonymize: those chosen by the user, otherwise those whose name or content requires it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nadie.containers.base import OpenOptions
from nadie.containers.mapped import MappedText, TextBuilder
from nadie.errors import ConfigError, FormatError
from nadie.labels import LABELS, Label
from nadie.spanish.folding import key_of

SAMPLE_ROWS = 200
_NAMES: dict[Label, str] = {
    Label.NOMBRE_SUJETO_ASISTENCIA: "nombre nombres apellido apellidos apellido1 apellido2 paciente name surname",
    Label.NOMBRE_PERSONAL_SANITARIO: "medico facultativo doctor doctora enfermera profesional responsable",
    Label.ID_SUJETO_ASISTENCIA: "nhc historia dni nif nie pasaporte patient subject mrn",
    Label.ID_ASEGURAMIENTO: "nuss nss cip cipa tarjeta naf",
    Label.ID_CONTACTO_ASISTENCIAL: "episodio encounter ingreso_id",
    Label.ID_TITULACION_PERSONAL_SANITARIO: "colegiado numcolegiado",
    Label.NUMERO_TELEFONO: "telefono tel tlf tfno movil phone",
    Label.NUMERO_FAX: "fax",
    Label.CORREO_ELECTRONICO: "email mail correo",
    Label.CALLE: "direccion domicilio calle address",
    Label.TERRITORIO: "cp localidad municipio poblacion provincia ciudad city postal",
    Label.FECHAS: "fecha date fnac nacimiento birthdate",
    Label.HOSPITAL: "hospital centro",
}
_LABEL_OF_WORD = {word: label for label, words in _NAMES.items() for word in words.split()}
_CONTENTS: tuple[tuple[re.Pattern[str], Label], ...] = (
    (re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+"), Label.CORREO_ELECTRONICO),
    (re.compile(r"[XYZ]?\d{7,8}-?[A-Z]", re.I), Label.ID_SUJETO_ASISTENCIA),
    (re.compile(r"(?:\+?34[ .-]?)?[6789]\d{2}(?:[ .-]?\d{2,3}){2,3}"), Label.NUMERO_TELEFONO),
    (re.compile(r"(?:\d{4}-\d\d?-\d\d?(?:[ T][\d:.+Z-]+)?|\d\d?[/.-]\d\d?[/.-](?:\d\d|\d{4}))"), Label.FECHAS),
)
_CODE = re.compile(r"[A-Z0-9.\-/+<>=,% ]{1,8}|-?\d+(?:[.,]\d+)?|true|false|s[ií]|no", re.I)
_FEW = 0.2  # a category: fewer different values than this share of the rows
_LONGEST_NAME = 80
_NO_NAME = re.compile(r"[\d\s.,/:;+-]*|.*@.*\..*|.*:", re.DOTALL)


@dataclass(frozen=True)
class Columns:
    """The chosen columns, each with the label of all its cells, or None for free text."""

    labels: Mapping[str, str | None]
    patient: str
    others: tuple[str, ...]
    are_proposed: bool = False

    def text(self, cells: Mapping[str, str], name: str) -> MappedText[str]:
        """A row as one text: its chosen cells, each on its own line, addressed by their columns."""
        builder: TextBuilder[str] = TextBuilder()
        for column, label in self.labels.items():
            builder.cut()
            builder.add(cells.get(column, ""), column, label)
        return builder.build(name, {"patient": cells.get(self.patient, "").strip()} if self.patient else None)

    def head(self, names: Sequence[str], name: str, container: str) -> MappedText[str]:
        """The names of the columns as a text, if the user chose none: the first row may be data."""
        builder: TextBuilder[str] = TextBuilder()
        for column in names if self.are_proposed else ():
            builder.cut("\t")
            builder.add(column, column)
        return builder.build(name, {"patient": f"file {container}"} if self.patient else None)

    def remark(self) -> str:
        chosen = ", ".join(f"{name} ({label or 'text'})" for name, label in self.labels.items()) or "none"
        return f"columns: {chosen}; not changed: {', '.join(self.others) or 'none'}"


def choose(names: Sequence[str], sample: Sequence[Mapping[str, str]], options: OpenOptions, where: str) -> Columns:
    """The columns to anonymize. `sample` has the first rows, without empty cells."""
    wanted = (*(_name_of(column) for column in options.columns), options.patient_column)
    for name in filter(None, wanted):
        if name not in names:
            raise FormatError(f"has no column {name[:60]!r}", where=where)
        if names.count(name) > 1:
            raise FormatError(f"has two columns with the name {name[:60]!r}", where=where)
    if options.columns:
        labels = {_name_of(column): _label_of(column) for column in options.columns}
    else:
        check_names(names, where)
        proposed = {name: _proposed(name, [row[name] for row in sample if row.get(name)]) for name in names}
        labels = {name: label or None for name, label in proposed.items() if label is not None}
    return Columns(
        labels, options.patient_column, tuple(name for name in names if name not in labels), not options.columns
    )


def check_names(names: Sequence[str], where: str) -> None:
    """Raise an error if the first row is data and not column names, since it would not be changed."""
    if len(set(names)) != len(names) or any(_NO_NAME.fullmatch(n) or len(n) > _LONGEST_NAME for n in names if n):
        raise FormatError("does not begin with the names of its columns", where=where)


def _name_of(column: str) -> str:
    name, _, label = column.rpartition("=")
    return name if name and label in LABELS else column


def _label_of(column: str) -> str | None:
    name, equals, label = column.rpartition("=")
    if equals and name and label not in LABELS and label.isupper():
        raise ConfigError(f"{label[:60]!r} is not a label: a column is chosen by NAME or NAME=LABEL")
    return label if name and label in LABELS else None


def _proposed(name: str, values: Sequence[str]) -> str | None:
    """The label of a column, an empty string for free text, None for a column that is not changed."""
    for word in re.split(r"[^a-z0-9]+", key_of(name)):
        if word in _LABEL_OF_WORD:
            return _LABEL_OF_WORD[word]
    if not values:
        return ""  # the rows after the sample may have anything
    for pattern, label in _CONTENTS:
        if sum(bool(pattern.fullmatch(value.strip())) for value in values) > len(values) / 2:
            return label
    if all(_CODE.fullmatch(value.strip()) for value in values):
        return None
    has_sentences = any(len(value.split()) > 4 for value in values)
    are_categories = len(values) >= SAMPLE_ROWS / 4 and len(set(values)) <= len(values) * _FEW
    return None if are_categories and not has_sentences else ""
