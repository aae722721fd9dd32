"""What corrections imply, and the files of what is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run_command
from nadie.document import Document, Span
from nadie.resolve.lists import Lists
from nadie.resolve.own_patterns import OwnPatterns
from nadie.resolve.thresholds import Thresholds
from nadie.service.merging import Change
from nadie.service.project.store import Project
from nadie.training.accepted import write_accepted
from nadie.training.suggestions import Reviewed, Suggestion, suggestions


def note(text: str, gold: dict[str, str], found: dict[str, tuple[str, float]]) -> Reviewed:
    """A note with gold and found spans, by their words."""
    spans = [Span(text.index(words), text.index(words) + len(words), label) for words, label in gold.items()]
    seen = [
        Span(text.index(words), text.index(words) + len(words), label, score) for words, (label, score) in found.items()
    ]
    return Reviewed(Document("", text, tuple(spans)), tuple(sorted(seen)))


def missed(words: str, label: str) -> Reviewed:
    return note(f"Valorada por {words} en planta.", {words: label}, {})


def test_missed_staff_and_centres_become_list_entries() -> None:
    found = suggestions(
        [
            *[missed("Ruiz Oterino", "NOMBRE_PERSONAL_SANITARIO")] * 2,
            missed("RUIZ OTERINO", "NOMBRE_PERSONAL_SANITARIO"),
            *[missed("C.S. Nogal", "CENTRO_SALUD")] * 2,
            missed("Cuenca", "TERRITORIO"),
        ]
    )
    assert found == [
        Suggestion("staff", "NOMBRE_PERSONAL_SANITARIO", "Ruiz Oterino", 3, 3),
        Suggestion("centre", "CENTRO_SALUD", "C.S. Nogal", 2, 2),
    ]


def test_a_term_that_is_usually_something_else_is_not_suggested() -> None:
    ordinary = note("Vive cerca del campo. El campo. Campo visual normal. Un campo.", {}, {})
    assert not suggestions([*[missed("Campo", "NOMBRE_PERSONAL_SANITARIO")] * 2, ordinary])


def test_false_alarms_that_are_always_taken_out_become_allowed() -> None:
    wrong = note("Signo de Blumberg positivo.", {}, {"Blumberg": ("NOMBRE_PERSONAL_SANITARIO", 0.8)})
    right = note("Dra. Blumberg", {"Blumberg": "NOMBRE_PERSONAL_SANITARIO"}, {})
    assert [each.kind for each in suggestions([wrong, wrong])] == ["allow"]
    assert not suggestions([wrong, wrong, right])
    part = note("Dra. Ana Blumberg", {"Ana Blumberg": "NOMBRE_PERSONAL_SANITARIO"}, {})
    assert not suggestions([wrong, wrong, part]), "whoever accepts it would leave the surname of a person readable"


def test_numbers_of_one_form_become_a_pattern() -> None:
    notes = [missed(f"EP-{number}/H", "ID_CONTACTO_ASISTENCIAL") for number in (123456, 654321, 777123)]
    (found,) = suggestions(notes)
    assert found.kind == "pattern"
    assert found.value == r"\bEP\-\d\d\d\d\d\d/H\b"
    assert not suggestions([*notes, note("Ref. EP-111111/H de farmacia", {}, {})])


def test_a_threshold_that_loses_nothing() -> None:
    good = note("Ana vive en Cuenca", {"Ana": "NOMBRE_SUJETO_ASISTENCIA"}, {"Ana": ("NOMBRE_SUJETO_ASISTENCIA", 0.9)})
    wrong = [note(f"Signo{n} leve", {}, {f"Signo{n}": ("NOMBRE_SUJETO_ASISTENCIA", 0.4)}) for n in range(3)]
    (found,) = suggestions([*[good] * 6, *wrong])
    assert (found.kind, found.value, found.times) == ("threshold", "0.45", 3)


def test_accepted_files_are_read_by_every_command_and_grow(tmp_path: Path) -> None:
    first = [
        Suggestion("staff", "NOMBRE_PERSONAL_SANITARIO", "Ruiz Oterino", 3, 3),
        Suggestion("allow", "NOMBRE_PERSONAL_SANITARIO", "Blumberg", 2, 2),
        Suggestion("pattern", "ID_CONTACTO_ASISTENCIAL", r"\bEP\-\d\d\b", 3, 3),
        Suggestion("threshold", "PROFESION", "0.45", 3, 9),
    ]
    assert len(write_accepted(tmp_path, first)) == 4
    more = [*first[:3], Suggestion("threshold", "PAIS", "0.3", 2, 9)]
    files = write_accepted(tmp_path, more)
    lists = Lists.read(files["--allow"], files["--deny"])
    assert (len(lists.allow), len(lists.deny)) == (1, 1)
    assert len(OwnPatterns.read(files["--patterns"])) == 1
    assert Thresholds.read(files["--thresholds"]).labels == {"PROFESION": 0.45, "PAIS": 0.3}
    assert all(file.stat().st_mode & 0o077 == 0 for file in files.values())


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "review"
    opened = Project(folder)
    for number in range(3):
        text = f"Nota {number}. La vio Ruiz Oterino."
        stored = opened.add(f"n{number}", text, (), model="fast", editor="ana")
        added = Span(15, 27, "NOMBRE_PERSONAL_SANITARIO")
        done = opened.change([Change(stored.id, 1, (), (added,))], "ana")[0]
        opened.set_state(stored.id, "reviewed", done.version, "ana")
    return folder


def test_the_command_lists_and_writes(project: Path, tmp_path: Path) -> None:
    listed = run_command("suggest", project)
    assert listed.stdout.decode() == "1\tstaff\tNOMBRE_PERSONAL_SANITARIO\tRuiz Oterino\t(3 times in 3 notes)\n"
    done = run_command("suggest", project, "--out", tmp_path / "own", "--accept", "1")
    assert done.returncode == 0, done.stderr
    (tmp_path / "note.txt").write_text("Informa ruiz oterino de la evolución.", encoding="utf-8")
    used = run_command("anonymize", tmp_path / "note.txt", "--deny", tmp_path / "own" / "deny.txt")
    assert "oterino" not in used.stdout.decode()


def test_each_is_asked_for(project: Path, tmp_path: Path) -> None:
    run_command("suggest", project, "--out", tmp_path / "own", stdin=b"n\n")
    assert not (tmp_path / "own" / "deny.txt").exists()
    run_command("suggest", project, "--out", tmp_path / "own", stdin=b"y\n")
    assert (tmp_path / "own" / "deny.txt").is_file()
    assert b"numbers from 1" in run_command("suggest", project, "--out", tmp_path, "--accept", "9").stderr
    assert b"not a project" in run_command("suggest", tmp_path).stderr
