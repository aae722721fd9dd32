"""A project folder: what is stored, and how several people change it without overwriting each other."""

from __future__ import annotations

import io
import json
import sqlite3
import threading
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from nadie.document import Span
from nadie.errors import ConfigError, SpanError
from nadie.files.annotated.reading import read_documents
from nadie.service.merging import Change, ConflictError, checked_spans, merged
from nadie.service.problems import ProblemError
from nadie.service.project.occurrences import marking, occurrences, unmarking
from nadie.service.project.store import Project, open_project

from .conftest import NOTE, MakeClient

CASES = json.loads((Path(__file__).parent / "occurrence_cases.json").read_text(encoding="utf-8"))
NAME, DATE, TOWN = "NOMBRE_SUJETO_ASISTENCIA", "FECHAS", "TERRITORIO"


@pytest.mark.parametrize("case", CASES, ids=[case["words"] for case in CASES])
def test_occurrences(case: dict[str, Any]) -> None:
    assert [list(place) for place in occurrences(case["text"], case["words"])] == case["places"]


@given(st.text(), st.text(min_size=1, max_size=3))
def test_occurrences_are_the_words_themselves_and_apart(text: str, words: str) -> None:
    places = list(occurrences(text, words))
    assert all(end - start == len(words) for start, end in places)
    assert all(before[1] <= after[0] for before, after in pairwise(places))


def test_marking_everywhere_leaves_other_spans_alone() -> None:
    text = "Ana, Ana Ruiz, Ana y Ana"
    spans = [Span(5, 13, NAME), Span(15, 18, TOWN, 0.4)]
    remove, add = marking(text, spans, "Ana", NAME)
    assert remove == (spans[1],)
    assert [(span.start, span.end, span.score) for span in add] == [(0, 3, 1.0), (15, 18, 1.0), (21, 24, 1.0)]
    assert unmarking(text, [*spans, Span(0, 3, NAME)], "ana") == (spans[1], Span(0, 3, NAME))


A, B, C = Span(0, 3, NAME), Span(5, 9, DATE), Span(20, 25, TOWN)


@pytest.mark.parametrize(
    ("now", "remove", "add", "after"),
    [
        ([A, B], [A], [], [B]),
        ([A, B], [], [C], [A, B, C]),
        ([A, B], [A], [Span(0, 4, NAME)], [Span(0, 4, NAME), B]),
        ([A, B], [], [A], [A, B]),
        ([B], [A], [], [B]),  # both took it away
        ([Span(0, 3, TOWN)], [A], [Span(0, 3, TOWN)], [Span(0, 3, TOWN)]),  # both gave it the same type
        ([A, B], [], [Span(0, 4, NAME)], None),
        ([Span(0, 3, TOWN)], [A], [Span(0, 3, DATE)], None),  # each gave it another type
        ([Span(0, 4, NAME)], [A], [], None),  # one moved the border, the other took it away
        ([B], [A], [A], None),  # one took away what the other confirmed
    ],
)
def test_merging(now: list[Span], remove: list[Span], add: list[Span], after: list[Span] | None) -> None:
    change = Change(1, 1, tuple(remove), tuple(add))
    if after is None:
        with pytest.raises(ConflictError):
            merged(now, change, 2)
    else:
        assert list(merged(now, change, 2)) == after


def test_a_confirmed_span_takes_the_new_score() -> None:
    doubtful = Span(0, 3, NAME, 0.3, "probe")
    assert merged([doubtful], Change(1, 1, (doubtful,), (Span(0, 3, NAME, 1.0, "person"),)), 1)[0].score == 1.0


def test_spans_have_to_stand_in_the_text() -> None:
    with pytest.raises(SpanError, match="overlap"):
        checked_spans("Ana Ruiz", [Span(0, 5, NAME), Span(4, 8, NAME)])
    with pytest.raises(SpanError, match="ends after"):
        checked_spans("Ana", [Span(0, 5, NAME)])


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "review")


def test_everything_is_there_after_opening_again(project: Project) -> None:
    added = project.add("nota.txt", "Ana\x00 😀\r\n", [A], model="probe", editor="maria")
    [changed] = project.change([Change(added.id, 1, (A,), (Span(0, 3, TOWN, 1.0, "person"),))], "maria")
    again = open_project(project.folder)
    assert again.get(added.id) == changed
    assert (changed.version, changed.text, changed.editor) == (2, "Ana\x00 😀\r\n", "maria")


def test_files_are_the_owners(project: Project) -> None:
    added = project.add("nota.txt", "Ana", [A], model="probe", editor="maria")
    project.set_state(added.id, "reviewed", 1, "maria")
    assert project.folder.stat().st_mode & 0o077 == 0
    assert (project.folder / "project.sqlite3").stat().st_mode & 0o077 == 0
    assert (project.folder / "training").stat().st_mode & 0o077 == 0


