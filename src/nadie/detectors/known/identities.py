"""Identities from a CSV file: one row per person, one column per type of value.

The first row names the columns, in Spanish or English. The file may have the identities of many patients; a column
`documento` names the note that a row belongs to, and without it every row is searched in every note. Errors give the
line and the number of the column, not its heading: in a file without a header, the first row is personal data.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from nadie.errors import FormatError
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.folding import fold_compatible

Kind = Literal["name", "number", "phone", "address", "date", "term"]

_LARGEST = 16 << 20
_MOST_ROWS = 100_000
_LONGEST_VALUE = 500
_DOCUMENT = frozenset(("documento", "document", "nota", "note", "fichero", "archivo", "file", "doc", "id_documento"))

# The type of value and the label of a column, by its folded name.
_COLUMNS: dict[str, tuple[Kind, Label]] = {
    name: (cast(Kind, kind), Label(label))
    for kind, label, names in tables.rows("columns.tsv", "nadie.detectors.known")
    for name in names.split()
}


@dataclass(frozen=True, slots=True)
class IdentityValue:
    """One known value, its type, and its label. Its `repr` omits the text."""

    kind: Kind
    label: Label
    text: str

    def __repr__(self) -> str:
        return f"IdentityValue({self.kind}, {self.label})"


@dataclass(frozen=True, slots=True)
class Identity:
    """The known values of one person, and the id of the only document in which they are searched, if there is one."""

    values: tuple[IdentityValue, ...]
    document: str | None = None

    @classmethod
    def of(cls, fields: Mapping[str, str], document: str | None = None) -> Identity:
        """An identity from named fields: `Identity.of({"nombre": "...", "dni": "..."})`."""
        values = []
        for number, (name, text) in enumerate(fields.items(), 1):
            if text.strip():
                kind, label = _column(name, number, "identity")
                values.append(IdentityValue(kind, label, text.strip()))
        return cls(tuple(values), document)


def read_identities(path: Path) -> list[Identity]:
    """Read the identities from a CSV file with commas, semicolons, tabs or vertical bars between columns."""
    rows = _rows(path)
    header = next(rows, None)
    if header is None:
        raise FormatError("the file is empty", where=path.name)
    columns = [_key(name) for name in header[1]]
    if len(set(columns)) < len(columns):
        raise FormatError("two columns have the same name", where=path.name, line=1)
    kinds = [None if key in _DOCUMENT else _column(key, i, path.name) for i, key in enumerate(columns, 1)]
    return [_identity(fields, kinds, path, line) for line, fields in rows]


def _identity(fields: Sequence[str], kinds: Sequence[tuple[Kind, Label] | None], path: Path, line: int) -> Identity:
    if len(fields) != len(kinds):
        raise FormatError(f"the header has {len(kinds)} columns, this row {len(fields)}", where=path.name, line=line)
    values, document = [], None
    for field, kind in zip(fields, kinds, strict=True):
        text = field.strip()
        if len(text) > _LONGEST_VALUE:
            raise FormatError(f"a value is longer than {_LONGEST_VALUE} characters", where=path.name, line=line)
        if kind is None:
            document = text or None
        elif text:
            values.append(IdentityValue(*kind, text))
    return Identity(tuple(values), document)


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not empty, each with its line number."""
    try:
        if path.stat().st_size > _LARGEST:
            raise FormatError(f"the file is larger than {_LARGEST >> 20} MiB", where=path.name)
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            reader = csv.reader(file, delimiter=max(",;\t|", key=first.count), strict=True)
            for count, row in enumerate(reader):
                if count > _MOST_ROWS:
                    raise FormatError(f"the file has more than {_MOST_ROWS} rows", where=path.name)
                if any(field.strip() for field in row):
                    yield reader.line_num, row
    except UnicodeDecodeError:
        raise FormatError("the file is not UTF-8", where=path.name) from None
    except csv.Error:
        raise FormatError("the file is not valid CSV", where=path.name) from None
    except OSError:
        raise FormatError("the file cannot be read", where=path.name) from None


def _key(name: str) -> str:
    return "_".join(fold_compatible(name).replace("º", "").replace(".", " ").replace("-", " ").split())


def _column(name: str, number: int, where: str) -> tuple[Kind, Label]:
    column = _COLUMNS.get(_key(name))
    if column is None:
        known = ", ".join(column_names())
        raise FormatError(f"column {number} of the header has an unknown name; known names are: {known}", where=where)
    return column


def column_names() -> list[str]:
    """The names that a column of an identity table may have."""
    return sorted({*_COLUMNS, "documento"})
