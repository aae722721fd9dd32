"""Two readings of one document: who changes them, who sees them, who decides."""

from __future__ import annotations

import base64
import threading
from pathlib import Path
from typing import Any

import pytest

from nadie.service.team import access
from nadie.service.tokens import new_token, write_tokens

from .conftest import MakeClient
from .test_page_scan import scan
from .test_team import TOWN, Person, added, change


class Readings:
    """Two readings of one document, by ana and luis; eva adjudicates, jefa administers and adjudicates."""

    def __init__(
        self, make_client: MakeClient, folder: Path, readers: tuple[str, str] = ("ana", "luis"), by: str = "jefa"
    ) -> None:
        roles = {"ana": ["review"], "luis": ["review"], "eva": ["adjudicate"], "jefa": ["administer", "adjudicate"]}
        made = {name: new_token(name, permissions) for name, permissions in roles.items()}
        write_tokens(folder / "tokens.json", {name: token for name, (_, token) in made.items()})
        service = make_client(tokens=folder / "tokens.json", project=folder / "review")
        self.people = {name: Person(service, {"Authorization": f"Bearer {made[name][0]}"}) for name in roles}
        self.first = added(self.people[by], "a.txt")["id"]
        self.second = self.first + 1
        self.people["jefa"].post("/v1/project/assignments", json={"reviewers": list(readers), "twice": 1.0})

    def review(self, who: str, document: int, version: int = 1) -> Any:
        body = {"state": "reviewed", "version": version}
        return self.people[who].put(f"/v1/project/documents/{document}/state", json=body)

    def decide(self, who: str, versions: tuple[int, int] = (2, 2)) -> Any:
        body = {"version": versions[0], "copy_version": versions[1], "spans": []}
        return self.people[who].put(f"/v1/project/pairs/{self.first}", json=body)


def test_nobody_decides_on_their_own_reading(make_client: MakeClient, tmp_path: Path) -> None:
    made = {name: new_token(name, ["adjudicate", "administer"]) for name in ("ana", "eva", "rosa")}
    write_tokens(tmp_path / "tokens.json", {name: token for name, (_, token) in made.items()})
    service = make_client(tokens=tmp_path / "tokens.json", project=tmp_path / "review")
    ana, eva, rosa = (Person(service, {"Authorization": f"Bearer {made[n][0]}"}) for n in ("ana", "eva", "rosa"))
    first = added(rosa, "a.txt")["id"]
    rosa.post("/v1/project/assignments", json={"reviewers": ["ana", "eva"], "twice": 1.0})
    second = first + 1
    assert [e["id"] for e in ana.get("/v1/project/documents").json()] == [first], "whoever sees all is blind here too"
    assert [e["id"] for e in eva.get("/v1/project/documents").json()] == [second]
    assert [e["id"] for e in rosa.get("/v1/project/documents").json()] == [first, second]
    for person, number in ((ana, first), (eva, second)):
        body = {"state": "reviewed", "version": 1}
        assert person.put(f"/v1/project/documents/{number}/state", json=body).status_code == 200
    decision = {"version": 2, "copy_version": 2, "spans": [{"start": 12, "end": 18, "label": TOWN}]}
    for person in (ana, eva):
        assert person.get("/v1/project/pairs").json()[0]["own"]
        assert person.get(f"/v1/project/pairs/{first}").status_code == 403
        refused = person.put(f"/v1/project/pairs/{first}", json=decision)
        assert (refused.status_code, refused.json()["own"]) == (403, True)
    assert rosa.put(f"/v1/project/pairs/{first}", json=decision).json()["spans"][0]["label"] == TOWN, "a third answer"
    body = {"state": "todo", "version": 3}
    assert ana.put(f"/v1/project/documents/{first}/state", json=body).status_code == 403, "a reader stays one"
    assert rosa.put(f"/v1/project/documents/{first}/state", json=body).status_code == 200


def test_a_reading_is_changed_by_its_reader_only(make_client: MakeClient, tmp_path: Path) -> None:
    readings = Readings(make_client, tmp_path)
    for who in ("eva", "jefa"):
        person = readings.people[who]
        reading = person.get(f"/v1/project/documents/{readings.first}").json()
        refused = change(person, reading, reading["spans"], [])
        assert (refused.status_code, refused.json()["assigned"]) == (403, True)
        assert readings.review(who, readings.first).status_code == 403
        assert person.post("/v1/project/everywhere", json={"words": "54 años"}).json() == []
    assert readings.review("ana", readings.first).status_code == 200


def test_who_read_before_somebody_else_got_the_document_does_not_decide(
    make_client: MakeClient, tmp_path: Path
) -> None:
    readings = Readings(make_client, tmp_path, ("eva", "luis"))
    assert readings.review("eva", readings.first).status_code == 200
    assert readings.review("luis", readings.second).status_code == 200
    readings.people["jefa"].put("/v1/project/assignments", json={"documents": [readings.first], "reviewer": "ana"})
    assert readings.people["eva"].get(f"/v1/project/pairs/{readings.first}").status_code == 403
    assert readings.decide("eva").status_code == 403
    assert readings.decide("jefa").status_code == 200
    again = readings.people["eva"].put(
        f"/v1/project/documents/{readings.first}/state", json={"state": "todo", "version": 3}
    )
    assert again.status_code == 403, "nor afterwards"


