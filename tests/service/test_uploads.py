"""Uploaded files: recognised by content, refused by name if unsupported, never left behind."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.files import signatures
from nadie.files.annotated.reading import read_documents
from nadie.files.container import CONTAINERS
from nadie.service.http.page import FOLDER
from nadie.service.schemas import FileBody
from nadie.service.workers import uploads
from nadie.service.workers.uploads import read_upload, remove_leftovers

from .test_documents import opened, post

NOT_TEXT = {
    "rtf": rb"{\rtf1\ansi Paciente: Luc\'eda Prado}",
    "hl7": b"MSH|^~\\&|HIS|H|LAB|L|20240103||ADT^A01|1|P|2.5\rPID|1||7712904||PRADO^LUCIA\r",
    "fhir": b'{"resourceType": "Patient", "name": [{"family": "Prado"}]}',
    "pdf": b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n",
    "image": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
    "eml": b"Received: from a by b\r\nFrom: ana@example.org\r\nMIME-Version: 1.0\r\n\r\nHola\r\n",
}


@pytest.mark.parametrize("kind", NOT_TEXT)
def test_what_is_not_plain_text_is_never_opened_as_that(client: TestClient, kind: str) -> None:
    answer = opened(client, "nota.txt", NOT_TEXT[kind])
    if kind in CONTAINERS.names():
        assert answer.status_code != 200 or all(each["text"].encode() != NOT_TEXT[kind] for each in answer.json()), (
            "its texts, not its bytes"
        )
        return
    assert answer.status_code == 422
    assert answer.json()["type"] == "urn:nadie:problem:unsupported-format"
    assert answer.json()["format"] == kind
    assert b"Prado" not in answer.content


def test_a_name_that_promises_another_format_is_refused(client: TestClient) -> None:
    assert opened(client, "nota.pdf", b"Ingresa hoy.").json()["format"] == "mislabelled"


def test_the_texts_of_a_container_are_opened_with_its_fields(client: TestClient) -> None:
    table = "nombre;nota\nLucía Prado;Acude con 54 años\nBerta Solís;Sin novedad, refiere que duerme bien\n"
    rows = [each for each in opened(client, "notas.csv", table.encode()).json() if "Lucía Prado" in each["text"]]
    assert [(row["spans"], [field["label"] for field in row["fields"]]) for row in rows] == [
        (None, ["NOMBRE_SUJETO_ASISTENCIA"])
    ]
    answer = post(client, "/v1/annotate", text=rows[0]["text"], fields=rows[0]["fields"]).json()
    found = [rows[0]["text"][span["start"] : span["end"]] for span in answer["spans"]]
    assert found == ["Lucía Prado", "54 años"]


def test_an_upload_leaves_nothing_in_the_temporary_folder_even_if_its_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    line = json.dumps({"id": "x", "text": "Lucía Prado", "spans": []}).encode()
    file = FileBody(name="n.jsonl", content=base64.b64encode(line).decode())
    seen: list[list[Path]] = []

    def watched(path: Path, form: str) -> Any:
        seen.append(list(tmp_path.iterdir()))
        return read_documents(path, form)

    monkeypatch.setattr(uploads, "read_documents", watched)
    assert [document.text for document in read_upload(file)] == ["Lucía Prado"]
    assert seen == [[]], "nothing that a killed worker could leave"


def test_what_killed_workers_left_is_removed_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("nadie-abcdefgh", "nadie-new_0000", "nadie-notmine1", "nadie-project"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ("mine.txt" if "notmine" in name else "file.xml")).write_text("Lucía Prado")
    for name in ("nadie-abcdefgh", "nadie-notmine1", "nadie-project"):
        os.utime(tmp_path / name, (0, 0))
    remove_leftovers()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nadie-new_0000", "nadie-notmine1", "nadie-project"]


@pytest.mark.parametrize("language", ["es", "en"])
def test_the_page_has_a_name_for_every_kind_of_file(language: str) -> None:
    strings = (FOLDER / "strings" / f"{language}.js").read_text(encoding="utf-8")
    read_as_documents = {"i2b2", "jsonl"}
    for kind in set(signatures.TITLES) - read_as_documents:
        assert f'    {kind}: "' in strings or f'    "{kind}": "' in strings, kind
