"""The sheets of an Excel workbook: cells with their text, their position and methods to change them."""

from __future__ import annotations

import copy
import datetime
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lxml import etree

from nadie.files.containers.office.ooxml import Parts
from nadie.files.containers.office.xml_address import local, sibling
from nadie.files.disk import MAX_BYTES

_FIRST_DAY = datetime.datetime(1899, 12, 30)
_FIRST_DAY_1904 = datetime.datetime(1904, 1, 1)
_DATES = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
_LITERAL = re.compile(r'"[^"]*"|\[[^\]]*\]|\\.')


@dataclass(frozen=True, eq=False)
class Cell:
    """A cell with a value: the elements with its text, or a number."""

    element: etree._Element
    column: str
    runs: tuple[str, ...]
    source: etree._Element | None = None  # the shared or inline string
    is_date: bool = False

    @property
    def text(self) -> str:
        return "".join(self.runs)


class Strings:
    """The shared strings, and the number of cells that use each."""

    def __init__(self, parts: Parts, part: str | None) -> None:
        self._parts = parts
        self._part = part
        self._items = [e for e in parts.root(part) if local(e) == "si"] if part else []
        self._uses = [0] * len(self._items)
        self._length = 0
        if part and sum(map(_drop_phonetic, self._items)):
            parts.touch(part)

    def use(self, index: int) -> tuple[etree._Element, tuple[str, ...]] | None:
        """A shared string and its runs for one more cell; None if there is no such string."""
        if not 0 <= index < len(self._items):
            return None
        self._uses[index] += 1
        item = self._items[index]
        runs = tuple(text.text or "" for text in texts_in(item))
        self._length += sum(map(len, runs))
        if self._length > MAX_BYTES:
            self._parts.fail(f"repeats strings in cells, more than {MAX_BYTES} characters in all")
        return item, runs

    def item(self, index: int) -> etree._Element | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def release(self, index: int) -> None:
        self._uses[index] -= 1

    def purge(self) -> None:
        """Empty every string that no cell uses: replaced ones, and those of deleted cells."""
        for item, uses in zip(self._items, self._uses, strict=True):
            if not uses and len(item) and self._part:
                for child in list(item):
                    item.remove(child)
                item.append(_made(item, "t"))
                self._parts.touch(self._part)


