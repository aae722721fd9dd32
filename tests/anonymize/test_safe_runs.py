"""`nadie anonymize` where a mistake would be costly: originals, reviewed spans, the patient of a note."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from nadie.anonymize.patients import Conflicts, patient_by
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.options import Spans
from nadie.run.documents import load

from .marked import marked
from .test_commands import contents, run

ADMISSION = "NHC: 7654735. Ingreso: 12/03/2019. Paciente: Ana Belén Pérez Soto.\n"
DISCHARGE = "DNI: 12345678Z. NHC: 7654735. Alta: 15/03/2019. Paciente: Ana Belén Pérez Soto.\n"
KEY = "una clave bastante larga"


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notas"
    (folder / "sub").mkdir(parents=True)
    (folder / "ingreso.txt").write_text(ADMISSION, encoding="utf-8")
    (folder / "sub" / "alta.txt").write_text(DISCHARGE, encoding="utf-8")
    return folder


def test_the_output_folder_is_never_the_input(notes: Path) -> None:
    before = contents(notes)
    for out in (notes, notes / "sub", notes / "sub" / ".."):
        result = run("anonymize", notes, "--out", out)
        assert result.returncode == 2
    assert run("anonymize", notes / "ingreso.txt", "--out", notes).returncode == 2
    assert contents(notes) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [([], b"--vault or --backup"), (["--out", "o"], b"not both"), (["--backup", "."], b"overwrite the input")],
)
def test_in_place_needs_a_way_back(notes: Path, arguments: list[str], told: bytes) -> None:
    before = contents(notes)
    arguments = [str(notes) if each == "." else each for each in arguments]
    result = run("anonymize", notes, "--in-place", *arguments)
    assert (result.returncode, told in result.stderr) == (2, True), result.stderr
    assert contents(notes) == before


def test_in_place_with_a_backup(notes: Path, tmp_path: Path) -> None:
    before = contents(notes)
    (notes / "tabla.csv").write_text("nhc,nota\n1,Paciente Ana Belén Pérez Soto.\n", encoding="utf-8")
    (notes / "doc.jsonl").write_text('{"id": "x", "text": "Ana Belén Pérez Soto"}\n', encoding="utf-8")
    result = run("anonymize", notes, "--in-place", "--backup", tmp_path / "copia")
    assert b"3 handled, 1 failed" in result.stderr
    assert b"doc.jsonl" in result.stderr
    assert contents(tmp_path / "copia") == before
    assert all(file.stat().st_mode & 0o077 == 0 for file in (tmp_path / "copia").rglob("*.*"))
    for file in (notes / "ingreso.txt", notes / "sub" / "alta.txt", notes / "tabla.csv"):
        assert "Pérez" not in file.read_text(encoding="utf-8")
    assert b"output of nadie" in run("anonymize", notes, "--in-place", "--backup", tmp_path / "copia").stderr
    again = run("anonymize", notes, "--in-place", "--backup", tmp_path / "copia", "--again")
    assert b"already in the backup" in again.stderr
    assert contents(tmp_path / "copia") == before


def test_in_place_makes_a_backup_also_if_the_format_is_given(notes: Path, tmp_path: Path) -> None:
    before = contents(notes)
    result = run("anonymize", notes, "--in-place", "--backup", tmp_path / "copia", "--from", "text")
    assert b"2 handled, 0 failed" in result.stderr, result.stderr
    assert contents(tmp_path / "copia") == before
    assert not any("Pérez" in text.decode() for text in contents(notes).values())


def test_in_place_with_a_vault(notes: Path, tmp_path: Path) -> None:
    before = contents(notes)
    (notes / "tabla.csv").write_text("nhc,nota\n1,Paciente Ana Belén Pérez Soto.\n", encoding="utf-8")
    result = run("anonymize", notes, "--in-place", "--vault", tmp_path / "v", NADIE_VAULT_KEY=KEY)
    assert b"2 handled, 1 failed" in result.stderr
    assert b"--backup" in result.stderr
    assert "Pérez" in (notes / "tabla.csv").read_text(encoding="utf-8")
    (notes / "tabla.csv").unlink()
    assert not any("Pérez" in text.decode() for text in contents(notes).values())
    back = run("restore", notes, "--vault", tmp_path / "v", "--out", tmp_path / "back", NADIE_VAULT_KEY=KEY)
    assert back.returncode == 0, back.stderr
    assert contents(tmp_path / "back") == before
    assert all(file.stat().st_mode & 0o077 == 0 for file in (tmp_path / "back").rglob("*.txt"))


REVIEWED = "La vecina Trinidad Moncayo refiere tos. Ana Belén Pérez Soto niega fiebre.\n"


@pytest.mark.parametrize(
    ("choice", "names_gone", "names_left"),
    [("given", ["tos"], ["Pérez"]), ("both", ["tos", "Pérez"], []), ("found", ["Pérez"], ["tos"])],
)
def test_reviewed_spans_are_not_dropped(
    tmp_path: Path, choice: str, names_gone: list[str], names_left: list[str]
) -> None:
    """A span that no detector would find tells whose spans were taken."""
    at = REVIEWED.index("tos")
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text(REVIEWED, encoding="utf-8")
    (folder / "a.ann").write_text(f"T1\tOTROS_SUJETO_ASISTENCIA {at} {at + 3}\ttos\n", encoding="utf-8")
    span = {"start": at, "end": at + 3, "label": "OTROS_SUJETO_ASISTENCIA"}
    (folder / "b.jsonl").write_text(json.dumps({"id": "b", "text": REVIEWED, "spans": [span]}) + "\n")
    (folder / "c.txt").write_text(REVIEWED, encoding="utf-8")
    result = run("anonymize", folder, "--out", tmp_path / "out", *([] if choice == "given" else ["--spans", choice]))
    assert result.returncode == 0, result.stderr
    assert (b"2 documents came with spans" in result.stderr) == (choice != "found")
    for name in ("a", "b"):
        text = (tmp_path / "out" / f"{name}.txt").read_text(encoding="utf-8")
        assert all(word not in text for word in names_gone)
        assert all(word in text for word in names_left)
    assert "Pérez" not in (tmp_path / "out" / "c.txt").read_text(encoding="utf-8")


def test_annotations_that_cannot_be_read_are_an_error_and_not_ignored(notes: Path, tmp_path: Path) -> None:
    (notes / "ingreso.ann").write_text("T1\tNONSENSE 0 1\tx\n")
    result = run("anonymize", notes, "--out", tmp_path / "out")
    assert b"1 handled, 1 failed" in result.stderr
    assert b"ingreso.ann" in result.stderr
    assert run("anonymize", notes, "--out", tmp_path / "out2", "--spans", "found").returncode == 0


def test_given_spans_in_python() -> None:
    document = Document("a", REVIEWED, (Span(0, 2, "OTROS_SUJETO_ASISTENCIA"),))
    assert "Pérez" in load("fast").anonymize(document)
    both = load("fast", spans=Spans.BOTH).anonymize(document)
    assert both.startswith("[OTROS")
    assert "Pérez" not in both


def shifted(text: str) -> date:
    day, month, year = text.split(": ")[-2].partition(".")[0].split("/")
    return date(int(year), int(month), int(day))


def test_one_record_number_is_one_patient(notes: Path, tmp_path: Path) -> None:
    """Without any option: the discharge stays three days after the admission, in the command and in Python alike."""
    result = run("anonymize", notes, "--out", tmp_path / "out", "--policy", "research", key=KEY)
    assert result.stderr == b"2 handled, 0 failed\n"
    first, last = ((tmp_path / "out" / name).read_text(encoding="utf-8") for name in ("ingreso.txt", "sub/alta.txt"))
    assert (shifted(last) - shifted(first)).days == 3
    assert first.split(".")[0] == last.split(". ")[1]


@pytest.mark.parametrize(
    "text",
    [
        "NHC {765-4735|ID}, DNI {12345678Z|ID}, NASS {28/1234567840|ID_ASEGURAMIENTO}",
        "NASS {28/1234567840|ID_ASEGURAMIENTO}, DNI {12345678Z|ID}, N.º de historia: {07654735|ID}",
        "DNI {12345678Z|ID}, muestra {99|ID}, Historia clínica {7654735|ID}",
    ],
)
def test_the_strongest_identifier_whichever_stands_first(text: str) -> None:
    for rule in ("auto", "span"):
        assert patient_by(rule)(marked(text)) == "patient 7654735"


def test_the_ways_to_tell_a_patient(tmp_path: Path) -> None:
    table = tmp_path / "map.csv"
    table.write_text("archivo;paciente\na/1.txt;P1\nb/;P2\ntabla.csv;P3\n", encoding="utf-8-sig")
    by_table = patient_by(f"table:{table}")
    for name, patient in (("a/1", "P1"), ("b/x/2", "P2"), ("tabla.csv#row 7", "P3")):
        assert by_table(Document(name, "x")) == f"patient {patient}"
    with pytest.raises(ConfigError, match="does not identify"):
        by_table(Document("a/2", "x"))
    assert patient_by("folder")(Document("hospital/p7/nota", "x")) == "patient hospital/p7"
    with pytest.raises(ConfigError, match="folder"):
        patient_by("folder")(Document("nota", "x"))
    assert patient_by("auto")(marked("NHC {7654735|ID}", patient="P9")) == "patient P9"
    assert patient_by("auto")(Document("nota", "x")) == ""


@pytest.mark.parametrize(
    "content", ["documento\na\n", "document,patient\na,\n", "document,patient\na.txt,P1\na,P2\n", "", "\xff"]
)
def test_tables_of_patients_that_are_refused(tmp_path: Path, content: str) -> None:
    table = tmp_path / "map.csv"
    table.write_text(content, encoding="latin-1")
    with pytest.raises(ConfigError, match=r"map\.csv"):
        patient_by(f"table:{table}")


def test_conflicts_are_listed() -> None:
    conflicts = Conflicts()
    notes = [
        marked("NHC {7654735|ID}", "a", patient="P1"),
        marked("NHC {7654735|ID}", "b", patient="P1"),
        marked("NHC {7654735|ID}", "c", patient="P2"),
        marked("NHC {1111111|ID}", "d", patient="P1"),
        marked("NHC {5|ID}, NHC: {6|ID}", "e", patient="P5"),
    ]
    for note in notes:
        conflicts.add(note, f"patient {note.meta['patient']}", note.id)
    assert [line.split(":")[0] for line in conflicts.found] == ["c and a", "d and a", "e"]
    assert "7654735" not in "".join(conflicts.found)


def test_a_table_on_the_command_line(notes: Path, tmp_path: Path) -> None:
    table = tmp_path / "map.csv"
    table.write_text("document,patient\ningreso.txt,P1\nsub,P2\n", encoding="utf-8")
    options = ["--patients", str(table), "--policy", "research"]
    arguments = ["anonymize", str(notes), "--out", str(tmp_path / "out"), *options]
    result = run(*arguments, key=KEY)
    assert result.returncode == 0, result.stderr
    assert b"sub/alta and ingreso: two patients with the same number among their record numbers" in result.stderr
    both = run(*arguments, "--patient-id", "folder", key=KEY)
    assert (both.returncode, b"one of" in both.stderr) == (2, True)
