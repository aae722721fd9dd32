"""The task's XML: its layout, its carriage returns, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.annotated.i2b2 import I2b2, format_xml, parse_xml

WHOLE = """<?xml version='1.0' encoding='UTF-8'?>
<MEDDOCAN>
  <TEXT><![CDATA[Zoraida vive
en "Ávila"]]></TEXT>
  <TAGS>
    <NAME id="T1" start="0" end="7" text="Zoraida" TYPE="NOMBRE_SUJETO_ASISTENCIA" comment=""/>
    <LOCATION id="T2" start="16" end="23" text="&quot;Ávila&quot;" TYPE="TERRITORIO" comment=""/>
  </TAGS>
</MEDDOCAN>
"""
SPANS = (Span(0, 7, "NOMBRE_SUJETO_ASISTENCIA"), Span(16, 23, "TERRITORIO"))


def parse(content: str) -> Document:
    return parse_xml(content.encode(), "nota", "nota.xml")


def test_the_layout_of_the_task() -> None:
    document = Document("nota", 'Zoraida vive\nen "Ávila"', SPANS)
    assert parse(WHOLE) == document
    assert format_xml(document, "nota.xml").decode() == WHOLE


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<MEDDOCAN><TEXT>a &lt; b</TEXT><TAGS/></MEDDOCAN>", "a < b"),
        ("<MEDDOCAN><TEXT></TEXT><TAGS/></MEDDOCAN>", ""),
        ("<MEDDOCAN><TAGS/><TEXT>a</TEXT></MEDDOCAN>", "a"),
        ("\ufeff<MEDDOCAN><TEXT>\ufeffa</TEXT><TAGS/></MEDDOCAN>", "\ufeffa"),
        ("<MEDDOCAN><TEXT>a\r\nb\rc</TEXT><TAGS/></MEDDOCAN>", "a\nb\nc"),  # XML's own rule for a CR as such
        ("<MEDDOCAN><TEXT>a&#13;\nb&#13;c</TEXT><TAGS/></MEDDOCAN>", "a\r\nb\rc"),
        ("<MEDDOCAN><!-- x --><TEXT>a<!-- x -->b</TEXT><TAGS/></MEDDOCAN>", "ab"),
        ("<?xml version='1.0'?><MEDDOCAN><TEXT>ñ</TEXT><TAGS/></MEDDOCAN>", "ñ"),
    ],
)
def test_what_else_is_read(content: str, text: str) -> None:
    assert parse(content).text == text


@pytest.mark.parametrize(
    "text", ["\r\n", "a\r\rb", "]]>", "]]]]>>", "]]\r>", "]]&#13;>", "<![CDATA[", "&amp;", "]]>\r]]>"]
)
def test_text_that_meets_the_marks_of_cdata_survives(text: str) -> None:
    document = Document("nota", text, (Span(0, len(text), "CALLE"),))
    assert parse_xml(format_xml(document, ""), "nota", "") == document


TAG = '<NAME id="T1" start="0" end="7" text="Zoraida" TYPE="NOMBRE_SUJETO_ASISTENCIA" comment=""/>'


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ('end="23"', 'end="24"', 7, "outside"),
        ('end="23"', 'end="16"', 7, "empty"),
        ('end="23"', 'end="3"', 7, "ends before"),
        ('end="23"', 'end="2 3"', 7, "whole number"),
        ('end="23"', 'end="Zoraida"', 7, "whole number"),
        ('end="23" ', "", 7, "has no start"),
        ('TYPE="TERRITORIO"', 'TYPE="Zoraida"', 7, "one of the 29"),
        ('TYPE="TERRITORIO"', 'TYPE="FECHAS"', 7, "belong to the tag"),
        ('start="16"', 'start="15"', 7, "not the text at 15..23"),
        ('id="T2"', 'id="T1"', 7, "used before"),
        ("LOCATION", "Zoraida", 7, "element"),
        ("LOCATION", "TEXT", 7, "element"),
        ("MEDDOCAN>", "deIdi2b2>", 2, "element"),
        ("<TAGS>", "<TAGS>Zoraida", 5, "outside TEXT"),
        ("  <TAGS>", "<TEXT>Zoraida</TEXT>  <TAGS>", 5, "two texts"),
        ("  <TAGS>", "<TAGS/>  <TAGS>", 5, "two lists"),
        ("Zoraida vive", "Zoraida\x01vive", 3, "well-formed"),
        ("</MEDDOCAN>", "", 10, "well-formed"),
        ("UTF-8", "ISO-8859-1", 1, "encoding"),
        ("UTF-8", "UTF-16", 1, "encoding"),
        (TAG, f"{TAG}{TAG}", 6, "used before"),
    ],
)
def test_what_is_refused_names_the_line_and_no_text(old: str, new: str, line: int, problem: str) -> None:
    assert old in WHOLE
    with pytest.raises(FormatError, match=problem) as caught:
        parse(WHOLE.replace(old, new))
    assert (caught.value.where, caught.value.line) == ("nota.xml", line)
    assert not any(word in str(caught.value) for word in ("Zoraida", "vila"))


@pytest.mark.parametrize(
    "content", ["", "x", "<MEDDOCAN/>", "<MEDDOCAN><TEXT/></MEDDOCAN>", "<MEDDOCAN><TAGS/></MEDDOCAN>"]
)
def test_what_is_missing_is_an_error(content: str) -> None:
    with pytest.raises(FormatError):
        parse(content)


@pytest.mark.parametrize(
    "doctype",
    [
        '<!DOCTYPE MEDDOCAN [<!ENTITY a "ja"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE MEDDOCAN [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE MEDDOCAN SYSTEM "http://127.0.0.1:9/x.dtd">',
        "<!DOCTYPE MEDDOCAN>",
    ],
)
def test_a_document_type_is_refused_before_anything_is_expanded(doctype: str) -> None:
    with pytest.raises(FormatError, match="document type"):
        parse(f"{doctype}<MEDDOCAN><TEXT>&a;&b;</TEXT><TAGS/></MEDDOCAN>")


def test_an_entity_without_a_document_type_is_refused() -> None:
    with pytest.raises(FormatError, match="undefined entity"):
        parse("<MEDDOCAN><TEXT>&a;</TEXT><TAGS/></MEDDOCAN>")


def test_depth_is_bounded() -> None:
    with pytest.raises(FormatError, match="line 1: has an element"):
        parse("<MEDDOCAN>" * 100_000)


def test_a_file_too_large_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", len(WHOLE.encode()) - 1)
    (tmp_path / "nota.xml").write_text(WHOLE)
    with pytest.raises(FormatError, match="larger than"):
        list(I2b2().read(tmp_path))
    monkeypatch.setattr(files, "MAX_BYTES", len(WHOLE.encode()))
    assert [document.spans for document in I2b2().read(tmp_path)] == [SPANS]


@pytest.mark.parametrize("character", [0x00, 0x0B, 0x0C, 0x1B, 0xD800, 0xDFFF, 0xFFFE, 0xFFFF])
def test_what_xml_cannot_hold_is_named_by_place(tmp_path: Path, character: int) -> None:
    with pytest.raises(FormatError, match=rf"nota\.xml: .* U\+{character:04X} at 7$"):
        I2b2().write([Document("nota", f"Zoraida{chr(character)}")], tmp_path)
    assert list(tmp_path.iterdir()) == []
