"""The names in an Excel workbook that formulas refer to: sheets, ranges, tables and their columns.

A name that may be a person's is replaced in its definition and in every formula, chart and link. The columns of a table
are named like the cells above them, whose texts are searched, and get their new texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from lxml import etree

from nadie.files.containers.names import Names
from nadie.files.containers.office.ooxml import Parts, is_title_of_part
from nadie.files.containers.office.xml_address import TEXT, XmlAddress, local
from nadie.files.containers.prose import unquoted

_FORMULAS = frozenset("f formula formula1 formula2 definedName calculatedColumnFormula totalsRowFormula".split())
_LINKS = frozenset(
    "location fmlaLink fmlaRange fmlaMacro fmlaTxbx fmlaGroup linkedCell listFillRange linkTarget macro".split()
)
_TOKEN = re.compile(
    r'"(?:[^"]|"")*"|(?P<quoted>\'(?:[^\']|\'\')*\')!|(?P<column>\[[^\[\]]*\])|(?P<word>[^\W\d][\w.\\]*)(?P<after>!|\()?'
)
_BARE = re.compile(r"[^\W\d][\w.]*")


class WorkbookNames:
    """The names of one workbook, read from all its parts."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.sheets = Names("Sheet", ignore_case=True)
        self._ranges = Names("Name", ignore_case=True)
        self._columns: dict[str, str] = {}
        self._new_ranges: dict[str, str] = {}
        for _, element in parts.elements("workbook", "table"):
            if local(element) == "sheet":
                self.sheets.define(element.get("name") or "")
            elif local(element) in ("definedName", "table"):
                self._ranges.define(element.get("name") or "")
                self._ranges.define(element.get("displayName") or "")

    def write(self, headings: Mapping[str, Callable[[int], str]]) -> None:
        """Write all names. `headings` give the texts of the header cells of tables, by part, in their order."""
        for part, element in self._parts.elements("table"):
            if local(element) == "tableColumns" and part in headings:
                self._name_columns(part, element, headings[part])
        self._new_ranges = self._ranges.replaced
        self._write_titles()
        if not (self.sheets.replaced or self._new_ranges or self._columns):
            return
        for part, element in self._parts.elements("workbook", "table", "externalLink"):
            self._define(part, element)
        for address in self._formulas():
            old = unquoted(address.whole()) if address.attribute == "Target" else address.whole()
            if (new := self._rewritten(old)) != old:
                address.write(new)
                self._parts.touch(address.part)

    def _write_titles(self) -> None:
        """Write the list of names in the properties, which may be out of date."""
        for part, element in self._parts.elements("Properties"):
            old = element.text or ""
            if local(element) == "lpstr" and is_title_of_part(element) and (new := self._title(old)) != old:
                element.text = new
                self._parts.touch(part)

    def _name_columns(self, part: str, columns: etree._Element, heading: Callable[[int], str]) -> None:
        taken: set[str] = set()
        for number, column in enumerate(columns):
            old = column.get("name") or ""
            new = heading(number) or old
            while new.casefold() in taken:
                new += " "
            taken.add(new.casefold())
            if new.replace("\r", "") != old.replace("_x000a_", "\n").replace("_x000d_", ""):
                self._columns[old] = new
                column.set("name", new)
                column.attrib.pop("uniqueName", "")
                self._parts.touch(part)

    def _define(self, part: str, element: etree._Element) -> None:
        names = {"sheet": self.sheets, "sheetName": self.sheets, "definedName": self._ranges, "table": self._ranges}
        known = names.get(local(element))
        for key in ("name", "displayName", "val") if known else ():
            if known and key in element.attrib and not (local(element) == "definedName" and part not in self._books):
                element.set(key, known.of(str(element.get(key))))
                self._parts.touch(part)

    @property
    def _books(self) -> list[str]:
        return self._parts.by_root["workbook"]

    def _formulas(self) -> Iterator[XmlAddress]:
        for part, element in self._parts.elements("Relationships"):
            if (element.get("Target") or "").startswith("#"):
                yield XmlAddress(part, element, "Target")
        roots = [root for root in self._parts.by_root if root not in ("sst", "Relationships", "Types", "styleSheet")]
        for part, element in self._parts.elements(*roots):
            tag = local(element)
            if tag in _FORMULAS and element.text:
                yield XmlAddress(part, element, TEXT)
            for key in map(str, element.attrib) if tag not in ("c", "row") else ():
                if key.rpartition("}")[2] in _LINKS:
                    yield XmlAddress(part, element, key)

    def _rewritten(self, formula: str) -> str:
        return _TOKEN.sub(self._replaced, formula)

    def _replaced(self, match: re.Match[str]) -> str:
        if quoted := match["quoted"]:
            return f"{self._sheet(quoted[1:-1].replace(chr(39) * 2, chr(39)))}!"
        if column := match["column"]:
            return f"[{self._columns.get(column[1:-1], column[1:-1])}]"
        word, after = match["word"], match["after"] or ""
        if not word:
            return match[0]
        if after == "!":
            return f"{self._sheet(word)}!"
        return self._new_ranges.get(word.casefold(), word) + after

    def _sheet(self, name: str) -> str:
        """The spelling of a sheet, or of sheets from one to another, or of one in another workbook, in a formula."""
        book, bracket, sheets = name.rpartition("]")
        new = ":".join(map(self.sheets.of, sheets.split(":"))) if ":" in sheets else self.sheets.of(sheets)
        whole = book + bracket + new
        return whole if _BARE.fullmatch(whole) else "'" + whole.replace("'", "''") + "'"

    def _title(self, title: str) -> str:
        known = {**self.sheets.replaced, **self._new_ranges}
        new = known.get(title.casefold()) or self._rewritten(title)
        return new if "!" in new else self.sheets.of(new)
