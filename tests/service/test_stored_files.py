"""Files stored by a project: they are exported in their own format, and deleted with their documents."""

from __future__ import annotations

import base64
import io
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from PIL import Image
from starlette.testclient import TestClient

from nadie.service.project import stored_files
from nadie.service.tokens import new_token, write_tokens

from .browsing import Tab
from .conftest import MakeClient
from .test_documents import opened, post
from .test_originals import FILES
from .test_page_originals import TYPE, letter
from .test_page_scan import scan

PAGE = b"<html><body><p>Paciente: Luc\xc3\xada Prado Ferrer, de 54 a\xc3\xb1os.</p></body></html>"


@pytest.fixture
def project(make_client: MakeClient, tmp_path: Path) -> TestClient:
    return make_client(project=tmp_path / "review")


def taken_in(client: TestClient, name: str, content: bytes) -> tuple[dict[str, Any], list[int]]:
    """The file and the ids of its documents, which are in the project now."""
    ids = []
    for each in opened(client, name, content).json():
        added = post(client, "/v1/project/documents", name=each["name"], text=each["text"])
        ids.append(added.json()["id"])
    return {"name": name, "content": base64.b64encode(content).decode()}, ids


def kept(client: TestClient, name: str, content: bytes) -> list[int]:
    file, ids = taken_in(client, name, content)
    assert post(client, "/v1/project/files", file=file, documents=ids).status_code == 204
    return ids


def test_a_kept_file_comes_back_with_what_was_reviewed(project: TestClient, tmp_path: Path) -> None:
    ids = kept(project, "carta.docx", FILES["carta.docx"]())
    [entry] = project.get("/v1/project/documents").json()
    assert entry["file"] is not None
    stored = project.get(f"/v1/project/documents/{ids[0]}").json()
    [age] = [span for span in stored["spans"] if span["label"] == "EDAD_SUJETO_ASISTENCIA"]
    chosen = {"start": age["start"], "end": age["end"], "text": "de mediana edad"}
    assert project.put(f"/v1/project/documents/{ids[0]}/replacement", json=chosen).status_code == 200
    answer = post(project, "/v1/project/export/original", documents=ids)
    assert (answer.status_code, answer.headers["X-Nadie-Failed"]) == (200, "0")
    made = docx.Document(io.BytesIO(answer.content))
    assert made.paragraphs[0].text == "Paciente: [NOMBRE_SUJETO_ASISTENCIA], de de mediana edad."
    assert oct((tmp_path / "review" / "project.sqlite3").stat().st_mode)[-3:] == "600"


def test_notes_of_one_patient_agree_in_their_files(project: TestClient) -> None:
    ids = [*kept(project, "a.html", PAGE), *kept(project, "b.html", PAGE)]
    assert project.put("/v1/project/patients", json={"documents": ids, "patient": "P1"}).status_code == 204
    answer = post(project, "/v1/project/export/original", documents=ids, policy="research")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        first, second = (archive.read(name) for name in archive.namelist())
    assert first == second
    assert b"Prado" not in first


def test_only_whole_files_are_written_and_others_are_not_found(project: TestClient) -> None:
    table = "nota;peso\r\nPaciente: Lucía Prado.;70\r\nPaciente: Berta Solís.;60\r\n".encode()
    ids = kept(project, "notas.csv", table)
    assert len(ids) == 2, "each row is a document"
    assert post(project, "/v1/project/export/original", documents=ids[:1]).status_code == 404
    assert b"Prado" not in post(project, "/v1/project/export/original", documents=ids).content


def test_a_file_goes_with_the_first_of_its_documents(project: TestClient, tmp_path: Path) -> None:
    ids = kept(project, "carta.html", PAGE)
    assert project.delete(f"/v1/project/documents/{ids[0]}").status_code == 204
    assert post(project, "/v1/project/export/original", documents=ids).status_code == 404
    files = (tmp_path / "review").glob("project.sqlite3*")
    assert not any(PAGE in file.read_bytes() for file in files)


def test_a_file_with_other_texts_is_not_written(project: TestClient) -> None:
    file, ids = taken_in(project, "carta.html", PAGE)
    file["content"] = base64.b64encode(PAGE.replace(b"Prado", b"Casas")).decode()
    assert post(project, "/v1/project/files", file=file, documents=ids).status_code == 204
    answer = post(project, "/v1/project/export/original", documents=ids)
    assert answer.headers["X-Nadie-Failed"] == "1"
    assert b"Casas" not in answer.content


