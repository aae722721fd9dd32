"""Workbooks in the strict variant of the format, and charts, which repeat the cells: nothing in them is passed over."""

from __future__ import annotations

import io
import re

import openpyxl
import pytest

from . import linked_files, word_files
from .helpers import anonymized, texts_of
from .office import everything, parts_of
from .places import Places
from .test_office_places import with_parts

_STRICT = {
    b"http://schemas.openxmlformats.org/spreadsheetml/2006/main": b"http://purl.oclc.org/ooxml/spreadsheetml/main",
    b"http://schemas.openxmlformats.org/officeDocument/2006/": b"http://purl.oclc.org/ooxml/officeDocument/",
    b"http://schemas.openxmlformats.org/drawingml/2006/": b"http://purl.oclc.org/ooxml/drawingml/",
}
_CHART = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_NEW_CHART = "http://schemas.microsoft.com/office/drawing/2014/chartex"
_RELATIONS = {"a.docx": "word/_rels/document.xml.rels", "a.xlsx": "xl/_rels/workbook.xml.rels"}


def strict(content: bytes) -> bytes:
    parts = parts_of(content)
    for old, new in _STRICT.items():
        parts = {name: part.replace(old, new) for name, part in parts.items()}
    return word_files.packed(parts)


def test_a_strict_workbook_is_searched_like_any_other() -> None:
    content = linked_files.workbook()
    assert texts_of(strict(content), "a.xlsx") == texts_of(content, "a.xlsx")
    copy = anonymized(strict(content), "a.xlsx", {"Ana": "X", "Muñoz": "Y", "Luis": "Z"})[0]
    assert not re.search("Ana|Muñoz|Luis", everything(copy))
    assert b"purl.oclc.org/ooxml/spreadsheetml/main" in parts_of(copy)["xl/workbook.xml"]


def charts(p: Places) -> dict[str, bytes]:
    """A chart with all levels of its categories and literals, and one of the new kind."""
    levels = "".join(f"<c:lvl><c:pt idx='0'><c:v>{p(f'level {n}')}</c:v></c:pt></c:lvl>" for n in range(2))
    old = (
        f"<c:chartSpace xmlns:c='{_CHART}'><c:ser><c:cat><c:multiLvlStrRef><c:f>Datos!$A$1</c:f><c:multiLvlStrCache>"
        f"{levels}</c:multiLvlStrCache></c:multiLvlStrRef></c:cat><c:cat><c:strLit><c:pt idx='0'><c:v>{p('literal')}"
        f"</c:v></c:pt></c:strLit></c:cat><c:tx><c:strRef><c:strCache><c:pt idx='0'><c:v>{p('series')}</c:v></c:pt>"
        f"</c:strCache></c:strRef></c:tx></c:ser><c:trendline><c:name>{p('trend')}</c:name></c:trendline><c:printSettings>"
        f"<c:headerFooter><c:oddHeader>{p('header')}</c:oddHeader></c:headerFooter></c:printSettings></c:chartSpace>"
    )
    new = (
        f"<cx:chartSpace xmlns:cx='{_NEW_CHART}'><cx:chartData><cx:data id='0'><cx:strDim type='cat'><cx:f>Datos!$A$1"
        f"</cx:f><cx:lvl ptCount='1'><cx:pt idx='0'>{p('point')}</cx:pt></cx:lvl></cx:strDim></cx:data></cx:chartData>"
        f"<cx:tx><cx:txData><cx:v>{p('title')}</cx:v></cx:txData></cx:tx></cx:chartSpace>"
    )
    return {"charts/chart8.xml": old.encode(), "charts/chartEx9.xml": new.encode()}


@pytest.mark.parametrize(
    ("make", "folder", "name"), [(linked_files.workbook, "xl", "a.xlsx"), (linked_files.letter, "word", "a.docx")]
)
def test_no_word_is_left_in_a_chart(make, folder: str, name: str) -> None:  # type: ignore[no-untyped-def]
    places = Places()
    more = {f"{folder}/{part}": content for part, content in charts(places).items()}
    content = with_parts(parts_of(make()), more, _RELATIONS[name])
    assert len(places.kept(content)) == 8
    assert places.left(content, name) == []


def test_names_of_sheets_are_replaced_if_they_may_be_of_persons() -> None:
    book = openpyxl.Workbook()
    book.active.title = "Datos clínicos"
    book.create_sheet("MUÑOZ_A")["A1"] = "='Datos clínicos'!A1"
    book["Datos clínicos"]["A1"] = "=MUÑOZ_A!A2"
    file = io.BytesIO()
    book.save(file)
    copy = openpyxl.load_workbook(io.BytesIO(anonymized(file.getvalue(), "a.xlsx", {})[0]))
    assert copy.sheetnames == ["Datos clínicos", "Sheet1"]
    assert copy["Datos clínicos"]["A1"].value == "=Sheet1!A2"
    assert copy["Sheet1"]["A1"].value == "='Datos clínicos'!A1"


def test_the_list_of_sheets_in_the_properties_may_be_out_of_date() -> None:
    parts = parts_of(linked_files.workbook())
    titles = "<TitlesOfParts><vt:vector><vt:lpstr>Garrido Ñu</vt:lpstr><vt:lpstr>Datos</vt:lpstr></vt:vector>"
    space = 'xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"'
    parts["docProps/app.xml"] = re.sub(
        rb"(<Properties)([^>]*>).*(</Properties>)",
        rb"\g<1> %s\g<2>%s</TitlesOfParts>\g<3>" % (space.encode(), titles.encode()),
        parts["docProps/app.xml"],
        flags=re.DOTALL,
    )
    copy = parts_of(anonymized(word_files.packed(parts), "a.xlsx", {})[0])
    assert "<vt:lpstr>Sheet2</vt:lpstr><vt:lpstr>Datos</vt:lpstr>" in copy["docProps/app.xml"].decode()
