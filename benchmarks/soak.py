"""`nadie serve` over a long time behind nginx, with everything that goes wrong: a soak test.

    python benchmarks/soak.py                                  # 40,000 requests
    python benchmarks/soak.py --requests 5000 --minutes 10

Mixed requests (notes and hostile bodies, as in service_load.py) and work on a project go through nginx. Meanwhile
workers and the service itself are killed with SIGKILL, the disk of the project is filled, and nginx is restarted. At
the end every change that was acknowledged must be in the project, its change log must be unbroken, no response may be
an internal error, and no planted name may be in the log; otherwise the script exits with 1. The project is on a small
disk of its own, in a mount namespace: the script needs `unshare` (util-linux) and nginx.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from service_load import NAMES, SURNAMES, Connection, bodies, kind_of, note

from nadie.service.project.backup import check
from nadie.service.project.store import open_project

DISK = "48m"
_SERVE = "import typer; from nadie.cli.serve import serve; typer.run(serve)"
_NGINX = """user root root; daemon off; master_process off; pid {folder}/pid; error_log stderr crit; events {{}}
http {{ access_log off; client_max_body_size 80m; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{ listen 127.0.0.1:{front}; location / {{ proxy_pass http://127.0.0.1:{back};
    proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $remote_addr; }} }} }}"""
_JSON = {"Content-Type": "application/json"}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Place:
    """The service, nginx before it, and the small disk with the project."""

    def __init__(self, folder: Path, disk: Path, model: str) -> None:
        self.folder, self.disk, self.project = folder, disk, disk / "project"
        self.front, self.back = free_port(), free_port()
        self.log = folder / "log"
        (folder / "serve.toml").write_text('workers = 2\n[network]\nproxies = ["127.0.0.1"]\n')
        (folder / "nginx.conf").write_text(_NGINX.format(folder=folder, front=self.front, back=self.back))
        options = ["--model", model, "--port", str(self.back), "--project", str(self.project)]
        self._command = [sys.executable, "-c", _SERVE, *options, "--config", str(folder / "serve.toml")]
        self.start()
        self.start_proxy()

    def start(self) -> None:
        with self.log.open("a") as output:
            self.service = subprocess.Popen(self._command, stdout=output, stderr=output)
        self.wait(self.back)

    def start_proxy(self) -> None:
        command = ["nginx", "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]
        self.proxy = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.wait(self.front)

    def wait(self, port: int) -> None:
        for _ in range(3000):
            if is_open(port):
                return
            time.sleep(0.1)
        sys.exit("it does not listen")

    def listens(self) -> bool:
        return is_open(self.front) and is_open(self.back)

    def kill_worker(self) -> None:
        pid = self.service.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        if children:
            os.kill(int(children[0]), signal.SIGKILL)

    def kill_service(self) -> None:
        self.service.kill()
        self.service.wait()
        self.start()

    def restart_proxy(self) -> None:
        self.proxy.terminate()
        self.proxy.wait()
        self.start_proxy()

    def fill(self) -> None:
        with contextlib.suppress(OSError), (self.disk / "filling").open("wb", buffering=0) as file:
            while True:
                file.write(b"x" * 65_536)

    def empty(self) -> None:
        (self.disk / "filling").unlink()

    def memory(self) -> str:
        pages = int(Path(f"/proc/{self.service.pid}/statm").read_text().split()[1])
        return f"{pages * os.sysconf('SC_PAGE_SIZE') / 1e6:.0f} MB"

    def stop(self) -> None:
        for process in (self.proxy, self.service):
            process.terminate()
            process.wait()


@dataclass
class Soak:
    """What was done so far, and what the service acknowledged."""

    place: Place
    requests: int
    until: float
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    done: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    times: list[float] = field(default_factory=list)
    acknowledged: dict[int, int] = field(default_factory=dict)
    """The version of each document of the project after its last acknowledged change."""

    def goes_on(self) -> bool:
        return self.done < self.requests and time.monotonic() < self.until

    async def caller(self) -> None:
        connection = Connection(self.place.front)
        while self.goes_on():
            self.done += 1
            if self.chance.random() < 0.1:
                await self._work(connection)
            else:
                path, body, headers = bodies(self.chance)
                await self._send(connection, path, body, headers)
        connection.close()

    async def _send(self, connection: Connection, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        began = time.perf_counter()
        try:
            status, answer = await connection.post(path, body, headers)
        except OSError:  # nobody listens for the moment
            status, answer = 0, b""
        self.times.append(time.perf_counter() - began)
        self.statuses[kind_of(status, answer)] += 1
        while status in (0, 502, 504) and self.goes_on() and not self.place.listens():
            await asyncio.sleep(0.5)  # the service or nginx is starting again
        return status, answer

    async def _work(self, connection: Connection) -> None:
        """Add a document to the project, and flag it: two changes."""
        new = {"name": f"n{self.done}", "text": note(self.chance, 3)}
        status, answer = await self._send(connection, "/v1/project/documents", json.dumps(new).encode(), _JSON)
        if status != 201:
            return
        number = int(json.loads(answer)["id"])
        self.acknowledged[number] = 1
        comment = json.dumps({"text": "visto"}).encode()
        status, _ = await self._send(connection, f"/v1/project/documents/{number}/comments", comment, _JSON)
        if status == 201:
            self.acknowledged[number] = 2

    async def trouble(self) -> None:
        """Something goes wrong twelve times, evenly over the requests."""
        events = ["worker", "service", "disk", "worker", "proxy", "service"] * 2
        for number, event in enumerate(events, start=1):
            goal = self.requests * number / (len(events) + 1)
            while self.done < goal and self.goes_on():
                await asyncio.sleep(0.1)
            if not self.goes_on():
                return
            await self._happens(event)
            print(f"  after {self.done:6d} requests: {event}; memory {self.place.memory()}", flush=True)

    async def _happens(self, event: str) -> None:
        place = self.place
        if event == "disk":
            await asyncio.to_thread(place.fill)
            await asyncio.sleep(5)
            place.empty()
            return
        does = {"worker": place.kill_worker, "service": place.kill_service, "proxy": place.restart_proxy}
        await asyncio.to_thread(does[event])

    def verdict(self) -> list[str]:
        """What must not be."""
        project = open_project(self.place.project)
        lost = 0
        for number, version in self.acknowledged.items():
            stored = project.get(number)
            lost += len(stored.comments) < version - 1
        broken = check(self.place.project).broken_at
        log = self.place.log.read_text().lower()
        named = [name for name in (*NAMES, *SURNAMES) if name.lower() in log]
        internal = [kind for kind in self.statuses if kind.startswith("500")]
        found = {"acknowledged changes lost": lost, "change log broken at": broken, "names in the log": named}
        return [f"{what}: {how}" for what, how in {**found, "internal errors": internal}.items() if how]


async def soak(state: Soak, at_once: int) -> None:
    await asyncio.gather(state.trouble(), *(state.caller() for _ in range(at_once)))


def run(disk: Path, model: str, requests: int, minutes: float, at_once: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), disk, model)
        state = Soak(place, requests, time.monotonic() + 60 * minutes)
        began = time.monotonic()
        asyncio.run(soak(state, at_once))
        seconds = time.monotonic() - began
        times = sorted(state.times)
        p50, p99 = (times[len(times) * share // 100] * 1e3 for share in (50, 99))
        print(f"{len(times)} requests in {seconds:.0f} s, {at_once} at once: p50 {p50:.0f} ms, p99 {p99:.0f} ms")
        print("answers: " + ", ".join(f"{count} {kind}" for kind, count in sorted(state.statuses.items())))
        print(f"memory at the end: {place.memory()}; lines of log: {place.log.read_text().count(chr(10))}")
        place.stop()
        print(f"documents added and acknowledged: {len(state.acknowledged)}")
        faults = state.verdict()
    print("\n".join(faults) or "nothing was lost, the change log is whole, no internal error, no name in the log")
    return 1 if faults else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--requests", type=int, default=40_000)
    parser.add_argument("--minutes", type=float, default=120, help="end after this time")
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--disk", type=Path, help="the small disk; by default one is mounted, in a namespace")
    given = parser.parse_args()
    if given.disk is not None:
        return run(given.disk, given.model, given.requests, given.minutes, given.at_once)
    mount = f'mount -t tmpfs -o size={DISK} none /mnt && exec "$0" "$@" --disk /mnt'
    wrapped = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, sys.executable, *sys.argv]
    return subprocess.run(wrapped, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
