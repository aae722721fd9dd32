"""A Word letter on the review page: its cells are separated, and it is exported as a Word letter."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from PIL import Image

from .browsing import Tab
from .conftest import Server, StartServer

TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def letter() -> bytes:
    made = docx.Document()
    made.add_paragraph("Paciente: Lucía ").add_run("Prado").bold = True
    table = made.add_table(1, 2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Edad", "54 años"
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def test_a_word_letter_is_reviewed_and_comes_back_as_one(tab: Tab, tmp_path: Path) -> None:
    tab.page.set_input_files("#file-input", [{"name": "carta.docx", "mimeType": TYPE, "buffer": letter()}])
    tab.page.wait_for_selector("#editor:not([hidden])")
    assert "Lucía Prado" in tab.words()
    assert tab.text().startswith("Paciente: Lucía Prado\nEdad\t54 años")
    assert tab.page.locator("#text .cell-end").count() >= 1
    tab.drag_over("Edad")
    assert tab.selected() == "Edad"
    tab.page.click("#export")
    assert tab.page.is_checked("input[value=original]")
    assert not tab.page.is_checked("input[value=anonymized]")
    copy = tab.download("dialog button[type=submit]", tmp_path)
    assert copy.suffix == ".docx"
    made = docx.Document(str(copy))
    assert made.paragraphs[0].text == "Paciente: [NOMBRE_SUJETO_ASISTENCIA]"
    assert [cell.text for cell in made.tables[0]._cells] == ["Edad", "[EDAD_SUJETO_ASISTENCIA]"]


def templated_letter() -> bytes:
    """A letter with what Word writes of itself: styles, fonts, a picture, a bookmark, a template, a bibliography."""
    made = docx.Document()
    made.styles.add_style("Firma del servicio", WD_STYLE_TYPE.PARAGRAPH).font.name = "Garamond"
    made.core_properties.author = made.core_properties.comments = ""
    made.add_paragraph("Paciente: Lucía Prado, natural de Cuenca.", style="Firma del servicio")
    picture = io.BytesIO()
    Image.new("RGB", (80, 40), "white").save(picture, "PNG")
    shape = made.add_picture(picture)
    shape._inline.docPr.set("descr", "Foto de Lucía Prado")
    start = OxmlElement("w:bookmarkStart")
    start.set(qn("w:id"), "1")
    start.set(qn("w:name"), "Marcador1")
    made.paragraphs[0]._p.append(start)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def test_what_is_technical_in_a_letter_is_not_offered_and_survives(tab: Tab, tmp_path: Path) -> None:
    before = templated_letter()
    tab.page.set_input_files("#file-input", [{"name": "carta.docx", "mimeType": TYPE, "buffer": before}])
    tab.page.wait_for_selector("#text .mark")
    lines = [line for line in tab.text().splitlines() if not re.match(r"\d{4}-\d\d-\d\dT", line)]
    assert lines == ["Paciente: Lucía Prado, natural de Cuenca.", "Foto de Lucía Prado"], "and two dates"
    assert [words for words, tag in tab.marks() if "?" in tag] == ["Cuenca"], "the only doubt"
    tab.press("Control+Shift+Enter")
    tab.page.wait_for_selector("text=1 de 1 revisados")
    tab.page.click("#export")
    copy = tab.download("dialog button[type=submit]", tmp_path)
    with zipfile.ZipFile(copy) as archive:
        [name] = [each for each in archive.namelist() if each.endswith(".docx")]
        written = io.BytesIO(archive.read(name))
    document = docx.Document(written)
    assert len(document.styles) == len(docx.Document(io.BytesIO(before)).styles)
    style = document.paragraphs[0].style
    assert style is not None
    assert style.font.name == "Garamond", "its name may be a number now, and the paragraph still has it"
    assert document.inline_shapes[0]._inline.docPr.get("descr") == "Foto de [NOMBRE_SUJETO_ASISTENCIA]"
