"""Fixtures of the service's tests: a model folder, an application, and a server in a process of its own."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

pytest.importorskip("fastapi", reason="the service needs its extra: pip install 'nadie[service]'")

from starlette.testclient import TestClient

from nadie.service.http.app import create_app
from nadie.service.options import Limits, ServiceOptions
from nadie.storage import write_model

from .browsing import PATIENCE, Tab, started_chromium

NOTE = (
    "Paciente: Lucía Prado Ferrer, 54 años, natural de Cuenca.\n"
    "Ingresa el 03/01/2024 en el Hospital Santa Marta. Teléfono 612 345 678.\n"
    "Informe firmado por la Dra. Inés Montoya.\n"
)
SECOND = "Paciente: Berta Solís, 41 años.\nHabla con Osuna. La Dra. Inés Montoya firma; Osuna asiente.\n"


@pytest.fixture(scope="session", autouse=True)
def _installed_plugin(plugin: Path) -> Iterator[None]:
    """The probe detector is installed for this process and, by the environment, for every worker."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(plugin), before]))
    sys.path.insert(0, str(plugin))
    yield
    sys.path.remove(str(plugin))
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder of the probe detector."""
    path = tmp_path_factory.mktemp("models") / "probe"
    write_model(path, system="probe", config={}, card={"trained_on": "nothing"}, files={})
    return path


MakeClient = Callable[..., TestClient]


@pytest.fixture(scope="session")
def make_client(model: Path) -> Iterator[MakeClient]:
    """Clients of applications with one worker each and the options asked for."""
    made: list[TestClient] = []

    def make(**options: object) -> TestClient:
        chosen = {"models": (str(model),), "workers": 1, **options}
        client = TestClient(
            create_app(ServiceOptions(**chosen)),  # type: ignore[arg-type]
            base_url="http://127.0.0.1",
            raise_server_exceptions=False,
        )
        client.__enter__()
        made.append(client)
        return client

    yield make
    for client in made:
        client.__exit__(None, None, None)


@pytest.fixture(scope="session")
def client(make_client: MakeClient) -> TestClient:
    """A service without a project and with limits that a test can reach."""
    return make_client(limits=Limits(text=50_000, body=200_000, batch_body=400_000, batch_documents=50, seconds=2.0))


@dataclass
class Server:
    """`nadie serve` as a process."""

    url: str
    process: subprocess.Popen[str]
    log: Path
    address: tuple[str, int] = field(default=("127.0.0.1", 0))

    def stop(self) -> str:
        """End it as systemd would, and give all that it logged."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=PATIENCE)
        return self.log.read_text(encoding="utf-8")


StartServer = Callable[..., Server]


@pytest.fixture(scope="session")
def start_server(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartServer]:
    """Start `nadie serve` with further options, on a free port; it is ready when this returns."""
    started: list[Server] = []

    def start(*options: str, model: Path | str = model) -> Server:
        port = _free_port()
        log = tmp_path_factory.mktemp("server") / "log"
        command = [sys.executable, "-c", _SERVE, "--model", str(model), "--port", str(port), *options]
        with log.open("w", encoding="utf-8") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, text=True)
        server = Server(f"http://127.0.0.1:{port}", process, log, ("127.0.0.1", port))
        started.append(server)
        until(lambda: _is_ready(server), "the server did not become ready")
        return server

    yield start
    for server in started:
        server.stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, for one module: its event loop must not be in the way of the others'."""
    with started_chromium() as running:
        yield running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the module's project."""
    return tmp_path_factory.mktemp("project") / "review"


@pytest.fixture(scope="module")
def server(start_server: StartServer, folder: Path) -> Iterator[Server]:
    """A service with a project; a module without one has a fixture of its own."""
    started = start_server("--project", str(folder))
    yield started
    started.stop()


@pytest.fixture(params=["project", "memory"])
def empty(request: pytest.FixtureRequest, tab: Tab) -> Tab:
    """The page without documents, on the project and without one."""
    if request.param == "memory":
        tab.page.route("**/v1/project", lambda route: route.fulfill(json={"open": False}))
        tab.go()
    tab.clear()
    return tab


@pytest.fixture
def work(empty: Tab) -> Tab:
    """The page with two documents, of which the first is open."""
    empty.add(una=NOTE, otra=SECOND)
    empty.open("una")
    return empty


@pytest.fixture
def tab(browser: Any, server: Server) -> Iterator[Tab]:
    """The page of the module's own `server`, opened; nothing may have gone wrong in it when it closes."""
    opened = Tab(browser, server.url).go()
    yield opened
    opened.close()


_SERVE = "import typer; from nadie.cli.serve import serve; typer.run(serve)"


def until(happened: Callable[[], bool], what: str) -> None:
    """Wait until something has happened; `what` says what did not."""
    latest = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < latest, what
        time.sleep(0.05)


def _is_ready(server: Server) -> bool:
    assert server.process.poll() is None, server.log.read_text(encoding="utf-8")
    try:
        return httpx2.get(f"{server.url}/ready", trust_env=False).status_code == 200
    except httpx2.TransportError:
        return False


def _free_port() -> int:
    """A port below those that the system gives to connections: none of these takes it before the service does."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
