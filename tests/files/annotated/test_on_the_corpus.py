"""The development set exists in brat and in XML: both have the same spans, and each converts to the other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nadie.files.annotated.reading import read_documents
from nadie.files.format import FORMATS

pytestmark = pytest.mark.corpus


def test_brat_and_xml_agree_span_by_span(meddocan: Path) -> None:
    brat, xml = (list(read_documents(meddocan / "dev" / name)) for name in ("brat", "xml"))
    assert len(brat) == 250
    assert sum(len(document.spans) for document in brat) == 5801
    assert brat == xml


def test_the_training_set_reads_without_an_error(meddocan: Path) -> None:
    documents = list(read_documents(meddocan / "train" / "brat"))
    assert (len(documents), sum(len(document.spans) for document in documents)) == (500, 11333)


@pytest.mark.parametrize(("source", "to"), [("brat", "i2b2"), ("xml", "brat"), ("brat", "jsonl"), ("xml", "jsonl")])
def test_written_in_the_other_format_it_reads_the_same(meddocan: Path, tmp_path: Path, source: str, to: str) -> None:
    documents = list(read_documents(meddocan / "dev" / source))
    FORMATS.get(to)().write(documents, tmp_path)
    assert list(read_documents(tmp_path)) == documents


def without_ids(annotations: bytes) -> list[bytes]:
    return sorted(line.partition(b"\t")[2] for line in annotations.splitlines())


def test_brat_from_xml_is_the_file_itself_but_for_ids_and_order(meddocan: Path, tmp_path: Path) -> None:
    FORMATS.get("brat")().write(read_documents(meddocan / "dev" / "xml"), tmp_path)
    for file in (meddocan / "dev" / "brat").iterdir():
        ours, theirs = (tmp_path / file.name).read_bytes(), file.read_bytes()
        if file.suffix == ".ann":
            assert without_ids(ours) == without_ids(theirs)
        else:
            assert ours == theirs


def test_xml_from_brat_is_the_file_itself_but_for_ids(meddocan: Path, tmp_path: Path) -> None:
    FORMATS.get("i2b2")().write(read_documents(meddocan / "dev" / "brat"), tmp_path)
    for file in (meddocan / "dev" / "xml").iterdir():
        ours, theirs = (re.sub(rb' id="T[0-9]+"', b"", x.read_bytes()) for x in (tmp_path / file.name, file))
        assert ours == theirs
