"""Other label sets: every label has its place, and `nadie convert` writes and reads them in every format."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nadie.document import Document, Span
from nadie.files.annotated.brat import Brat
from nadie.files.annotated.i2b2 import parse_xml
from nadie.files.annotated.reading import read_documents
from nadie.files.label_sets import I2B2, MEDDOCAN, PRESIDIO, LabelSet
from nadie.labels import LABELS, Label

from .test_convert import run

TEXT = "Ana, de Lugo (27001), mujer, médica"
NOTE = Document(
    "a", TEXT, (Span(0, 3, "NOMBRE_SUJETO_ASISTENCIA"), Span(8, 12, "TERRITORIO"), Span(14, 19, "TERRITORIO"),
                Span(22, 27, "SEXO_SUJETO_ASISTENCIA"), Span(29, 35, "PROFESION"))
)  # fmt: skip
NONE = {"SEXO_SUJETO_ASISTENCIA", "FAMILIARES_SUJETO_ASISTENCIA", "OTROS_SUJETO_ASISTENCIA"}


def test_only_what_others_do_not_annotate_has_no_label() -> None:
    assert LABELS - set(I2B2.outward) == NONE
    assert LABELS - set(PRESIDIO.outward) == NONE | {"PROFESION"}
    assert set(MEDDOCAN.outward) == LABELS


@pytest.mark.parametrize("labels", [MEDDOCAN, PRESIDIO, I2B2])
def test_what_is_written_can_be_read_and_keeps_its_class(labels: LabelSet) -> None:
    for ours, theirs in labels.outward.items():
        back = Label(labels.read(theirs))
        assert back.parent == Label(ours).parent
        assert labels.written(back, "x") == theirs  # a second time nothing changes any more


@pytest.mark.parametrize("form", ["brat", "jsonl", "conll", "docbin", "i2b2"])
@pytest.mark.parametrize(("labels", "left_out"), [("presidio", 2), ("i2b2", 1), ("meddocan", 0)])
def test_convert_there_and_back(form: str, labels: str, left_out: int, tmp_path: Path) -> None:
    Brat().write([NOTE], tmp_path / "in")
    there = run(tmp_path / "in", "--to", form, "--labels", labels, "--out", tmp_path / "there")
    assert there.exit_code == 0, there.output
    assert (f"{left_out} spans left out: {labels} has no label for them" in there.output) == bool(left_out)
    content = b"".join(file.read_bytes() for file in (tmp_path / "there").rglob("*") if file.suffix != ".txt")
    if form != "docbin":
        assert (b"TERRITORIO" in content) == (labels == "meddocan")
        assert (b"ZIP" in content) == (labels == "i2b2")
    back = run(tmp_path / "there", "--from-labels", labels, "--to", "jsonl", "--out", tmp_path / "back")
    assert back.exit_code == 0, back.output
    [document] = read_documents(tmp_path / "back")
    assert document.spans == NOTE.spans[: 5 - left_out] or labels == "i2b2"
    assert [s.label for s in document.spans][:3] == ["NOMBRE_SUJETO_ASISTENCIA", "TERRITORIO", "TERRITORIO"]


def test_i2b2_files_as_i2b2_wrote_them() -> None:
    content = b"""<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2>
<TEXT><![CDATA[Record date: 2069-04-07, Dr. Levine]]></TEXT>
<TAGS>
<DATE id="P0" start="13" end="23" text="2069-04-07" TYPE="DATE" comment="" />
<NAME id="P1" start="29" end="35" text="Levine" TYPE="DOCTOR" comment="" />
</TAGS>
</deIdi2b2>"""
    document = parse_xml(content, "a", "a.xml", I2B2)
    assert [s.label for s in document.spans] == ["FECHAS", "NOMBRE_PERSONAL_SANITARIO"]


def test_an_unknown_set_is_named(tmp_path: Path) -> None:
    result = run(tmp_path / "in", "--to", "brat", "--labels", "hipaa", "--out", tmp_path / "out")
    assert re.search("no label set called 'hipaa'", str(result.exception))


def test_a_label_of_another_set_is_an_error(tmp_path: Path) -> None:
    Brat().write([NOTE], tmp_path / "in")
    result = run(tmp_path / "in", "--from-labels", "presidio", "--to", "jsonl", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "no label of presidio" in result.output


def test_the_table_of_the_docs_is_true() -> None:
    page = (Path(__file__).resolve().parents[3] / "docs/en/reference/formats.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", page.partition("## Label sets")[2], re.MULTILINE))
    assert set(rows) == set(LABELS)
    for label, row in rows.items():
        names = re.findall("`(.+?)`", row)
        expected = [each.outward[label] for each in (PRESIDIO, I2B2) if label in each.outward]
        assert names == [*expected, *(["ZIP"] if label == "TERRITORIO" else [])]
