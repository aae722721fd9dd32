"""Several people on one project: assignment, presence, conflicts, second readings, history."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.document import Span
from nadie.evaluation.official import by_label, total_by_label
from nadie.service.problems import ProblemError
from nadie.service.project.store import Project, open_project
from nadie.service.team.presence import Presence
from nadie.service.team.reviewers import Team
from nadie.service.tokens import new_token, write_tokens

from .conftest import MakeClient

AGE, DATE, TOWN = "EDAD_SUJETO_ASISTENCIA", "FECHAS", "TERRITORIO"
PEOPLE = {
    "ana": ["review"],
    "luis": ["review"],
    "eva": ["adjudicate"],
    "jefa": ["administer"],
    "archivo": ["review", "originals"],
}


class Person:
    """Somebody who is signed on at the service."""

    def __init__(self, service: TestClient, headers: dict[str, str]) -> None:
        for method in ("get", "post", "put", "delete"):
            setattr(self, method, partial(getattr(service, method), headers=headers))

    def __getattr__(self, method: str) -> Any:
        raise AttributeError(method)


As = Callable[[str], Person]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return open_project(tmp_path / "review")


def filled(project: Project, count: int) -> Team:
    for number in range(count):
        project.add(f"{number}.txt", "54 años, de Cuenca", [Span(0, 7, AGE)], model="m", editor="e")
    return Team(project)


def review(project: Project, document: int, *spans: Span) -> None:
    stored = project.get(document)
    assert stored is not None
    with project.writing() as db:
        project.decide_in(db, stored, tuple(spans), "e")


def f1(team: Team) -> dict[str, float]:
    return {label: counts.f1 for label, counts in total_by_label(map(by_label, team.compared())).items()}


def test_reviewers_get_different_documents_and_as_many(project: Project) -> None:
    team = filled(project, 9)
    assert team.deal(["ana", "luis", "eva"], 0.0, "jefa") == (9, 0)
    assigned = team.assignments()
    assert sorted(assigned) == list(range(1, 10))
    assert [list(assigned.values()).count(name) for name in ("ana", "luis", "eva")] == [3, 3, 3]
    assert team.deal(["ana"], 0.0, "jefa") == (0, 0), "what is somebody's stays theirs"
    team.assign([1], "", "jefa")
    assert 1 not in team.assignments()


def test_a_share_is_read_twice_by_different_people(project: Project) -> None:
    team = filled(project, 10)
    review(project, 1, Span(0, 2, AGE))
    project.set_state(1, "todo", 2, "e")
    assert team.deal(["ana", "luis"], 0.4, "jefa") == (10, 4)
    pairs = team.read_twice()
    assert len(pairs) == 4
    assert all(pair.first.reviewer != pair.second.reviewer for pair in pairs)
    assert all(pair.second.spans == (Span(0, 7, AGE),) for pair in pairs), "a copy is what came in"
    assert len(project.entries(0.5)) == 14


def test_copies_are_no_training_data_and_go_with_their_document(project: Project) -> None:
    team = filled(project, 1)
    team.deal(["ana", "luis"], 1.0, "jefa")
    [copy] = team.second_readings().values()
    project.set_state(copy, "reviewed", 1, "luis")
    assert not (project.folder / "training").exists()
    project.set_state(1, "reviewed", 1, "ana")
    assert not (project.folder / "training").exists(), "nobody has decided"
    team.adjudicate(1, 2, 2, [Span(0, 7, AGE)], "eva")
    assert sorted(file.name for file in (project.folder / "training").iterdir()) == ["000001.ann", "000001.txt"]
    project.delete(1, "jefa")
    assert project.entries(0.5) == []


def test_agreement_is_the_span_f1_by_label_and_stays_after_the_decision(project: Project) -> None:
    team = filled(project, 2)
    team.deal(["ana", "luis"], 1.0, "jefa")
    pairs = {pair.document.id: pair for pair in team.read_twice()}
    first, second = sorted(team.second_readings().values())
    review(project, 1, Span(0, 7, AGE), Span(12, 18, TOWN))
    review(project, first, Span(0, 7, AGE), Span(9, 18, TOWN))
    assert f1(team) == {AGE: 1.0, TOWN: 0.0}
    review(project, 2, Span(12, 18, TOWN))
    review(project, second, Span(12, 18, TOWN))
    whole = f1(team)
    assert whole == {AGE: 1.0, TOWN: 0.5}
    assert not pairs[1].is_ready
    pair = next(pair for pair in team.read_twice() if pair.document.id == 1)
    decided = team.adjudicate(1, pair.document.version, pair.copy_version, [Span(12, 18, TOWN)], "eva")
    assert (decided.state, decided.spans, decided.editor) == ("reviewed", (Span(12, 18, TOWN),), "eva")
    with pytest.raises(ProblemError):
        project.get(first)
    assert f1(team) == whole


def test_who_was_not_heard_of_for_long_is_gone() -> None:
    now = [0.0]
    presence = Presence(lambda: now[0])
    presence.seen("ana", 1)
    presence.seen("luis", None)
    assert [(each.editor, each.document) for each in presence.others("luis")] == [("ana", 1)]
    now[0] = 16.0
    assert presence.others("luis") == []


@pytest.fixture(scope="module")
def people(make_client: MakeClient, tmp_path_factory: pytest.TempPathFactory) -> As:
    folder = tmp_path_factory.mktemp("team")
    made = {name: new_token(name, permissions) for name, permissions in PEOPLE.items()}
    write_tokens(folder / "tokens.json", {name: token for name, (_, token) in made.items()})
    service = make_client(tokens=folder / "tokens.json", project=folder / "review")

    def person(name: str) -> Person:
        return Person(service, {"Authorization": f"Bearer {made[name][0]}"})

    return person


def added(client: Person, name: str) -> Any:
    body = {"name": name, "text": "54 años, de Cuenca", "spans": [{"start": 0, "end": 7, "label": AGE}]}
    return client.post("/v1/project/documents", json=body).json()


def change(client: Person, document: Any, remove: list[Any], add: list[Any]) -> Any:
    body = {"document": document["id"], "version": document["version"], "remove": remove, "add": add}
    return client.post("/v1/project/changes", json={"changes": [body]})


def test_a_conflict_says_who_changed_what(people: As) -> None:
    document = added(people("ana"), "conflicto.txt")
    town = {"start": 12, "end": 18, "label": TOWN}
    assert change(people("luis"), document, [], [town]).status_code == 200
    change(people("luis"), {**document, "version": 2}, document["spans"], [])
    answer = change(people("ana"), document, [], [{**town, "label": DATE}])
    assert answer.status_code == 409
    [told] = answer.json()["changes"]
    assert (told["editor"], told["version"], told["removed"]) == ("luis", 2, [])
    assert [(span["start"], span["end"], span["label"]) for span in told["added"]] == [(12, 18, TOWN)]
    state = people("ana").put(f"/v1/project/documents/{document['id']}/state", json={"state": "reviewed", "version": 1})
    assert [(each["editor"], each["version"]) for each in state.json()["changes"]] == [("luis", 2), ("luis", 3)]
    events = people("ana").get(f"/v1/project/documents/{document['id']}/history").json()
    assert [(event["kind"], event["editor"]) for event in events] == [
        ("added", "ana"),
        ("changed", "luis"),
        ("changed", "luis"),
    ]
    assert all(event["at"] for event in events)


def test_what_is_somebody_elses_can_be_neither_seen_nor_changed(people: As) -> None:
    document = added(people("ana"), "ajeno.txt")
    path = f"/v1/project/documents/{document['id']}"
    given = {"documents": [document["id"]], "reviewer": "luis"}
    assert people("ana").put("/v1/project/assignments", json=given).status_code == 403
    assert people("jefa").put("/v1/project/assignments", json=given).status_code == 204
    names = {
        who: [e["name"] for e in people(who).get("/v1/project/documents").json()] for who in ("ana", "luis", "jefa")
    }
    assert ["ajeno.txt" in names[who] for who in ("ana", "luis", "jefa")] == [False, True, True]
    ana = people("ana")
    refused = [
        ana.get(path),
        ana.get(f"{path}/history"),
        ana.put(f"{path}/state", json={"state": "reviewed", "version": 1}),
        change(ana, document, document["spans"], []),
    ]
    assert [(answer.status_code, answer.json()["assigned"]) for answer in refused] == [(403, True)] * 4
    done = ana.post("/v1/project/everywhere", json={"words": "Cuenca", "label": TOWN}).json()
    assert document["id"] not in [each["document"] for each in done]
    ana.post("/v1/project/everywhere", json={"words": "Cuenca"})
    hits = ana.post("/v1/project/search", json={"words": "Cuenca"}).json()
    assert document["id"] not in [hit["document"] for hit in hits]
    values = ana.post("/v1/project/values", json={"words": "54"}).json()
    assert document["id"] not in [value["document"] for value in values]
    comment = {"text": "¿seguro?"}
    assert ana.post(f"{path}/comments", json=comment).status_code == 403
    told = people("luis").post(f"{path}/comments", json=comment).json()
    assert people("luis").delete(f"{path}/comments/{told[0]['id']}").status_code == 204, "a comment is no document"
    exported = ana.post("/v1/project/export", json={"plan": {"names": "original"}})
    assert exported.headers["content-disposition"].endswith("conflicto.txt"), "only what is hers or nobody's"
    assert people("luis").get(path).status_code == 200


def test_presence_and_assignments_are_shown_to_those_who_may_see_them(people: As) -> None:
    document = added(people("ana"), "presente.txt")
    people("jefa").put("/v1/project/assignments", json={"documents": [document["id"]], "reviewer": "luis"})
    people("luis").put("/v1/project/presence", json={"document": document["id"]})
    ana, jefa = (people(who).put("/v1/project/presence", json={}).json() for who in ("ana", "jefa"))
    assert {"editor": "luis", "document": None} in ana["present"]
    assert {"editor": "luis", "document": document["id"]} in jefa["present"]
    assert jefa["assignments"][str(document["id"])] == "luis"
    assert str(document["id"]) not in ana["assignments"]
    people("luis").delete("/v1/project/presence")
    assert "luis" not in [
        each["editor"] for each in people("jefa").put("/v1/project/presence", json={}).json()["present"]
    ]


def test_two_readings_are_decided_on_by_somebody_who_may(people: As) -> None:
    jefa, eva = people("jefa"), people("eva")
    jefa.post("/v1/project/assignments", json={"reviewers": ["ana", "luis"]})
    document = added(people("ana"), "doble.txt")
    dealt = jefa.post("/v1/project/assignments", json={"reviewers": ["ana", "luis"], "twice": 1.0}).json()
    assert dealt == {"assigned": 1, "twice": 1}
    [pair] = eva.get("/v1/project/pairs").json()
    assert (pair["document"], pair["first"], pair["second"], pair["ready"]) == (document["id"], "ana", "luis", False)
    assert eva.get(f"/v1/project/pairs/{document['id']}").status_code == 404, "nobody looks before both are done"
    assert people("ana").get("/v1/project/pairs").status_code == 403
    [copy] = [e for e in people("luis").get("/v1/project/documents").json() if e["name"] == "doble.txt"]
    assert copy["id"] != document["id"]
    assert not copy["undecided"], "its name and its entry do not tell that it is a second reading"
    assert people("ana").get(f"/v1/project/documents/{copy['id']}").status_code == 403, "who reads first sees no second"
    reading = people("luis").get(f"/v1/project/documents/{copy['id']}").json()
    change(people("luis"), reading, [], [{"start": 12, "end": 18, "label": TOWN}])
    for who, number, version in (("ana", document["id"], 1), ("luis", copy["id"], 2)):
        body = {"state": "reviewed", "version": version}
        assert people(who).put(f"/v1/project/documents/{number}/state", json=body).status_code == 200
    one = {"documents": [document["id"]], "plan": {"names": "original"}}
    exported = eva.post("/v1/project/export", json=one)
    assert (exported.headers["X-Nadie-Undecided"], "doble" in exported.headers["Content-Disposition"]) == ("1", False)
    counted = eva.post("/v1/project/export/count", json=one).json()
    assert (counted["documents"], counted["undecided"]) == (0, 1)
    both = eva.get(f"/v1/project/pairs/{document['id']}").json()
    assert [len(both[side]["spans"]) for side in ("first", "second")] == [1, 2]
    decision = {"version": both["version"], "copy_version": both["copy_version"], "spans": both["second"]["spans"]}
    assert eva.put(f"/v1/project/pairs/{document['id']}", json={**decision, "copy_version": 1}).status_code == 409
    assert eva.put(f"/v1/project/pairs/{document['id']}", json=decision).json()["state"] == "reviewed"
    exported = eva.post("/v1/project/export", json=one)
    assert (exported.headers["X-Nadie-Undecided"], "doble" in exported.headers["Content-Disposition"]) == ("0", True)
    decided = eva.get(f"/v1/project/documents/{document['id']}").json()
    for reader in ("ana", "jefa"):
        again = people(reader).put(
            f"/v1/project/documents/{document['id']}/state", json={"state": "todo", "version": decided["version"]}
        )
        assert (again.status_code, again.json()["adjudicated"]) == (403, True), "a reader cannot undo it"
        assert change(people(reader), decided, decided["spans"], []).status_code == 403
        everywhere = people(reader).post("/v1/project/everywhere", json={"words": "Cuenca"}).json()
        assert document["id"] not in [each["document"] for each in everywhere]
    [after] = eva.get("/v1/project/pairs").json()
    assert (after["adjudicator"], after["ready"]) == ("eva", False)
    agreement = eva.get("/v1/project/agreement").json()
    assert (agreement["documents"], agreement["overall"]["f1"]) == (1, 0.6667)
    assert {row["label"]: row["f1"] for row in agreement["labels"]} == {AGE: 1.0, TOWN: 0.0}
    assert {row["label"]: row["kappa"] for row in agreement["labels"]} == {AGE: 1.0, TOWN: 0.0}
    assert 0 < agreement["overall"]["kappa"] < 1


def test_a_name_that_nobody_has_gets_no_document(people: As) -> None:
    jefa = people("jefa")
    document = added(jefa, "errata.txt")["id"]
    for body in ({"documents": [document], "reviewer": "anna"}, {"documents": [document], "reviewer": "nadie"}):
        assert jefa.put("/v1/project/assignments", json=body).status_code == 422
    assert jefa.post("/v1/project/assignments", json={"reviewers": ["ana", "lius"]}).status_code == 422
    names = [each["name"] for each in people("ana").get("/v1/project/people").json()]
    assert names == sorted(PEOPLE)


def test_comments_of_others_and_the_rule_of_all_are_not_a_reviewers_to_change(people: As) -> None:
    document = added(people("ana"), "comentada.txt")["id"]
    path = f"/v1/project/documents/{document}/comments"
    [comment] = people("ana").post(path, json={"text": "¿Cuenca?"}).json()
    assert people("luis").delete(f"{path}/{comment['id']}").status_code == 403
    assert people("ana").delete(f"{path}/{comment['id']}").status_code == 204
    [comment] = people("ana").post(path, json={"text": "¿Cuenca?"}).json()
    assert people("jefa").delete(f"{path}/{comment['id']}").status_code == 204
    assert people("ana").put("/v1/project/patients/rule", json={"rule": "folder"}).status_code == 403
    assert people("jefa").put("/v1/project/patients/rule", json={"rule": "auto"}).status_code == 204


def test_guidelines_flags_and_times(people: As) -> None:
    ana, jefa = people("ana"), people("jefa")
    assert ana.put("/v1/project/guidelines", json={"text": "x"}).status_code == 403
    assert jefa.put("/v1/project/guidelines", json={"text": "Los epónimos no se marcan."}).status_code == 204
    known = ana.get("/v1/project/guidelines").json()
    assert (known["text"], known["editor"]) == ("Los epónimos no se marcan.", "jefa")
    document = added(ana, "dudosa.txt")["id"]
    assert ana.put(f"/v1/project/documents/{document}/flag", json={"flagged": True, "reason": "?"}).status_code == 204
    assert ana.get(f"/v1/project/documents/{document}").json()["flag"]["reason"] == "?"
    assert [e["flagged"] for e in ana.get("/v1/project/documents").json() if e["id"] == document] == [True]
    ana.put(f"/v1/project/documents/{document}/flag", json={"flagged": False})
    assert ana.get(f"/v1/project/documents/{document}").json()["flag"] is None
    for active in (True, True, False):
        ana.put("/v1/project/presence", json={"document": document, "active": active})
    [own] = [each for each in ana.get("/v1/project/times").json() if each["document"] == document]
    assert own["editor"] == "ana"
    assert [e for e in jefa.get("/v1/project/times").json() if e["document"] == document] == [own]
    assert people("luis").get("/v1/project/times").json() == []


def test_an_earlier_version_comes_back(people: As) -> None:
    ana = people("ana")
    document = added(ana, "historia.txt")
    changed = change(ana, document, document["spans"], [{"start": 12, "end": 18, "label": TOWN}]).json()[0]
    path = f"/v1/project/documents/{document['id']}"
    assert [s["label"] for s in ana.get(f"{path}/versions/1").json()["spans"]] == [AGE]
    assert ana.get(f"{path}/versions/9").status_code == 404
    assert ana.post(f"{path}/restore", json={"version": 1, "to": 1}).status_code == 409
    back = ana.post(f"{path}/restore", json={"version": changed["version"], "to": 1}).json()
    assert ([s["label"] for s in back["spans"]], back["version"]) == ([AGE], 3)
    assert [s["label"] for s in ana.get(f"{path}/versions/2").json()["spans"]] == [TOWN]
    assert ana.post(f"{path}/restore", json={"version": 3, "to": 77}).status_code == 404


def test_originals_need_a_permission_of_their_own_and_are_in_the_log(people: As) -> None:
    plan = {"plan": {"parts": ["brat"]}}
    refused = people("ana").post("/v1/project/export", json=plan)
    assert (refused.status_code, refused.json()["permission"]) == (403, "originals")
    assert people("ana").post("/v1/project/export", json={}).status_code == 200
    assert people("archivo").post("/v1/project/export", json=plan).status_code == 200
    [last, *_] = people("jefa").get("/v1/project/log").json()
    assert (last["kind"], last["editor"], last["detail"]["parts"]) == ("exported", "archivo", ["brat"])


@pytest.mark.parametrize(
    "body",
    [
        {"reviewers": []},
        {"reviewers": ["a", "a"]},
        {"reviewers": ["a"], "twice": 0.5},
        {"reviewers": ["a"], "twice": 2},
    ],
)
def test_impossible_assignments(people: As, body: Any) -> None:
    assert people("jefa").post("/v1/project/assignments", json=body).status_code == 422
