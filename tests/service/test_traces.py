"""Records for an operator: refused requests, reads, exports of originals, restores."""

from __future__ import annotations

import json
import logging
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from nadie.service.monitoring import ACCESS, AUDIT
from nadie.service.tokens import new_token, write_tokens

from .conftest import MakeClient

DOCUMENT = {"name": "a.txt", "text": "54 años", "spans": []}


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.INFO, logger=ACCESS.name)
    return lambda: [json.loads(record.message) for record in caplog.records if record.name == ACCESS.name]


def rows(folder: Path) -> list[tuple[Any, ...]]:
    with sqlite3.connect(folder / "project.sqlite3") as db:
        return db.execute("SELECT kind, editor, added FROM change WHERE document = 0").fetchall()


def test_refused_requests_and_reads_tell_who_what_and_where(
    make_client: MakeClient, tmp_path: Path, lines: Any
) -> None:
    secret, token = new_token("lectora", ["annotate"])
    reviewer, second = new_token("maría", ["review"])
    late, third = new_token("rosa", ["review"], datetime.now(UTC) - timedelta(seconds=1))
    write_tokens(tmp_path / "tokens.json", {"lectora": token, "maría": second, "rosa": third})
    client = make_client(tokens=tmp_path / "tokens.json", project=tmp_path / "review")
    path = "/v1/project/documents/77"
    client.get(path)
    client.get(path, headers={"Authorization": f"Bearer {secret}"})
    client.get(path, headers={"Authorization": f"Bearer {reviewer}"})
    client.get(path, headers={"Authorization": f"Bearer {late}"})
    wrong, forbidden, read, expired = lines()[-4:]
    template = "/v1/project/documents/{document}"
    assert [line["route"] for line in (wrong, forbidden, read)] == [template] * 3
    assert (wrong["status"], wrong["caller"], wrong["address"]) == (401, "-", "testclient")
    assert (forbidden["status"], forbidden["caller"], forbidden["address"]) == (403, "lectora", "testclient")
    assert (read["caller"], read["document"]) == ("maría", 77)
    assert (expired["status"], expired["caller"]) == (401, "rosa"), "who it was is known, although it is too late"


def test_a_path_that_no_route_has_is_not_logged(make_client: MakeClient, lines: Any) -> None:
    client = make_client()
    client.get("/Lucía-Prado")
    assert lines()[-1]["route"] == "(none)"


def test_exports_are_in_the_change_log(make_client: MakeClient, tmp_path: Path) -> None:
    folder = tmp_path / "review"
    client = make_client(project=folder)
    for number in range(2):
        client.post("/v1/project/documents", json={**DOCUMENT, "name": f"{number}.txt"})
    client.post("/v1/project/export", json={"plan": {"parts": ["anonymized"]}})
    client.post("/v1/project/export", json={"plan": {"parts": ["anonymized", "brat"]}})
    client.post("/v1/export", json={"documents": [DOCUMENT], "plan": {"parts": ["jsonl"]}})
    assert [(kind, editor, json.loads(detail)) for kind, editor, detail in rows(folder)] == [
        ("exported", "local", {"parts": ["anonymized"], "count": 2}),
        ("exported", "local", {"parts": ["anonymized", "brat"], "count": 2}),
        ("exported", "local", {"parts": ["jsonl"], "count": 1}),
    ]


def test_restores_are_in_the_change_log(make_client: MakeClient, tmp_path: Path) -> None:
    (tmp_path / "passphrase").write_bytes(b"tres tristes tigres comen trigo")
    secret, token = new_token("archivo", ["annotate", "keep", "restore"])
    write_tokens(tmp_path / "tokens.json", {"archivo": token})
    folder = tmp_path / "review"
    vault = {"vault": tmp_path / "notes.vault", "vault_key_file": tmp_path / "passphrase"}
    client = make_client(project=folder, tokens=tmp_path / "tokens.json", **vault)
    client.headers["Authorization"] = f"Bearer {secret}"
    kept = client.post("/v1/anonymize", json={"text": "54 años", "keep": True}).json()["text"]
    assert client.post("/v1/restore", json={"text": "never kept"}).status_code == 422
    assert rows(folder) == [], "what was not restored is not recorded as restored"
    assert client.post("/v1/restore", json={"text": kept}).status_code == 200
    lines = f"{json.dumps({'text': kept})}\n" * 3
    client.post("/v1/restore/batch", content=lines, headers={"Content-Type": "application/x-ndjson"})
    assert [(kind, editor, json.loads(detail)["count"]) for kind, editor, detail in rows(folder)] == [
        ("restored", "archivo", 1),
        ("restored", "archivo", 3),
    ]


def test_without_a_project_the_log_tells_who_took_originals(
    make_client: MakeClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=AUDIT.name)
    make_client().post("/v1/export", json={"documents": [DOCUMENT], "plan": {"parts": ["brat", "jsonl"]}})
    [line] = [json.loads(record.message) for record in caplog.records if record.name == AUDIT.name]
    assert line == {"event": "exported", "caller": "local", "parts": ["brat", "jsonl"], "count": 1}


def test_health_routes_answer_to_head(make_client: MakeClient) -> None:
    client = make_client()
    for path in ("/health", "/ready"):
        assert (client.head(path).status_code, client.head(path).content) == (200, b"")
