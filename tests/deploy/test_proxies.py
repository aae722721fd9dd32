"""nadie behind nginx and Caddy, with the examples of `deploy/`: a sub-path, another port, TLS, real addresses."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

ROOT = Path(__file__).resolve().parents[2]
HOST = "nadie.hospital.example"
_SERVE = "import typer; from nadie.cli.serve import serve; typer.run(serve)"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    for _ in range(600):
        assert process.poll() is None
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("it does not listen")


@dataclass
class Proxied:
    client: httpx2.Client
    origin: str
    backend: int
    log: Path


def proxy_command(name: str, folder: Path, port: int, backend: int) -> list[str]:
    """The command for the proxy with the example of `deploy/`, with other ports and paths."""
    source = ROOT / "deploy" / {"nginx": "nginx.conf", "caddy": "Caddyfile"}[name]
    text = (
        source.read_text(encoding="utf-8").replace("8443", str(port)).replace("127.0.0.1:8000", f"127.0.0.1:{backend}")
    )
    text = re.sub(r"/etc/(?:nginx|caddy)/", f"{folder}/", text)
    config = folder / source.name
    if name == "caddy":
        config.write_text(text, encoding="utf-8")
        return ["caddy", "run", "--config", str(config), "--adapter", "caddyfile"]
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config.write_text(
        f"daemon off; pid {folder}/pid; error_log stderr; events {{}} http {{ {paths} {text} }}", encoding="utf-8"
    )
    return ["nginx", "-p", str(folder), "-c", str(config)]


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxied(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={HOST}", "-addext",
         f"subjectAltName=DNS:{HOST}", "-keyout", folder / "nadie.key", "-out", folder / "nadie.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    port, backend = free_port(), free_port()
    (folder / "serve.toml").write_text(
        f'[network]\nport = {backend}\nroot_path = "/nadie"\nproxies = ["127.0.0.1"]\nallowed_hosts = ["{HOST}"]\n'
    )
    tokens = subprocess.run(
        [sys.executable, "-m", "nadie", "tokens", "add", "ana", "--file", folder / "tokens.json"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    log = folder / "log"
    with log.open("wb") as output:
        serve = [
            sys.executable,
            "-c",
            _SERVE,
            "--config",
            str(folder / "serve.toml"),
            "--tokens",
            str(folder / "tokens.json"),
        ]
        processes = [subprocess.Popen(serve, stdout=output, stderr=output)]
    command = proxy_command(request.param, folder, port, backend)
    environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    processes.append(subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment))
    try:
        for process, listening in zip(processes, (backend, port), strict=True):
            wait_for(listening, process)
        trusting = ssl.create_default_context(cafile=str(folder / "nadie.pem"))
        origin = f"https://{HOST}:{port}"
        transport = httpx2.HTTPTransport(verify=trusting)
        client = httpx2.Client(base_url=f"https://127.0.0.1:{port}", transport=transport, trust_env=False, timeout=120)
        client.headers["Host"] = f"{HOST}:{port}"
        client.headers["X-Token"] = tokens.stdout.strip()
        yield Proxied(client, origin, backend, log)
        client.close()
    finally:
        for process in processes:
            process.terminate()
            process.wait(timeout=120)


def ask(proxied: Proxied, method: str, path: str, **options: object) -> httpx2.Response:
    return proxied.client.request(method, path, extensions={"sni_hostname": HOST}, **options)  # type: ignore[arg-type]


def test_the_page_works_under_a_path_on_another_port(proxied: Proxied) -> None:
    token = proxied.client.headers["X-Token"]
    assert ask(proxied, "GET", "/nadie").headers["Location"].endswith("/nadie/")
    page = ask(proxied, "GET", "/nadie/")
    assert page.status_code == 200
    assert "Strict-Transport-Security" in page.headers
    headers = {"Origin": proxied.origin, "Sec-Fetch-Site": "same-origin", "Authorization": f"Bearer {token}"}
    opened = ask(proxied, "POST", "/nadie/v1/session", json={}, headers=headers)
    assert opened.json()["name"] == "ana"
    assert {"Path=/nadie/", "Secure", "HttpOnly", "SameSite=strict"} <= set(opened.headers["Set-Cookie"].split("; "))
    cookie = opened.headers["Set-Cookie"].partition(";")[0]
    found = ask(proxied, "POST", "/nadie/v1/annotate", json={"text": "Ingresa en Cuenca."},
                headers={"Origin": proxied.origin, "Cookie": cookie})  # fmt: skip
    assert found.status_code == 200
    for origin in ("https://evil.example", f"https://{HOST}:1"):
        foreign = ask(
            proxied, "POST", "/nadie/v1/annotate", json={"text": "x"}, headers={"Origin": origin, "Cookie": cookie}
        )
        assert foreign.status_code == 403


def test_the_log_has_the_address_of_the_client_and_not_one_that_it_claims(proxied: Proxied) -> None:
    proxied.client.cookies.clear()
    ask(proxied, "GET", "/nadie/v1/labels", headers={"X-Forwarded-For": "203.0.113.9"})
    direct = httpx2.get(
        f"http://127.0.0.1:{proxied.backend}/v1/labels", headers={"X-Forwarded-For": "198.51.100.7"}, trust_env=False,
        timeout=120,
    )  # fmt: skip
    assert direct.status_code == 401
    for _ in range(100):  # a line is written after the response
        lines = proxied.log.read_text().splitlines()
        requests = [json.loads(line.split("nadie.access ")[1]) for line in lines if "nadie.access {" in line]
        refused = [line for line in requests if line["status"] == 401][-2:]
        if len(refused) == 2:
            break
        time.sleep(0.05)
    assert [line["route"] for line in refused] == ["/v1/labels", "/v1/labels"]
    assert refused[0]["address"] == "127.0.0.1", "what the client claims is dropped by the proxy"
    assert refused[1]["address"] == "198.51.100.7", "127.0.0.1 is a named proxy, so its word is taken"
