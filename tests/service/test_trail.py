"""The change log: who did what, deletions and exports included, in a chain that shows what was taken out."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from nadie.document import Span
from nadie.errors import ConfigError
from nadie.service.project import backup, trail
from nadie.service.project.store import Project, open_project

from .conftest import MakeClient

A = Span(0, 3, "NOMBRE_SUJETO_ASISTENCIA")


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "review")


def checked(project: Project, *heads: str) -> trail.Checked:
    with project.reading() as db:
        return trail.check(db, heads)


def test_a_deletion_is_the_deed_of_who_deletes(make_client: MakeClient, tmp_path: Path) -> None:
    client: TestClient = make_client(project=tmp_path / "review")
    project = open_project(tmp_path / "review")
    stored = project.add("a", "Ana Ruiz", [A], model="m", editor="maria")
    client.delete(f"/v1/project/documents/{stored.id}")
    client.put("/v1/project/patients/rule", json={"rule": "folder"})
    client.post("/v1/project/export", json={})
    log = client.get("/v1/project/log").json()
    assert [(each["kind"], each["editor"]) for each in log] == [
        ("exported", "local"), ("patients", "local"), ("deleted", "local"), ("added", "maria"),
    ]  # fmt: skip
    assert log[2]["document"] == stored.id
    assert "Ana" not in json.dumps(log)
    older = client.get("/v1/project/log", params={"before": log[1]["id"], "limit": 1}).json()
    assert [each["kind"] for each in older] == ["deleted"]
    assert checked(project).broken_at == 0
    assert checked(project).head == log[0]["hash"]


def filled(project: Project) -> sqlite3.Connection:
    for name in "abcd":
        project.add(name, "Ana Ruiz", [A], model="m", editor="e")
    return sqlite3.connect(project.folder / "project.sqlite3")


@pytest.mark.parametrize(
    ("damage", "broken_at"),
    [
        ("DELETE FROM change WHERE id = 2", 2),
        ("UPDATE change SET editor = 'x' WHERE id = 3", 3),
        ("UPDATE change SET at = '2020-01-01' WHERE id = 1", 1),
        ("DELETE FROM change WHERE id = 1; UPDATE change SET id = id - 1", 1),
        ("DELETE FROM change WHERE id = 4", 4),
    ],
)
def test_what_was_taken_out_or_changed_shows(project: Project, damage: str, broken_at: int) -> None:
    db = filled(project)
    assert checked(project) == trail.Checked(4, checked(project).head)
    db.executescript(damage)
    assert checked(project).broken_at == broken_at


def test_a_log_that_was_computed_again_does_not_match_the_one_of_the_service(project: Project) -> None:
    db = filled(project)
    head = checked(project).head
    db.executescript("DELETE FROM change WHERE id = 4; UPDATE sqlite_sequence SET seq = 3 WHERE name = 'change'")
    assert checked(project).broken_at == 0
    assert checked(project, head).broken_at == 4


def test_a_project_of_the_first_version_gets_its_chain(project: Project) -> None:
    db = filled(project)
    db.executescript("ALTER TABLE change DROP COLUMN hash; PRAGMA user_version = 1")
    again = open_project(project.folder)
    assert checked(again) == trail.Checked(4, checked(again).head)
    again.add("e", "Ana", [A], model="m", editor="e")
    assert checked(again).entries == 5


def test_a_newer_project_is_refused(project: Project) -> None:
    db = filled(project)
    db.executescript("PRAGMA user_version = 3")
    with pytest.raises(ConfigError, match="use a newer nadie"):
        open_project(project.folder)


def test_a_backup_of_a_live_project_is_restored_and_checked(project: Project, tmp_path: Path) -> None:
    stored = project.add("a", "Ana Ruiz", [A], model="m", editor="e")
    project.set_state(stored.id, "reviewed", 1, "e")
    (project.folder / "key").write_text("una clave")
    before = project.get(stored.id)
    with project.writing() as db:  # somebody is in the middle of a change
        db.execute("UPDATE document SET editor = 'x'")
        state = backup.back_up(project.folder, tmp_path / "copia.tar.gz")
    assert (tmp_path / "copia.tar.gz").stat().st_mode & 0o077 == 0
    assert backup.restore(tmp_path / "copia.tar.gz", tmp_path / "otra") == state
    again = open_project(tmp_path / "otra")
    assert again.get(stored.id) == before
    assert {file.name for file in (tmp_path / "otra" / "training").iterdir()} == {"000001.ann", "000001.txt"}
    assert (tmp_path / "otra" / "key").read_text() == "una clave"
    assert backup.check(tmp_path / "otra", (state.head,)).broken_at == 0
    assert backup.check(tmp_path / "otra", ("0" * 64,)).broken_at
    with pytest.raises(ConfigError, match="not empty"):
        backup.restore(tmp_path / "copia.tar.gz", tmp_path / "otra")
    with pytest.raises(ConfigError):
        backup.back_up(tmp_path / "none", tmp_path / "x")
    with pytest.raises(ConfigError):
        backup.restore(project.folder / "key", tmp_path / "nueva")
