"""spaCy's DocBin: spaCy itself reads it, and everything is preserved."""

from __future__ import annotations

import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import spacy
from hypothesis import given, settings
from spacy.tokens import DocBin
from spacy.tokens import Span as SpacySpan

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files.annotated.docbin import DocBinFormat
from nadie.files.annotated.reading import read_documents
from nadie.files.label_sets import PRESIDIO

from .documents import documents

SPANS = (Span(0, 10, "NOMBRE_SUJETO_ASISTENCIA"), Span(16, 18, "ID_SUJETO_ASISTENCIA"))
NOTE = Document("planta-3/nota", "Ana  Pérez,\r\nNHC12 ", SPANS, {"x": "y"})


def test_spacy_reads_it(tmp_path: Path) -> None:
    DocBinFormat().write([NOTE], tmp_path)
    [doc] = DocBin().from_disk(tmp_path / "documents.spacy").get_docs(spacy.blank("es").vocab)
    assert doc.text == NOTE.text
    assert [(e.text, e.label_) for e in doc.ents] == [
        ("Ana  Pérez", "NOMBRE_SUJETO_ASISTENCIA"),
        ("12", "ID_SUJETO_ASISTENCIA"),
    ]
    assert list(read_documents(tmp_path)) == [NOTE]


@settings(max_examples=30)
@given(documents())
def test_everything_comes_back(document: Document) -> None:
    with TemporaryDirectory() as home:
        DocBinFormat().write([document], Path(home))
        [back] = DocBinFormat().read(Path(home))
        assert back == document


def test_what_spacy_wrote_is_read(tmp_path: Path) -> None:
    nlp = spacy.blank("es")
    doc = nlp("Vista Ana Pérez en Lugo.")
    doc.set_ents([SpacySpan(doc, 1, 3, "PERSON"), SpacySpan(doc, 4, 5, "LOCATION")])
    DocBin(docs=[doc]).to_disk(tmp_path / "a.spacy")
    form = DocBinFormat()
    form.labels = PRESIDIO
    [back] = form.read(tmp_path)
    assert back.id == "a-1"
    assert [(back.text_of(s), s.label) for s in back.spans] == [
        ("Ana Pérez", "NOMBRE_SUJETO_ASISTENCIA"),
        ("Lugo", "TERRITORIO"),
    ]
    with pytest.raises(FormatError, match="not one of the 29"):
        list(DocBinFormat().read(tmp_path))


@pytest.mark.parametrize(
    "content", [b"", b"Eva Soto", zlib.compress(b"Eva Soto"), zlib.compress(b"\x81\xa1a\xa1b")], ids=range(4)
)
def test_damaged_files(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.spacy").write_bytes(content)
    with pytest.raises(FormatError, match="not a spaCy DocBin") as caught:
        list(DocBinFormat().read(tmp_path))
    assert "Soto" not in caught.value.args[0]


def test_a_bomb_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nadie.files.annotated.docbin._MOST_BYTES", 1 << 20)
    (tmp_path / "a.spacy").write_bytes(zlib.compress(bytes(1 << 21)))
    with pytest.raises(FormatError, match="unpacks to more than"):
        list(DocBinFormat().read(tmp_path))