def test_equal_names_are_told_apart(project: Project) -> None:
    names = [project.add("n.txt", "x", [], model="m", editor="e").name for _ in range(3)]
    assert names == ["n.txt", "n.txt (2)", "n.txt (3)"]


def test_reviewed_documents_are_training_data_that_can_be_read(project: Project) -> None:
    one = project.add("a", "Ana Ruiz", [A], model="m", editor="e")
    project.add("b", "nada", [], model="m", editor="e")
    project.set_state(one.id, "reviewed", 1, "e")
    [kept] = read_documents(project.folder / "training")
    assert (kept.text, kept.spans) == ("Ana Ruiz", (A,))
    project.change([Change(one.id, 2, (A,), (Span(0, 8, NAME),))], "e")
    assert list((project.folder / "training").iterdir()) == [], "what changes is no longer reviewed"
    project.set_state(one.id, "reviewed", 3, "e")
    [kept] = read_documents(project.folder / "training")
    assert kept.spans == (Span(0, 8, NAME),)
    project.set_state(one.id, "todo", 4, "e")
    assert list((project.folder / "training").iterdir()) == []


def test_a_reviewed_document_that_changes_is_to_be_reviewed_again(project: Project) -> None:
    one = project.add("a", "Ana Ruiz", [A], model="m", editor="e")
    project.set_state(one.id, "reviewed", 1, "maria")
    [changed] = project.change([Change(one.id, 2, (A,), ())], "e")
    assert (changed.state, project.get(one.id)) == ("todo", changed)
    project.set_state(one.id, "reviewed", 3, "maria")
    [(everywhere, _, before)] = project.change_all(lambda stored: Change(stored.id, stored.version, (), (A,)), "e")
    assert (before, everywhere.state) == ("reviewed", "todo")
    reviewed = project.set_state(one.id, "reviewed", everywhere.version, "maria")
    sure = Span(A.start, A.end, A.label, 1.0, "person")
    [confirmed] = project.change([Change(one.id, reviewed.version, (A,), (sure,))], "e")
    assert (confirmed.state, confirmed.spans[0].source) == ("reviewed", "person"), "confirming is no change"
    [removed] = project.change([Change(one.id, confirmed.version, (A,), ())], "e")
    [back] = project.change([Change(one.id, removed.version, (), (sure,), "reviewed")], "e")
    assert (removed.state, back.state) == ("todo", "reviewed"), "taking it back restores the state"
    [late] = project.change([Change(one.id, removed.version, (A,), (), "reviewed")], "e")
    assert late.state == "todo", "somebody has changed it since"


def test_a_deleted_document_leaves_no_text_behind(project: Project) -> None:
    added = project.add("nota", "Lucía Prado Ferrer", [], model="m", editor="e")
    project.set_state(added.id, "reviewed", 1, "e")
    project.delete(added.id, "e")
    with pytest.raises(ProblemError):
        project.delete(added.id, "e")
    with pytest.raises(ProblemError):
        project.get(added.id)
    assert not any(b"Prado Ferrer" in file.read_bytes() for file in project.folder.rglob("*") if file.is_file())


def test_changes_of_several_documents_are_made_together_or_not_at_all(project: Project) -> None:
    one, two = (project.add(name, "Ana Ruiz", [A], model="m", editor="e") for name in "ab")
    good, bad = Change(one.id, 1, (A,), ()), Change(two.id, 1, (), (Span(0, 8, NAME),))
    before = project.revision()
    with pytest.raises(ConflictError):
        project.change([good, bad], "e")
    assert (project.get(one.id), project.get(two.id), project.revision()) == (one, two, before)


def test_only_who_saw_the_newest_version_can_call_it_reviewed(project: Project) -> None:
    added = project.add("a", "Ana Ruiz", [A], model="m", editor="e")
    project.change([Change(added.id, 1, (A,), ())], "josé")
    with pytest.raises(ConflictError) as conflict:
        project.set_state(added.id, "reviewed", 1, "maria")
    assert conflict.value.version == 2


def test_many_people_at_once_lose_nothing(project: Project) -> None:
    text = "x " * 400
    added = project.add("a", text, [], model="m", editor="e")

    def work(person: int) -> None:
        for place in range(person, 400, 8):
            project.change([Change(added.id, 1, (), (Span(2 * place, 2 * place + 1, DATE),))], f"p{person}")

    threads = [threading.Thread(target=work, args=(person,)) for person in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = project.get(added.id)
    assert stored is not None
    assert (len(stored.spans), stored.version) == (400, 401)


def test_a_folder_that_is_no_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "project.sqlite3").write_bytes(b"this is not a database, but it is long enough to be looked at" * 50)
    with pytest.raises(ConfigError):
        open_project(tmp_path)
    newer = tmp_path / "newer"
    newer.mkdir()
    with sqlite3.connect(newer / "project.sqlite3") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(ConfigError, match="version 99"):
        open_project(newer)


@pytest.fixture
def shared(make_client: MakeClient, tmp_path: Path) -> TestClient:
    return make_client(project=tmp_path / "review")


