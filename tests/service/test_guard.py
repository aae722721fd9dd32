"""Access control: callers, origins, limits, and what an unauthorized caller learns."""

from __future__ import annotations

import json
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from nadie.service.http.middleware import needed_permission
from nadie.service.options import Limits, Network
from nadie.service.tokens import Permission, new_token, read_tokens, write_tokens

from .conftest import NOTE, MakeClient


def annotate(client: TestClient, text: str = "hola", **headers: str) -> Any:
    return client.post("/v1/annotate", json={"text": text}, headers=headers)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8000", "[::1]:8000", "LOCALHOST"])
def test_loopback_names_are_answered(client: TestClient, host: str) -> None:
    assert annotate(client, Host=host).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "", "[", "a@b"]
)
def test_rebound_names_are_not(client: TestClient, host: str) -> None:
    answer = annotate(client, Host=host)
    assert answer.status_code == 421
    assert answer.json()["type"] == "urn:nadie:problem:wrong-host"


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    ],
)
def test_other_web_sites_are_refused(client: TestClient, headers: dict[str, str]) -> None:
    assert annotate(client, **headers).status_code == 403


def test_the_page_itself_and_links_to_it_are_not_refused(client: TestClient) -> None:
    assert annotate(client, Origin="http://127.0.0.1", Host="127.0.0.1").status_code == 200
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_form_of_another_site_cannot_pass_for_json(client: TestClient, content_type: str | None) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    answer = client.post("/v1/annotate", content=b'{"text": "hola"}', headers=headers)
    assert (answer.status_code, problem(answer)) == (415, "unsupported-media-type")
    assert "application/json" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("content", "content_type", "status", "told"),
    [
        ('{"text": "54 años"}'.encode("latin-1"), "application/json", 400, "not UTF-8"),
        ('{"text": "54 años"}'.encode("utf-16"), "application/json", 400, "not UTF-8"),
        ('{"text": "54 años"}'.encode("latin-1"), "application/json; charset=iso-8859-1", 415, "UTF-8"),
        ('{"text": "54 años"}'.encode(), 'Application/JSON; charset="UTF-8"', 200, ""),
    ],
)
def test_a_body_in_another_encoding_is_told_so(
    client: TestClient, content: bytes, content_type: str, status: int, told: str
) -> None:
    answer = client.post("/v1/annotate", content=content, headers={"Content-Type": content_type})
    assert answer.status_code == status
    assert told in answer.text
    assert "años" not in answer.text


def test_a_line_in_another_encoding_harms_no_other(client: TestClient) -> None:
    lines = b'{"text": "54 a\xf1os"}\n' + '{"text": "54 años"}'.encode()
    headers = {"Content-Type": "application/x-ndjson"}
    first, second = map(json.loads, client.post("/v1/annotate/batch", content=lines, headers=headers).text.splitlines())
    assert (first["line"], first["problem"]["detail"]) == (1, "the line is not UTF-8")
    assert len(second["spans"]) == 1


def test_cors_is_off(client: TestClient) -> None:
    answer = client.options("/v1/annotate", headers={"Access-Control-Request-Method": "POST"})
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]


@pytest.mark.parametrize("path", ["/", "/health", "/v1/labels", "/nowhere", "/page/index.html", "/page/../store.py"])
def test_every_answer_has_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "cache-control" in headers


def test_documents_are_never_stored_by_a_cache(client: TestClient) -> None:
    assert annotate(client).headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/page/../app.py", "/page/%2e%2e/app.py", "/page//etc/passwd", "/page/x.html", "/v2"])
