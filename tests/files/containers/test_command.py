"""`nadie anonymize` over files of any kind, as a user types it."""

from __future__ import annotations

import json
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import pytest
from pikepdf import Dictionary
from typer.testing import CliRunner

from command_line import run_command
from nadie.cli.main import build
from nadie.files.container import CONTAINERS, Account, Container, Edits, Opened, OpenOptions
from nadie.files.mapped import MappedText, Segment
from nadie.files.source import Source

from . import pdfs
from .cda_files import cda
from .fhir_files import bundle, in_json, ndjson, patient
from .hl7_files import ORU, message

NOTE = "Paciente: Ana Pérez Soto, de 70 años, NHC 7654321. Vive en Lugo.\n"
VALUES = ("Pérez", "Soto", "7654321", "Lugo")


def run(*arguments: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return run_command(*arguments, stdin=stdin, environment={"COLUMNS": "300"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a hospital may have in a folder, with files that are not read."""
    folder = tmp_path_factory.mktemp("files") / "in"
    (folder / "sub").mkdir(parents=True)
    (folder / "nota.txt").write_text(NOTE, encoding="utf-8")
    page = NOTE.replace("Pérez", "P<b>&eacute;r</b>ez").strip()
    (folder / "sub/carta.html").write_text(f"<html><body><p>{page}</p></body></html>", encoding="utf-8")
    (folder / "tabla.csv").write_text(f'nhc;nota;peso\r\n11;"{NOTE}";70,5\r\n', encoding="cp1252", newline="")
    (folder / "carta.rtf").write_text(r"{\rtf1 Mu\'f1oz", encoding="ascii")
    (folder / "falso.docx").write_text("Ana", encoding="ascii")
    (folder / "foto.dat").write_bytes(b"\x89PNG\r\n\x1a\n\0")
    with zipfile.ZipFile(folder / "todo.zip", "w") as archive:
        archive.writestr("informe.txt", NOTE)
        archive.writestr("p.bin", b"\0\1")
    return folder


@pytest.fixture(scope="module")
def result(folder: Path) -> subprocess.CompletedProcess[bytes]:
    return run("anonymize", folder, "--out", folder.parent / "out")


def test_what_is_read_is_mirrored(folder: Path, result: subprocess.CompletedProcess[bytes]) -> None:
    out = folder.parent / "out"
    written = {file.relative_to(out).as_posix() for file in out.rglob("[!.]*") if file.is_file()}
    assert written == {"nota.txt", "sub/carta.html", "tabla.csv", "todo.zip"}
    with zipfile.ZipFile(out / "todo.zip") as archive:
        assert archive.namelist() == ["informe.txt"]
        everything = archive.read("informe.txt") + b"".join((out / name).read_bytes() for name in written)
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
    assert "written tabla.csv: a CSV table, 1 row, " in told
    assert "columns: nhc (replaced as ID_SUJETO_ASISTENCIA), nota (searched), peso (harmless: measurements)" in told
    assert "; Windows-1252" in told
    assert "written todo.zip: a ZIP archive, 2 texts, " in told
    assert "carta.rtf: is damaged or truncated" in told
    assert "falso.docx: is named .docx but is plain text: rename it or use --from" in told
    assert "foto.dat: is a damaged or truncated image" in told
    assert "todo.zip!p.bin: is binary data in an unknown format, which is not supported" in told
    assert "4 handled, 4 failed" in told
    assert not any(value in told for value in VALUES)


def test_two_workers_write_the_same(folder: Path, result: subprocess.CompletedProcess[bytes]) -> None:
    out, again = folder.parent / "out", folder.parent / "again"
    assert run("anonymize", folder, "--out", again, "--workers", "2").stderr == result.stderr
    for name in ("nota.txt", "sub/carta.html", "tabla.csv", "todo.zip"):
        assert (again / name).read_bytes() == (out / name).read_bytes()


def test_the_user_may_overrule_the_content(folder: Path, tmp_path: Path) -> None:
    assert run("anonymize", folder / "carta.rtf", "--from", "text", "--out", tmp_path).returncode == 0
    assert (tmp_path / "carta.txt").read_text().startswith(r"{\rtf1 "), "the markup is text"
    told = run("anonymize", folder / "nota.txt", "--from", "docs", "--out", tmp_path)
    assert (told.returncode, b"'docs'" in told.stderr) == (2, True)


def test_columns_and_patients(folder: Path, tmp_path: Path) -> None:
    arguments = ("anonymize", folder / "tabla.csv", "--out", tmp_path, "--column", "nota", "--patient-column", "nhc")
    assert run(*arguments, "--policy", "research").returncode == 0
    copy = (tmp_path / "tabla.csv").read_bytes().decode("cp1252")
    assert copy.startswith("nhc;nota;peso\r\n")
    assert not copy.startswith("nhc;nota;peso\r\n11;")
    assert copy.endswith(";70,5\r\n")
    assert not any(value in copy for value in VALUES)
    missing = run(*arguments[:-1], "no", "--policy", "research")
    assert (missing.returncode, b"has no column 'no'" in missing.stderr) == (1, True)


def test_scanned_pages(tmp_path: Path) -> None:
    pdf = pdfs.new(f"BT /F1 12 Tf 50 700 Td ({NOTE.strip()}) Tj ET", "q 595 0 0 842 0 0 cm /Im Do Q")
    pdf.pages[1].obj.Resources.XObject = Dictionary(Im=pdfs.image(pdf))
    (tmp_path / "a.pdf").write_bytes(pdfs.saved(pdf))
    refused = run("anonymize", "--images", "refuse", tmp_path / "a.pdf", "--out", tmp_path / "out")
    assert (refused.returncode, b"page 2 has an image of the page" in refused.stderr) == (1, True)
    blanked = run("anonymize", tmp_path / "a.pdf", "--out", tmp_path / "out", "--images", "blank")
    assert (blanked.returncode, b"a.pdf, page 2: could not be searched" in blanked.stderr) == (0, True)
    assert pdfs.left((tmp_path / "out/a.pdf").read_bytes(), VALUES, tmp_path) == []


def test_without_a_folder_a_file_goes_to_the_screen_in_its_own_format(folder: Path) -> None:
    shown = run("anonymize", folder / "sub/carta.html")
    assert shown.stdout.decode().startswith("<html><body><p>Paciente: [NOMBRE_SUJETO_ASISTENCIA]")


def test_health_records_of_one_patient_agree(tmp_path: Path) -> None:
    folder, out = tmp_path / "in", tmp_path / "out"
    folder.mkdir()
    (folder / "a.json").write_bytes(in_json(bundle()))
    (folder / "Patient.ndjson").write_bytes(ndjson(patient()))
    (folder / "a.hl7").write_bytes(message(*ORU))
    (folder / "a.xml").write_bytes(cda())
    (tmp_path / "key").write_text("una clave bastante larga", encoding="ascii")
    arguments = ("anonymize", folder, "--policy", "research", "--key-file", tmp_path / "key")
    done = run(*arguments, "--out", out)
    assert done.returncode == 0, done.stderr
    assert b"written a.hl7: an HL7 v2 message, 1 text, " in done.stderr
    copies = {file.name: file.read_bytes() for file in out.glob("[!.]*")}
    assert not any(value in content for content in copies.values() for value in (b"7654321", b"Soto", "Muñoz".encode()))
    assert json.loads(copies["Patient.ndjson"])["id"] == json.loads(copies["a.json"])["entry"][0]["resource"]["id"]
    births = (
        json.loads(copies["Patient.ndjson"])["birthDate"].replace("-", ""),
        re.search(rb'birthTime value="(\d+)"', copies["a.xml"])[1].decode(),  # type: ignore[index]
        copies["a.hl7"].split(b"\r")[1].split(b"|")[7].decode(),
    )
    assert len(set(births)) == 1


@pytest.mark.parametrize("content", [b"%PDF-1.4\n", b"{\\rtf1 Ana", b"PK\x03\x04"])
def test_a_pipe_is_not_taken_for_text_either(content: bytes) -> None:
    result = run("anonymize", "-", stdin=content)
    assert (result.returncode, result.stdout) == (1, b"")


@pytest.mark.parametrize(
    "table", ["id;nota\n17;Ana\n18;Luis\n", 'id,motivo,cama\n17,"tos, fiebre",3\n', "id\tnota\n17\tAna\n"]
)
def test_a_table_from_a_pipe_is_not_taken_for_a_note(table: str) -> None:
    """As a note its record numbers, which stand without words, would pass."""
    result = run("anonymize", "-", stdin=table.encode())
    assert (result.returncode, result.stdout) == (1, b"")
    assert b"--from csv" in result.stderr
    told = run("anonymize", "-", "--from", "csv", stdin=table.encode())
    assert told.returncode == 0
    assert b"17" not in told.stdout
    assert run("anonymize", "-", "--from", "text", stdin=table.encode()).returncode == 0


@pytest.mark.parametrize(
    "note", ["Tos, fiebre\nDolor, prurito\n", "Nombre: Ana; edad: 70\nSexo: M; peso: 60\n", "Tos\nFiebre\n"]
)
def test_a_note_from_a_pipe_is_not_taken_for_a_table(note: str) -> None:
    assert run("anonymize", "-", stdin=note.encode()).returncode == 0


def test_json_of_several_lines_from_a_pipe_is_json() -> None:
    content = b'{\n "nombre": "Xana",\n "edad": 92, "cama": "312"\n}\n'
    result = run("anonymize", "-", stdin=content)
    assert result.returncode == 0
    assert set(json.loads(result.stdout)) == {"nombre", "edad", "cama"}
    assert not [value for value in (b"Xana", b"92", b"312") if value in result.stdout]


class Forgetful(Container):
    """Has two texts, and writes only the first."""

    name = "forgetful"
    title = "a forgetful file"

    def open(self, source: Source, options: OpenOptions) -> Opened:
        return _OpenedForgetful(source.read().decode())


class _OpenedForgetful:
    def __init__(self, raw: str) -> None:
        self.account = Account()
        self._raw = raw

    def texts(self) -> Iterator[MappedText[int]]:
        for number, line in enumerate(self._raw.splitlines()):
            yield MappedText(line, (Segment(0, line, number),), str(number))

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        next(edits)
        out.write(self._raw.encode())


def test_a_copy_without_the_edits_of_every_text_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CONTAINERS._added, "forgetful", Forgetful)
    (tmp_path / "two").write_text("DNI 12345678Z\nDNI 87654321X\n", encoding="utf-8")
    options = ["--from", "forgetful", "--model", "patterns", "--out", str(tmp_path / "out")]
    done = CliRunner().invoke(build(["anonymize", "models"]), ["anonymize", str(tmp_path / "two"), *options])
    assert done.exit_code == 1
    assert "has a text that was not written back" in done.stderr
    assert not list((tmp_path / "out").iterdir())
