"""The map from a text back to its segments."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nadie.document import FIELD
from nadie.files.mapped import Edit, MappedText, TextBuilder
from nadie.labels import Label


def built(*parts: str) -> MappedText[int]:
    """Segments in the order given; a part of white space alone is a separator."""
    builder: TextBuilder[int] = TextBuilder()
    for number, part in enumerate(parts):
        if part.strip():
            builder.add(part, number)
        else:
            builder.cut(part)
    return builder.build()


def changed(text: MappedText[int], *edits: tuple[int, int, str]) -> dict[int, str]:
    return {segment.address: new for segment, new in text.changes([Edit(*edit) for edit in edits])}


def test_segments_join_and_blocks_are_lines() -> None:
    assert built("An", "a Pé", "rez", "\n", "Alta").text == "Ana Pérez\nAlta"


def test_the_strongest_separator_counts_and_none_stands_at_the_ends() -> None:
    assert built("\n", "uno", "\t", "\n", "\t", "dos", "\n").text == "uno\ndos"


def test_a_replacement_goes_where_its_original_began() -> None:
    text = built("Sra. An", "a Pé", "rez, 70")
    assert changed(text, (5, 14, "Eva Sol")) == {0: "Sra. Eva Sol", 1: "", 2: ", 70"}


def test_a_replacement_over_cells_is_taken_apart_where_it_can_be() -> None:
    text = built("Ana", "\t", "Pérez")
    assert changed(text, (0, 9, "Eva\tSol")) == {0: "Eva", 2: "Sol"}
    assert changed(text, (0, 9, "[NOMBRE]")) == {0: "[NOMBRE]", 2: ""}


def test_several_changes_of_one_segment() -> None:
    assert changed(built("Ana y Eva"), (0, 3, "A"), (6, 9, "E")) == {0: "A y E"}


def test_a_place_that_is_read_twice_gets_the_edits_of_both_readings() -> None:
    builder: TextBuilder[int] = TextBuilder()
    for number, part in [(0, "Ana "), (1, "Soto"), (3, " Gil"), (-1, ""), (0, "Ana "), (2, "Mora"), (3, " Gil")]:
        if part:
            builder.add(part, number)
        else:
            builder.cut()
    text = builder.build()
    assert text.text == "Ana Soto Gil\nAna Mora Gil"
    assert changed(text, (0, 12, "[A]"), (13, 25, "[B]")) == {0: "[A]", 1: "", 2: "", 3: ""}
    assert changed(text, (0, 3, "[A]"), (17, 25, "[B]")) == {0: "[A] ", 2: "[B]", 3: ""}
    assert changed(text, (1, 3, "x"), (13, 15, "y")) == {0: "y "}


def test_a_field_is_a_span_without_its_outer_space() -> None:
    builder: TextBuilder[int] = TextBuilder()
    builder.add("Nacida ", 0)
    builder.add(" 1970-03-05 ", 1, Label.FECHAS)
    [span] = builder.build().document("a.csv").spans
    assert (span.start, span.end, span.label, span.source) == (8, 18, "FECHAS", FIELD)


@given(st.lists(st.text("ab ", min_size=1, max_size=5), min_size=1, max_size=8), st.data())
def test_the_segments_after_the_edits_are_the_text_after_the_edits(parts: list[str], data: st.DataObject) -> None:
    builder: TextBuilder[int] = TextBuilder()
    for number, part in enumerate(parts):
        builder.add(part, number)
    text = builder.build()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text.text)), min_size=0, max_size=6, unique=True)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    edits = [Edit(start, end, data.draw(st.text("XY", max_size=3))) for start, end in pairs]
    expected, reached = "", 0
    for edit in edits:
        expected += text.text[reached : edit.start] + edit.replacement
        reached = edit.end
    expected += text.text[reached:]
    new = dict(enumerate(parts)) | {segment.address: after for segment, after in text.changes(edits)}
    assert "".join(new.values()) == expected


def test_an_edit_of_a_separator_changes_nothing() -> None:
    builder: TextBuilder[str] = TextBuilder()
    builder.add("uno", "a")
    builder.cut("\n")
    builder.add("dos", "b")
    assert builder.build().split([Edit(3, 4, "X")]) == []
