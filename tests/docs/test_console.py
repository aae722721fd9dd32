"""The commands that the guides show, run one after another in an empty folder, print what the guides show.

A block `console` has commands behind `$` and what they print; `…` stands for any text. `<!-- save: NAME -->` above a
block says that its text is in the file NAME. The folder `notes` has the files of examples/.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_BLOCK = re.compile(
    r"(?:^<!-- save: (?P<name>\S+) -->\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```", re.MULTILINE | re.DOTALL
)
PAGES = [page for page in sorted((ROOT / "docs").glob("e[ns]/**/*.md")) if "```console" in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "notes")
    for block in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        if block["name"]:
            (tmp_path / block["name"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "console":
            for command, expected in _commands(block["text"]):
                printed = _run(command, tmp_path)
                assert re.fullmatch(_pattern(expected), printed), (
                    f"{command}\nprints:\n{printed}\ninstead of:\n{expected}"
                )


def _commands(text: str) -> Iterator[tuple[str, str]]:
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        while command.endswith("\\"):
            more, _, printed = printed.partition("\n")
            command = f"{command}\n{more}"
        yield command, printed.strip()


def _pattern(expected: str) -> str:
    return "(?s)" + re.escape(expected).replace("…", ".*")


def _run(command: str, folder: Path) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "COLUMNS": "120"}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        check=False,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    return done.stdout.decode().strip()
