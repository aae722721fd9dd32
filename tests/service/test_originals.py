"""Reviewed files exported in their own format, opened with other programs and searched for replaced values."""

from __future__ import annotations

import base64
import csv
import io
import json
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import docx
import numpy as np
import openpyxl
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas
from starlette.testclient import TestClient

from nadie.service.options import Limits

from .conftest import MakeClient
from .test_documents import opened, post

NOTE = "Paciente: Lucía Prado Ferrer, de 54 años. Ingresa por disnea."
VALUES = ("Lucía", "Prado")


@pytest.fixture(scope="module")
def client(make_client: MakeClient) -> TestClient:
    return make_client(limits=Limits(seconds=60.0))


def word() -> bytes:
    made = docx.Document()
    paragraph = made.add_paragraph("Paciente: Lucía ")
    paragraph.add_run("Prado").bold = True
    paragraph.add_run(" Ferrer, de 54 años.")
    made.add_table(1, 2).cell(0, 0).text = "Juicio clínico"
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def pdf() -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file)
    canvas.drawString(50, 700, NOTE)
    canvas.save()
    return file.getvalue()


def workbook() -> bytes:
    book = openpyxl.Workbook()
    for row in (["nota", "peso"], [NOTE, 70.5]):
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


FILES: dict[str, Callable[[], bytes]] = {
    "carta.docx": word,
    "informe.pdf": pdf,
    "notas.xlsx": workbook,
    "notas.csv": lambda: f'nota;peso\r\n"{NOTE}";70,5\r\n'.encode(),
    "carta.rtf": lambda: rb"{\rtf1\ansi Paciente: Luc\'eda {\b Prado} Ferrer, de 54 a\'f1os.\par}",
    "carta.html": lambda: f"<html><body><p>{NOTE.replace('Prado', 'P<b>rado</b>')}</p></body></html>".encode(),
}


def reviewed(client: TestClient, name: str, content: bytes) -> dict[str, Any]:
    """The file with the spans that are found in its documents, as the page sends it."""
    documents = []
    for each in opened(client, name, content).json():
        assert each["format"] == Path(name).suffix[1:]
        found = post(client, "/v1/annotate", text=each["text"], fields=each["fields"]).json()
        documents.append({"name": each["name"], "spans": found["spans"]})
    return {"file": {"name": name, "content": base64.b64encode(content).decode()}, "documents": documents}


@pytest.mark.parametrize("name", FILES)
def test_a_file_comes_back_in_its_own_format(client: TestClient, name: str, tmp_path: Path) -> None:
    content = FILES[name]()
    answer = post(client, "/v1/export/original", files=[reviewed(client, name, content)])
    assert (answer.status_code, answer.headers["X-Nadie-Failed"]) == (200, "0")
    assert answer.headers["Content-Disposition"] == f"attachment; filename*=UTF-8''0001{Path(name).suffix}"
    (tmp_path / name).write_bytes(answer.content)
    told = text_of(tmp_path / name)
    assert "Paciente: " in told
    assert not any(value in told or value.encode() in answer.content for value in VALUES)


def text_of(file: Path) -> str:
    """What another program reads in the file."""
    if file.suffix == ".docx":
        made = docx.Document(str(file))
        assert made.tables[0].cell(0, 0).text == "Juicio clínico"
        return "\n".join(paragraph.text for paragraph in made.paragraphs)
    if file.suffix == ".pdf":
        return subprocess.run(["pdftotext", file, "-"], capture_output=True, check=True, text=True).stdout
    if file.suffix == ".xlsx":
        [_, [note, weight]] = openpyxl.load_workbook(file).active.iter_rows(values_only=True)
        assert weight == 70.5
        return str(note)
    if file.suffix == ".csv":
        [_, [note, weight]] = csv.reader(io.StringIO(file.read_text(encoding="utf-8")), delimiter=";")
        assert weight == "70,5"
        return note
    return file.read_text(encoding="latin-1")


def test_spans_that_a_person_removed_stay_and_several_files_are_an_archive(client: TestClient) -> None:
    kept = reviewed(client, "a.html", FILES["carta.html"]())
    kept["documents"][0]["spans"] = []
    wrong = reviewed(client, "b.html", FILES["carta.html"]())
    wrong["documents"] = []
    answer = post(client, "/v1/export/original", files=[kept, wrong], numbered=False)
    assert answer.headers["X-Nadie-Failed"] == "1"
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["anonimizado/a.html", "NO-ANONIMIZADOS.txt"]
        assert archive.read("anonimizado/a.html") == FILES["carta.html"]()
        assert b"not those that were reviewed" in archive.read("NO-ANONIMIZADOS.txt")


def test_what_was_not_searched_is_listed(client: TestClient) -> None:
    page = b"<html><body><p>Acude hoy.</p><img src='data:image/png;base64,AAAA'></body></html>"
    answer = post(client, "/v1/export/original", files=[reviewed(client, "a.html", page)])
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.read("NO-REVISADO.txt") == b"0001.html, part 1: the data inside <img> are not changed\n"


