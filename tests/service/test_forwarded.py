"""Headers of reverse proxies: believed from named addresses only; and the path under which a proxy serves nadie."""

from __future__ import annotations

import json
import logging
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from nadie.errors import ConfigError
from nadie.service.options import Network

from .browsing import PATIENCE
from .conftest import MakeClient, StartServer, _free_port

NETWORK = Network(root_path="/nadie", proxies=("10.0.0.0/24",), allowed_hosts=("nadie.example",))


@pytest.fixture(scope="module")
def app(make_client: MakeClient) -> Any:
    return make_client(network=NETWORK).app


def from_address(app: Any, address: str) -> TestClient:
    return TestClient(app, base_url="http://127.0.0.1", raise_server_exceptions=False, client=(address, 5000))


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("10.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "6.6.6.6, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "192.0.2.7, 10.0.0.2", "192.0.2.7"),
        ("10.0.0.1", "Lucía Prado", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("192.0.2.1", "6.6.6.6", "192.0.2.1"),
    ],
)
def test_whose_address_is_logged(
    app: Any, caplog: pytest.LogCaptureFixture, peer: str, forwarded: str, client: str
) -> None:
    caplog.set_level(logging.INFO, "nadie.access")
    headers = {b"X-Forwarded-For": forwarded.encode(), b"Origin": b"https://evil.example"}
    assert from_address(app, peer).get("/nadie/v1/labels", headers=headers).status_code == 403
    assert json.loads(caplog.records[-1].getMessage())["address"] == client


def test_host_and_scheme_are_those_of_the_client(app: Any) -> None:
    headers = {
        "X-Forwarded-Host": "nadie.example:8443",
        "X-Forwarded-Proto": "https",
        "Origin": "https://nadie.example:8443",
    }
    answer = from_address(app, "10.0.0.1").get("/nadie/v1/labels", headers=headers)
    assert (answer.status_code, "Strict-Transport-Security" in answer.headers) == (200, True)
    answer = from_address(app, "192.0.2.1").get("/nadie/v1/labels", headers=headers)
    assert answer.status_code == 403
    assert "Strict-Transport-Security" not in answer.headers
    evil = {**headers, "X-Forwarded-Host": "evil.example", "Origin": "https://evil.example"}
    assert from_address(app, "10.0.0.1").get("/nadie/v1/labels", headers=evil).status_code == 421


@pytest.mark.parametrize(("path", "status"), [("/nadie/", 200), ("/nadie", 308), ("/", 200), ("/nadie/v1/labels", 200),
    ("/v1/labels", 200), ("/nadiev1/labels", 404), ("/nadie/nadie/", 404)])  # fmt: skip
def test_the_path_is_removed_once(app: Any, path: str, status: int) -> None:
    assert from_address(app, "10.0.0.1").get(path, follow_redirects=False).status_code == status


@pytest.mark.parametrize(
    "options", [{"root_path": "nadie"}, {"root_path": "/a/"}, {"root_path": "//e"}, {"proxies": ("x",)}]
)
def test_impossible_options(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Network(**options)


def test_health_answers_on_a_port_of_its_own(start_server: StartServer, tmp_path: Any) -> None:
    port = _free_port()
    (tmp_path / "serve.toml").write_text(f"[network]\nhealth_port = {port}\n[limits]\nrequests = 1\n")
    server = start_server("--config", str(tmp_path / "serve.toml"))
    with httpx2.Client(trust_env=False, timeout=PATIENCE) as client:
        held = [httpx2.Client(trust_env=False, timeout=PATIENCE) for _ in range(8)]
        statuses = []
        for each in held:  # connections that stay open; the server takes four for each request
            statuses.append(each.get(f"{server.url}/health").status_code)
        assert 503 in statuses
        for path in ("health", "ready"):
            assert client.get(f"http://127.0.0.1:{port}/{path}").json() == {"status": "ok"}
        assert client.get(f"http://127.0.0.1:{port}/v1/labels").status_code == 404
        for each in held:
            each.close()
