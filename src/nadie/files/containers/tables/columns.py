"""What is done with each column of a table: it is searched, replaced, kept by the user, or proven harmless.

The user may choose for some columns; for all others the name and the first rows decide. The decision is verified for
every cell: one that does not meet the proof of its column is replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from nadie.document import FIELD, UNKNOWN_FIELD
from nadie.errors import ConfigError, FormatError
from nadie.files.container import Account, OpenOptions
from nadie.files.containers.tables import column_content, column_limits
from nadie.files.containers.tables.column_names import label_of_name
from nadie.files.mapped import MappedText, TextBuilder
from nadie.labels import Label, Parent, is_label

_NO_NAME = re.compile(r"[\d\s.,/:;+-]*|.*@.*\..*|.*:", re.DOTALL)


class Field(NamedTuple):
    """How a cell is added to the text of its row: with a label, or without one if it is searched."""

    label: str | None = None
    source: str = FIELD


_UNKNOWN = Field(Label.OTROS_SUJETO_ASISTENCIA, UNKNOWN_FIELD)


@dataclass(frozen=True)
class Column:
    """One column: what its cells are, whether the user said so, and whether the user keeps it nevertheless."""

    name: str
    judgement: column_content.Judgement
    is_chosen: bool = False
    is_kept: bool = False

    def field(self, cell: str) -> Field | None:
        """How a cell is added to the text, or None if it stays as it is."""
        judged = self.judgement
        if self.is_kept:
            return None
        if judged.proof is not None:
            return None if judged.proof(cell) else _unproven(cell)
        if judged.label is not None:
            is_so = self.is_chosen or (judged.is_known and column_content.is_of(judged.label, cell))
            return Field(judged.label) if is_so else _unproven(cell)
        if column_content.has_words(cell):
            return Field()
        return None if column_content.is_harmless_in_text(cell) else _unproven(cell)

    def done(self) -> str:
        """What is done with the column, for the summary."""
        judged = self.judgement
        if self.is_kept:
            return "kept by the user"
        if judged.proof is not None:
            return f"harmless: {judged.reason}"
        if judged.label is None:
            return "searched"
        return f"replaced as {judged.label}{'' if judged.is_known else f', {judged.reason}'}"

    def suspicion(self, cells: Sequence[str]) -> str:
        """Why a column that the user keeps may identify somebody; empty if it is not likely to."""
        judged = self.judgement
        if not self.is_kept or judged.proof is not None:
            return ""
        if judged.label is not None and (judged.is_known or judged.reason == column_content.BY_NAME):
            return f"looks like {judged.label}"
        if judged.label is None:
            return "has free text" if cells else "has no values in the rows that were examined"
        return "has long numbers" if any(map(column_content.has_long_number, cells)) else ""


@dataclass(frozen=True)
class Columns:
    """All columns of a table, in order. `named` are those that the user named."""

    by_name: Mapping[str, Column]
    patient: str
    named: frozenset[str]

    def field(self, name: str, cell: str) -> Field | None:
        """How a cell is added to the text; a column that is not in the first rows is judged by each cell alone."""
        column = self.by_name.get(name) or Column(name, column_content.judge(name, [cell]))
        return column.field(cell)

    def text(self, cells: Mapping[str, str], name: str) -> MappedText[str]:
        """A row as one text: the cells that may change, each on its own line, addressed by their columns."""
        builder: TextBuilder[str] = TextBuilder()
        for column, cell in cells.items():
            if (field := self.field(column, cell)) is not None:
                builder.cut()
                builder.add(cell, column, *field)
        return builder.build(name, {"patient": cells.get(self.patient, "").strip()} if self.patient else None)

    def field_of_name(self, name: str) -> Field | None:
        """How the name of a column is added to a text, or None if the user named it or it cannot be data."""
        if name in self.named or not column_content.may_be_data(name):
            return None
        return Field(Label.NOMBRE_SUJETO_ASISTENCIA) if column_content.is_full_name(name) else field_alone(name)

    def head(self, names: Sequence[str], name: str, container: str) -> MappedText[str]:
        """The names of the columns as a text, as far as they may be data."""
        builder: TextBuilder[str] = TextBuilder()
        for column in names:
            if (field := self.field_of_name(column)) is not None:
                builder.cut("\t")
                builder.add(column, column, *field)
        return builder.build(name, {"patient": f"file {container}"} if self.patient else None)

    def report(self, account: Account, values: Mapping[str, Sequence[str]], where: str = "") -> None:
        """Add to the account what is done with each column, and a warning for each that is kept and may be PHI."""
        shown = {
            name: f"column {number}" if column_content.may_be_data(name) else name
            for number, name in enumerate(self.by_name, start=1)
        }
        parts = [f"{shown[name]} ({column.done()})" for name, column in self.by_name.items()]
        account.remarks.append(f"{where}columns: {', '.join(parts) or 'none'}")
        for name, column in self.by_name.items():
            if suspicion := column.suspicion(values.get(name, ())):
                account.warnings.append(f"{where}the column {shown[name][:60]!r} is kept and {suspicion}")


def choose(names: Sequence[str], values: Mapping[str, Sequence[str]], options: OpenOptions, where: str) -> Columns:
    """Decide about every column. `values` are the cells of the first rows, by column, without empty ones."""
    chosen = {_name_of(column): _chosen_label(column) for column in options.columns}
    named = frozenset(named_in(options))
    for name in sorted(named):
        if name not in names:
            raise FormatError(f"has no column {name[:60]!r}", where=where)
    if both := sorted(set(chosen) & set(options.keep_columns)):
        raise ConfigError(f"the column {both[0][:60]!r} cannot be both kept and anonymized")
    if named and len(set(names)) != len(names):
        raise FormatError("has two columns with the same name", where=where)
    if not named:
        check_names(names, where)
    columns: dict[str, Column] = {}
    for name in names:
        judgement = column_content.judge(name, values.get(name, ()))
        if name in chosen:
            judgement = column_content.Judgement(chosen[name], "chosen by the user")
        elif name == options.patient_column and name not in options.keep_columns:
            judgement = column_content.Judgement(_patient_label(name), "identifies the patient")
        columns[name] = Column(name, judgement, name in chosen, name in options.keep_columns)
    return Columns(columns, options.patient_column, named)


def examined(rows: Iterable[Iterable[tuple[str, str]]]) -> dict[str, list[str]]:
    """The cells of the first rows that are not empty, by column."""
    values: dict[str, list[str]] = {}
    for row in islice(rows, column_limits.LIMITS.sample_rows):
        for name, cell in row:
            values.setdefault(name, []).extend([cell] if cell else [])
    return values


def is_name(name: str) -> bool:
    """Whether it can be the name of a column, and not data."""
    return not name or _NO_NAME.fullmatch(name) is None


def check_names(names: Sequence[str], where: str) -> None:
    """Raise an error if the first row is data and not column names, since it would not be changed."""
    if len(set(names)) != len(names) or not all(map(is_name, names)):
        raise FormatError("does not begin with the names of its columns", where=where)


def only_of(options: OpenOptions, names: Sequence[str]) -> OpenOptions:
    """The options without the columns that a table does not have, for a file with several tables."""
    return replace(
        options,
        columns=tuple(column for column in options.columns if _name_of(column) in names),
        keep_columns=tuple(name for name in options.keep_columns if name in names),
        patient_column=options.patient_column if options.patient_column in names else "",
    )


def under(options: OpenOptions, names: Sequence[str]) -> OpenOptions:
    """The options with every column below a path in place of the path: `paciente` means `paciente.nhc` as well."""

    def below(path: str) -> list[str]:
        return [name for name in names if name == path or name.startswith(f"{path}.")] or [path]

    suffixes = {column: column.removeprefix(_name_of(column)) for column in options.columns}
    return replace(
        options,
        columns=tuple(name + suffix for column, suffix in suffixes.items() for name in below(_name_of(column))),
        keep_columns=tuple(name for path in options.keep_columns for name in below(path)),
    )


def named_in(options: OpenOptions) -> list[str]:
    """The columns that the user named."""
    wanted = (*map(_name_of, options.columns), *options.keep_columns, options.patient_column)
    return list(dict.fromkeys(filter(None, wanted)))


def field_alone(cell: str) -> Field:
    """How a cell is added that belongs to no column: searched, unless it is a long number or has a known form."""
    is_number = column_content.has_long_number(cell) and not column_content.has_words(cell)
    return _unproven(cell) if is_number or column_content.form_of(cell) else Field()


def _unproven(cell: str) -> Field:
    label = column_content.form_of(cell)
    return _UNKNOWN if label is None else Field(label)


def _patient_label(name: str) -> Label:
    label = label_of_name(name)
    return label if label and label.parent is Parent.ID else Label.ID_SUJETO_ASISTENCIA


def _name_of(column: str) -> str:
    name, _, label = column.rpartition("=")
    return name if name and is_label(label) else column


def _chosen_label(column: str) -> Label | None:
    name, equals, label = column.rpartition("=")
    if equals and name and not is_label(label) and label.isupper():
        raise ConfigError(f"{label[:60]!r} is not a label: a column is chosen by NAME or NAME=LABEL")
    return Label(label) if name and is_label(label) else None
