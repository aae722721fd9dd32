"""The page about own notes: all its commands, in order, on a small scale; a script reviews where a person would."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from command_line import run_command
from nadie.document import Document, Span
from nadie.evaluation.suite.runner import load_notes
from nadie.files.annotated.reading import read_documents
from nadie.run import adapting
from nadie.service.merging import Change
from nadie.service.project.store import Project

PAGE = Path(__file__).resolve().parents[2] / "docs" / "en" / "reference" / "own-notes.md"
STAFF = "Avisada la guardia zulu.\n"


def commands() -> Iterator[list[str]]:
    for block in re.findall(r"^```text\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        yield from (shlex.split(line)[1:] for line in block.splitlines())


def own_notes() -> dict[str, Document]:
    """Notes by the name of their file. Every other one names staff by words that no model knows."""
    notes = {}
    for number, note in enumerate(load_notes()[2:182:5]):
        more = STAFF if number % 2 else ""
        own = [Span(11, 23, "NOMBRE_PERSONAL_SANITARIO")] if more else []
        moved = [Span(s.start + len(more), s.end + len(more), s.label) for s in note.spans]
        notes[f"nota-{number:02d}"] = Document("", more + note.text, (*own, *moved))
    return notes


def review(folder: Path, gold: dict[str, Document]) -> None:
    project = Project(folder)
    for stored in list(project.documents()):
        then = set(gold[stored.name.removesuffix(".txt")].spans)
        added, removed = tuple(sorted(then - set(stored.spans))), tuple(sorted(set(stored.spans) - then))
        done = project.change([Change(stored.id, stored.version, removed, added)], "ana")[0]
        project.set_state(stored.id, "reviewed", done.version, "ana")


def test_every_command_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    some, gold = load_notes()[:20], own_notes()
    monkeypatch.setattr(adapting, "load_notes", lambda: some)
    monkeypatch.chdir(tmp_path)
    names = sorted(gold)
    for folder, chosen in (("notes", names[:28]), ("more-notes", names[28:]), ("new-notes", names[28:])):
        (tmp_path / folder).mkdir()
        for name in chosen:
            (tmp_path / folder / f"{name}.txt").write_bytes(gold[name].text.encode())
    said: dict[str, str] = {}
    for command in commands():
        if command[0] == "serve":
            review(tmp_path / command[-1], gold)
            for model, folder in (("fast", "nadie"), ("recrf", "other-tool")):
                if not (tmp_path / folder).exists():
                    run_command("annotate", command[-1] + "/training", "--model", model, "--out", folder)
            continue
        done = run_command(*command, stdin=b"y\n" * 50)
        assert done.returncode in ((0, 1) if command[0] == "drift" else (0,)), (command, done.stdout, done.stderr)
        said[" ".join(command)] = done.stdout.decode()
    assert "reviewed 28 of 28 notes" in said["risk review --report leaks.html"]
    assert "second system" in said["risk review --system other-tool/ --compare nadie/"]
    assert "guardia zulu" in said["suggest review"]
    assert "reviewed 8 of 8 notes" in said["risk review-2"]
    assert not any("guardia zulu" in each.text.lower() for each in read_documents(tmp_path / "out", "text"))
    assert not any("guardia zulu" in each.text.lower() for each in read_documents(tmp_path / "out-mine", "text"))
