"""Authentication: tokens with their permissions, and an authenticating proxy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.errors import ConfigError
from nadie.service.options import Network, Proxy, ServiceOptions
from nadie.service.tokens import Permission, granted, new_token, write_tokens

from .conftest import MakeClient

USER, GROUPS = "X-Forwarded-User", "X-Forwarded-Groups"
PROXY = Proxy(
    trusted=("127.0.0.0/8", "::1"),
    permissions=("review",),
    groups={"jefatura": ("administer", "originals")},
    logout="/oauth2/sign_out",
)
DOCUMENT = {"name": "a.txt", "text": "54 años", "spans": []}


@pytest.fixture(scope="module")
def proxied(make_client: MakeClient, tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """A service behind a proxy, that takes tokens as well."""
    folder = tmp_path_factory.mktemp("proxied")
    secret, token = new_token("sistema", ["annotate"])
    write_tokens(folder / "tokens.json", {"sistema": token})
    client = make_client(tokens=folder / "tokens.json", project=folder / "review", proxy=PROXY)
    client.headers["X-Secret"] = secret
    return client


def from_address(client: TestClient, address: str) -> TestClient:
    return TestClient(client.app, base_url="http://127.0.0.1", raise_server_exceptions=False, client=(address, 5000))


def who(client: TestClient, **headers: str) -> Any:
    return client.get("/v1/me", headers={name.replace("_", "-"): value for name, value in headers.items()})


def test_the_person_that_the_proxy_names_is_signed_on(proxied: TestClient) -> None:
    near = from_address(proxied, "127.0.0.9")
    me = near.get("/v1/me", headers={USER.encode(): "maría".encode()}).json()
    assert (me["name"], me["sign_on"], me["logout"]) == ("maría", "proxy", "/oauth2/sign_out")
    assert me["permissions"] == ["annotate", "review"]
    chief = near.get("/v1/me", headers={USER: "jefa", "X-Forwarded-Groups": "otros, jefatura"}).json()
    assert set(chief["permissions"]) == {"annotate", "review", "administer", "originals"}
    added = near.post("/v1/project/documents", json=DOCUMENT, headers={USER: "jefa"}).json()
    assert added["editor"] == "jefa"


def as_person(client: TestClient, name: str, *groups: str) -> TestClient:
    """A client of the person whom the proxy names, with their groups."""
    near = from_address(client, "127.0.0.1")
    near.headers.update({USER: name, GROUPS: ",".join(groups)})
    return near


def permissions(client: TestClient) -> set[str]:
    return set(client.get("/v1/me").json()["permissions"])


def test_roles_of_people_whom_the_proxy_names(make_client: MakeClient, tmp_path: Path) -> None:
    client = make_client(project=tmp_path / "review", proxy=PROXY)
    rosa, chief = as_person(client, "rosa"), as_person(client, "jefa", "jefatura")
    assert permissions(rosa) == {"annotate", "review"}, "those of everybody"
    assert rosa.get("/v1/people").status_code == 403
    listed = {each["name"]: each for each in chief.get("/v1/people").json()}
    assert listed.keys() == {"rosa", "jefa"}, "whoever has signed on"
    assert (listed["rosa"]["sign_on"], bool(listed["rosa"]["last_used"])) == ("proxy", True)
    new = {"name": "eva", "permissions": ["annotate"]}
    assert chief.post("/v1/people", json=new).json() is None, "the proxy admits people: there is no token"
    assert permissions(as_person(client, "eva")) == {"annotate"}
    role = {"name": "rosa", "permissions": ["administer"]}
    assert chief.put("/v1/people", json=role).status_code == 204
    assert permissions(rosa) == {"annotate", "review", "administer"}
    taken = chief.put("/v1/people", json={"name": "rosa", "permissions": ["adjudicate"]})
    assert (taken.status_code, taken.json()["permission"]) == (403, "adjudicate"), "nobody gives what they do not have"
    assert chief.post("/v1/people/rotate", json={"name": "rosa"}).status_code == 422, "there is nothing to rotate"
    assert chief.post("/v1/people/revoke", json={"name": "rosa"}).status_code == 204
    assert permissions(rosa) == set()
    assert permissions(as_person(client, "rosa", "jefatura")) == set(), "revoked here, whatever the groups"
    assert rosa.get("/v1/project/documents").status_code == 403
    log = [event["kind"] for event in chief.get("/v1/project/log").json()]
    assert log == ["person revoked", "person changed", "person added"]


@pytest.mark.parametrize("address", ["10.0.0.7", "testclient", "128.0.0.1", "fe80::1", ""])
def test_the_header_counts_for_nothing_from_another_address(proxied: TestClient, address: str) -> None:
    far = from_address(proxied, address)
    answer = far.get("/v1/me", headers={USER: "jefa", "X-Forwarded-Groups": "jefatura"})
    assert (answer.status_code, answer.json()["reason"]) == (401, "missing")
    answer = far.get("/v1/me", headers={USER: "jefa", "X-Forwarded-For": "127.0.0.1"})
    assert answer.status_code == 401


@pytest.mark.parametrize("value", ["", " ", "x" * 61, "a\tb", "a\x85b"])
def test_a_name_that_is_none_is_refused(proxied: TestClient, value: str) -> None:
    near = from_address(proxied, "127.0.0.1")
    assert near.get("/v1/me", headers={USER.encode(): value.encode()}).status_code == 401


def test_two_names_are_none(proxied: TestClient) -> None:
    near = from_address(proxied, "127.0.0.1")
    assert near.get("/v1/me", headers=[(USER, "maria"), (USER, "jefa")]).status_code == 401
    groups = [(GROUPS, "jefatura"), (GROUPS, "todos")]
    assert near.get("/v1/me", headers=[(USER, "maria"), *groups]).status_code == 401, "one may be the client's own"


def test_other_web_sites_cannot_use_the_sign_on_of_a_person(proxied: TestClient) -> None:
    near = from_address(proxied, "127.0.0.1")
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example"}):
        answer = near.post("/v1/project/documents", json=DOCUMENT, headers={USER: "maria", **headers})
        assert answer.status_code in (403, 421)
    form = near.post(
        "/v1/project/documents",
        content=b'{"name":"a","text":"b"}',
        headers={USER: "maria", "Content-Type": "text/plain"},
    )
    assert form.status_code == 415


def test_a_token_is_taken_beside_the_proxy_and_goes_first(proxied: TestClient) -> None:
    token = {"Authorization": f"Bearer {proxied.headers['X-Secret']}"}
    assert from_address(proxied, "10.0.0.7").get("/v1/me", headers=token).json()["name"] == "sistema"
    both = from_address(proxied, "127.0.0.1").get("/v1/me", headers={**token, USER: "jefa"}).json()
    assert (both["name"], both["permissions"]) == ("sistema", ["annotate"])
    wrong = from_address(proxied, "127.0.0.1").get("/v1/me", headers={"Authorization": "Bearer x", USER: "jefa"})
    assert (wrong.status_code, wrong.json()["reason"]) == (401, "wrong")


def test_without_sign_on_everybody_here_may_do_everything(client: TestClient) -> None:
    me = client.get("/v1/me").json()
    assert (me["name"], me["sign_on"], me["idle_seconds"]) == ("local", "none", 0)
    assert set(me["permissions"]) == set(Permission)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"trusted": ("proxy.example",)},
        {"trusted": ("127.0.0.1",), "permissions": ("everything",)},
        {"trusted": ("127.0.0.1",), "groups": {"a": ("everything",)}},
        {"trusted": ("127.0.0.1",), "logout": "https://evil.example"},
        {"trusted": ("127.0.0.1",), "logout": "//evil.example"},
    ],
)
def test_impossible_options_of_a_proxy(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Proxy(**options)


def test_a_proxy_makes_another_address_safe(model: Path) -> None:
    there = Network(host="0.0.0.0")
    assert ServiceOptions(models=(str(model),), network=there, proxy=PROXY).proxy is PROXY
    with pytest.raises(ConfigError):
        ServiceOptions(models=(str(model),), network=there)


def test_what_permissions_include() -> None:
    assert granted(["review"]) == {"review", "annotate"}
    assert granted(["administer"]) == {"administer", "review", "annotate"}
    assert granted(["originals", "nonsense"]) == {"originals"}


ALLOWED = {
    "annotate": {"GET /v1/me": 200, "GET /v1/labels": 200, "GET /v1/project": 200, "GET /v1/project/documents": 403},
    "review": {"GET /v1/project/documents": 200, "DELETE /v1/project/documents/9": 403, "GET /v1/project/log": 403},
    "adjudicate": {"GET /v1/project/pairs": 200, "GET /v1/project/agreement": 200, "POST /v1/project/assignments": 403},
    "administer": {"DELETE /v1/project/documents/9": 404, "GET /v1/project/log": 200, "GET /v1/project/pairs": 403},
    "originals": {"GET /v1/me": 200, "GET /v1/labels": 403, "GET /v1/project": 403},
    "metrics": {"GET /v1/me": 200, "GET /metrics": 200, "GET /v1/project": 403},
}


@pytest.mark.parametrize("permission", ALLOWED)
def test_what_each_permission_opens(make_client: MakeClient, tmp_path: Path, permission: str) -> None:
    secret, token = new_token("persona", [permission])
    write_tokens(tmp_path / "tokens.json", {"persona": token})
    client = make_client(tokens=tmp_path / "tokens.json", project=tmp_path / "review")
    client.headers["Authorization"] = f"Bearer {secret}"
    for request, status in ALLOWED[permission].items():
        method, path = request.split()
        body = {"reviewers": ["ana"]} if method == "POST" else None
        answer = client.request(method, path, json=body)
        assert answer.status_code == status, (request, answer.text)
    assert client.get("/v1/me").json()["idle_seconds"] == 900
