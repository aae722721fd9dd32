"""Notes with their gold spans, and a person who reviews a sample by a script."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from nadie.document import Document
from nadie.evaluation.suite.runner import load_notes

GoldNotes = Mapping[str, Document]


def write_notes(folder: Path, notes: GoldNotes) -> None:
    """Write the texts of notes as files, in the folders of their names."""
    for name, note in notes.items():
        file = folder / f"{name}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(note.text.encode())


@pytest.fixture(scope="session")
def gold() -> GoldNotes:
    """Sixty hand-written notes of the package, by the name of their file, in a folder for each style."""
    return {f"{note.meta['style']}/{note.id.replace('/', '-')}": note for note in load_notes()[:180:3]}


@pytest.fixture(scope="session")
def notes(gold: GoldNotes, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    write_notes(folder, gold)
    return folder


def review(folder: Path, gold: GoldNotes, count: int | None = None, editor: str = "ana") -> None:
    """Correct the first documents of a project to their gold spans, and mark them as reviewed."""
    from nadie.service.merging import Change
    from nadie.service.project.store import Project

    project = Project(folder)
    for stored in list(project.documents())[:count]:
        now, then = set(stored.spans), set(gold[stored.name.removesuffix(".txt")].spans)
        change = Change(stored.id, stored.version, tuple(sorted(now - then)), tuple(sorted(then - now)))
        done = project.change([change], editor)[0]
        project.set_state(stored.id, "reviewed", done.version, editor)
