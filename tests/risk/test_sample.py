"""`nadie sample`: what is drawn, how it is written, and what is refused."""

from __future__ import annotations

import csv
import hashlib
import json
from pathlib import Path

import pytest

from command_line import run_command
from nadie.errors import ConfigError, FormatError
from nadie.files.annotated.reading import read_documents
from nadie.risk.kinds import kind_of, language_of, type_of
from nadie.risk.review.figures import Figures
from nadie.risk.review.page import html
from nadie.risk.review.report import Report
from nadie.risk.sample import Sample, StoppingRule
from nadie.run.sampling import SamplingOptions, draw_sample
from nadie.service.project.history import project_log
from nadie.service.project.store import Project
from risk.conftest import GoldNotes


def test_a_project_has_the_sample_and_its_rule_before_any_review(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "review"
    done = run_command("sample", notes, "--size", "12", "--at-most", "0.05", "--seed", "3", "--out", out)
    assert done.returncode == 0, done.stderr
    assert b"12 of 60 notes" in done.stderr
    sample, project = Sample.read(out), Project(out)
    assert sample.unsure == 0
    assert sample.rule == StoppingRule(0.05, 0.95)
    stored = list(project.documents())
    assert [each.name for each in stored] == [note.name for note in sample.notes]
    assert [each.spans for each in stored] == [note.found for note in sample.notes]
    assert {each.state for each in stored} == {"todo"}
    first = project_log(project, 2, 10)[0]
    assert first.kind == "sampled"
    assert first.detail["at_most"] == 0.05
    assert first.detail["sha256"] == sample.digest == hashlib.sha256((out / "sample.json").read_bytes()).hexdigest()
    assert (out / "sample.json").stat().st_mode & 0o077 == 0
    again = tmp_path / "again"
    run_command("sample", notes, "--size", "12", "--at-most", "0.05", "--seed", "3", "--out", again)
    assert (again / "sample.json").read_bytes() == (out / "sample.json").read_bytes()


def test_a_sample_for_brat_has_one_file_for_each_note(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "review"
    done = run_command("sample", notes, "--size", "5", "--oversample", "3", "--to", "brat", "--out", out)
    assert done.returncode == 0, done.stderr
    sample, written = Sample.read(out), list(read_documents(out / "notes"))
    assert [each.id for each in written] == [f"{n:06d}" for n in range(1, 6)]
    assert [each.spans for each in written] == [note.found for note in sample.notes]
    assert all(set(note.found) <= {*note.found, *note.possible} for note in sample.notes)
    chances = {round(note.chance, 6) for note in sample.notes}
    assert len(chances) <= 2
    assert sample.oversampled == 3.0


def test_notes_of_which_the_model_is_unsure_are_not_part_of_the_sample(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "review"
    done = run_command("sample", notes, "--size", "5", "--unsure", "4", "--out", out)
    assert done.returncode == 0, done.stderr
    assert len(Sample.read(out).notes) == 5
    assert Sample.read(out).unsure == 4
    names = [each.name for each in Project(out).documents()]
    assert len(names) == len(set(names)) == 9


def test_the_rule_decides_the_size_unless_one_is_given(notes: Path) -> None:
    drawn = draw_sample([notes], SamplingOptions(rule=StoppingRule(0.1)))
    assert drawn.sample.units == 29
    assert {note.chance for note in drawn.sample.notes} == {29 / 60}


def test_unequal_chances_need_more_notes(notes: Path) -> None:
    drawn = draw_sample([notes], SamplingOptions(rule=StoppingRule(0.2), oversampled=3.0)).sample
    assert 14 < drawn.units < 60
    assert Figures(drawn, ()).possible_statements(1)[0][1] <= drawn.rule.at_most


def test_a_goal_that_the_sample_cannot_state_is_said_before_the_review(notes: Path, tmp_path: Path) -> None:
    done = run_command("sample", notes, "--size", "12", "--at-most", "0.05", "--out", tmp_path / "review")
    assert b"this sample states at most 22.09%, more than the goal" in done.stderr


def test_patients_are_drawn_with_all_their_notes(notes: Path, gold: dict[str, object]) -> None:
    drawn = draw_sample([notes], SamplingOptions(size=6, patient="folder"))
    assert drawn.sample.unit == "patient"
    folders = {note.name.partition("/")[0] for note in drawn.sample.notes}
    assert drawn.sample.units == len(folders) == 6
    assert sorted(note.name for note in drawn.sample.notes) == sorted(
        name for name in gold if name.partition("/")[0] in folders
    )


def test_the_options_of_a_run_are_those_that_are_measured(gold: GoldNotes, tmp_path: Path) -> None:
    columns = {"texto": [note.text for note in gold.values()], "centro": ["Sur"] * len(gold)}
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file, delimiter=";")
        rows.writerows([columns, *zip(*columns.values(), strict=True)])
    (tmp_path / "deny.txt").write_text("HOSPITAL\tSur\n", encoding="utf-8")
    options = ("--size", "9", "--by", "length", "--column", "centro", "--deny", tmp_path / "deny.txt")
    done = run_command("sample", tmp_path / "t.csv", *options, "--mode", "recall", "--out", tmp_path / "review")
    assert done.returncode == 0, done.stderr
    sample = Sample.read(tmp_path / "review")
    assert (sample.detection["mode"], sample.detection["denied_terms"], sample.by) == ("recall", 1, ("length",))
    documents = list(Project(tmp_path / "review").documents())
    assert all(note.found == note.possible for note in sample.notes)
    assert all("Sur" in [each.text[s.start : s.end] for s in each.spans] for each in documents)
    page = html(Report(Figures(sample, ())))
    assert "fast, mode = recall" in page
    assert "denied_terms = 1" in page
    assert "by: length" in page
    other = run_command("drift", tmp_path / "review", tmp_path / "t.csv", "--mode", "recall")
    assert other.returncode == 2
    assert b"other options about detection" in other.stderr
    same = run_command("drift", tmp_path / "review", tmp_path / "t.csv", "--mode", "recall", *options[4:])
    assert same.returncode in (0, 1), same.stderr


def test_tables_are_sampled_row_by_row(tmp_path: Path) -> None:
    rows = [{"id": n, "nota": f"Paciente {n}. Refiere dolor. Dra. Ana Roca."} for n in range(20)]
    (tmp_path / "t.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    drawn = draw_sample([tmp_path / "t.jsonl"], SamplingOptions(size=4))
    assert drawn.sample.units == 4


def test_what_cannot_be_read_is_named_and_not_in_the_sample(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    done = run_command("sample", notes, tmp_path / "broken.pdf", "--size", "3", "--out", tmp_path / "review")
    assert done.returncode == 0
    assert b"not in the sample" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--by", "colour"), b"spread by"),
        (("--oversample", "100"), b"1 to 20"),
        (("--patient-id", "auto"), b"before the sample"),
        (("--patient-id", "none"), b"before the sample"),
        (("--mode", "recall", "--unsure", "3"), b"leaves none unsure"),
        (("--at-most", "2"), b"between 0 and 1"),
    ],
)
def test_options_that_make_no_sample(notes: Path, tmp_path: Path, options: tuple[str, str], message: bytes) -> None:
    done = run_command("sample", notes, "--out", tmp_path / "review", *options)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (tmp_path / "review").exists()


def test_a_folder_in_use_and_standard_input_are_refused(notes: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert b"not empty" in run_command("sample", notes, "--out", tmp_path).stderr
    with pytest.raises(ConfigError, match="read twice"):
        draw_sample([Path("-")], SamplingOptions())


def test_a_file_that_is_no_sample(tmp_path: Path) -> None:
    for content in ("", "[]", '{"version": 1}', '{"version": 9}'):
        (tmp_path / "sample.json").write_text(content, encoding="utf-8")
        with pytest.raises(FormatError):
            Sample.read(tmp_path)


def test_languages_and_types() -> None:
    assert language_of("El paciente refiere dolor en el pecho y fue visto por la Dra.") == "es"
    assert language_of("Pacient que presenta dolor amb febre; els pares refereixen que no menja per les nits") == "ca"
    assert language_of("Gaixoa egonkor dago eta ez du sukarrik izan; analisiak egin dira") == "eu"
    assert language_of("The patient is seen at the clinic with fever and denies pain") == "en"
    assert language_of("") == "es"
    assert type_of("INFORME DE ALTA\nServicio de Urgencias") == "discharge"
    assert type_of("Hola") == "other"
    assert kind_of("urg/a", "x" * 300).folder == "urg"
    assert kind_of("a", "x" * 300).length == 8


def test_a_backup_has_the_sample(notes: Path, tmp_path: Path) -> None:
    run_command("sample", notes, "--size", "3", "--out", tmp_path / "review")
    assert run_command("project", "backup", tmp_path / "review", "--to", tmp_path / "b.tar.gz").returncode == 0
    done = run_command("project", "restore", tmp_path / "b.tar.gz", "--to", tmp_path / "again")
    assert done.returncode == 0, done.stderr  # although it was never served and has no key yet
    assert Sample.read(tmp_path / "again") == Sample.read(tmp_path / "review")
