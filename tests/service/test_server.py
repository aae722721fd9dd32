"""`nadie serve` as a process: its log, its shutdown, and its robustness against bad requests."""

from __future__ import annotations

import json
import os
import random
import socket
import ssl
import subprocess
import sys
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

from .browsing import PATIENCE
from .conftest import _SERVE, NOTE, StartServer, _free_port, until

PLANTED = ("Lucía", "Prado", "Ferrer", "Montoya", "612 345 678", "Zacarías")


def test_no_log_line_holds_anything_of_a_document(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server("--project", str(tmp_path / "review"))
    with httpx2.Client(base_url=server.url, trust_env=False, timeout=PATIENCE) as client:
        client.post("/v1/annotate", json={"text": NOTE})
        client.post("/v1/annotate", json={"text": f"PROBE-RAISE {NOTE}"})
        client.post("/v1/annotate", json={"text": f"PROBE-PRINT {NOTE}"})
        client.post("/v1/annotate", json={"text": f"PROBE-CRASH {NOTE}"})
        client.post("/v1/annotate", json={"Zacarías": NOTE})
        client.post("/v1/annotate", content=NOTE.encode())
        client.post("/v1/project/documents", json={"name": "Zacarías Prado.txt", "text": NOTE})
        client.post(
            "/v1/project/documents", json={"name": "Zacarías Prado.txt", "text": NOTE, "spans": [{"start": NOTE}]}
        )
        client.post("/v1/open", json={"name": "Zacarías.jsonl", "content": "TnVuY2E="})
        client.get("/Zacarías/Prado", params={"name": "Lucía Prado"})
        client.get("/v1/project/documents/Zacarías Prado")
        client.delete("/v1/project/documents/1/comments/Zacarías")
        client.put("/v1/project/patients/rule", json={"rule": "id:(Zacarías Prado"})
        client.post("/v1/patients", json={"rule": "id:[Zacarías", "documents": []})
        client.get("/v1/models", params={"name": "Lucía Prado"}, headers={b"User-Agent": "Zacar\u00edas".encode()})
        client.request("ZACARIAS", "/v1/models")
        metrics = client.get("/metrics").text
    with socket.create_connection(server.address) as raw:
        raw.sendall("GET /Lucía Prado Zacarías HTTP/9\r\n\r\n".encode())
        raw.recv(1000)
    log = server.stop()
    assert "nadie.access" in log
    assert "a worker was lost" in log
    for name in PLANTED:
        assert name not in log
        assert name not in metrics
        assert name.lower() not in log.lower()
    lines = [json.loads(line.split("nadie.access ")[1]) for line in log.splitlines() if "nadie.access " in line]
    assert {line["route"] for line in lines} >= {"/v1/annotate", "/v1/project/documents", "(none)"}
    assert 'nadie_documents_total{outcome="done",task="annotate"}' in metrics


def test_no_telemetry_leaves_even_if_the_environment_asks_for_it(model: Path) -> None:
    script = """
import sys
from nadie.service.http.app import create_app
from nadie.service.options import ServiceOptions
app = create_app(ServiceOptions(models=(sys.argv[1],)))
assert not app._native_telemetry.enabled()
assert not app._telemetry["auto_configure"]
"""
    environment = {**os.environ, "FASTAPI_OTEL_AUTO_CONFIGURE": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://[::1]:9"}
    subprocess.run([sys.executable, "-c", script, str(model)], env=environment, timeout=PATIENCE, check=True)


def test_sigterm_finishes_what_is_under_way(start_server: StartServer) -> None:
    server = start_server()
    answers: list[bool] = []
    lines = "".join(json.dumps({"text": NOTE * 40}) + "\n" for _ in range(200))

    def batch() -> None:
        headers = {"Content-Type": "application/x-ndjson"}
        url = f"{server.url}/v1/anonymize/batch"
        with httpx2.stream("POST", url, content=lines, headers=headers, trust_env=False, timeout=PATIENCE) as answer:
            for line in answer.iter_lines():
                begun.set()
                answers.append("problem" not in json.loads(line))

    begun = threading.Event()
    thread = threading.Thread(target=batch)
    thread.start()
    assert begun.wait(timeout=PATIENCE)
    assert len(answers) < 200
    server.process.terminate()
    thread.join(timeout=PATIENCE)
    server.stop()
    assert answers == [True] * 200
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"{server.url}/health", trust_env=False)


def test_workers_end_with_the_service(start_server: StartServer) -> None:
    server = start_server()
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.exists():
        pytest.skip("needs /proc")
    workers = [Path(f"/proc/{pid}") for pid in children.read_text().split()]
    assert workers
    server.process.kill()
    server.process.wait()
    until(lambda: not any(worker.exists() for worker in workers), "a worker outlived the service")


def test_a_service_without_a_model_says_so_and_ends(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _SERVE, "--model", str(tmp_path / "none")]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert result.returncode != 0
    assert "there is no model" in result.stderr


def test_another_address_without_a_token_is_refused(model: Path) -> None:
    command = [sys.executable, "-c", _SERVE, "--model", str(model), "--host", "0.0.0.0"]
    result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert result.returncode != 0
    assert "--without-token" in result.stderr


def _garbage(chance: random.Random) -> bytes:
    length = chance.choice(["5", "-1", "99999999999", "abc", "0"])
    pieces = [
        b"POST /v1/annotate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: " + length.encode() + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /v1/annotate HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET /" + b"a" * 40_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
        chance.randbytes(200),
        b"\x16\x03\x01\x02\x00",
        b"",
    ]
    return chance.choice(pieces)


def test_broken_connections_do_no_harm(start_server: StartServer) -> None:
    server = start_server()
    chance = random.Random(7)
    for _ in range(200):
        with socket.create_connection(server.address, timeout=PATIENCE) as raw:
            raw.sendall(_garbage(chance))
    _wait_for_a_place(f"{server.url}/v1/annotate", json={"text": "54 años"})
    log = server.stop()
    assert '"status": 500' not in log
    assert "Traceback" not in log


def test_callers_that_hang_up_leave_no_place_taken(start_server: StartServer) -> None:
    server = start_server()
    line = json.dumps({"text": NOTE * 20}) + "\n"
    body = (line * 30).encode()
    head = (
        "POST /v1/annotate/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    for number in range(12):
        with socket.create_connection(server.address) as raw:
            raw.sendall(head.encode() + body)
            if number % 2:
                raw.recv(10)
    headers = {"Content-Type": "application/x-ndjson"}
    _wait_for_a_place(f"{server.url}/v1/annotate/batch", content=line, headers=headers)


def _wait_for_a_place(url: str, **request: Any) -> None:
    """Asks until the answer is 200. Those who hung up keep their places until the service has noticed, which takes
    much less than the half minute that a body has to arrive."""

    def has_place() -> bool:
        answer = httpx2.post(url, **request, trust_env=False, timeout=PATIENCE)
        if answer.status_code == 200:
            return True
        assert answer.status_code in (429, 503)
        assert "retry-after" in answer.headers
        return False

    until(has_place, "the places of those who hung up are still taken")


def test_tls(start_server: StartServer, model: Path, tmp_path: Path) -> None:
    certificate, key = _self_signed(tmp_path)
    config = tmp_path / "serve.toml"
    config.write_text(f'[network]\ntls_certificate = "{certificate.name}"\ntls_key = "{key.name}"\n')
    port = _free_port()
    command = [sys.executable, "-c", _SERVE, "--model", str(model), "--port", str(port), "--config", str(config)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: _listens(port), "the service does not listen")
            url, trusting = f"https://localhost:{port}/health", _trusting(certificate)
            answer = httpx2.get(url, verify=trusting, trust_env=False, timeout=PATIENCE)
            assert answer.status_code == 200
            assert "max-age" in answer.headers["strict-transport-security"]
        finally:
            process.terminate()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


def _self_signed(folder: Path) -> tuple[Path, Path]:
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = folder / "server.pem", folder / "server.key"
    files[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain, pkcs8 = serialization.NoEncryption(), serialization.PrivateFormat.PKCS8
    files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, pkcs8, plain))
    return files
