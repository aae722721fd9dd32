"""The same note under the same key has the same output, however it comes: by its text, not by its path or id."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pandas
import pytest

import nadie
from command_line import run_command
from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.integrations import pandas as of_pandas
from nadie.storage import shipped_models

PHRASE = "una clave bastante larga"
OPTIONS = ("--policy", "research")
NOTE = (
    "Paciente: Rosario Quintana Vela, natural de Lugo. Ingresa el 12/03/2019 y vuelve el 19/03/2019.\n"
    "Firmado: Dr. Anselmo Bru Cantos. Tel. 982 123 456."
)

pytestmark = pytest.mark.skipif(not shipped_models(), reason="no model is shipped yet")


def anonymize(*arguments: str | Path, stdin: bytes = b"") -> bytes:
    done = run_command("anonymize", *arguments, *OPTIONS, stdin=stdin, environment={"NADIE_KEY": PHRASE})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_by_path_folder_stream_row_id_and_frame(tmp_path: Path) -> None:
    found = {}
    for name in ("uno.txt", "sub/otra carpeta/dos.txt"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(NOTE, encoding="utf-8")
        found[name] = anonymize(path).decode()
    (tmp_path / "marca.txt").write_text("\ufeff" + NOTE.replace("\n", "\r\n"), encoding="utf-8", newline="")
    found["mark"] = anonymize(tmp_path / "marca.txt").decode().removeprefix("\ufeff").replace("\r\n", "\n")
    found["stdin"] = anonymize("-", stdin=NOTE.encode()).decode()
    anonymize(tmp_path / "in", "--out", tmp_path / "out", "--rename", "keep")
    found |= {str(path): path.read_text(encoding="utf-8") for path in (tmp_path / "out").rglob("*.txt")}
    rows = io.StringIO()
    csv.writer(rows).writerows([["nota"], ["Sin datos."], [NOTE]])
    (tmp_path / "tabla.csv").write_text(rows.getvalue(), encoding="utf-8")
    anonymize(tmp_path / "tabla.csv", "--out", tmp_path / "tablas", "--column", "nota")
    with (tmp_path / "tablas" / "tabla.csv").open(encoding="utf-8", newline="") as table:
        found["row"] = list(csv.reader(table))[2][0]
    secret = Secret(PHRASE.encode())
    pipeline = nadie.load("fast", policy="research", key=secret)
    found |= {f"id {name}": pipeline.anonymize(Document(name, NOTE)) for name in ("", "a", "http/7")}
    frame = of_pandas.anonymize(pandas.DataFrame({"nota": [NOTE]}), "nota", policy="research", key=secret)
    found["frame"] = frame["nota"][0]
    assert len(found) == 11
    assert set(found.values()) == {found["stdin"]}
    assert "Quintana" not in found["stdin"]


def test_documents_without_a_patient_are_counted(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "sin.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "in" / "con.txt").write_text(f"NHC: 7654735. {NOTE}", encoding="utf-8")
    audit, report = tmp_path / "a.jsonl", tmp_path / "r.html"
    arguments = (
        "anonymize",
        tmp_path / "in",
        "--out",
        tmp_path / "out",
        *OPTIONS,
        "--audit",
        audit,
        "--report",
        report,
    )
    done = run_command(*arguments, environment={"NADIE_KEY": PHRASE})
    assert b"1 document has no patient" in done.stderr
    last = json.loads(audit.read_text(encoding="utf-8").splitlines()[-1])
    assert last["end"]["without_patient"] == 1
    assert "documentos sin paciente" in report.read_text(encoding="utf-8")


def test_a_line_of_the_audit_is_short(tmp_path: Path) -> None:
    (tmp_path / "nota.txt").write_text(NOTE, encoding="utf-8")
    anonymize(tmp_path / "nota.txt", "--out", tmp_path / "out", "--audit", tmp_path / "a.jsonl")
    lines = (tmp_path / "a.jsonl").read_bytes().splitlines()
    assert len(lines) == 3
    assert len(lines[1]) < 700
