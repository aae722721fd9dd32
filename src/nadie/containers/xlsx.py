"""Excel workbooks: tables by chosen columns, other sheets whole, with comments, text boxes and properties.

Only the cells that change are written anew, as strings of their own; the shared strings that no cell uses any more are
emptied, and so is what formulas, filters and charts remember of the cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, BinaryIO, NamedTuple

from nadie.containers.base import Account, Container, Edits, OpenOptions, Uncovered, needed
from nadie.containers.columns import SAMPLE_ROWS, Columns, check_names, choose
from nadie.containers.mapped import MappedText, TextBuilder
from nadie.containers.ooxml import Parts, Place, add_drawings, add_links, add_properties, local
from nadie.containers.package import Package
from nadie.containers.sheets import Cell, Sheet, Strings, date_formats, formulas_with_text
from nadie.containers.source import Source
from nadie.errors import FormatError, NadieError
from nadie.labels import Label

_USUAL_NAMES = re.compile(r"(?:hoja|sheet|datos|data|tabla|table|feuil)\s?\d*", re.IGNORECASE)
_COPIES = ("pivotCacheDefinition", "pivotCacheRecords", "slicerCacheDefinition")
_LOOKED_INTO = frozenset(
    "workbook worksheet sst styleSheet theme comments ThreadedComments personList wsDr chartSpace table Relationships "
    "Types coreProperties Properties calcChain metadata".split()
)
_WHOLE = -1


class Xlsx(Container):
    """`.xlsx` and `.xlsm`. A sheet whose first row names no columns is one text, its cells separated by tabs."""

    name = "xlsx"
    title = "an Excel workbook"
    extra = "tables"

    def open(self, source: Source, options: OpenOptions) -> Workbook:
        return Workbook(source, options)


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
        self._package = Package(source)
        self._parts = Parts(self._package, source.where)
        if any(self._parts.by_root[root] for root in _COPIES):
            raise FormatError(
                "has a pivot table or a slicer, which keep copies of the cells: remove it", where=source.where
            )
        self._strings = Strings(self._parts, next(iter(self._parts.by_root["sst"]), None))
        self._sheets = dict(self._named_sheets())
        self._searched: set[Cell] = set()
        # What is in no row of a table belongs to no patient of the table.
        self._own_patient = {"patient": f"file {source.name}"} if options.patient_column else None
        self._texts: list[MappedText[Any]] = []
        missing = set(options.columns)
        for name, sheet in self._sheets.items():
            self._texts += self._texts_of(name, sheet, options, missing)
        if missing and options.columns:
            raise FormatError(f"has no column {min(missing)[:60]!r}", where=source.where)
        self._texts.append(self._other_texts())
        self._list_uncovered()

    def texts(self) -> Iterator[MappedText[Any]]:
        return (text for text in self._texts if text.text)

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        has_changed = False
        for text in self.texts():
            edit = next(edits)
            if text.segments and isinstance(text.segments[0].address, Place):
                self._parts.put(text.changes(needed(edit)))
            else:
                has_changed |= _put(text, edit)
        if has_changed:
            self._forget()
        self._strings.purge()
        self._package.write(out, self._parts.changed())

    def _forget(self) -> None:
        """Take away what formulas, charts and table filters remember of the cells, and ask for recalculation."""
        if sum(sheet.forget_results(self._searched) for sheet in self._sheets.values()):
            for element in self._parts.root("xl/workbook.xml").iter():
                if local(element) == "calcPr":
                    element.set("fullCalcOnLoad", "1")
                    self._parts.touch("xl/workbook.xml")
        for part in (*self._parts.by_root["chartSpace"], *self._parts.by_root["table"]):
            for element in list(self._parts.root(part).iter()):
                parent = element.getparent()
                if local(element) in ("strCache", "filterColumn") and parent is not None:
                    parent.remove(element)
                    self._parts.touch(part)

    def _named_sheets(self) -> Iterator[tuple[str, Sheet]]:
        styles = self._parts.by_root["styleSheet"]
        formats = date_formats(self._parts.root(styles[0])) if styles else []
        book = self._parts.root("xl/workbook.xml")
        since_1904 = any(e.get("date1904") in ("1", "true") for e in book.iter() if local(e) == "workbookPr")
        targets = {
            e.get("Id"): (e.get("Target") or "").lstrip("/").removeprefix("xl/")
            for e in self._parts.root("xl/_rels/workbook.xml.rels")
        }
        for element in book.iter():
            if local(element) == "sheet":
                link = next((str(value) for key, value in element.attrib.items() if str(key).endswith("}id")), None)
                part = f"xl/{targets.get(link, '')}"
                if "worksheets/" in part:
                    name = str(element.get("name", ""))
                    yield name, Sheet(part, self._parts, self._strings, formats, since_1904=since_1904)

    def _texts_of(self, name: str, sheet: Sheet, options: OpenOptions, missing: set[str]) -> Iterator[MappedText[_Run]]:
        if not sheet.rows:
            return
        head, *rows = sheet.rows
        names = {cell.column: cell.text.strip() for cell in head}
        listed = list(names.values())
        here = tuple(column for column in options.columns if _matches(column, listed))
        missing.difference_update(here)
        if options.columns and not here:
            self.account.remarks.append(f"sheet {name!r} left as it was: it has none of the columns")
            return
        if not here and not _is_table(listed, rows, self._source.where):
            self.account.remarks.append(f"sheet {name!r}: all cells, since it names no columns")
            yield self._whole(name, sheet, sheet.rows)
            return
        patient = options.patient_column if options.patient_column in listed else ""
        cells = [{names.get(c.column, c.column): c for c in row} for row in rows]
        sample = [{column: cell.text for column, cell in row.items()} for row in cells[:SAMPLE_ROWS]]
        columns = choose(listed, sample, OpenOptions(here, patient), self._source.where)
        self.account.remarks.append(f"sheet {name!r}: {columns.remark()}")
        if columns.are_proposed:  # the first row may hold data after all
            yield self._whole(f"{name}!1", sheet, [head])
        for number, row in enumerate(cells, start=2):
            yield self._row(f"{name}!{number}", row, sheet, columns)

    def _row(self, name: str, row: dict[str, Cell], sheet: Sheet, columns: Columns) -> MappedText[_Run]:
        builder: TextBuilder[_Run] = TextBuilder()
        for column, label in columns.labels.items():
            if column in row:
                builder.cut()
                self._add(builder, sheet, row[column], label)
        told = row[columns.patient].text.strip() if columns.patient in row else ""
        return builder.build(name, {"patient": told} if columns.patient else None)

    def _whole(self, name: str, sheet: Sheet, rows: list[list[Cell]]) -> MappedText[_Run]:
        builder: TextBuilder[_Run] = TextBuilder()
        for row in rows:
            builder.cut()
            for cell in row:
                builder.cut("\t")
                self._add(builder, sheet, cell, None)
        return builder.build(name, self._own_patient)

    def _add(self, builder: TextBuilder[_Run], sheet: Sheet, cell: Cell, label: str | None) -> None:
        self._searched.add(cell)
        if label:
            builder.add(cell.text, _Run(sheet, cell, _WHOLE), label)
            return
        for n, run in enumerate(cell.runs):
            builder.add(run, _Run(sheet, cell, n))

    def _other_texts(self) -> MappedText[Place]:
        """Comments, headers and footers, text boxes, links and properties."""
        parts, builder = self._parts, TextBuilder[Place]()
        for name in (name for root in ("comments", "ThreadedComments", "personList") for name in parts.by_root[root]):
            for element in parts.root(name).iter():
                if local(element) in ("comment", "threadedComment", "author", "person"):
                    builder.cut()
                if local(element) == "author":
                    parts.add(builder, Place(name, element), Label.NOMBRE_PERSONAL_SANITARIO)
                elif local(element) == "person":
                    parts.add(builder, Place(name, element, "displayName"), Label.NOMBRE_PERSONAL_SANITARIO)
                elif local(element) in ("t", "text"):
                    parts.add(builder, Place(name, element))
        for sheet in self._sheets.values():
            for element in parts.root(sheet.part).iter():
                if re.fullmatch(r"(?:odd|even|first)(?:Header|Footer)", local(element)):
                    builder.cut()
                    parts.add(builder, Place(sheet.part, element))
                elif local(element) == "hyperlink":
                    for attribute in ("display", "tooltip"):
                        builder.cut()
                        parts.add(builder, Place(sheet.part, element, attribute))
        builder.cut()
        add_drawings(parts, builder, "wsDr")
        add_drawings(parts, builder, "chartSpace")
        add_links(parts, builder)
        add_properties(parts, builder)
        return builder.build("other parts", self._own_patient)

    def _list_uncovered(self) -> None:
        listed = self.account.uncovered
        listed += [Uncovered(name, "not text, kept as it is") for name in self._parts.uncovered(_LOOKED_INTO)]
        for name, sheet in self._sheets.items():
            if not _USUAL_NAMES.fullmatch(name):
                listed.append(Uncovered(f"sheet {name!r}", "its name stays as it is"))
            if any(True for _ in formulas_with_text(self._parts.root(sheet.part))):
                listed.append(Uncovered(f"sheet {name!r}", "formulas with text in them stay as they are"))


def _matches(column: str, names: list[str]) -> bool:
    return column in names or column.rpartition("=")[0] in names


def _is_table(names: list[str], rows: list[list[Cell]], where: str) -> bool:
    """Whether the first row of a sheet names the columns of those below it."""
    try:
        check_names(names, where)
    except NadieError:
        return False
    widest = max((len(row) for row in rows), default=0)
    return len(names) > 1 and all(names) and len(names) >= widest


def _put(text: MappedText[_Run], edits: Edits | None) -> bool:
    """Write the new texts of a row to its cells, all empty where there are no edits; whether any changed."""
    news: dict[int, tuple[_Run, dict[int, str]]] = {}
    changes = [(segment, "") for segment in text.segments] if edits is None else text.changes(edits)
    for segment, new in changes:
        place = segment.address
        runs = news.setdefault(id(place.cell), (place, {}))[1]
        if place.run == _WHOLE:
            runs.update(dict.fromkeys(range(len(place.cell.runs)), "") | {0: new})
        else:
            runs[place.run] = new
    for place, runs in news.values():
        place.sheet.put(place.cell, runs)
    return bool(news)
