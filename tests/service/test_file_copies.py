"""`/v1/anonymize/file`: a file in, its anonymized copy out, as a form."""

from __future__ import annotations

import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from PIL import Image
from starlette.testclient import TestClient

from nadie.service.options import Limits
from nadie.service.tokens import new_token, write_tokens

from .conftest import NOTE, MakeClient

PATH = "/v1/anonymize/file"


@pytest.fixture(scope="module")
def client(make_client: MakeClient) -> TestClient:
    return make_client()


def letter(*, with_picture: bool = False) -> bytes:
    made = docx.Document()
    made.add_paragraph("Paciente: Lucía ").add_run("Prado").bold = True
    if with_picture:
        picture = io.BytesIO()
        Image.new("RGB", (80, 40), "white").save(picture, "PNG")
        made.add_picture(picture)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def send(client: TestClient, content: bytes, name: str = "Prado, Lucia.docx", **fields: str) -> Any:
    return client.post(PATH, files={"file": (name, content)}, data=fields)


def test_a_word_letter_comes_back_as_one(client: TestClient) -> None:
    answer = send(client, letter())
    assert (answer.status_code, answer.headers["X-Nadie-Failed"]) == (200, "0")
    assert answer.headers["Content-Disposition"] == "attachment; filename*=UTF-8''0001.docx"
    made = docx.Document(io.BytesIO(answer.content))
    assert made.paragraphs[0].text == "Paciente: [NOMBRE_SUJETO_ASISTENCIA]"


def test_a_text_and_a_policy(client: TestClient) -> None:
    answer = send(client, NOTE.encode(), "nota.txt", policy="research", model="probe")
    assert answer.status_code == 200
    assert "Lucía" not in answer.text
    assert "[NOMBRE" not in answer.text
    utf16 = send(client, NOTE.encode("utf-16"), "nota.txt")
    assert "[NOMBRE_SUJETO_ASISTENCIA]" in utf16.text


def test_a_table_with_a_column_of_patients(client: TestClient) -> None:
    table = "nhc,informe\n7712904,Ingresa el 03/01/2024 con tos y fiebre desde hace unos días\n"
    answer = send(client, table.encode(), "t.csv", patient_field="nhc")
    assert answer.status_code == 200
    assert "7712904" not in answer.text
    assert "03/01/2024" not in answer.text
    lacks = send(client, table.encode(), "t.csv", patient_field="otra")
    assert lacks.status_code == 422


def test_what_was_not_searched_is_listed_beside_the_copy(client: TestClient) -> None:
    answer = send(client, letter(with_picture=True))
    assert answer.status_code == 200
    if answer.headers["Content-Type"] == "application/zip":
        archive = zipfile.ZipFile(io.BytesIO(answer.content))
        assert sorted(archive.namelist()) == ["NO-REVISADO.txt", "anonimizado/0001.docx"]
        assert "Prado" not in archive.read("NO-REVISADO.txt").decode()


@pytest.mark.parametrize(
    ("files", "data", "status"),
    [
        ({}, {"policy": "default"}, 415),
        ({"otro": ("a.txt", b"x")}, {}, 422),
        ({"file": ("a.txt", b"x")}, {"secreto": "x"}, 422),
        ({"file": ("a.txt", b"x")}, {"policy": "none"}, 422),
        ({"file": ("a.txt", b"x"), "policy": ("b.txt", b"x")}, {}, 400),
        ({"file": ("nota.txt", b"Rar!\x1a\x07\x01\x00 Paciente")}, {}, 422),
    ],
)
def test_a_form_that_is_none(client: TestClient, files: Any, data: dict[str, str], status: int) -> None:
    answer = client.post(PATH, files=files, data=data)
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("body", [b"", b"--x\r\n\r\n", b"--x\r\nContent-Disposition: form-data\r\n\r\nPrado\r\n--x--"])
def test_a_body_that_is_no_form(client: TestClient, body: bytes) -> None:
    for kind in ("multipart/form-data; boundary=x", "multipart/form-data", "multipart/form-data; boundary=é"):
        answer = client.post(PATH, content=body, headers={b"Content-Type": kind.encode()})
        assert answer.status_code in (400, 422), (kind, answer.text)
        assert "Prado" not in answer.text


def test_another_web_site_cannot_send_a_form(client: TestClient) -> None:
    answer = client.post(PATH, files={"file": ("a.txt", b"x")}, headers={"Origin": "https://evil.example"})
    assert answer.status_code == 403


def test_a_large_file_stays_in_memory(make_client: MakeClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object) -> None:
        raise AssertionError("a file was written to the disk")

    monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", refuse)
    text = "Refiere tos seca de varias semanas sin fiebre ni disnea.\n" * 40_000
    answer = send(make_client(), (NOTE + text).encode(), "nota.txt")
    assert answer.status_code == 200
    assert "Lucía" not in answer.text


def test_keyed_values_in_files_are_counted(make_client: MakeClient, tmp_path: Path) -> None:
    secret, token = new_token("sistema", ["annotate", "keyed"])
    write_tokens(tmp_path / "tokens.json", {"sistema": token})
    small = make_client(tokens=tmp_path / "tokens.json", limits=Limits(keyed_values=5))
    small.headers["Authorization"] = f"Bearer {secret}"
    for _ in range(3):
        assert send(small, NOTE.encode(), "n.txt", policy="gdpr-pseudonymise").status_code == 200, "the same values"
    other = NOTE.replace("Prado", "Gil").replace("03/01", "04/02").replace("Montoya", "Ruiz").replace("678", "999")
    refused = send(small, other.encode(), "n.txt", policy="gdpr-pseudonymise")
    assert refused.status_code == 429
    assert refused.json()["type"].endswith("too-many-values")
