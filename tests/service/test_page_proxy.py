"""The review page behind a proxy that authenticates people with a cookie, as for OpenID Connect."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from .browsing import PATIENCE, Tab
from .conftest import NOTE, StartServer

COOKIE = "session=abierta"


def proxy_to(port: int) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            if self.path == "/oauth2/start":
                self._reply(302, [("Location", "/"), ("Set-Cookie", f"{COOKIE}; HttpOnly; SameSite=Lax; Path=/")], b"")
            elif self.path == "/oauth2/sign_out":
                self._reply(200, [("Set-Cookie", "session=; Max-Age=0; Path=/")], b"fuera")
            elif COOKIE not in self.headers.get("Cookie", ""):
                self._reply(401, [], b"sin sesion")
            else:
                self._forward()

        do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815

        def _forward(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            dropped = {"x-forwarded-user", "connection", "cookie"}
            headers = {name: value for name, value in self.headers.items() if name.lower() not in dropped}
            upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            upstream.request(self.command, self.path, body or None, {**headers, "X-Forwarded-User": "rosa"})
            answer = upstream.getresponse()
            kept = [(name, value) for name, value in answer.getheaders() if name.lower() != "transfer-encoding"]
            self._reply(answer.status, [pair for pair in kept if pair[0].lower() != "content-length"], answer.read())
            upstream.close()

        def _reply(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            if status not in (204, 304):
                self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
            pass

    return Handler


@pytest.fixture
def proxy(start_server: StartServer, tmp_path: Path) -> Iterator[str]:
    config = tmp_path / "serve.toml"
    config.write_text('[proxy]\ntrusted = ["127.0.0.1"]\nlogout = "/oauth2/sign_out"\n')
    server = start_server("--project", str(tmp_path / "review"), "--config", str(config))
    running = ThreadingHTTPServer(("127.0.0.1", 0), proxy_to(server.address[1]))
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{running.server_address[1]}"
    running.shutdown()
    running.server_close()
    thread.join()


def test_signing_on_and_off_at_the_proxy(browser: Any, proxy: str) -> None:
    claimed = {"X-Forwarded-User": "rosa"}
    assert httpx2.get(f"{proxy}/v1/me", headers=claimed, trust_env=False, timeout=PATIENCE).status_code == 401
    tab = Tab(browser, proxy)
    tab.page.goto(f"{proxy}/oauth2/start")
    tab.wait_until_ready()
    assert "rosa" in tab.page.inner_text("#status")
    tab.add(nota=NOTE)
    assert "Cuenca" in tab.words()
    tab.page.click("#logout")
    tab.page.wait_for_url("**/oauth2/sign_out")
    assert tab.page.inner_text("body") == "fuera"
    tab.page.goto(proxy)
    assert tab.page.inner_text("body") == "sin sesion"
    tab.close()