class Sheet:
    """One sheet, by its rows."""

    def __init__(self, part: str, parts: Parts, strings: Strings, formats: Sequence[bool], *, since_1904: bool) -> None:
        self.part = part
        self._parts = parts
        self._strings = strings
        self._formats = formats
        self._first_day = _FIRST_DAY_1904 if since_1904 else _FIRST_DAY
        self.rows: list[list[Cell]] = []
        for row in parts.root(part).iter("{*}row"):
            cells = [self._cell(element, column) for element, column in _by_column(row)]
            if found := [cell for cell in cells if cell is not None]:
                self.rows.append(found)

    def _cell(self, element: etree._Element, column: str) -> Cell | None:
        kind, value = element.get("t", "n"), element.find("{*}v")
        if kind == "inlineStr" and (inline := element.find("{*}is")) is not None:
            if _drop_phonetic(inline):
                self._parts.touch(self.part)
            return Cell(element, column, tuple(t.text or "" for t in texts_in(inline)), inline)
        if value is None or not value.text:
            return None
        if kind == "s":
            shared = self._strings.use(int(value.text))
            return Cell(element, column, shared[1], shared[0]) if shared else None
        if kind == "n" and self._is_date(element) and (day := self._day(value.text)):
            return Cell(element, column, (day,), is_date=True)
        return Cell(element, column, (value.text,)) if kind in ("n", "str", "d") else None

    def put(self, cell: Cell, news: Mapping[int, str]) -> None:
        """Set new texts in some runs of a cell; a date or a number that stays one keeps its type."""
        element = cell.element
        runs = [news.get(n, run) for n, run in enumerate(cell.runs)]
        shared = element.find("{*}v")
        if element.get("t") == "s" and shared is not None:
            self._strings.release(int(shared.text or 0))
        number = self._number(cell, runs[0]) if element.get("t", "n") == "n" else None
        for child in list(element):
            element.remove(child)
        if number is not None:
            value = _made(element, "v")
            value.text = number
            element.append(value)
        else:
            element.set("t", "inlineStr")
            element.append(_inline(cell, runs))
        self._parts.touch(self.part)

    def row_from(self, place: str) -> Callable[[int], str]:
        """The texts of the cells from that place to the right, by their number."""
        letters, row = re.sub(r"[^A-Z]", "", place), re.sub(r"\D", "", place)
        rows = (each for each in self._parts.root(self.part).iter("{*}row") if each.get("r", row) == row)
        texts = {column: self._text(element) for each in rows for element, column in _by_column(each)}
        return lambda number: texts.get(_letters(_number_of(letters) + number), "")

    def _text(self, element: etree._Element) -> str:
        """The current text of a cell."""
        inline, value = element.find("{*}is"), element.findtext("{*}v") or ""
        if element.get("t") == "s" and value:
            inline = self._strings.item(int(value))
        return value if inline is None else "".join(t.text or "" for t in texts_in(inline))

    def forget_results(self, kept: set[Cell]) -> int:
        """Remove cached texts of formulas, which may repeat replaced values, except in `kept`; return their number."""
        spared = {id(cell.element) for cell in kept}
        count = 0
        masters = {f.get("si") for f in self._parts.root(self.part).iter("{*}f") if f.get("t") == "shared" and f.text}
        for element in self._parts.root(self.part).iter("{*}c"):
            value, formula = element.find("{*}v"), element.find("{*}f")
            if formula is not None and formula.get("t") == "shared" and formula.get("si") not in masters:
                element.remove(formula)  # the formula that it shared was replaced
            if element.get("t") == "str" and value is not None and id(element) not in spared:
                element.remove(value)
                count += 1
        for chosen in list(self._parts.root(self.part).iter("{*}filterColumn")):
            parent = chosen.getparent()
            if parent is not None:
                parent.remove(chosen)
        self._parts.touch(self.part)
        return count

    def _is_date(self, element: etree._Element) -> bool:
        style = int(element.get("s", "0"))
        return style < len(self._formats) and self._formats[style]

    def _day(self, serial: str) -> str:
        """The day of a number; empty if it is out of range, such as a count in a cell formatted as a date."""
        try:
            moment = self._first_day + datetime.timedelta(days=float(serial))
        except (OverflowError, ValueError):
            return ""
        return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(" ", "seconds")

    def _number(self, cell: Cell, new: str) -> str | None:
        if not cell.is_date:
            return new if re.fullmatch(r"-?\d+(?:\.\d+)?", new) else None
        try:
            days = (datetime.datetime.fromisoformat(new) - self._first_day) / datetime.timedelta(days=1)
        except ValueError:
            return None
        return f"{days:.10g}"


def _by_column(row: etree._Element) -> Iterator[tuple[etree._Element, str]]:
    """The cells of a row with the letters of their columns; a cell without a position follows the previous one."""
    number = 0
    for element in row:
        if local(element) == "c":
            letters = re.sub(r"[^A-Z]", "", element.get("r", "")) or _letters(number + 1)
            number = _number_of(letters)
            yield element, letters


def _letters(number: int) -> str:
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _drop_phonetic(string: etree._Element) -> int:
    """Remove the phonetic text of a string, which no cell shows; return the number of elements."""
    found = string.findall("{*}rPh")
    for each in found:
        string.remove(each)
    return len(found)


def _made(beside: etree._Element, name: str) -> etree._Element:
    """A new element in the namespace of another one: that of ordinary or of strict workbooks."""
    return beside.makeelement(sibling(beside, name))


def texts_in(string: etree._Element) -> list[etree._Element]:
    """The `t` elements of a string."""
    runs = (child for child in string if local(child) in ("t", "r"))
    return [t for run in runs for t in ([run] if local(run) == "t" else run.findall("{*}t"))]


def date_formats(styles: etree._Element) -> list[bool]:
    """Whether each cell style shows numbers as dates."""
    codes = {int(f.get("numFmtId", "0")): f.get("formatCode", "") for f in styles.iter("{*}numFmt")}
    cells = styles.find("{*}cellXfs")
    ids = [int(xf.get("numFmtId", "0")) for xf in cells] if cells is not None else []
    return [
        bool(re.search("[dy]", _LITERAL.sub("", codes[each]).lower())) if each in codes else each in _DATES
        for each in ids
    ]


def _inline(cell: Cell, runs: Sequence[str]) -> etree._Element:
    """An inline string with the runs and the formatting of the previous string."""
    inline = _made(cell.element, "is")
    if cell.source is None:
        inline.append(_made(inline, "t"))
    else:
        inline.extend(copy.deepcopy(child) for child in cell.source if local(child) in ("t", "r"))
    for t, new in zip(texts_in(inline), runs, strict=True):
        t.text = new
        t.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
    return inline
