"""The options of `nadie anonymize` for large and mixed runs, as a user types them."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path

import pytest

from .test_commands import run

NOTE = "Paciente: Ana Belén Pérez Soto, natural de Cádiz. NHC: 7654735.\n"


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A folder with a text in each encoding, a table, JSON lines, and two files that cannot be read."""
    folder = tmp_path / "in"
    folder.mkdir()
    for name, encoding in (("utf8", "utf-8"), ("utf16", "utf-16"), ("utf16le", "utf-16-le"), ("latin", "latin-1")):
        (folder / f"{name}.txt").write_bytes(NOTE.encode(encoding))
    (folder / "tabla.csv").write_text(f"nota\n{NOTE}", encoding="utf-8")
    (folder / "docs.jsonl").write_text(json.dumps({"id": "d1", "text": NOTE}) + "\n", encoding="utf-8")
    (folder / "malo.pdf").write_bytes(b"%PDF-1.4\n")
    (folder / "malo.txt").write_bytes(b"Gumersindo \xff\xfe\xfd")
    return folder


@pytest.mark.parametrize(("rename", "where"), [("auto", {}), ("keep", {"where": "falso.docx"})])
def test_the_audit_tells_the_whole_reason_of_a_failure(tmp_path: Path, rename: str, where: dict[str, str]) -> None:
    """Also if it has a colon. The name of the file may identify somebody: it is told only if names are kept."""
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "falso.docx").write_text("Ana", encoding="ascii")
    with zipfile.ZipFile(folder / "todo.zip", "w") as archive:
        archive.writestr("Ana Gil.docx", "Ana")
    audit, report = tmp_path / "a.jsonl", tmp_path / "r.html"
    done = run(
        "anonymize", folder, "--out", tmp_path / "out", "--rename", rename, "--audit", audit, "--report", report
    )  # fmt: skip
    reason = "is named .docx but is plain text: rename it or use --from"
    lines = map(json.loads, audit.read_text(encoding="utf-8").splitlines())
    first, second = (line["failed"] for line in lines if "failed" in line)
    assert first == {
        **{key: str(folder / name) for key, name in where.items()},
        "reason": reason,
        "cause": "FormatError",
    }
    assert second["reason"] == f"{reason}; it is left out of the copy"
    assert ("Ana Gil" in audit.read_text(encoding="utf-8")) == (rename == "keep")
    assert reason in report.read_text(encoding="utf-8")
    assert f"todo.zip!Ana Gil.docx: {reason}" in done.stderr.decode()


def test_a_mixed_folder(mixed: Path, tmp_path: Path) -> None:
    out, failures = tmp_path / "out", tmp_path / "failures.txt"
    result = run(
        "anonymize",
        mixed,
        "--out",
        out,
        "--rename",
        "keep",
        "--failures",
        failures,
        "--audit",
        tmp_path / "a.jsonl",
        key="una clave bastante larga",
    )
    assert result.returncode == 1
    assert b"note utf16.txt: read as utf-16-le, written as utf-8" in result.stderr
    assert b"note utf16le.txt: read as utf-16-le, written as utf-8" in result.stderr
    assert b"note latin.txt: read as cp1252, written as utf-8" in result.stderr
    texts = {
        name: (out / name).read_text(encoding="utf-8")
        for name in ("utf8.txt", "utf16.txt", "utf16le.txt", "latin.txt", "d1.txt")
    }
    assert len(set(texts.values())) == 1
    assert "natural de [TERRITORIO]" in texts["latin.txt"]
    assert "Pérez" not in (out / "tabla.csv").read_text(encoding="utf-8")
    listed = failures.read_text(encoding="utf-8").splitlines()
    assert [line.count("malo.") for line in listed] == [1, 1]
    assert stat.S_IMODE(failures.stat().st_mode) == 0o600
    lines = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    assert sum("failed" in line for line in lines) == 2
    assert lines[-1]["end"]["failed"] == 2


def test_an_encoding_that_is_told(mixed: Path, tmp_path: Path) -> None:
    result = run("anonymize", mixed / "latin.txt", "--encoding", "latin-1")
    assert "natural de [TERRITORIO]" in result.stdout.decode()
    wrong = run("anonymize", mixed / "latin.txt", "--encoding", "utf-8")
    assert (wrong.returncode, wrong.stdout, b"Cadiz" in wrong.stderr) == (1, b"", False)
    assert run("anonymize", mixed, "--encoding", "nope").returncode == 2


def test_json_lines_to_standard_output(mixed: Path) -> None:
    result = run("anonymize", mixed / "utf8.txt", mixed / "docs.jsonl", mixed / "tabla.csv", "--to", "jsonl")
    documents = [json.loads(line) for line in result.stdout.decode().splitlines()]
    assert [document["id"].partition("#")[0] for document in documents][:2] == ["utf8", "d1"]
    assert all("Pérez" not in document["text"] for document in documents)
    assert documents[0]["text"].endswith("\n")


def test_a_dry_run_writes_nothing(mixed: Path, tmp_path: Path) -> None:
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    result = run(
        "anonymize", mixed, "--dry-run", "--out", tmp_path / "out", "--vault", tmp_path / "v", "--audit",
        tmp_path / "a", "--report", tmp_path / "r", "--policy", "research", key="una clave bastante larga",
    )  # fmt: skip
    shown = result.stdout.decode()
    assert "NOMBRE_SUJETO_ASISTENCIA\t6\n" in shown
    assert "    7654735 -> " in shown
    assert "nothing was written" in shown
    assert b"2 failed" in result.stderr
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before
