"""Notes damaged by program keep their spans."""

from __future__ import annotations

from random import Random

from damage_notes import damaged

from nadie.document import Document, Span

TEXT = "Vivió con un tío QQQQQQ QQQQQQ desde julio.\n" * 12
NOTE = Document("n", TEXT, tuple(Span(at, at + 13, "CALLE") for at in range(17, len(TEXT), 44)))


def test_spans_cover_what_they_covered_and_nothing_else() -> None:
    for seed in range(60):
        note = damaged(NOTE, Random(seed))
        covered = {at for span in note.spans for at in range(span.start, span.end)}
        assert covered >= {at for at, letter in enumerate(note.text) if letter == "Q"}
        assert {note.text[at] for at in covered} <= set("Q ")
        assert {span.label for span in note.spans} == {"CALLE"}


def test_every_kind_of_damage_occurs() -> None:
    texts = [damaged(NOTE, Random(seed)).text for seed in range(60)]
    for sign in ("0", "-\n", "QQ Q", "   "):
        assert any(sign in text for text in texts)
    assert texts.count(NOTE.text) < 10  # lines too short to be broken, nothing to lose
