"""`nadie check`: its results, its output, and its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import openpyxl
import pytest
import yaml
from sarif_pydantic import Sarif
from typer.testing import CliRunner

from nadie.cli.checked_files import with_labels
from nadie.cli.main import build
from nadie.errors import ConfigError

from .notes import CLEAN, NOTE

ROOT = Path(__file__).resolve().parents[2]
VALUES = ("Ana", "Pérez", "4471920", "Elena", "Roca")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "nota 1.txt").write_text(f"Título\r\n{NOTE}\n", encoding="utf-8")
    (tmp_path / "clean.txt").write_text(CLEAN, encoding="utf-8")
    (tmp_path / "code.py").write_text("def add(first: int, second: int) -> int:\n    return first + second\n")
    return tmp_path


def check(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(build(), ["check", *map(str, arguments)])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.stdout, done.stderr


def test_a_folder_with_a_note(folder: Path) -> None:
    code, out, err = check(folder)
    assert code == 1
    assert f"{folder.as_posix()}/sub/nota 1.txt:2:11: NOMBRE_SUJETO_ASISTENCIA" in out
    assert {line.rpartition("/")[2].partition(":")[0] for line in out.splitlines()} == {"nota 1.txt"}
    assert "3 files, 1 with likely PHI, 0 not checked" in err
    assert not [value for value in VALUES if value in out + err]


def test_files_without_phi(folder: Path) -> None:
    assert check(folder / "clean.txt", folder / "code.py")[:2] == (0, "")


def test_labels_and_scores_narrow_it_down(folder: Path) -> None:
    note = folder / "sub" / "nota 1.txt"
    assert {line.split()[-2] for line in check(note, "--label", "FECHAS")[1].splitlines()} == {"FECHAS"}
    assert check(note, "--label", "CONTACT")[0] == 0
    assert check(note, "--min-score", "1.0")[0] == 0
    with pytest.raises(ConfigError, match="neither a label nor a class"):
        with_labels(["NAME", "NOMBRES"])


def test_an_allow_list(folder: Path) -> None:
    allowed = folder / "allowed"
    allowed.write_text("Ana Pérez Soto\nElena Roca\n4471920\n", encoding="utf-8")
    assert check(folder / "sub", "--allow", allowed)[0] == 0


def test_a_table_is_read_as_one(folder: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["nota"])
    book.active.append([NOTE])
    book.save(folder / "notas.xlsx")
    code, out, _ = check(folder / "notas.xlsx")
    assert code == 1
    assert "notas.xlsx#" in out
    assert not [value for value in VALUES if value in out]


def test_what_cannot_be_read(folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    code, _, err = check(folder / "picture.png", folder / "clean.txt")
    assert code == 2
    assert "not checked" in err
    assert "2 files, 0 with likely PHI, 1 not checked" in err
    assert check(folder / "picture.png", "--skip-unreadable")[0] == 0
    assert check(folder / "missing.txt")[0] == 2


NOTEBOOK = {
    "cells": [
        {"cell_type": "code", "metadata": {}, "source": ["import pandas as pd\n", "frame = pd.read_csv(path)\n"]},
        {
            "cell_type": "code",
            "metadata": {},
            "source": ["print(frame)"],
            "outputs": [{"output_type": "stream", "text": ["Paciente: María García López, DNI 12345678Z\n"]}],
        },
    ],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("dni.txt", "DNI 12345678Z\n"),
        ("notebook.ipynb", json.dumps(NOTEBOOK, indent=1)),
        ("one-line.ipynb", json.dumps(NOTEBOOK) + "\n"),
        ("data.json", json.dumps({"nota": NOTE})),
        ("tsconfig.json", f'{{\n // a comment makes it no JSON\n "nota": "{NOTE.splitlines()[0]}",\n}}\n'),
        ("load.py", 'ROWS = ["Paciente: María García López", "x"]\n'),
        ("bare.py", "row = find('Mendizábal Iturbe')\n"),
        ("insert.sql", "INSERT INTO p VALUES (1, 'x', '12345678Z');\n"),
        ("fixture.yaml", "nombre: María García López\ntelefono: 612 345 678\n"),
        ("bank.py", "account = 'ES9121000418450200051332'\n"),
        ("app.js", "const patient = find('tel. 612 345 678');\n"),
    ],
)
def test_what_a_repository_has(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    code, out, err = check(tmp_path / name)
    assert (code, "0 not checked" in err) == (1, True), out + err
    assert "García" not in out
    assert f"#{name}" not in out


@pytest.mark.parametrize("name", ["a.py", "a.txt"])
def test_what_the_caller_asks_for_is_reported_everywhere(tmp_path: Path, name: str) -> None:
    """Labels of one's own, places of one's own, and a first name that the model may not see in code."""
    file, own, deny, known = (tmp_path / each for each in (name, "own.toml", "deny", "known.csv"))
    file.write_text("x = 'cama 312-B de Torre Norte, Xurxo'\n", encoding="utf-8")
    own.write_text("[[pattern]]\nlabel = 'NUMERO_CAMA'\nregex = 'cama (\\d+-[A-Z])'\n", encoding="utf-8")
    deny.write_text("Torre Norte\n", encoding="utf-8")
    known.write_text("nombre,apellidos\nXurxo,Zutánez Mengánez\n", encoding="utf-8")
    found = ("--patterns", own, "--deny", deny, "--known", known)
    code, out, _ = check(file, *found)
    assert code == 1
    assert [line.split(":")[2].split()[0] for line in out.splitlines()] == ["11", "20", "33"]
    assert "NUMERO_CAMA" in check(file, *found, "--label", "NUMERO_CAMA")[1]
    assert "NUMERO_CAMA" in check(file, *found, "--label", "ID")[1]
    assert "NUMERO_CAMA" not in check(file, *found, "--label", "NAME")[1]


def test_source_code_without_phi(tmp_path: Path) -> None:
    """Words that a model of notes takes for names, the authors of the code, and addresses that nobody has."""
    code = tmp_path / "code.py"
    code.write_text(
        "# Author: Ana Pérez Soto <ana@hospital.org>\n# Copyright (c) 2020 Juan Gil Roca\n"
        "def handle(self, resp: Response, name: str | None = None) -> Document:\n"
        "    if name is None:\n        return weights @ one.numerators, 127.0.0.1, 'me@mail.example.com'\n",
        encoding="utf-8",
    )
    assert check(code) == (0, "", "1 file, 0 with likely PHI, 0 not checked\n")


def test_many_spans_of_a_file_are_counted(tmp_path: Path) -> None:
    (tmp_path / "many.txt").write_text("DNI 12345678Z\n" * 30, encoding="utf-8")
    _, out, _ = check(tmp_path / "many.txt")
    assert len(out.splitlines()) == 21
    assert out.endswith("many.txt: and 10 more\n")


def test_sarif(folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    target = folder / "out.sarif"
    check(folder, "--sarif", target)
    content = target.read_text(encoding="utf-8")
    (run,) = Sarif.model_validate_json(content).runs
    assert not [value for value in VALUES if value in content]
    first = run.results[0]
    assert first.rule_id == run.tool.driver.rules[first.rule_index].id
    (told,) = json.loads(content)["runs"]
    place = told["results"][0]["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/sub/nota%201.txt")
    assert place["region"] == {"startLine": 2, "startColumn": 11, "endLine": 2, "endColumn": 25}
    assert told["columnKind"] == "unicodeCodePoints"
    (invocation,) = told["invocations"]
    assert not invocation["executionSuccessful"]
    assert len(invocation["toolExecutionNotifications"]) == 1


def test_a_folder_that_cannot_be_listed_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refusing(path: str | Path) -> object:
        if Path(path).name == "sub":
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    listed = os.scandir
    monkeypatch.setattr(os, "scandir", refusing)
    code, _, err = check(folder)
    assert code == 2
    assert "cannot be listed" in err


def test_pre_commit_stops_a_commit(tmp_path: Path) -> None:
    """The hook as pre-commit reads and runs it, but in this environment instead of one of its own."""
    manifest = ROOT / ".pre-commit-hooks.yaml"
    pre_commit = [sys.executable, "-m", "pre_commit"]
    subprocess.run([*pre_commit, "validate-manifest", manifest], check=True)
    (hook,) = yaml.safe_load(manifest.read_text(encoding="utf-8"))
    program, arguments = hook["entry"].split(maxsplit=1)
    assert (program, arguments) == ("nadie", "check")
    local = {**hook, "language": "unsupported", "entry": f"{sys.executable} -m nadie {arguments}"}
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (tmp_path / "clean.txt").write_text(CLEAN, encoding="utf-8")
    (tmp_path / "nota.txt").write_text(NOTE, encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    (tmp_path / "notebook.ipynb").write_text(json.dumps(NOTEBOOK, indent=1), encoding="utf-8")
    (tmp_path / "unreadable.txt").write_bytes(b"nota" * 30 + b"\xff\x81")
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    subprocess.run(["git", "-C", tmp_path, "add", "."], check=True)
    environment = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path / ".git" / "cache")}

    def run(*names: str) -> subprocess.CompletedProcess[str]:
        command = [*pre_commit, "run", "--files", *names]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    assert run("clean.txt", "picture.png").returncode == 0
    assert "notebook.ipynb: NOMBRE_SUJETO_ASISTENCIA" in run("notebook.ipynb").stdout
    assert "not checked unreadable.txt" in run("clean.txt", "unreadable.txt").stdout, "what the hook asks for is read"
    stopped = run("clean.txt", "nota.txt")
    assert stopped.returncode == 1
    assert "nota.txt:1:11: NOMBRE_SUJETO_ASISTENCIA" in stopped.stdout
    assert not [value for value in VALUES if value in stopped.stdout]


def test_numbers_of_rows_are_nothing_and_numbers_of_documents_are_something(tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    file.write_text("id,nota\n1,Sin cambios.\n2,Mejora clara.\nP-00003,Alta.\n")
    assert check(file)[:2] == (0, "")
    file.write_text("documento,nota\n30123456,Sin cambios.\n30999123,Mejora clara.\n")
    assert "OTRO_NUMERO_IDENTIF" in check(file)[1]


def test_a_full_name_is_reported_although_the_model_is_not_certain(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("Acude con Braulio Zurita Mendive a consulta.\n", "utf-8")
    code, out, _ = check(file)
    score = float(out.split()[-1])
    assert (code, out.count("\n"), score < 0.89) == (1, 1, True), out
    assert check(file, "--min-score", "0.95")[0] == 0
