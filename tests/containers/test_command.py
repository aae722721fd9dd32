"""`nadie anonymize` over files of any kind, as a user types it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

NOTE = "Paciente: Ana Pérez Soto, de 70 años, NHC 7654321. Vive en Lugo.\n"
VALUES = ("Pérez", "Soto", "7654321", "Lugo")


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "nadie", *map(str, arguments)]
    environment = {**os.environ, "COLUMNS": "300", "NO_COLOR": "1"}
    return subprocess.run(command, input=stdin, capture_output=True, check=False, env=environment)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a hospital may have in a folder, with files that are not read."""
    folder = tmp_path_factory.mktemp("files") / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "nota.txt").write_text(NOTE, encoding="utf-8")
    page = NOTE.replace("Pérez", "P<b>&eacute;r</b>ez").strip()
    (folder / "sub/carta.html").write_text(f"<html><body><p>{page}</p></body></html>", encoding="utf-8")
    (folder / "tabla.csv").write_text(f'nhc;nota;peso\r\n11;"{NOTE}";70,5\r\n', encoding="cp1252", newline="")
    (folder / "carta.rtf").write_text(r"{\rtf1 Mu\'f1oz}", encoding="ascii")
    (folder / "falso.docx").write_text("Ana", encoding="ascii")
    (folder / "foto.dat").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    with zipfile.ZipFile(folder / "todo.zip", "w") as archive:
        archive.writestr("n.txt", NOTE)
        archive.writestr("p.bin", b"\0\1")
    return folder


@pytest.fixture(scope="module")
def result(folder: Path) -> subprocess.CompletedProcess[bytes]:
    return run("anonymize", folder, "--out", folder.parent / "out")


def test_what_is_read_is_mirrored(folder: Path, result: subprocess.CompletedProcess[bytes]) -> None:
    out = folder.parent / "out"
    written = {file.relative_to(out).as_posix() for file in out.rglob("*") if file.is_file()}
    assert written == {"nota.txt", "sub/carta.html", "tabla.csv", "todo.zip"}
    with zipfile.ZipFile(out / "todo.zip") as archive:
        assert archive.namelist() == ["n.txt"]
        everything = archive.read("n.txt") + b"".join((out / name).read_bytes() for name in written)
    for value in VALUES:
        assert value.encode() not in everything
        assert value.encode("cp1252") not in everything
    assert (out / "sub/carta.html").read_text(encoding="utf-8").startswith("<html><body><p>Paciente: [")
    assert (out / "tabla.csv").read_bytes().startswith(b"nhc;nota;peso\r\n[ID_SUJETO_ASISTENCIA];")
    assert (out / "tabla.csv").read_bytes().endswith(b";70,5\r\n")


def test_the_summary_tells_of_every_file(result: subprocess.CompletedProcess[bytes]) -> None:
    told = result.stderr.decode().replace("\n", " ")
    assert result.returncode == 1
    assert "written sub/carta.html: an HTML page, 1 text, " in told
    assert "written tabla.csv: a CSV table, 2 texts, " in told
    assert "columns: nhc (ID_SUJETO_ASISTENCIA), nota (text); left as they were: peso; Windows-1252" in told
    assert "written todo.zip: a ZIP archive, 1 text, " in told
    assert "carta.rtf: is an RTF document, which is not read here" in told
    assert "falso.docx: is named .docx but is plain text: rename it or use --from" in told
    assert "foto.dat: is an image, which is not read here" in told
    assert "todo.zip!p.bin: is binary data of a format that nadie does not know, which is not read here" in told
    assert "4 handled, 4 failed" in told
    assert not any(value in told for value in VALUES)


def test_two_workers_write_the_same(folder: Path, result: subprocess.CompletedProcess[bytes]) -> None:
    out, again = folder.parent / "out", folder.parent / "again"
    assert run("anonymize", folder, "--out", again, "--workers", "2").stderr == result.stderr
    for name in ("nota.txt", "sub/carta.html", "tabla.csv", "todo.zip"):
        assert (again / name).read_bytes() == (out / name).read_bytes()


def test_the_user_may_overrule_the_content(folder: Path, tmp_path: Path) -> None:
    assert run("anonymize", folder / "carta.rtf", "--from", "text", "--out", tmp_path).returncode == 0
    assert (tmp_path / "carta.txt").read_text() == r"{\rtf1 Mu\'f1oz}"
    told = run("anonymize", folder / "nota.txt", "--from", "docs", "--out", tmp_path)
    assert (told.returncode, b"'docs'" in told.stderr) == (2, True)


def test_columns_and_patients(folder: Path, tmp_path: Path) -> None:
    arguments = ("anonymize", folder / "tabla.csv", "--out", tmp_path, "--column", "nota", "--patient-column", "nhc")
    assert run(*arguments, "--policy", "research").returncode == 0
    copy = (tmp_path / "tabla.csv").read_bytes().decode("cp1252")
    assert copy.startswith('nhc;nota;peso\r\n11;"Paciente: ')
    assert not any(value in copy for value in VALUES)
    missing = run(*arguments[:-1], "no")
    assert (missing.returncode, b"has no column 'no'" in missing.stderr) == (1, True)


def test_without_a_folder_the_texts_go_to_the_screen(folder: Path) -> None:
    shown = run("anonymize", folder / "sub/carta.html")
    assert shown.stdout.decode().startswith("Paciente: [NOMBRE_SUJETO_ASISTENCIA], de ")


@pytest.mark.parametrize("content", [b"%PDF-1.4\n", b"{\\rtf1 Ana}", b'{"resourceType": "Patient"}', b"PK\x03\x04"])
def test_a_pipe_is_not_taken_for_text_either(content: bytes) -> None:
    result = run("anonymize", "-", stdin=content)
    assert (result.returncode, result.stdout) == (1, b"")
