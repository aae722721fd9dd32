"""PDF files as programs make them: LibreOffice with tags and embedded fonts, reportlab with a table and columns."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph, SimpleDocTemplate, Table

from . import pdfs
from .helpers import anonymized, run_files, texts_of

NAMES = {"Ana Muñoz Íñiguez": "[NOMBRE]", "7654321": "[NHC]", "Lugo": "[LUGAR]"}
PLANTED = ("Muñoz", "Íñiguez", "7654321", "Lugo")
LETTER = """<html><head><title>Alta de Ana Muñoz Íñiguez</title><meta name="author" content="Dr. Gil"></head><body>
<h1>Informe de alta: Ana Muñoz Íñiguez</h1>
<p>Paciente: <b>Ana</b> Mu<i>ñoz</i> Íñiguez, de 70 años, NHC 7654321. Vive en Lugo y acude por dolor torácico desde
hace dos horas. La exploración fue anodina; su eficaz tratamiento de la Dra. fue suficiente. La enferma se llama Ana
Muñoz Íñiguez y vino con su hija.</p>
<table border="1"><tr><td>Nombre</td><td>Ana Muñoz Íñiguez</td></tr><tr><td>NHC</td><td>7654321</td></tr></table>
<p style="font-family: monospace; font-size: 8pt">Firmado en Lugo por Ana Muñoz Íñiguez</p>
</body></html>"""


@pytest.fixture(scope="module")
def letter(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A letter as LibreOffice exports it."""
    office = shutil.which("soffice")
    if office is None:
        pytest.skip("LibreOffice is not installed")
    folder = tmp_path_factory.mktemp("office")
    (folder / "carta.html").write_text(LETTER, encoding="utf-8")
    tagged = '{"UseTaggedPDF":{"type":"boolean","value":"true"}}'
    command = [office, "--headless", f"-env:UserInstallation={(folder / 'home').as_uri()}"]
    command += ["--infilter=HTML (StarWriter)", "--convert-to", f"pdf:writer_pdf_Export:{tagged}"]
    subprocess.run([*command, "--outdir", str(folder), str(folder / "carta.html")], check=True, capture_output=True)
    return (folder / "carta.pdf").read_bytes()


def test_a_letter_of_libreoffice(letter: bytes, tmp_path: Path) -> None:
    text = texts_of(letter, "a.pdf")[0]
    assert text.startswith("Informe de alta: Ana Muñoz Íñiguez")
    assert "Paciente: Ana Muñoz Íñiguez, de 70 años, NHC 7654321. Vive en Lugo" in text
    assert re.search(r"Nombre\s+Ana Muñoz Íñiguez\s+NHC\s+7654321", text)
    copy, account = anonymized(letter, "a.pdf", NAMES)
    pdfs.check(copy, tmp_path)
    assert pdfs.left(copy, PLANTED, tmp_path) == []
    assert account.failures == []
    before, after = (" ".join(pdfs.shown(each, tmp_path).split()) for each in (letter, copy))
    for replaced, replacement in NAMES.items():
        before = before.replace(replaced, replacement)
    assert after.replace(" ", "") == before.replace(" ", "")


def report() -> bytes:
    """Reports of reportlab: justified paragraphs over several pages, a table, a header on every page."""
    file = io.BytesIO()
    style = getSampleStyleSheet()["BodyText"]
    style.alignment = 4
    line = "La paciente <b>Ana</b> Muñoz Íñiguez (NHC 7654321), natural de Lugo, fue vista hoy por última vez. "
    table = Table([["Nombre", "NHC", "Lugar"], ["Ana Muñoz Íñiguez", "7654321", "Lugo"]])

    def header(canvas: Canvas, _: object) -> None:
        canvas.drawString(50, 820, "Ana Muñoz Íñiguez")

    document = SimpleDocTemplate(file, pagesize=A4, title="Ana Muñoz Íñiguez", author="Dr. Gil", invariant=1)
    story = [table, *(Paragraph(line * 5 + str(n), style) for n in range(20))]
    document.build(story, onFirstPage=header, onLaterPages=header)
    return file.getvalue()


def test_a_report_with_justified_lines_and_a_table(tmp_path: Path) -> None:
    content = report()
    text = texts_of(content, "a.pdf")[0]
    assert "Nombre\tNHC\tLugar\nAna Muñoz Íñiguez 7654321 Lugo" in text
    words = " ".join(text.split())
    # The header of the second page stands in the middle of one of a hundred sentences.
    assert words.count("La paciente Ana Muñoz Íñiguez (NHC 7654321), natural de Lugo, fue vista hoy") == 99
    copy, account = anonymized(content, "a.pdf", NAMES)
    pdfs.check(copy, tmp_path)
    assert pdfs.left(copy, (*PLANTED, "Dr. Gil"), tmp_path) == []
    assert account.failures == []


def test_a_run_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "informe.pdf").write_bytes(report())
    [done] = run_files([tmp_path / "informe.pdf"], tmp_path / "out")
    assert (done.title, done.texts, done.account.uncovered) == ("a PDF document", 1, [])
    copy = (tmp_path / "out/informe.pdf").read_bytes()
    assert pdfs.left(copy, ("7654321",), tmp_path) == []
