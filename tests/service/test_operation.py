"""Operation: slow clients, workers that die, a full disk."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest

from nadie.service.tokens import new_token, write_tokens

from .browsing import PATIENCE
from .conftest import NOTE, Server, StartServer, until

LINES = {"Content-Type": "application/x-ndjson"}
BATCH = "/v1/annotate/batch"


def token_headers(folder: Path, *names: str) -> tuple[Path, list[dict[str, str]]]:
    made = {name: new_token(name) for name in names}
    write_tokens(folder / "tokens.json", {name: token for name, (_, token) in made.items()})
    return folder / "tokens.json", [{"Authorization": f"Bearer {secret}"} for secret, _ in made.values()]


def unread_batch(server: Server, headers: dict[str, str]) -> socket.socket:
    """A connection whose client has sent a batch and reads nothing of its answer, which is some 8 MB long."""
    body = ((json.dumps({"text": NOTE * 100}) + "\n") * 130).encode()
    head = {"Host": "127.0.0.1", "Content-Length": str(len(body)), **LINES, **headers}
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    raw.connect(server.address)
    told = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    raw.sendall(f"POST {BATCH} HTTP/1.1\r\n{told}\r\n".encode() + body)
    return raw


def test_a_client_that_does_not_read_holds_only_its_own_places_and_not_for_long(
    start_server: StartServer, tmp_path: Path
) -> None:
    tokens, (slow, other) = token_headers(tmp_path, "slow", "other")
    config = tmp_path / "serve.toml"
    config.write_text("[limits]\nanswer_seconds = 4.0\nbatches_per_caller = 1\nbatches = 2\n")
    server = start_server("--tokens", str(tokens), "--config", str(config))

    def batch(headers: dict[str, str]) -> int:
        line = json.dumps({"text": "54 años"})
        answer = httpx2.post(
            f"{server.url}{BATCH}", content=line, headers={**LINES, **headers}, trust_env=False, timeout=PATIENCE
        )
        return answer.status_code

    with unread_batch(server, slow):
        until(lambda: batch(slow) == 429, "the batch that nobody reads never began")
        assert batch(other) == 200
        until(lambda: batch(slow) == 200, "the place is still taken")
    assert "the client did not read its response in time" in server.stop()


def test_a_client_that_never_finishes_its_request_is_cut_off(start_server: StartServer, tmp_path: Path) -> None:
    config = tmp_path / "serve.toml"
    config.write_text("[limits]\nbody_seconds = 1.0\n")
    server = start_server("--config", str(config))
    for begun in (b"", b"GET /health HTTP/1.1\r\nHost: 127", b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /he"):
        with socket.create_connection(server.address, timeout=PATIENCE) as raw:
            raw.sendall(begun)
            while raw.recv(4096):  # ends when the service closes the connection
                pass
    assert "sent no complete request in time" in server.stop()


def workers(server: Server) -> list[int]:
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    if not children.exists():
        pytest.skip("needs /proc")
    return [int(pid) for pid in children.read_text().split()]


def test_a_dead_worker_is_noticed_and_the_next_request_is_not_blamed(start_server: StartServer) -> None:
    server = start_server()
    with httpx2.Client(base_url=server.url, trust_env=False, timeout=PATIENCE) as client:
        for pid in workers(server):
            os.kill(pid, signal.SIGKILL)
        until(lambda: client.get("/ready").status_code == 503, "the dead workers were not noticed")
        assert client.post("/v1/annotate", json={"text": "54 años"}).json()["spans"]
        assert client.get("/ready").status_code == 200
        for pid in workers(server):
            os.kill(pid, signal.SIGKILL)
        assert client.post("/v1/annotate", json={"text": "54 años"}).status_code == 200, "tried again at once"
        assert "nadie_worker_restarts_total" in client.get("/metrics").text
    assert "died while it was idle" in server.stop()


def namespaced(*command: str) -> Any:
    """The output of a command that sees a disk of one megabyte at /mnt, which no other process does."""
    mount = 'mount -t tmpfs -o size=1m none /mnt && exec "$0" "$@"'
    wrapped = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, *command]
    probe = [*wrapped[:7], "true"]
    if shutil.which("unshare") is None or subprocess.run(probe, capture_output=True, check=False).returncode:
        reason = "needs unshare (util-linux) and user namespaces, to mount a small disk"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    done = subprocess.run(wrapped, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_full_disk_stops_writing_and_not_reading(model: Path) -> None:
    script = Path(__file__).with_name("full_disk.py")
    told = namespaced(sys.executable, str(script), str(model), "/mnt")
    full = [507, "urn:nadie:problem:storage-full"]
    assert told["written"] == {"add": full, "review": full, "keep": full}
    assert told["read"] == {"document": True, "list": 1, "annotate": 200, "ready": 200}
    assert told["again"] == 200, "writing goes on when there is room again"
