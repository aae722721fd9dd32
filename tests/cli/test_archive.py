"""A folder as in a hospital: unusual names, broken files, links, pipes, and many files."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs links, pipes and names with control characters")
MANY = 25


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    folder = tmp_path_factory.mktemp("archive")
    source = folder / "in"
    (source / "sala").mkdir(parents=True)
    for number in range(MANY):
        (source / f"tabla{number:02}.csv").write_text("id,nota\n1,Vive en Lugo\n", encoding="utf-8")
        (source / f"roto{number:02}.pdf").write_bytes(b"%PDF-1.4 broken")
    (source / "sala" / "l\nrota\x1b[2J.txt").write_bytes(b"\x00\x01\xff" * 40)
    (source / "sala" / "vacia.txt").write_bytes(b"")
    (source / ".oculta.txt").write_text("Paciente: Ana Pérez", encoding="utf-8")
    (source / "bucle").symlink_to(source)
    os.mkfifo(source / "tuberia.txt")
    arguments = [str(source), "--out", str(folder / "out"), "--failures", str(folder / "failed.txt")]
    command = [sys.executable, "-m", "nadie", "anonymize", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False), folder


def test_every_file_is_accounted_for(run: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done, folder = run
    assert done.returncode == 1
    assert f"{MANY + 1} handled, {MANY + 2} failed" in done.stderr
    written = [path.name for path in (folder / "out").rglob("[!.]*") if path.is_file()]
    assert len(written) == MANY + 1
    assert "links to folders were not read, such as" in done.stderr
    assert "tuberia.txt: is not a file\n" in (folder / "failed.txt").read_text(encoding="utf-8")


def test_many_are_counted_by_what_they_are_and_why_they_failed(
    run: tuple[subprocess.CompletedProcess[str], Path],
) -> None:
    done, _ = run
    assert f"written {MANY} × a CSV table\n" in done.stderr
    assert "tabla00" not in done.stderr
    assert f"failed {MANY} × is a damaged or truncated PDF" in done.stderr


def test_names_with_control_characters_are_escaped(run: tuple[subprocess.CompletedProcess[str], Path]) -> None:
    done, folder = run
    failed = (folder / "failed.txt").read_text(encoding="utf-8")
    assert len(failed.splitlines()) == MANY + 2
    assert r"l\nrota\x1b[2J.txt: is binary data" in failed
    assert "\x1b" not in done.stderr
