"""Excel workbooks, opened again with openpyxl and LibreOffice, and searched part by part for what was replaced."""

from __future__ import annotations

import datetime
import io
import random
import re
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from lxml import etree
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font

from nadie.errors import FormatError
from nadie.files.container import OpenOptions
from nadie.files.mapped import Edit

from .helpers import anonymized, opened
from .office import converted, parts_of
from .word_files import packed

VALUES = {"Ana Muñoz": "[NOMBRE]", "7654321": "[ID]"}
OTHERS = ("nhc", "alta", "copia", "peso")
NOTE = OpenOptions(("nota",), keep_columns=OTHERS)


def workbook() -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["nhc", "nota", "alta", "copia", "peso"])
    sheet.append([11, "Vista Ana Muñoz, NHC 7654321", datetime.date(2020, 5, 4), "=B2", 70.5])
    sheet.append([12, CellRichText("Sra. ", TextBlock(InlineFont(b=True), "Ana"), " Muñoz"), None, None, 80])
    sheet["E2"].font = Font(bold=True)
    sheet["A2"].comment = Comment("Avisar a Ana Muñoz", "Dra. Gil")
    sheet.oddHeader.center.text = "Ana Muñoz"
    book.properties.creator = "Luis Gil"
    book.properties.title = "Casos de Ana Muñoz"
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=5, min_row=1, max_row=3), titles_from_data=True)
    sheet.add_chart(chart, "G2")
    form = book.create_sheet("Hoja2")
    form["A1"], form["B1"] = "Paciente:", "Ana Muñoz"
    form["A3"] = "7654321"
    return book


