"""Excel workbooks: tables by columns, other sheets completely, with comments, text boxes and properties.

Only the cells that change are rewritten, as inline strings; shared strings that no cell uses any more are emptied, and
so are the values cached by formulas, filters and charts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from nadie.errors import Failure, NadieError
from nadie.files.container import Account, Edits, OpenOptions, needed
from nadie.files.containers.members import Members
from nadie.files.containers.office.ooxml import Parts, drop_linked, is_xml
from nadie.files.containers.office.sheets import Cell, Sheet, Strings, date_formats
from nadie.files.containers.office.workbook_names import WorkbookNames
from nadie.files.containers.office.xlsx_parts import copies_in, forget_copies, other_texts, rename_styles
from nadie.files.containers.office.xml_address import XmlAddress, attribute_of, changes_of, local, remove
from nadie.files.containers.tables import columns as tables
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.source import Source

_PICTURES = re.compile(r"^xl/media/", re.IGNORECASE)
_PROGRAMS = re.compile(r"vba\w*\.bin$|/activeX/|/macrosheets/", re.IGNORECASE)
_CACHES = frozenset({"strCache", "multiLvlStrCache", "numCache", "lvl", "filterColumn"})
_WHOLE = -1


class _Run(NamedTuple):
    """The address of a text: one run of a cell, or all of them."""

    sheet: Sheet
    cell: Cell
    run: int


class Workbook:
    """An open workbook, held in memory."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source = source
        self._parts = Parts(source)
        if feature := copies_in(self._parts):
            self._parts.fail(f"has {feature}: remove it")
        self._members = Members(source, options, self.account)
        drop_linked(self._parts, self.account)
        self._strings = Strings(self._parts, next(iter(self._parts.by_root["sst"]), None))
        self._names = WorkbookNames(self._parts)
        self._sheets = dict(self._named_sheets())
        self._searched: set[Cell] = set()
        # Text outside the rows of a table belongs to no patient of the table.
        self._own_patient = {"patient": f"file {source.name}"} if options.patient_column else None
        self._texts: list[MappedText[Any]] = []
        missing = set(tables.named_in(options))
        for name, sheet in self._sheets.items():
            self._texts += self._texts_of(name, sheet, options, missing)
        if missing:
            self._parts.fail(f"has no column {min(missing)[:60]!r}")
        self._texts.append(other_texts(self._parts, [sheet.part for sheet in self._sheets.values()], self._own_patient))
        inside = [name for name in self._parts.names if not is_xml(name)]
        self._parts.open_inside(inside, _PICTURES, _PROGRAMS, self._members, self.account)

    def texts(self) -> Iterator[MappedText[Any]]:
        yield from (text for text in self._texts if text.text)
        yield from self._members.texts()

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        has_changed = False
        for text in (text for text in self._texts if text.text):
            edit = next(edits)
            if text.segments and isinstance(text.segments[0].address, XmlAddress):
                self._parts.put(changes_of(text, needed(edit)))
            else:
                has_changed |= _put(text, edit)
        if has_changed:
            self._forget()
        self._strings.purge()
        forget_copies(self._parts)
        rename_styles(self._parts)
        self._names.write(dict(self._headings()))
        self._parts.save(self._members.written(edits, self._fail_in), out)

    def _fail_in(self, name: str, failure: Failure) -> None:
        self._parts.leave_out(name, failure, self.account)

    def _forget(self) -> None:
        """Remove the values cached by formulas, charts and table filters, and request recalculation."""
        if sum(sheet.forget_results(self._searched) for sheet in self._sheets.values()):
            for part, element in self._parts.elements("workbook"):
                if local(element) == "calcPr":
                    element.set("fullCalcOnLoad", "1")
                    self._parts.touch(part)
        for part, element in list(self._parts.elements("chartSpace", "table")):
            if local(element) in _CACHES:
                remove(element)
                self._parts.touch(part)

    def _named_sheets(self) -> Iterator[tuple[str, Sheet]]:
        styles = self._parts.by_root["styleSheet"]
        formats = date_formats(self._parts.root(styles[0])) if styles else []
        since_1904 = any(e.get("date1904") in ("1", "true") for _, e in self._parts.elements("workbook"))
        names: dict[str, str] = {}
        for book in self._parts.by_root["workbook"]:
            targets = {e.get("Id"): part for part, e in self._parts.targets_of(book)}
            for element in self._parts.root(book).iter("{*}sheet"):
                names[targets.get(attribute_of(element, "id"), "")] = self._names.sheets.of(element.get("name") or "")
        for number, part in enumerate(self._parts.by_root["worksheet"], start=1):
            sheet = Sheet(part, self._parts, self._strings, formats, since_1904=since_1904)
            yield names.get(part, f"part {number}"), sheet

    def _headings(self) -> Iterator[tuple[str, Callable[[int], str]]]:
        """The texts of the header cells of each table, by its part and the number of the column."""
        for sheet in self._sheets.values():
            for part, relation in self._parts.targets_of(sheet.part):
                if (relation.get("Type") or "").endswith("/table") and part in self._parts.by_root["table"]:
                    table = self._parts.root(part)
                    if table.get("headerRowCount") != "0":
                        yield part, sheet.row_from((table.get("ref") or "A1").partition(":")[0])

    def _texts_of(self, name: str, sheet: Sheet, options: OpenOptions, missing: set[str]) -> Iterator[MappedText[_Run]]:
        if not sheet.rows:
            return
        head, *rows = sheet.rows
        names = {cell.column: cell.text.strip() or f"column {cell.column}" for cell in head}
        unnamed = {c.column: f"column {c.column}" for row in rows for c in row if c.column not in names}
        own = tables.only_of(options, list(names.values()))
        missing.difference_update(tables.named_in(own))
        is_table = bool(tables.named_in(own)) or _is_table(
            [cell.text.strip() for cell in head], rows, self._source.where
        )
        if not is_table or set(unnamed.values()) & set(names.values()):
            self.account.remarks.append(f"sheet {name!r}: all cells searched, since it has no column names")
            yield self._whole(name, sheet, sheet.rows)
            return
        known = names | dict(sorted(unnamed.items()))
        cells = [{known[c.column]: c for c in row} for row in rows]
        values = tables.examined(((column, cell.text) for column, cell in row.items()) for row in cells)
        columns = tables.choose(list(known.values()), values, own, self._source.where)
        columns.report(self.account, values, f"sheet {name!r}: ")
        yield self._head(f"{name}!1", head, sheet, columns)
        for number, row in enumerate(cells, start=2):
            yield self._row(f"{name}!{number}", row, sheet, columns)

    def _head(self, name: str, cells: list[Cell], sheet: Sheet, columns: tables.Columns) -> MappedText[_Run]:
        builder: TextBuilder[_Run] = TextBuilder()
        for cell in cells:
            if (field := columns.field_of_name(cell.text.strip())) is not None:
                builder.cut("\t")
                self._add(builder, sheet, cell, field)
        return builder.build(name, self._own_patient)

    def _row(self, name: str, row: dict[str, Cell], sheet: Sheet, columns: tables.Columns) -> MappedText[_Run]:
        builder: TextBuilder[_Run] = TextBuilder()
        for column, cell in row.items():
            if (field := columns.field(column, cell.text)) is not None:
                builder.cut()
                self._add(builder, sheet, cell, field)
        patient = row[columns.patient].text.strip() if columns.patient in row else ""
        return builder.build(name, {"patient": patient} if columns.patient else None)

    def _whole(self, name: str, sheet: Sheet, rows: list[list[Cell]]) -> MappedText[_Run]:
        builder: TextBuilder[_Run] = TextBuilder()
        for row in rows:
            builder.cut()
            for cell in row:
                builder.cut("\t")
                self._add(builder, sheet, cell, tables.field_alone(cell.text))
        return builder.build(name, self._own_patient)

    def _add(self, builder: TextBuilder[_Run], sheet: Sheet, cell: Cell, field: tables.Field) -> None:
        self._searched.add(cell)
        if field.label:
            builder.add(cell.text, _Run(sheet, cell, _WHOLE), *field)
            return
        for n, run in enumerate(cell.runs):
            builder.add(run, _Run(sheet, cell, n))


def _is_table(names: list[str], rows: list[list[Cell]], where: str) -> bool:
    """Whether the first row of a sheet names the columns of the rows below."""
    try:
        tables.check_names(names, where)
    except NadieError:
        return False
    widest = max((len(row) for row in rows), default=0)
    return len(names) > 1 and all(names) and len(names) >= widest


def _put(text: MappedText[_Run], edits: Edits | None) -> bool:
    """Write the new texts of a row to its cells, all empty if there are no edits; return whether any changed."""
    news: dict[int, tuple[_Run, dict[int, str]]] = {}
    changes = [(segment, "") for segment in text.segments] if edits is None else text.changes(edits)
    for segment, new in changes:
        address = segment.address
        runs = news.setdefault(id(address.cell), (address, {}))[1]
        if address.run == _WHOLE:
            runs.update(dict.fromkeys(range(len(address.cell.runs)), "") | {0: new})
        else:
            runs[address.run] = new
    for address, runs in news.values():
        address.sheet.put(address.cell, runs)
    return bool(news)
