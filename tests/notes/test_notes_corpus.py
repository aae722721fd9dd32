"""The notes corpus: sound markup, no near-duplicates, no names shared with the suite, and a page with its counts."""

from __future__ import annotations

from collections import Counter

import check_notes
import count_note_kinds
import note_agreement
import pytest

from nadie.document import Document
from nadie.labels import LABELS


@pytest.fixture(scope="module")
def notes() -> dict[str, list[Document]]:
    return check_notes.splits()


def test_the_corpus_has_no_problem(notes: dict[str, list[Document]]) -> None:
    assert list(check_notes.problems(notes)) == []


def test_near_duplicates_are_found(notes: dict[str, list[Document]]) -> None:
    first = notes["train"][0]
    again = Document("again", first.text.replace("a", "a", 1) + " Fin.")
    assert len(list(check_notes.near_duplicates([*notes["dev"][:20], first, again]))) == 1


def test_unmarked_repetitions_are_found() -> None:
    from nadie.files.annotated.notes import parse_marks

    marked = parse_marks("{PAC|Rosalía} vuelve. Rosalía no viene.", file="x")
    assert list(check_notes.unmarked([Document("n", marked.text, marked.spans)])) == [
        ("n", "NOMBRE_SUJETO_ASISTENCIA", 16)
    ]


def test_every_label_occurs(notes: dict[str, list[Document]]) -> None:
    for split in ("train", "dev"):
        counts = Counter(str(span.label) for note in notes[split] for span in note.spans)
        assert set(counts) == LABELS
        assert min(counts.values()) >= (150 if split == "train" else 25)


def test_twelve_training_notes_in_a_hundred_have_nothing_to_mask(notes: dict[str, list[Document]]) -> None:
    assert sum(not note.spans for note in notes["train"]) >= 0.12 * len(notes["train"])


def test_what_the_grid_asks_for_is_in_training(notes: dict[str, list[Document]]) -> None:
    found = {key: {note.meta.get(key) for note in notes["train"]} for key in ("country", "type", "layout", "region")}
    assert found["country"] == {"ES", *check_notes.GRID["countries"]}
    assert found["type"] == set(check_notes.GRID["types"])
    assert found["layout"] == set(check_notes.GRID["layouts"])
    assert found["region"] == {None, *check_notes.REGIONS}


def test_every_kind_that_is_often_missed_is_in_training(notes: dict[str, list[Document]]) -> None:
    kinds = count_note_kinds.counts(notes["train"])
    assert {name: count for name, count in kinds.items() if count < 100} == {}
    page = check_notes.PAGE.read_text(encoding="utf-8")
    assert check_notes.between(page, count_note_kinds.MARKS, count_note_kinds.table(kinds)) == page


def test_the_two_readings_agree() -> None:
    for name, read in note_agreement.readings():
        assert note_agreement.f1(*note_agreement.agreement(read)) >= 95, name


def test_the_page_is_up_to_date(notes: dict[str, list[Document]]) -> None:
    assert check_notes.page(notes) == check_notes.PAGE.read_text(encoding="utf-8")
