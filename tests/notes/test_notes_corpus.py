"""The notes corpus: sound markup, no near-duplicates, no names shared with the suite, and a page with its counts."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from nadie.document import Document
from nadie.labels import LABELS

_SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "check_notes.py"


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("check_notes", _SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["check_notes"] = module
    spec.loader.exec_module(module)
    return module


check_notes = _load()


@pytest.fixture(scope="module")
def notes() -> dict[str, list[Document]]:
    found: dict[str, list[Document]] = check_notes.splits()
    return found


def test_the_corpus_has_no_problem(notes: dict[str, list[Document]]) -> None:
    assert list(check_notes.problems(notes)) == []


def test_near_duplicates_are_found(notes: dict[str, list[Document]]) -> None:
    first = notes["train"][0]
    again = Document("again", first.text.replace("a", "a", 1) + " Fin.")
    assert len(list(check_notes.near_duplicates([*notes["dev"][:20], first, again]))) == 1


def test_unmarked_repetitions_are_found() -> None:
    from nadie.formats.notes import parse_marks

    marked = parse_marks("{PAC|Rosalía} vuelve. Rosalía no viene.", file="x")
    assert list(check_notes.unmarked([Document("n", marked.text, marked.spans)])) == [
        ("n", "NOMBRE_SUJETO_ASISTENCIA", 16)
    ]


def test_every_label_occurs(notes: dict[str, list[Document]]) -> None:
    for split in ("train", "dev"):
        counts = Counter(str(span.label) for note in notes[split] for span in note.spans)
        assert set(counts) == LABELS
        assert min(counts.values()) >= (100 if split == "train" else 25)


def test_the_page_is_up_to_date(notes: dict[str, list[Document]]) -> None:
    assert check_notes.page(notes) == check_notes.PAGE.read_text(encoding="utf-8")
