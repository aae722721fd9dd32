"""The Makefile: it finds a Python, says what is missing, and installs nothing on the system unasked."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASKED = "Install them with apt-get? [y/N]"


def test_make_finds_any_python_that_is_new_enough(tmp_path: Path) -> None:
    found = _python_of_make(tmp_path, {"python3.9": "exit 1", "python3": f'exec "{sys.executable}" "$@"'})
    assert found == "python3"
    assert (
        _python_of_make(tmp_path, {"python3": "exit 1", "python3.12": f'exec "{sys.executable}" "$@"'}) == "python3.12"
    )


def test_make_says_what_is_missing(tmp_path: Path) -> None:
    assert _python_of_make(tmp_path, {"python3": "exit 1"}) == ""
    done = _make(tmp_path, ".venv/bin/python", "VENV=.venv", "BIN=.venv/bin")
    assert done.returncode != 0
    assert "needs Python 3.11 or later" in done.stderr


def _python_of_make(folder: Path, programs: dict[str, str]) -> str:
    """The interpreter that the Makefile chooses where these programs are all there is."""
    for old in folder.iterdir():
        old.unlink()
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return _make(folder, "chosen", "--eval=chosen: ; @echo $(PYTHON)").stdout.strip()


def _make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    make, shell = shutil.which("make"), shutil.which("sh")
    assert make
    assert shell
    command = [
        make,
        "--no-print-directory",
        "-f",
        str(ROOT / "Makefile"),
        "-C",
        str(folder),
        f"SHELL={shell}",
        *arguments,
    ]
    return subprocess.run(command, env={"PATH": str(folder)}, capture_output=True, text=True, check=False)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A machine that has a shell and an apt-get, which writes down what it is asked for, and none of the programs."""
    for name in ("sh", "id", "cat"):
        found = shutil.which(name)
        assert found
        (tmp_path / name).symlink_to(found)
    for name in ("apt-get", "sudo"):
        call = 'printf "%s\\n" "$*" >> "$LOG"' if name == "apt-get" else 'exec "$@"'
        (tmp_path / name).write_text(f"#!{tmp_path}/sh\n{call}\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def install(bare: Path, stdin: int, **more: str) -> tuple[int, str, str]:
    """Exit code and output of the script, and the calls of apt-get."""
    log = bare / "log"
    log.write_text("", encoding="utf-8")
    script = ROOT / "scripts" / "install_test_tools.sh"
    environment = {"PATH": str(bare), "LOG": str(log), **more}
    done = subprocess.run(
        [bare / "sh", script], stdin=stdin, env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, log.read_text(encoding="utf-8")


@pytest.mark.parametrize(("answer", "installs"), [(b"y\n", True), (b"n\n", False), (b"\n", False)])
def test_a_person_is_asked_before_anything_is_installed(bare: Path, answer: bytes, installs: bool) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, answer)
    code, said, calls = install(bare, theirs)
    os.close(ours)
    os.close(theirs)
    assert (code, ASKED in said, "install" in calls) == (0, True, installs)
    assert "chromium" in said
    assert not installs or "qpdf" in calls


def test_where_nobody_can_answer_nothing_is_installed(bare: Path) -> None:
    code, said, calls = install(bare, subprocess.DEVNULL)
    assert (code, ASKED in said, calls) == (0, False, "")
    assert said.startswith("not installed: buildah caddy chromium dcmtk")
    assert said.endswith("the tests that need them will be skipped\n")


def test_ci_installs_without_asking(bare: Path) -> None:
    code, said, calls = install(bare, subprocess.DEVNULL, CI="true")
    assert (code, ASKED in said) == (0, False)
    assert "install -qq -y --no-install-recommends buildah caddy chromium dcmtk" in calls
    assert "not installed: buildah caddy chromium" in said  # this apt-get installs nothing


def test_nothing_is_said_where_all_is_there(bare: Path) -> None:
    for name in (
        "buildah",
        "caddy",
        "chromium",
        "dcmdump",
        "ip",
        "javac",
        "mariadbd",
        "mutool",
        "nginx",
        "node",
        "pdftotext",
        "pg_lsclusters",
        "qpdf",
        "sqlite3",
        "strace",
        "localc",
        "lowriter",
    ):
        (bare / name).symlink_to(bare / "cat")
    assert install(bare, subprocess.DEVNULL) == (0, "", "")
