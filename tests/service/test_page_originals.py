"""A Word letter on the review page: its cells are separated, and it is exported as a Word letter."""

from __future__ import annotations

import io
from pathlib import Path

import docx
import pytest

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
