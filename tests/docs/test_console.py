"""The commands that the guides show, run one after another in an empty folder, print what the guides show.

A block `console` has commands behind `$` and what they print; `…` stands for any text. A command that ends in `&` runs
until the end of the page, and the next one waits until it has printed what the page shows. `<!-- save: NAME -->` above
a block says that its text is in the file NAME. The folder `notes` has the files of examples/; if a page speaks of them,
the folder `scans` has a scanned page and `visits.xlsx` is a workbook. Ports from 8000 to 8999 are exchanged for free
ones. The commands speak the language of the page.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import openpyxl
import pytest
from PIL import Image, ImageDraw, ImageFont

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(
    r"(?:^<!-- save: (?P<name>\S+) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)
_PORT = re.compile(r"(?<=:|\s)8\d{3}\b")
_SECONDS = 90.0
PAGES = [page for page in sorted((ROOT / "docs").glob("e[ns]/**/*.md")) if "```console" in page.read_text()]
SCAN = ("Informe de alta", "Paciente: Ana Pérez Soto", "Ingresa con disnea el 3/2/2024.", "Enfermedad de Wilson.")
VISITS = (("nhc", "nota"), (4471920, "Ana Pérez Soto, 70 años."), (5532218, "Luis Ferrer Gómez acude con su esposa."))


@pytest.fixture
def background() -> Iterator[list[subprocess.Popen[bytes]]]:
    running: list[subprocess.Popen[bytes]] = []
    yield running
    for process in reversed(running):
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(timeout=30)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_the_page_shows(
    page: Path, tmp_path: Path, background: list[subprocess.Popen[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = _with_free_ports(page.read_text(encoding="utf-8"))
    monkeypatch.setenv("NADIE_LANG", page.relative_to(ROOT / "docs").parts[0])
    _prepare(tmp_path, text)
    for block in _BLOCK.finditer(text):
        if block["name"]:
            (tmp_path / block["name"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "console":
            for command, expected in _commands(block["text"]):
                if command.endswith("&"):
                    printed = _start(command.rstrip("& "), expected, tmp_path, background)
                else:
                    printed = _run(command, tmp_path)
                assert re.fullmatch(_pattern(expected), printed), (
                    f"{command}\nprints:\n{printed}\ninstead of:\n{expected}"
                )


def _with_free_ports(text: str) -> str:
    """The page with another port for each that it names, so that it does not matter what else runs on this machine."""
    sockets = {port: socket.create_server(("127.0.0.1", 0)) for port in set(_PORT.findall(text))}
    free = {port: str(bound.getsockname()[1]) for port, bound in sockets.items()}
    for bound in sockets.values():
        bound.close()
    return _PORT.sub(lambda port: free[port.group()], text)


def _prepare(folder: Path, text: str) -> None:
    shutil.copytree(ROOT / "examples", folder / "notes")
    if "`scans`" in text:
        (folder / "scans").mkdir()
        page = Image.new("L", (1654, 700), 255)
        for number, line in enumerate(SCAN):
            ImageDraw.Draw(page).text((120, 100 + 90 * number), line, font=ImageFont.load_default(size=40), fill=0)
        page.save(folder / "scans" / "alta.png", dpi=(200, 200))
    if "`visits.xlsx`" in text:
        book = openpyxl.Workbook()
        for row in VISITS:
            book.worksheets[0].append(row)
        book.save(folder / "visits.xlsx")


def _commands(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        while command.endswith("\\"):
            more, _, printed = printed.partition("\n")
            command = f"{command}\n{more}"
        yield command, printed.strip()


def _pattern(expected: str) -> str:
    return "(?s)" + re.escape(expected).replace("…", ".*")


def _environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}:/usr/sbin", "COLUMNS": "120"}


def _run(command: str, folder: Path) -> str:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=_environment(),
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout.decode().strip()


def _start(command: str, expected: str, folder: Path, background: list[subprocess.Popen[bytes]]) -> str:
    """Start a command, and return what it has printed as soon as this is what the page shows, or at its end."""
    log = folder.parent / f"{folder.name}-{len(background)}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            ["bash", "-c", command],
            cwd=folder,
            env=_environment(),
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    background.append(process)
    end = time.monotonic() + _SECONDS
    while time.monotonic() < end and process.poll() is None:
        if re.fullmatch(_pattern(expected), log.read_text(encoding="utf-8").strip()):
            break
        time.sleep(0.3)
    return log.read_text(encoding="utf-8").strip()
