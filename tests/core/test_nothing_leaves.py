"""Nothing leaves the machine: no look-up, no connection, no file left behind, in a network namespace of its own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_NOTE = ROOT / "examples" / "urgencias.txt"
_SERVE = """
import json, signal, subprocess, sys, time, urllib.request
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
server = subprocess.Popen([sys.executable, "-m", "nadie", "serve", "--port", "8000"], stderr=subprocess.DEVNULL)
for _ in range(600):
    try:
        assert opener.open("http://127.0.0.1:8000/ready").status == 200
        break
    except OSError:
        time.sleep(0.1)
for task in ("annotate", "anonymize"):
    body = json.dumps({"text": "Paciente: Ana Pérez Soto"}).encode()
    headers = {"Content-Type": "application/json"}
    answer = opener.open(urllib.request.Request(f"http://127.0.0.1:8000/v1/{task}", body, headers))
    assert answer.status == 200
time.sleep(15)  # onnxruntime makes its first look-up some nine seconds after the start
server.send_signal(signal.SIGTERM)
server.wait(30)
"""


def _isolated(folder: Path, *command: str) -> tuple[list[str], list[str]]:
    """Run a command without a network and with a fresh home; return what it tried to reach and the files it left."""
    for tool in ("strace", "ip", "unshare"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not here")
    namespace = ["unshare", "--net"] if os.getuid() == 0 else ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*namespace, "true"], capture_output=True).returncode:
        pytest.skip("this user may not create a network namespace")
    fresh = {name: folder / name for name in ("home", "tmp", "work")}
    for path in fresh.values():
        path.mkdir()
    trace = folder / "trace"
    kept = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    kept |= {"HOME": str(fresh["home"]), "TMPDIR": str(fresh["tmp"])}
    for name in [name for name in kept if name.startswith("XDG_")]:
        del kept[name]
    traced = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(trace), *command]
    script = 'ip link set lo up && exec "$@"'
    done = subprocess.run(
        [*namespace, "sh", "-c", script, "sh", *traced], cwd=fresh["work"], env=kept, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    outside = [line for line in trace.read_text().splitlines() if _reaches_outside(line)]
    return outside, [str(path) for path in folder.rglob("*") if path.is_file() and path != trace]


def _reaches_outside(call: str) -> bool:
    """Whether a system call addresses anything but this machine."""
    return bool(re.search(r"AF_INET6?\b", call)) and not re.search(r'"127\.0\.0\.1"|"::1"', call)


def test_anonymize_reaches_nobody_and_leaves_no_file(tmp_path: Path) -> None:
    outside, left = _isolated(tmp_path, sys.executable, "-m", "nadie", "anonymize", str(_NOTE))
    assert (outside, left) == ([], [])


def test_workers_reach_nobody_and_leave_only_the_output(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "nadie", "anonymize", str(_NOTE.parent), "--workers", "2", "--out", "out"]
    outside, left = _isolated(tmp_path, *command)
    assert outside == []
    assert {Path(name).parent.name for name in left} == {"out"}


def test_the_service_reaches_nobody_and_leaves_no_file(tmp_path: Path) -> None:
    pytest.importorskip("fastapi")
    outside, left = _isolated(tmp_path, sys.executable, "-c", _SERVE)
    assert (outside, left) == ([], [])


def test_a_call_to_another_machine_is_noticed(tmp_path: Path) -> None:
    script = "import socket\ntry: socket.create_connection(('192.0.2.1', 53), 1)\nexcept OSError: pass"
    outside, _ = _isolated(tmp_path, sys.executable, "-c", script)
    assert outside
