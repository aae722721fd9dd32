"""Fixtures shared by all tests."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# No test is timed, and all see the same examples every time; `pytest --hypothesis-profile=search` looks for new ones.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("same", settings.get_profile("search"), derandomize=True)
settings.load_profile("same")

os.environ["NADIE_SALT"] = "nadie: keys of operators, version 1"  # of the passphrases in the tests

_ROOT = Path(__file__).resolve().parent.parent
_PROGRAMS = f"{os.environ.get('PATH', '')}:/usr/sbin"
_CI = os.environ.get("CI") == "true"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _fail_if_skipped(report)
    return report


def _fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Under CI everything is there: what is skipped for want of a corpus, a browser or a library has failed."""
    if _CI and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, which CI does not allow: {report.longrepr}"


@pytest.fixture(scope="session")
def meddocan() -> Path:
    """The folder of the MEDDOCAN corpus, or a skip that names what is missing."""
    for place in (os.environ.get("NADIE_MEDDOCAN"), _ROOT.parent / "shared" / "meddocan"):
        if place and (folder := Path(place)).is_dir():
            return folder
    pytest.skip("the MEDDOCAN corpus is not here: set NADIE_MEDDOCAN to its folder")


@pytest.fixture(scope="session")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package of `tests/plugin` is installed, to be put on the path of a process."""
    folder = tmp_path_factory.mktemp("plugin")
    source = shutil.copytree(_ROOT / "tests" / "plugin", folder / "source")  # building writes into its folder
    options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(folder / "installed")]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(source)], check=True)
    return folder / "installed"


@pytest.fixture(scope="session")
def mariadb() -> Iterator[str]:
    """The URL of a MariaDB that runs for these tests alone, on loopback, and not as root."""
    if shutil.which("mariadbd", path=_PROGRAMS) is None:
        pytest.skip("MariaDB is not here: apt-get install mariadb-server")
    user = "mysql" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    folder, port = Path(tempfile.mkdtemp(prefix="nadie-mariadb-")), _free_port()
    shutil.chown(folder, user)
    data, environment = f"--datadir={folder}/data", {**os.environ, "PATH": _PROGRAMS}
    listening = [f"--port={port}", "--bind-address=127.0.0.1", f"--socket={folder}/socket", f"--pid-file={folder}/pid"]
    here: Any = {
        "user": user,
        "cwd": folder,
        "env": environment,
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    try:
        subprocess.run(["mariadb-install-db", "--no-defaults", data], check=True, **here)
        server = subprocess.Popen(["mariadbd", "--no-defaults", data, *listening, "--skip-grant-tables"], **here)
        while server.poll() is None and not (folder / "pid").exists():
            time.sleep(0.1)
        yield f"mysql+pymysql://nadie@127.0.0.1:{port}/test?charset=utf8mb4"
        server.kill()
        server.wait()
    finally:
        shutil.rmtree(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The connection string of a PostgreSQL that runs for these tests alone, on loopback, and not as root."""
    pytest.importorskip("psycopg")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("PostgreSQL is not here: apt-get install postgresql")
    programs, user = found[-1].parent, "postgres" if os.getuid() == 0 else pwd.getpwuid(os.getuid()).pw_name
    folder, port = Path(tempfile.mkdtemp(prefix="nadie-postgres-")), _free_port()
    shutil.chown(folder, user)

    def run(*command: object) -> None:
        subprocess.run(list(map(str, command)), user=user, cwd=folder, check=True, stdout=subprocess.DEVNULL)

    try:
        run(programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "nadie", "-E", "UTF8", "--no-sync")
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
        control = (programs / "pg_ctl", "-D", folder / "data", "-s", "-w")
        run(*control, "-l", folder / "log", "-o", options, "start")
        yield f"postgresql://nadie@127.0.0.1:{port}/postgres"
        run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port
