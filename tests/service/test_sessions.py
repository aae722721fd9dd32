"""Signing on at the page: sessions, people and their roles, rotation of tokens."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.service import tokens
from nadie.service.tokens import new_token, write_tokens

from .conftest import MakeClient

ROLES = {"ana": ["review"], "jefa": ["administer"], "todo": ["administer", "adjudicate", "originals", "restore"]}


@pytest.fixture
def service(make_client: MakeClient, tmp_path: Path) -> tuple[TestClient, dict[str, dict[str, str]]]:
    made = {name: new_token(name, roles) for name, roles in ROLES.items()}
    write_tokens(tmp_path / "tokens.json", {name: token for name, (_, token) in made.items()})
    client = make_client(tokens=tmp_path / "tokens.json", project=tmp_path / "review")
    return client, {name: bearer(secret) for name, (secret, _) in made.items()}


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


Service = tuple[TestClient, dict[str, dict[str, str]]]


def test_after_the_first_token_a_cookie_is_enough(service: Service) -> None:
    client, who = service
    assert client.get("/v1/me").status_code == 401
    opened = client.post("/v1/session", json={}, headers=who["ana"])
    assert opened.json()["name"] == "ana"
    cookie = opened.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
    assert client.get("/v1/me").json()["name"] == "ana"
    assert client.get("/v1/project/documents").status_code == 200
    foreign = client.post(
        "/v1/project/documents", json={"name": "a", "text": "b"}, headers={"Origin": "https://e.example"}
    )
    assert foreign.status_code == 403
    kept = dict(client.cookies)
    assert client.delete("/v1/session").status_code == 204
    client.cookies.update(kept)
    assert client.get("/v1/me").json()["reason"] == "expired", "a session that was closed stays closed"
    client.cookies.set("nadie_session", "made-up")
    assert client.get("/v1/me").status_code == 401
    client.cookies.clear()


def test_a_session_ends_with_its_token_and_after_its_hours(
    make_client: MakeClient, service: Service, tmp_path: Path
) -> None:
    client, who = service
    client.post("/v1/session", json={}, headers=who["ana"])
    assert client.post("/v1/people/revoke", json={"name": "ana"}, headers=who["jefa"]).status_code == 204
    assert client.get("/v1/me").status_code == 401
    client.cookies.clear()
    short = make_client(tokens=tmp_path / "tokens.json", session_hours=1e-9, usage=tmp_path / "usage")
    short.post("/v1/session", json={}, headers=who["jefa"])
    assert short.get("/v1/me").status_code == 401


def test_a_proxy_that_identifies_nobody_gets_no_session(make_client: MakeClient) -> None:
    local = make_client()
    assert local.post("/v1/session", json={}).status_code == 422


def test_rotation_leaves_no_gap(service: Service) -> None:
    client, who = service
    made = client.post("/v1/people/rotate", json={"name": "ana"}, headers=who["jefa"]).json()
    assert made["old_until"]
    for headers in (who["ana"], bearer(made["token"])):
        assert client.get("/v1/me", headers=headers).json()["name"] == "ana"
    at_once = client.post("/v1/people/rotate", json={"name": "ana", "hours": 0}, headers=who["jefa"]).json()
    assert client.get("/v1/me", headers=who["ana"]).status_code == 401
    assert client.get("/v1/me", headers=bearer(made["token"])).status_code == 401
    own = client.post("/v1/me/rotate", json={}, headers=bearer(at_once["token"])).json()
    assert client.get("/v1/me", headers=bearer(own["token"])).json()["name"] == "ana"


def person(client: TestClient, headers: dict[str, str], name: str) -> Any:
    return next(each for each in client.get("/v1/people", headers=headers).json() if each["name"] == name)


def test_people_and_their_roles(service: Service) -> None:
    client, who = service
    assert (known := person(client, who["jefa"], "ana"))["created"]
    assert known["last_used"] == ""
    client.get("/v1/me", headers=who["ana"])
    assert person(client, who["jefa"], "ana")["last_used"]
    body = {"name": "luis", "permissions": ["review"], "days": 30}
    made = client.post("/v1/people", json=body, headers=who["jefa"])
    assert made.status_code == 201
    luis = bearer(made.json()["token"])
    assert client.get("/v1/me", headers=luis).json()["permissions"] == ["annotate", "review"]
    assert client.post("/v1/people", json=body, headers=who["jefa"]).status_code == 422, "there is one"
    change = {"name": "luis", "permissions": ["annotate"]}
    assert client.put("/v1/people", json=change, headers=who["jefa"]).status_code == 204
    assert client.get("/v1/project/documents", headers=luis).status_code == 403
    assert client.get("/v1/people", headers=who["ana"]).status_code == 403
    kinds = [each["kind"] for each in client.get("/v1/project/log", headers=who["jefa"]).json()]
    assert kinds[:2] == ["person changed", "person added"]


@pytest.mark.parametrize("permission", ["keep", "restore", "originals", "adjudicate", "keyed", "metrics"])
def test_nobody_gives_what_they_do_not_have(service: Service, permission: str) -> None:
    client, who = service
    for name, method in (("nueva", "POST"), ("jefa", "PUT"), ("ana", "PUT")):
        refused = client.request(
            method, "/v1/people", json={"name": name, "permissions": [permission]}, headers=who["jefa"]
        )
        assert refused.status_code == 403
    for path in ("/v1/people/rotate", "/v1/people/revoke"):
        assert client.post(path, json={"name": "todo"}, headers=who["jefa"]).status_code == 403, "a higher role"


def test_a_token_file_that_the_service_cannot_write(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    client, who = service

    def refuse(*_: object) -> None:
        raise OSError(30, "read-only")

    monkeypatch.setattr(tokens, "write_tokens", refuse)
    answer = client.post("/v1/people/revoke", json={"name": "ana"}, headers=who["jefa"])
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:nadie:problem:read-only")


def test_nobody_prolongs_their_own_access(make_client: MakeClient, tmp_path: Path) -> None:
    created, end = datetime.now(UTC) - timedelta(days=20), datetime.now(UTC) + timedelta(days=10)
    secret, token = new_token("ana", ["review"], end)
    chief, chiefs = new_token("jefa", ["administer"])
    write_tokens(tmp_path / "tokens.json", {"ana": replace(token, created=created.isoformat()), "jefa": chiefs})
    client = make_client(tokens=tmp_path / "tokens.json", project=tmp_path / "review")
    own = client.post("/v1/me/rotate", json={}, headers=bearer(secret)).json()
    assert own["expires"] == end.isoformat(timespec="seconds")
    assert client.get("/v1/me", headers=bearer(own["token"])).json()["expires"] == own["expires"]
    renewed = client.post("/v1/people/rotate", json={"name": "ana"}, headers=bearer(chief)).json()
    assert renewed["expires"] > own["expires"], "an administrator renews"


def test_a_session_gives_no_other_access(service: Service) -> None:
    """Whoever gets hold of a session has it for its hours at most."""
    client, who = service
    client.post("/v1/session", json={}, headers=who["ana"])
    before = client.cookies["nadie_session"]
    assert client.post("/v1/session", json={}).status_code == 422
    assert client.cookies["nadie_session"] == before
    assert client.post("/v1/me/rotate", json={}).status_code == 422
    client.cookies.clear()


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("POST /v1/people/rotate", {"name": "ana"}),
        ("POST /v1/people/revoke", {"name": "ana"}),
        ("PUT /v1/people", {"name": "ana", "permissions": ["annotate"]}),
    ],
)
def test_a_person_who_gets_a_higher_role_meanwhile_is_out_of_reach(
    service: Service, monkeypatch: pytest.MonkeyPatch, path: str, body: dict[str, Any]
) -> None:
    client, who = service
    changed = tokens.change_tokens

    def slowly(file: Path, change: Any) -> None:
        changed(file, lambda now: {**now, "ana": replace(now["ana"], permissions=("restore",))})
        changed(file, change)

    monkeypatch.setattr(tokens, "change_tokens", slowly)
    method, _, url = path.partition(" ")
    refused = client.request(method, url, json=body, headers=who["jefa"])
    assert (refused.status_code, refused.json()["permission"]) == (403, "restore")
    assert client.get("/v1/me", headers=who["ana"]).json()["permissions"] == ["restore"]


def test_two_people_do_not_add_the_same_name_at_once(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    client, who = service
    changed = tokens.change_tokens

    def slowly(file: Path, change: Any) -> None:
        changed(file, lambda now: {**now, "luis": replace(now["ana"], name="luis")})
        changed(file, change)

    monkeypatch.setattr(tokens, "change_tokens", slowly)
    added = client.post("/v1/people", json={"name": "luis", "permissions": ["review"]}, headers=who["jefa"])
    assert added.status_code == 422, "the token of the first one still works"