def saved(book: openpyxl.Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def everything(content: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return "\n".join(name + archive.read(name).decode("utf-8", "replace") for name in archive.namelist())


def rows(content: bytes, sheet: str) -> list[tuple[Any, ...]]:
    return list(openpyxl.load_workbook(io.BytesIO(content))[sheet].iter_rows(values_only=True))


def test_nothing_that_was_found_is_left_in_any_part() -> None:
    content = saved(workbook())
    copy, account = anonymized(content, "a.xlsx", VALUES)
    told = everything(copy)
    for value in ("Ana", "Muñoz", "7654321", "Luis Gil", "Dra. Gil"):
        assert value in everything(content)
        assert value not in told
    assert account.remarks == [
        "sheet 'Sheet': columns: nhc (replaced as ID_SUJETO_ASISTENCIA), nota (searched),"
        " alta (replaced as FECHAS), copia (searched), peso (harmless: measurements)",
        "sheet 'Hoja2': all cells searched, since it has no column names",
    ]


def cells(flat: bytes) -> list[str]:
    """The cells of a workbook as LibreOffice shows them."""
    namespaces = {"t": "urn:oasis:names:tc:opendocument:xmlns:table:1.0"}
    found = etree.fromstring(flat).iterfind(".//t:table-cell", namespaces)
    return [text for cell in found if (text := "".join(map(str, cell.itertext())).strip())]


def test_another_program_shows_the_same_but_for_the_names(tmp_path: Path) -> None:
    book = workbook()
    del book["Hoja2"]  # it has no column of that name, so it would stay as it is
    content = saved(book)
    copy = anonymized(content, "a.xlsx", VALUES, NOTE)[0]
    seen = converted({"before.xlsx": content, "after.xlsx": copy}, tmp_path, "fods")
    expected = "\n".join(cells(seen["before.xlsx"]))
    assert "Vista Ana Muñoz, NHC 7654321" in expected
    for value, new in (VALUES | {"Dra. Gil": "[CAMPO]"}).items():
        expected = expected.replace(value, new)
    assert "\n".join(cells(seen["after.xlsx"])) == expected
    for value in ("Ana", "Muñoz", "7654321", "Luis Gil", "Dra. Gil"):
        assert value not in seen["after.xlsx"].decode()


def test_two_hundred_names_split_over_runs() -> None:
    chance, book, plain = random.Random(1), openpyxl.Workbook(), ["nota"]
    book.active.append(["nota", "peso"])
    names = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")
    for number in range(200):
        text = f"Paciente: {names[number % 4]}, de {number} años. Vive en Lugo."
        cuts = sorted({0, len(text), *(chance.randrange(len(text)) for _ in range(8))})
        parts = [text[start:end] for start, end in pairwise(cuts)]
        book.active.append([CellRichText(*(TextBlock(InlineFont(b=chance.random() < 0.5), p) for p in parts)), number])
        plain.append(text.replace(names[number % 4], "[NOMBRE]"))
    copy = anonymized(saved(book), "a.xlsx", dict.fromkeys(names, "[NOMBRE]"), OpenOptions(("nota",)))[0]
    assert [row[0] for row in rows(copy, "Sheet")] == plain


def test_other_columns_formats_and_charts_stay() -> None:
    content = saved(workbook())
    copy = anonymized(content, "a.xlsx", VALUES, NOTE)[0]
    before, after = rows(content, "Sheet"), rows(copy, "Sheet")
    assert [row[0] for row in after] == [row[0] for row in before]
    assert [row[2:] for row in after] == [row[2:] for row in before]
    assert [row[1] for row in after] == ["nota", "Vista [NOMBRE], NHC [ID]", "Sra. [NOMBRE]"]
    sheet = openpyxl.load_workbook(io.BytesIO(copy), rich_text=True)["Sheet"]
    assert sheet["E2"].font.b
    assert [block.font.b for block in sheet["B3"].value if isinstance(block, TextBlock)] == [True]
    assert sheet["A2"].comment.text == "Avisar a [NOMBRE]"
    assert len(sheet._charts) == 1


def test_parts_that_do_not_change_keep_their_bytes() -> None:
    content = saved(workbook())
    copy = anonymized(content, "a.xlsx", VALUES, NOTE)[0]
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(io.BytesIO(copy)) as new:
        assert old.namelist() == new.namelist()
        for name in ("xl/styles.xml", "xl/theme/theme1.xml", "[Content_Types].xml", "xl/charts/chart1.xml"):
            assert old.read(name) == new.read(name)


def test_dates_and_numbers_of_a_label_keep_their_type_where_they_can() -> None:
    options = OpenOptions(("alta=FECHAS", "nhc=ID_SUJETO_ASISTENCIA"), keep_columns=("nota", "copia", "peso"))
    container = opened(saved(workbook()), "a.xlsx", options)
    first, *_ = container.texts()
    assert first.text == "11\n2020-05-04"
    out = io.BytesIO()
    edits = iter([[(0, 2, "99"), (3, 13, "2021-06-07")], [(0, 2, "[ID]")]])
    container.write(([Edit(*e) for e in next(edits, [])] for _ in container.texts()), out)
    assert rows(out.getvalue(), "Sheet")[1][::2] == (99, datetime.datetime(2021, 6, 7), 70.5)
    assert rows(out.getvalue(), "Sheet")[2][0] == "[ID]"


def test_results_of_formulas_are_forgotten() -> None:
    content = saved(workbook())
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    name = "xl/worksheets/sheet1.xml"
    parts[name] = parts[name].replace(
        b'<c r="D2"><f>B2</f><v></v></c>', '<c r="D2" t="str"><f>B2</f><v>Vista Ana Muñoz</v></c>'.encode()
    )
    assert "Ana Muñoz" in parts[name].decode()
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for part, data in parts.items():
            archive.writestr(part, data)
    copy = anonymized(file.getvalue(), "a.xlsx", VALUES, NOTE)[0]
    with zipfile.ZipFile(io.BytesIO(copy)) as archive:
        assert "Muñoz" not in archive.read(name).decode()
    assert rows(copy, "Sheet")[1][3] == "=B2"


def test_cells_beside_the_table_are_searched_too() -> None:
    book = workbook()
    book.active["J9"] = "Ana Muñoz"
    copy, account = anonymized(saved(book), "a.xlsx", VALUES)
    assert openpyxl.load_workbook(io.BytesIO(copy))["Sheet"]["J9"].value == "[CAMPO]"
    assert "column J (replaced as NOMBRE_SUJETO_ASISTENCIA)" in account.remarks[0]
    copy = anonymized(saved(book), "a.xlsx", VALUES, NOTE)[0]
    assert openpyxl.load_workbook(io.BytesIO(copy))["Sheet"]["J9"].value == "[CAMPO]"


def test_a_sheet_without_the_named_columns_is_anonymized_too() -> None:
    book = workbook()
    more = book.create_sheet("Hoja3")
    for row in (["expediente", "valor"], [7654321, 5.6], [7654322, 33.4]):
        more.append(row)
    copy = anonymized(saved(book), "a.xlsx", VALUES, NOTE)[0]
    assert rows(copy, "Hoja3") == [("expediente", "valor"), ("[CAMPO]", 5.6), ("[CAMPO]", 33.4)]
    assert rows(copy, "Hoja2")[0] == ("Paciente:", "[NOMBRE]")


def test_cells_that_do_not_say_their_place() -> None:
    parts = parts_of(saved(workbook()))
    name = "xl/worksheets/sheet1.xml"
    parts[name] = re.sub(rb'<c r="[A-Z]+\d+"', b"<c", parts[name])
    copy = anonymized(packed(parts), "a.xlsx", VALUES, NOTE)[0]
    assert b"[NOMBRE], NHC [ID]" in parts_of(copy)[name]
    assert openpyxl.load_workbook(io.BytesIO(copy))["Sheet"]["B2"].value == "Vista [NOMBRE], NHC [ID]"


def test_how_a_string_is_pronounced_is_taken_away() -> None:
    parts = parts_of(saved(workbook()))
    name = "xl/worksheets/sheet1.xml"
    parts[name] = parts[name].replace(b"</t></is>", '</t><rPh sb="0" eb="1"><t>Ana Muñoz</t></rPh></is>'.encode())
    assert "<rPh" in parts[name].decode()
    assert "Ana" not in parts_of(anonymized(packed(parts), "a.xlsx", VALUES)[0])[name].decode()


def test_what_is_refused() -> None:
    with pytest.raises(FormatError, match="no column 'texto'"):
        opened(saved(workbook()), "a.xlsx", OpenOptions(("texto",)))
    file = io.BytesIO(saved(workbook()))
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("xl/pivotCache/pivotCacheRecords1.xml", "<pivotCacheRecords/>")
    with pytest.raises(FormatError, match="pivot table"):
        opened(file.getvalue(), "a.xlsx")