def test_the_log_of_the_project_does_not_show_the_other_reading(make_client: MakeClient, tmp_path: Path) -> None:
    readings = Readings(make_client, tmp_path, ("jefa", "luis"))
    reading = readings.people["luis"].get(f"/v1/project/documents/{readings.second}").json()
    assert change(readings.people["luis"], reading, reading["spans"], []).status_code == 200
    log = readings.people["jefa"].get("/v1/project/log").json()
    [event] = [each for each in log if each["document"] == readings.second and each["kind"] == "changed"]
    assert (event["editor"], event["removed"], event["added"]) == ("luis", [], [])
    assert readings.review("luis", readings.second, 2).status_code == 200
    assert readings.review("jefa", readings.first).status_code == 200
    assert readings.decide("eva", (2, 3)).status_code == 200
    log = readings.people["jefa"].get("/v1/project/log").json()
    assert [each["removed"] for each in log if each["id"] == event["id"]] != [[]], "when it is decided, all is told"


def test_an_adjudication_does_not_slip_between_check_and_change(
    make_client: MakeClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    readings = Readings(make_client, tmp_path)
    for who, document in (("ana", readings.first), ("luis", readings.second)):
        assert readings.review(who, document).status_code == 200
    reading = readings.people["ana"].get(f"/v1/project/documents/{readings.first}").json()
    answers: list[int] = []
    decision = threading.Thread(target=lambda: answers.append(readings.decide("eva").status_code))
    checked = access._decided_for

    def slowly(request: Any, team: Any) -> set[int]:
        found = checked(request, team)
        if request.scope["nadie.editor"] == "ana" and not decision.ident:
            decision.start()
            decision.join(timeout=1.5)
        return found

    monkeypatch.setattr(access, "_decided_for", slowly)
    town = [{"start": 12, "end": 18, "label": TOWN}]
    assert change(readings.people["ana"], reading, [], town).status_code == 200
    decision.join()
    assert answers == [404], "the reading that was checked is the one that changed, and it is no longer ready"


def test_a_second_reading_looks_like_any_other(make_client: MakeClient, tmp_path: Path) -> None:
    readings = Readings(make_client, tmp_path, by="eva")
    entries, histories = [], []
    for who, document in (("ana", readings.first), ("luis", readings.second)):
        [entry] = readings.people[who].get("/v1/project/documents").json()
        assert entry.pop("id") == document
        entries.append(entry)
        log = readings.people[who].get(f"/v1/project/documents/{document}/history").json()
        histories.append([(each["kind"], each["at"], each["editor"]) for each in log if each["kind"] == "added"])
    assert entries[0] == entries[1]
    assert histories[0] == histories[1]
    counts = [readings.people[who].get("/v1/project").json()["documents"] for who in ("ana", "luis", "eva")]
    assert counts == [1, 1, 2]


def test_the_copy_of_a_scanned_document_looks_the_same(make_client: MakeClient, tmp_path: Path) -> None:
    readings = Readings(make_client, tmp_path)
    file = {"name": "hoja.png", "content": base64.b64encode(scan()).decode()}
    body = {"file": file, "documents": [readings.first], "scanned": True}
    assert readings.people["jefa"].post("/v1/project/files", json=body).status_code == 204
    own = (("ana", readings.first), ("luis", readings.second))
    lists = [readings.people[who].get("/v1/project/documents").json() for who, _ in own]
    entries = [{key: value for key, value in entry.items() if key != "id"} for [entry] in lists]
    assert entries[0] == entries[1]
    assert entries[0]["scanned"]
    pages = [readings.people[who].get(f"/v1/project/documents/{number}/pages") for who, number in own]
    assert [page.status_code for page in pages] == [200, 200]
    assert pages[0].json() == pages[1].json()
    for version, (who, number) in enumerate(own, 1):
        path, change = f"/v1/project/documents/{number}/boxes", {"boxes": [], "version": version}
        assert readings.people[who].put(path, json=change).status_code == 200
    for who, number in (("ana", readings.second), ("luis", readings.first)):
        assert readings.people[who].get(f"/v1/project/documents/{number}/pages").status_code == 403
    for who, number in own:
        assert readings.review(who, number).status_code == 200
    box = {"page": 1, "left": 0.0, "top": 0.0, "right": 0.5, "bottom": 1.0, "kept": False}
    path = f"/v1/project/documents/{readings.second}/boxes"
    assert readings.people["luis"].put(path, json={"boxes": [box], "version": 3}).status_code == 200
    states = [readings.people[who].get(f"/v1/project/documents/{number}").json()["state"] for who, number in own]
    assert states == ["reviewed", "todo"], "her reading does not tell ana that there is another"
