"""Round trips preserve any text byte for byte, and every span."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nadie.document import Document
from nadie.errors import FormatError
from nadie.files.annotated.i2b2 import format_xml, parse_xml
from nadie.files.format import FORMATS

from .documents import documents, texts


def xml_can_hold(text: str) -> bool:
    """XML 1.0, production 2 (Char)."""
    return all(
        c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or "\U00010000" <= c <= "\U0010ffff"
        for c in text
    )


xml_texts = texts.map(lambda text: "".join(c for c in text if xml_can_hold(c)))


def there_and_back(document: Document, name: str) -> tuple[Document, Path, TemporaryDirectory[str]]:
    home = TemporaryDirectory()
    folder = Path(home.name, "out")
    FORMATS.get(name)().write([document], folder)
    [back] = FORMATS.get(name)().read(folder)
    return back, folder, home


@settings(max_examples=80)
@given(documents())
def test_text(document: Document) -> None:
    back, folder, home = there_and_back(document, "text")
    with home:
        assert (back.id, back.text, back.spans) == (document.id, document.text, ())
        assert (folder / f"{document.id}.txt").read_bytes() == document.text.encode()


@settings(max_examples=80)
@given(documents())
def test_brat(document: Document) -> None:
    back, folder, home = there_and_back(document, "brat")
    with home:
        assert (back.id, back.text, back.spans) == (document.id, document.text, document.spans)
        assert (folder / f"{document.id}.txt").read_bytes() == document.text.encode()
        # Other programs split lines in other ways: all of them must see as many lines as there are spans.
        assert len((folder / f"{document.id}.ann").read_bytes().decode().splitlines()) == len(document.spans)


@settings(max_examples=80)
@given(documents(xml_texts))
def test_i2b2(document: Document) -> None:
    back, _, home = there_and_back(document, "i2b2")
    with home:
        assert (back.id, back.text, back.spans) == (document.id, document.text, document.spans)


@settings(max_examples=80)
@given(documents())
def test_jsonl_keeps_everything(document: Document) -> None:
    back, folder, home = there_and_back(document, "jsonl")
    with home:
        assert back == document
        assert [(s.score, s.source) for s in back.spans] == [(s.score, s.source) for s in document.spans]
        assert len((folder / "documents.jsonl").read_bytes().decode().splitlines()) == 1


@settings(max_examples=200)
@given(st.text(st.characters(exclude_categories=[]), max_size=20))
def test_xml_is_written_exactly_when_it_can_be_read_again(text: str) -> None:
    if xml_can_hold(text):
        assert parse_xml(format_xml(Document("d", text), "d.xml"), "d", "d.xml").text == text
    else:
        with pytest.raises(FormatError, match=r"^d\.xml: XML cannot represent the character U\+"):
            format_xml(Document("d", text), "d.xml")


@settings(max_examples=200)
@given(st.binary(max_size=60), st.sampled_from(["text", "brat", "i2b2", "jsonl"]))
def test_no_bytes_make_anything_but_documents_or_typed_errors(content: bytes, name: str) -> None:
    form = FORMATS.get(name)()
    with TemporaryDirectory() as home:
        for suffix in form.suffixes:
            Path(home, f"a{suffix}").write_bytes(content)
        assert all(isinstance(item, (Document, FormatError)) for item in form.scan(Path(home)))


@settings(max_examples=40)
@given(st.lists(documents(xml_texts), max_size=4, unique_by=lambda document: document.id), st.data())
def test_a_batch_through_all_formats_in_turn(batch: list[Document], data: st.DataObject) -> None:
    with TemporaryDirectory() as home:
        expected = sorted((d.id, d.text, d.spans) for d in batch)
        current = batch
        for number, name in enumerate(data.draw(st.permutations(["brat", "i2b2", "jsonl"]))):
            folder = Path(home, str(number))
            FORMATS.get(name)().write(current, folder)
            current = list(FORMATS.get(name)().read(folder)) if batch else []
            assert sorted((d.id, d.text, d.spans) for d in current) == expected