def test_nothing_but_the_page_can_be_fetched(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.fixture(scope="module")
def token_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    path = tmp_path_factory.mktemp("tokens") / "tokens.json"
    secrets: dict[str, str] = {}
    tokens = {}
    for name, permissions, expires in [
        ("maria", ("annotate", "review"), None),
        ("prometheus", ("metrics",), None),
        ("old", ("annotate",), datetime.now(UTC) - timedelta(seconds=1)),
        ("fired", ("annotate",), None),
    ]:
        secrets[name], tokens[name] = new_token(name, permissions, expires)
    write_tokens(path, tokens)
    return path, secrets


@pytest.fixture(scope="module")
def guarded(make_client: MakeClient, token_file: tuple[Path, dict[str, str]]) -> TestClient:
    return make_client(tokens=token_file[0], network=Network(host="0.0.0.0"))


def test_the_token_file_holds_no_token_and_is_its_owners(token_file: tuple[Path, dict[str, str]]) -> None:
    path, secrets = token_file
    content = path.read_text()
    assert not any(secret in content for secret in secrets.values())
    assert path.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("name", "method", "path", "status"),
    [
        ("maria", "POST", "/v1/annotate", 200),
        ("maria", "GET", "/v1/project", 200),
        ("maria", "GET", "/metrics", 403),
        ("prometheus", "GET", "/metrics", 200),
        ("prometheus", "POST", "/v1/annotate", 403),
        ("maria", "POST", "/v1/restore", 403),
        ("old", "POST", "/v1/annotate", 401),
        ("nobody", "POST", "/v1/annotate", 401),
        (None, "POST", "/v1/annotate", 401),
        (None, "GET", "/v1/labels", 401),
        (None, "GET", "/metrics", 401),
        (None, "GET", "/health", 200),
        (None, "GET", "/ready", 200),
        (None, "GET", "/", 200),
        (None, "GET", "/openapi.json", 200),
    ],
)
def test_a_token_opens_what_it_allows(
    guarded: TestClient, token_file: tuple[Path, dict[str, str]], name: str | None, method: str, path: str, status: int
) -> None:
    secret = token_file[1].get(name or "", "nadie_" + "x" * 43)
    headers = {} if name is None else {"Authorization": f"Bearer {secret}"}
    body = {"text": "hola"} if method == "POST" else None
    answer = guarded.request(method, path, json=body, headers=headers)
    assert answer.status_code == status
    if status == 401:
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("value", ["Basic abc", "Bearer", "Bearer ", "bearer \xff", "nadie_abc"])
def test_broken_authorization_is_refused(guarded: TestClient, value: str) -> None:
    assert guarded.get("/v1/labels", headers={b"Authorization": value.encode("latin-1")}).status_code == 401


def test_a_revoked_token_stops_working_at_once(guarded: TestClient, token_file: tuple[Path, dict[str, str]]) -> None:
    path, secrets = token_file
    headers = {"Authorization": f"Bearer {secrets['fired']}"}
    assert guarded.get("/v1/labels", headers=headers).status_code == 200
    tokens = read_tokens(path)
    tokens.pop("fired")
    write_tokens(path, tokens)
    assert guarded.get("/v1/labels", headers=headers).status_code == 401


@pytest.mark.parametrize("broken", [b"", b"{", b"[]", b'{"tokens": [{"name": 1}]}'])
def test_a_token_file_that_breaks_closes_the_service(make_client: MakeClient, tmp_path: Path, broken: bytes) -> None:
    path = tmp_path / "tokens.json"
    secret, token = new_token("maria")
    write_tokens(path, {"maria": token})
    service = make_client(tokens=path)
    headers = {"Authorization": f"Bearer {secret}"}
    assert service.get("/v1/labels", headers=headers).status_code == 200
    path.unlink()
    path.write_bytes(broken)
    assert service.get("/v1/labels", headers=headers).status_code == 401


@pytest.mark.parametrize(
    "path", ["/v1/annotate", "/v1/anonymize/batch", "/v1/export", "/v1/open", "/v1/project/changes"]
)
def test_every_route_that_takes_documents_needs_a_permission(path: str) -> None:
    assert needed_permission(path) is not None


def test_restoring_needs_a_permission_of_its_own() -> None:
    assert needed_permission("/v1/restore") is Permission.RESTORE
    assert needed_permission("/v1/restore/batch") is Permission.RESTORE


def problem(answer: Any) -> str:
    assert answer.headers["content-type"] == "application/problem+json"
    kind: str = answer.json()["type"].rpartition(":")[2]
    assert answer.json()["status"] == answer.status_code
    return kind