def added(client: TestClient, name: str = "nota.txt", text: str = NOTE) -> dict[str, Any]:
    answer = client.post("/v1/project/documents", json={"name": name, "text": text})
    assert answer.status_code == 201
    document: dict[str, Any] = answer.json()
    return document


def changes(client: TestClient, document: dict[str, Any], **change: Any) -> Any:
    body = {"document": document["id"], "version": document["version"], **change}
    return client.post("/v1/project/changes", json={"changes": [body]})


def test_without_a_project_nothing_is_kept(client: TestClient) -> None:
    assert client.get("/v1/project").json()["open"] is False
    assert client.post("/v1/project/documents", json={"name": "n", "text": "x"}).status_code == 404


def test_a_document_is_annotated_when_it_comes_in(shared: TestClient) -> None:
    document = added(shared)
    assert (document["version"], document["state"], document["model"]) == (1, "todo", "probe")
    assert len(document["spans"]) == 7
    [entry] = shared.get("/v1/project/documents", params={"doubt": 0.8}).json()
    assert (entry["spans"], entry["doubtful"]) == (7, 3)
    assert shared.get(f"/v1/project/documents/{document['id']}").json() == document
    assert shared.get("/v1/project").json()["documents"] == 1


def test_the_list_is_sent_again_only_when_something_changed(shared: TestClient) -> None:
    document = added(shared)
    tag = shared.get("/v1/project/documents").headers["etag"]
    assert shared.get("/v1/project/documents", headers={"If-None-Match": tag}).status_code == 304
    changes(shared, document, remove=document["spans"][:1])
    assert shared.get("/v1/project/documents", headers={"If-None-Match": tag}).status_code == 200


def test_changes_in_different_places_go_together_and_in_the_same_place_conflict(shared: TestClient) -> None:
    document = added(shared)
    first, second = document["spans"][:2]
    assert changes(shared, document, remove=[first]).json()[0]["merged"] is False
    [merge] = changes(shared, document, remove=[second]).json()
    assert (merge["merged"], merge["version"], len(merge["spans"])) == (True, 3, 5)
    other = {**first, "label": "PROFESION"}
    conflict = changes(shared, document, remove=[first], add=[other])
    assert conflict.status_code == 409
    assert conflict.json()["places"] == [{"start": first["start"], "end": first["end"]}]
    assert conflict.json()["version"] == 3
    state = {"state": "reviewed", "version": 1}
    assert shared.put(f"/v1/project/documents/{document['id']}/state", json=state).status_code == 409


def test_impossible_changes_change_nothing(shared: TestClient) -> None:
    document = added(shared, text="54 años")
    outside = {"start": 5, "end": 99, "label": "FECHAS"}
    apart = [{"start": 0, "end": 2, "label": "FECHAS"}, {"start": 1, "end": 3, "label": "CALLE"}]
    assert changes(shared, document, add=[outside]).status_code in (409, 422)
    assert changes(shared, document, remove=document["spans"], add=apart).status_code == 422
    assert changes(shared, {"id": 99, "version": 1}).status_code == 404
    assert shared.get(f"/v1/project/documents/{document['id']}").json() == document


def test_everywhere_in_all_documents_and_back(shared: TestClient) -> None:
    documents = [added(shared, f"{n}.txt", "El doctor Osuna habló con OSUNA.") for n in range(3)]
    body = {"words": "Osuna", "label": "NOMBRE_PERSONAL_SANITARIO"}
    done = shared.post("/v1/project/everywhere", json=body).json()
    assert [len(change["added"]) for change in done] == [2, 2, 2]
    assert shared.post("/v1/project/everywhere", json=body).json() == []
    back = [
        {"document": c["document"], "version": c["version"], "remove": c["added"], "add": c["removed"]} for c in done
    ]
    assert shared.post("/v1/project/changes", json={"changes": back}).status_code == 200
    for document in documents:
        assert shared.get(f"/v1/project/documents/{document['id']}").json()["spans"] == []
    shared.post("/v1/project/everywhere", json=body)
    gone = shared.post("/v1/project/everywhere", json={"words": "osuna"}).json()
    assert [len(change["removed"]) for change in gone] == [2, 2, 2]


def test_export_of_what_is_reviewed(shared: TestClient) -> None:
    documents = [added(shared, f"{n}.txt", "54 años") for n in range(3)]
    state = {"state": "reviewed", "version": 1}
    shared.put(f"/v1/project/documents/{documents[1]['id']}/state", json=state)
    answer = shared.post("/v1/project/export", json={"plan": {"parts": ["anonymized", "brat"]}})
    assert len(zipfile.ZipFile(io.BytesIO(answer.content)).namelist()) == 9
    answer = shared.post("/v1/project/export", json={"state": "reviewed"})
    assert answer.text == "[EDAD_SUJETO_ASISTENCIA]"
    assert shared.delete(f"/v1/project/documents/{documents[0]['id']}").status_code == 204
    assert len(shared.get("/v1/project/documents").json()) == 2