def test_health_records_keep_their_ids_together(client: TestClient) -> None:
    record = {"resourceType": "Patient", "id": "prado", "name": [{"family": "Prado", "given": ["Lucía"]}]}
    note = {"resourceType": "Observation", "subject": {"reference": "Patient/prado"}, "valueString": NOTE}
    bundle = {"resourceType": "Bundle", "entry": [{"resource": record}, {"resource": note}]}
    request = reviewed(client, "a.fhir", json.dumps(bundle).encode())
    answer = post(client, "/v1/export/original", files=[request]).content
    assert not any(value.encode() in answer for value in VALUES)
    patient, observation = (entry["resource"] for entry in json.loads(answer)["entry"])
    assert observation["subject"]["reference"] == f"Patient/{patient['id']}"
    assert post(client, "/v1/export/original", files=[request]).content == answer


def test_a_numbered_archive_has_no_name_of_a_file_or_a_sheet(client: TestClient) -> None:
    book = openpyxl.Workbook()
    book.active.title = "Lucia Prado"
    book.active.append(["nota"])
    book.active.append(["Acude hoy por tos."])
    content = io.BytesIO()
    book.save(content)
    files = [
        reviewed(client, "Lucia Prado.xlsx", content.getvalue()),
        reviewed(client, "Berta Solis.html", b"<p>Acude hoy.</p>"),
    ]
    files[1]["documents"] = []
    answer = post(client, "/v1/export/original", files=files)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["anonimizado/0001.xlsx", "NO-ANONIMIZADOS.txt"]
        listed = archive.read("NO-ANONIMIZADOS.txt").decode()
        assert listed
        assert "Solis" not in listed
        assert "Prado" not in str(openpyxl.load_workbook(io.BytesIO(archive.read("anonimizado/0001.xlsx"))).sheetnames)
    texts: list[dict[str, Any]] = [
        {"name": "Lucia Prado.txt", "text": "Ana", "spans": []},
        {"name": "a", "text": "rotura " * 3, "spans": []},
    ]
    texts[0]["spans"] = [{"start": 0, "end": 3, "label": "NOMBRE_SUJETO_ASISTENCIA"}]
    texts[0]["replacements"] = [{"start": 0, "end": 3, "text": "Ana"}]
    answer = post(client, "/v1/export", documents=texts)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["anonimizado/0002.txt", "NO-ANONIMIZADOS.txt"]
        assert archive.read("NO-ANONIMIZADOS.txt") == b"0001\n"


def test_reviewed_boxes_of_a_scan(client: TestClient) -> None:
    """On a page that lies on its side: a box of the reviewer is painted, and a graphic that is to be kept stays."""
    image = Image.new("L", (600, 900), 255)
    draw = ImageDraw.Draw(image)
    draw.text((60, 60), "Ingresa por neumonía.", fill=0, font=ImageFont.load_default(30))
    draw.text((60, 110), "No alergias conocidas a medicamentos.", fill=0, font=ImageFont.load_default(30))
    draw.rectangle((300, 600, 500, 800), fill=70)
    turned = image.rotate(90, expand=True)
    packed = io.BytesIO()
    turned.save(packed, "PNG")
    file = {"name": "a.png", "content": base64.b64encode(packed.getvalue()).decode()}
    [page] = post(client, "/v1/pages", **file).json()["pages"]
    assert base64.b64decode(page["image"]).startswith(b"\xff\xd8")
    assert page["words"]
    [document] = post(client, "/v1/open", **file).json()
    start, end, left, top, right, bottom = page["words"][0]
    assert document["text"][start:end] == "Ingresa"
    assert (left, right) == pytest.approx((60 / 900, 90 / 900), abs=0.03)
    assert (top, bottom) == pytest.approx((1 - 170 / 600, 1 - 60 / 600), abs=0.03)
    edges = ("left", "top", "right", "bottom")
    assert page["graphics"]
    kept = [{"page": 1, **dict(zip(edges, each, strict=True)), "kept": True} for each in page["graphics"]]
    drawn = {"page": 1, "left": left, "top": top, "right": right, "bottom": bottom}
    files = [{"file": file | {"boxes": [*kept, drawn]}, "documents": [{"name": "a.png", "spans": []}]}]
    answer = post(client, "/v1/export/original", files=files)
    assert answer.status_code == 200, answer.text
    pixels = np.array(Image.open(io.BytesIO(answer.content)).rotate(-90, expand=True))
    assert not pixels[74:84, 70:150].any()
    assert (pixels[610:790, 310:490] == 70).all()


@pytest.mark.parametrize("name", ["Informe.Iturbe", "HC.12345678", "nota.Prado\n", "a.b/Solis.Casas"])
def test_what_follows_a_dot_is_no_suffix_because_of_that(client: TestClient, name: str) -> None:
    content = base64.b64encode(b"Acude hoy.").decode()
    file = {"file": {"name": name, "content": content}, "documents": [{"name": name, "spans": []}]}
    answer = post(client, "/v1/export/original", files=[file])
    assert unquote(answer.headers["Content-Disposition"]).endswith("''0001")
    form = client.post("/v1/anonymize/file", files={"file": (name.strip(), b"Acude hoy.")})
    assert form.headers["Content-Disposition"].endswith("''0001")
