"""Every route × every role × odd spellings of a document's number: who may call it, and on which documents."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.service.tokens import Permission, granted, new_token, write_tokens

from .conftest import MakeClient

TEXT = "Paciente: Lucía Prado Ferrer, de Cuenca."
ANYBODY = {
    "GET /", "HEAD /", "GET /health", "HEAD /health", "GET /ready", "HEAD /ready", "GET /page/style.css",
    "HEAD /page/style.css", "GET /page/app.js", "HEAD /page/app.js", "GET /page/nadie.svg", "HEAD /page/nadie.svg",
    "GET /docs", "HEAD /docs", "GET /page/docs.css", "HEAD /page/docs.css",
}  # fmt: skip
SIGNED_ON = {"GET /v1/me", "POST /v1/me/rotate", "POST /v1/session", "DELETE /v1/session"}
ROUTES: dict[str, set[str]] = {
    "metrics": {"GET /metrics"},
    "restore": {"POST /v1/restore", "POST /v1/restore/batch"},
    "annotate": {
        "POST /v1/annotate", "POST /v1/annotate/batch", "POST /v1/anonymize", "POST /v1/anonymize/batch",
        "POST /v1/anonymize/file", "POST /v1/pages", "POST /v1/explain",
        "GET /v1/version", "GET /v1/models", "GET /v1/policies", "GET /v1/labels", "POST /v1/open", "POST /v1/patients",
        "POST /v1/export", "POST /v1/export/original", "GET /v1/project",
    },
    "review": {
        "GET /v1/project/documents", "POST /v1/project/documents", "GET /v1/project/documents/{document}",
        "PUT /v1/project/documents/{document}/state", "GET /v1/project/documents/{document}/history",
        "POST /v1/project/documents/{document}/comments",
        "DELETE /v1/project/documents/{document}/comments/{comment}",
        "PUT /v1/project/documents/{document}/replacement",
        "GET /v1/project/documents/{document}/pages", "PUT /v1/project/documents/{document}/boxes",
        "PUT /v1/project/documents/{document}/flag", "POST /v1/project/documents/{document}/preview",
        "POST /v1/project/documents/{document}/restore", "GET /v1/project/documents/{document}/versions/{version}",
        "POST /v1/project/changes", "POST /v1/project/everywhere", "POST /v1/project/everywhere/count",
        "PUT /v1/project/patients",
        "POST /v1/project/search", "POST /v1/project/values",
        "POST /v1/project/files", "POST /v1/project/export", "POST /v1/project/export/original",
        "POST /v1/project/export/count", "GET /v1/project/people", "GET /v1/project/times",
        "GET /v1/project/guidelines", "GET /v1/project/sample",
        "PUT /v1/project/presence", "DELETE /v1/project/presence",
    },
    "adjudicate": {
        "GET /v1/project/pairs", "GET /v1/project/pairs/{document}", "PUT /v1/project/pairs/{document}",
        "GET /v1/project/agreement",
    },
    "administer": {
        "DELETE /v1/project/documents/{document}", "POST /v1/project/assignments", "PUT /v1/project/assignments",
        "GET /v1/project/log", "PUT /v1/project/patients/rule", "PUT /v1/project/guidelines",
        "GET /v1/project/suggestions", "POST /v1/project/suggestions",
        "GET /v1/people", "POST /v1/people", "PUT /v1/people", "POST /v1/people/rotate", "POST /v1/people/revoke",
    },
}  # fmt: skip
SPELLINGS = [
    "{0}", "+{0}", "%2B{0}", "%20{0}", "{0}%20", "{0}.0", "0_{0}", "00{0}", "-{0}", "%09{0}", "{0}%0A", "0x{0}",
    "{0}e0", "%D9%A1", "%EF%BC%91", "%C2%B9", "{0};a=b", "{0}/", "/{0}", "./{0}", "{0}%2F", "{0}%00", "{0}/../{0}",
    "%31", "true",
]  # fmt: skip


class Everybody:
    """A service with one person for each permission, and a document that is ana's."""

    def __init__(self, make_client: MakeClient, folder: Path) -> None:
        roles = {permission.value: [permission] for permission in Permission} | {"ana": ["review"]}
        made = {name: new_token(name, permissions) for name, permissions in roles.items()}
        write_tokens(folder / "tokens.json", {name: token for name, (_, token) in made.items()})
        self.client = make_client(tokens=folder / "tokens.json", project=folder / "review")
        self.headers = {name: {"Authorization": f"Bearer {secret}"} for name, (secret, _) in made.items()} | {"-": {}}
        self.document = self.request("ana", "POST", "/v1/project/documents", {"name": "n", "text": TEXT}).json()["id"]
        body = {"documents": [self.document], "reviewer": "ana"}
        assert self.request("administer", "PUT", "/v1/project/assignments", body).status_code == 204

    def request(self, who: str, method: str, path: str, body: Any = None) -> Any:
        # The path goes out as it is: a client that tidied it up would test nothing.
        url = self.client.base_url.copy_with(raw_path=path.encode())
        return self.client.request(method, url, json=body, headers=self.headers[who])


@pytest.fixture(scope="module")
def everybody(make_client: MakeClient, tmp_path_factory: pytest.TempPathFactory) -> Everybody:
    return Everybody(make_client, tmp_path_factory.mktemp("access"))


def routes_of(client: TestClient) -> set[str]:
    return {f"{method} {route.path_format}" for route in client.app.state.routes for method in route.methods}  # type: ignore[attr-defined]


def test_the_table_has_every_route(everybody: Everybody) -> None:
    assert routes_of(everybody.client) == set().union(ANYBODY, SIGNED_ON, *ROUTES.values())


CALLS = [(permission, route) for permission, routes in ROUTES.items() for route in sorted(routes)]


@pytest.mark.parametrize(("permission", "route"), CALLS)
def test_who_may_call_a_route(everybody: Everybody, permission: str, route: str) -> None:
    method, template = route.split()
    path = template.format(document=987654, comment=1, version=1)
    for who in (*Permission, "-"):
        answer = everybody.request(who, method, path, {} if method in ("POST", "PUT") else None)
        missing = answer.json().get("permission") if answer.status_code == 403 else None
        if who == "-":
            assert answer.status_code == 401, (who, answer.text)
        elif Permission(permission) in granted([who]):
            assert missing != permission, (who, answer.text)
            assert answer.status_code != 401, (who, answer.text)
        else:
            assert (answer.status_code, missing) == (403, permission), (who, answer.text)


NUMBERED = sorted(route for routes in ROUTES.values() for route in routes if "{document}" in route)


@pytest.mark.parametrize(("route", "spelling"), list(product(NUMBERED, SPELLINGS)))
def test_no_spelling_opens_what_is_somebody_elses(everybody: Everybody, route: str, spelling: str) -> None:
    method, template = route.split()
    path = template.format(document=spelling.format(everybody.document), comment=1, version=1)
    body = {"state": "reviewed", "version": 1, "text": "x", "start": 0, "end": 1} if method != "GET" else None
    for who in ("review", "annotate", "metrics", "-"):
        answer = everybody.request(who, method, path, body)
        assert answer.status_code in (401, 403, 404, 405), (who, answer.status_code)
        assert "Prado" not in answer.text
    stored = everybody.request("ana", "GET", f"/v1/project/documents/{everybody.document}").json()
    assert (stored["version"], stored["state"], stored["comments"]) == (1, "todo", [])