def test_what_cannot_be_kept_is_refused(project: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    file, ids = taken_in(project, "carta.html", PAGE)
    assert post(project, "/v1/project/files", file=file, documents=[99]).status_code == 404
    assert post(project, "/v1/project/files", file=file, documents=[*ids, *ids]).status_code == 422
    monkeypatch.setattr(stored_files, "MOST_BYTES", 10)
    assert post(project, "/v1/project/files", file=file, documents=ids).status_code == 413
    assert project.get("/v1/project/documents").json()[0]["file"] is None


def test_a_word_letter_comes_back_after_a_reload(tab: Tab, tmp_path: Path) -> None:
    tab.page.set_input_files("#file-input", [{"name": "carta.docx", "mimeType": TYPE, "buffer": letter()}])
    tab.page.wait_for_selector("#editor:not([hidden])")
    tab.page.wait_for_function(
        "async () => (await (await fetch('/v1/project/documents')).json()).every(({ file }) => file)"
    )
    tab.page.reload()
    tab.page.wait_for_selector("#editor:not([hidden])")
    tab.page.click("#export")
    assert tab.page.is_checked("input[value=original]")
    copy = tab.download("dialog button[type=submit]", tmp_path)
    assert docx.Document(str(copy)).paragraphs[0].text == "Paciente: [NOMBRE_SUJETO_ASISTENCIA]"


def test_boxes_of_scanned_pages_are_stored_and_painted(project: TestClient) -> None:
    file, [id] = taken_in(project, "hoja.png", scan())  # noqa: A001
    assert project.get(f"/v1/project/documents/{id}/pages").status_code == 404
    assert post(project, "/v1/project/files", file=file, documents=[id], scanned=True).status_code == 204
    assert [entry["scanned"] for entry in project.get("/v1/project/documents").json()] == [True]
    shown = project.get(f"/v1/project/documents/{id}/pages").json()
    assert [page["number"] for page in shown["pages"]] == [1]
    assert (shown["boxes"], shown["version"]) == ([], 1)
    box = {"page": 1, "left": 0.0, "top": 0.0, "right": 0.5, "bottom": 1.0, "kept": False}
    path = f"/v1/project/documents/{id}/boxes"
    assert project.put(path, json={"boxes": [box], "version": 1}).json() == {"version": 2}
    refused = project.put(path, json={"boxes": [], "version": 1})
    assert (refused.status_code, refused.json()["version"]) == (409, 2)
    assert project.get(f"/v1/project/documents/{id}/pages").json()["boxes"] == [box]
    reviewed = {"state": "reviewed", "version": 1}
    assert project.put(f"/v1/project/documents/{id}/state", json=reviewed).status_code == 200
    states = []
    for version, boxes in ((2, [box]), (3, [box | {"kept": True}]), (4, [box])):
        assert project.put(path, json={"boxes": boxes, "version": version}).status_code == 200
        states.append(project.get(f"/v1/project/documents/{id}").json()["state"])
    assert states == ["reviewed", "todo", "todo"], "other boxes are to be reviewed, the same are not"
    copy = Image.open(io.BytesIO(post(project, "/v1/project/export/original", documents=[id]).content))
    assert copy.crop((0, 0, copy.width // 2, copy.height)).getextrema() == (0, 0)
    assert project.get("/v1/project/log").json()[1]["detail"] == {"painted": 1, "kept": 0}
    assert project.delete(f"/v1/project/documents/{id}").status_code == 204
    assert project.get(f"/v1/project/documents/{id}/pages").status_code == 404


def test_boxes_are_changed_by_who_may_change_all_documents_of_the_file(make_client: MakeClient, tmp_path: Path) -> None:
    made = {name: new_token(name, [role]) for name, role in {"ana": "review", "jefa": "administer"}.items()}
    write_tokens(tmp_path / "tokens.json", {name: token for name, (_, token) in made.items()})
    client = make_client(tokens=tmp_path / "tokens.json", project=tmp_path / "review")
    ana, jefa = ({"Authorization": f"Bearer {made[name][0]}"} for name in ("ana", "jefa"))
    ids = [
        client.post("/v1/project/documents", json={"name": "hoja", "text": text}, headers=jefa).json()["id"]
        for text in ("Acude hoy.", "Acude ayer.")
    ]
    file = {"name": "hoja.png", "content": base64.b64encode(scan()).decode()}
    body = {"file": file, "documents": ids, "scanned": True}
    assert client.post("/v1/project/files", json=body, headers=jefa).status_code == 204
    assign = {"documents": ids[:1], "reviewer": "jefa"}
    assert client.put("/v1/project/assignments", json=assign, headers=jefa).status_code == 204
    box = {"page": 1, "left": 0.0, "top": 0.0, "right": 1.0, "bottom": 1.0, "kept": True}
    path, boxes = f"/v1/project/documents/{ids[1]}/boxes", {"boxes": [box], "version": 1}
    assert client.put(path, json=boxes, headers=ana).status_code == 403, "the page has a document of somebody else"
    assert client.put(path, json=boxes, headers=jefa).json() == {"version": 2}