def test_size_and_count_have_limits(client: TestClient) -> None:
    assert (annotate(client, "x" * 50_001).status_code, problem(annotate(client, "x" * 50_001))) == (413, "too-large")
    assert annotate(client, "x" * 200_000).status_code == 413
    chunks = (b" " * 50_000 for _ in range(5))
    assert client.post("/v1/annotate", content=chunks).status_code == 413
    lines = b'{"text": "x"}\n' * 51
    batch = {"Content-Type": "application/x-ndjson"}
    assert client.post("/v1/annotate/batch", content=lines, headers=batch).status_code == 413
    assert client.post("/v1/annotate/batch", content=b" " * 400_001, headers=batch).status_code == 413
    assert client.post("/v1/annotate", content=b"{}", headers={"Content-Length": "-1"}).status_code == 413


def test_a_document_that_takes_too_long_is_stopped_and_refused(make_client: MakeClient) -> None:
    client = make_client(limits=Limits(seconds=1.0))
    answer = annotate(client, "PROBE-HANG")
    assert (answer.status_code, problem(answer), answer.json()["limit"]) == (422, "timeout", 1.0)
    assert "longer than 1 seconds" in answer.json()["detail"]
    assert "retry-after" not in answer.headers, "the same document would take as long again"
    assert annotate(client, "54 años").json()["spans"], "a new worker took the place of the one that was ended"


def test_a_document_that_crashes_its_worker_harms_nobody_else(client: TestClient) -> None:
    answer = annotate(client, "PROBE-CRASH")
    assert (answer.status_code, problem(answer)) == (503, "worker-died")
    assert annotate(client, "54 años").json()["spans"]


def test_a_library_that_prints_does_not_break_the_talk_with_the_worker(client: TestClient) -> None:
    assert annotate(client, "PROBE-PRINT 54 años").json()["spans"]


def _at_once(service: TestClient, texts: list[str]) -> list[Any]:
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda t=text: answers.append(annotate(service, t))) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.parametrize(
    ("limits", "status", "kind"),
    [
        (Limits(requests_per_caller=2, seconds=1.0), 429, "too-many-requests"),
        (Limits(requests=2, seconds=1.0), 503, "overloaded"),
        (Limits(queue=1, seconds=1.0), 503, "overloaded"),
        (Limits(bytes_per_caller=300, seconds=1.0), 429, "too-many-requests"),
        (Limits(bytes_in_flight=300, seconds=1.0), 503, "overloaded"),
    ],
)
def test_too_much_at_once_is_sent_away_with_a_time_to_come_back(
    make_client: MakeClient, limits: Limits, status: int, kind: str
) -> None:
    answers = _at_once(make_client(limits=limits), [f"PROBE-HANG {' ' * 100}"] * 6)
    refused = [answer for answer in answers if problem(answer) == kind]
    assert refused
    assert all(answer.status_code == status and int(answer.headers["retry-after"]) > 0 for answer in refused)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"text": 1}',
        b'{"text": "\\ud800"}',
        b'{"text": "a", "Luc\xc3\xada Prado": 1}',
        b'{"text": "\xff"}',
        b"[" * 100_000,
        b'{"text": "a", "model": "Luc\xc3\xada Prado"}',
        b'{"text": "a", "id": "' + b"x" * 300 + b'"}',
        b'{"text": NaN}',
    ],
)
def test_a_problem_never_repeats_what_was_sent(client: TestClient, content: bytes) -> None:
    answer = client.post("/v1/annotate", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    problem(answer)
    assert "Lucía" not in answer.text
    assert "Prado" not in answer.text


def test_an_error_of_a_detector_is_told_by_its_type_alone(client: TestClient) -> None:
    answer = annotate(client, f"PROBE-RAISE {NOTE}")
    assert (answer.status_code, problem(answer)) == (422, "unprocessable")
    assert "RuntimeError" in answer.json()["detail"]
    assert "Lucía" not in answer.text
