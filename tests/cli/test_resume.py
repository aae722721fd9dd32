"""`nadie anonymize --resume`: a killed and resumed command gives the same output as an uninterrupted one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

KEY = "una clave bastante larga"
NOTE = "NHC: 76547{:02}. Paciente: Ana Belén Pérez Soto. Ingresa el {}/03/2019 en Lugo. Dra. Elena Roca.\n"
OPTIONS = ("--policy", "research", "--column", "nota", "--workers", "2")


def archive(folder: Path) -> Path:
    """Small files in folders, and a table that is longer than all of them."""
    for number in range(30):
        file = folder / f"sala {number % 3}" / f"{number:02}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(NOTE.format(number, number % 28 + 1), encoding="utf-8")
    lines = [f'{number},"{NOTE.format(number % 100, number % 28 + 1).strip()}"' for number in range(400)]
    (folder / "tabla.csv").write_text("\n".join(["id,nota", *lines, ""]), encoding="utf-8")
    return folder


def started(source: Path, out: Path, *more: object) -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "nadie", "anonymize", source, "--out", out, *OPTIONS, *more]
    environment = {**os.environ, "NADIE_KEY": KEY}
    return subprocess.Popen(list(map(str, words)), env=environment, stderr=subprocess.PIPE)


def told(process: subprocess.Popen[bytes]) -> str:
    with process:
        return process.communicate()[1].decode()


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
def test_a_killed_run_goes_on(tmp_path: Path) -> None:
    source = archive(tmp_path / "in")
    whole = told(started(source, tmp_path / "whole", "--audit", tmp_path / "whole.jsonl"))
    assert "31 handled, 0 failed" in whole

    out = tmp_path / "out"
    journal = out / ".nadie-journal"
    with started(source, out) as process:
        while not journal.exists() or journal.stat().st_size < 4000:  # some batches
            assert process.poll() is None, "the run was over before it could be killed"
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
    assert journal.exists()
    refused = told(started(source, out))
    assert "--resume" in refused

    again = told(started(source, out, "--resume", "--audit", tmp_path / "out.jsonl"))
    assert "31 handled, 0 failed" in again
    assert "texts were done before the run was interrupted" in again
    assert contents(out) == contents(tmp_path / "whole")
    lines = [(tmp_path / name).read_text(encoding="utf-8").splitlines()[1:-1] for name in ("whole.jsonl", "out.jsonl")]
    assert lines[0] == lines[1]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [(["--resume"], "needs --out"), (["--in-place", "--backup", "copia", "--resume"], "--in-place")],
)
def test_what_cannot_be_resumed(tmp_path: Path, arguments: list[str], reason: str) -> None:
    (tmp_path / "nota.txt").write_text(NOTE, encoding="utf-8")
    command = [sys.executable, "-m", "nadie", "anonymize", "nota.txt", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, reason in done.stderr) == (2, True), done.stderr
