"""Recognition of file formats; only plain text is treated as plain text."""

from __future__ import annotations

import errno
import gzip
import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from nadie.errors import FormatError
from nadie.files.annotated.reading import read_documents
from nadie.files.container import CONTAINERS
from nadie.files.recognition import recognise
from nadie.files.signatures import TITLES, format_of
from nadie.files.source import Source


def zipped(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return file.getvalue()


def office(folder: str) -> bytes:
    return zipped(**{"[Content_Types].xml": b"<Types/>", f"{folder}/main.xml": b"<a/>"})


KINDS: dict[str, list[bytes]] = {
    "pdf": [b"%PDF-1.7\n%\xe2\xe3", b"\n\njunk %PDF-1.4"],
    "rtf": [b"{\\rtf1\\ansi Mu\\'f1oz}", b"\xef\xbb\xbf {\\rtf1 x}"],
    "docx": [office("word")],
    "xlsx": [office("xl")],
    "pptx": [office("ppt")],
    "odt": [zipped(mimetype=b"application/vnd.oasis.opendocument.text")],
    "zip": [zipped(a=b"x"), b"PK\x03\x04 cut"],
    "gzip": [gzip.compress(b"Ana", mtime=0)],
    "image": [
        b"\x89PNG\r\n\x1a\n\0",
        b"\xff\xd8\xff\xe0\0",
        b"GIF89a\0",
        b"II*\0",
        b"BM\x10\0\0\0",
        b"RIFF\1\0\0\0WEBP",
    ],
    "dicom": [b"\0" * 128 + b"DICM"],
    "old-office": [b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 1024],
    "parquet": [b"PAR1\x15"],
    "sqlite": [b"SQLite format 3\0"],
    "tar": [b"\0" * 257 + b"ustar"],
    "fhir": [b'{"resourceType": "Patient"}', b'{\n  "id": "1",\n  "resourceType": "Bundle"\n}'],
    "fhir-ndjson": [b'{"resourceType": "Patient"}\n{"resourceType": "Patient"}\n'],
    "fhir-xml": [b'<Patient xmlns="http://hl7.org/fhir"/>'],
    "cda": [b'<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>'],
    "hl7": [b"MSH|^~\\&|A|B\rPID|1", b"\x0bMSH|^~\\&|A"],
    "json": [b'{"nota": "Mu\\u00f1oz"}', b'[{"a": 1}]', b'{\n "a": {\n', b"[]", b" [ ]\n", b"[1, -2.5e3, null]\n"],
    "jsonl": [b'{"id": "1", "text": "x"}\n', b'{"id": "1", \n{"id": "2", "text": "x", "spans": []}\n'],
    "jsonl-table": [b'{"nhc": 1, "nota": "x"}\n{"nhc": 2, "nota": "y"}\n'],
    "html": [b"<!DOCTYPE html><p>x", b"<html>", b"<p>x</p>", b'<?xml version="1.0"?><html xmlns="x"/>'],
    "i2b2": [b"<?xml version='1.0' encoding='UTF-8'?>\n<MEDDOCAN>"],
    "xml": [b'<?xml version="1.0"?><nota>Mu&#241;oz</nota>', b"<nota>Ana</nota>"],
    "eml": [b"From: a@b.es\r\nSubject: Ana\r\nMIME-Version: 1.0\r\n\r\nx", b"Received: from x\n by y\nTo: z\n\nhola"],
    "binary": [b"\0\1\2\3", "Ana".encode("utf-16-le"), b"Ana\0Perez"],
}


@pytest.mark.parametrize(("kind", "content"), [(kind, c) for kind, contents in KINDS.items() for c in contents])
def test_each_kind_is_known_by_its_content(kind: str, content: bytes) -> None:
    assert format_of(io.BytesIO(content)) == kind


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "Paciente: Ana Pérez.\n", "\ufeffNHC: 1", "BMI 27,1. Peso 80 kg", "RIFFLE", "BZh: bazo", "ID3 lead",
        "[1] Primera visita", "{paciente}", "<5 años", "< 3 mg/dl", "<Paciente> sin datos", "MSH: hormona",
        "From: planta 3\nTo: planta 4\n\nTraslado", "Date: 1/2/2020\nSubject: alta\n", "Fecha: 1\fSala: 2\x0b",
        "OggSin datos", "PK: 3", "%PDF",
    ],
)  # fmt: skip
def test_plain_text_stays_plain_text(text: str) -> None:
    assert format_of(io.BytesIO(text.encode())) is None


@pytest.mark.parametrize("kind", sorted(set(KINDS) - set(CONTAINERS.names()) - {"i2b2", "jsonl"}))
def test_what_is_not_read_is_refused_by_name_everywhere(kind: str, tmp_path: Path) -> None:
    for number, content in enumerate(KINDS[kind]):
        file = tmp_path / f"{number}.txt"
        file.write_bytes(content)
        with pytest.raises(FormatError, match=TITLES[kind]) as caught:
            list(read_documents(file))
        assert caught.value.where == str(file)


def test_a_directory_far_behind_the_end_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.doc"
    start = bytearray(KINDS["old-office"][0])
    start[30:32], start[48:52] = b"\x0c\0", b"\xff\xff\xff\xff"
    file.write_bytes(start)
    assert recognise(Source.of(file)) == "old-office"


def test_a_disk_that_cannot_be_read_is_an_error_of_that_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: object) -> str:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr("nadie.files.signatures.format_of", fail)
    with pytest.raises(FormatError, match="cannot be read"):
        recognise(Source("a", "a", None, b"x"))


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.docx", b"Ana", "named .docx but is plain text"),
        ("a.docx", b"{\\rtf1 x}", "named .docx but is an RTF document"),
        ("a.pdf", b"", "named .pdf but is plain text"),
        ("a.parquet", b"PAR2", "named .parquet but is plain text"),
    ],
)
def test_a_name_that_promises_something_else_is_an_error(name: str, content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        recognise(Source(name, name, None, content))


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.csv", b"a;b\n", "csv"), ("a.TSV", b"a\tb\n", "csv"), ("a.htm", b"hola", "html"), ("a.txt", b"hola", "text"),
        ("a", b"hola", "text"), ("a.doc", b"<html>", "html"), ("a.txt", b"<html>", "html"), ("a.md", b"# x", "text"),
    ],
)  # fmt: skip
def test_content_first_then_the_name(name: str, content: bytes, kind: str) -> None:
    assert recognise(Source(name, name, None, content)) == kind


WITHOUT_EXTRAS = """
import sys
for name in ("lxml", "olefile", "pdfminer", "pikepdf", "pyarrow", "pydicom"):
    sys.modules[name] = None
from nadie.errors import MissingExtraError
from nadie.files.container import CONTAINERS, OpenOptions
from nadie.files.recognition import open_as
from nadie.files.source import Source
for name in CONTAINERS.names():
    if extra := CONTAINERS.get(name).extra:
        try:
            open_as(name, Source("x", "x", None, b"x"), OpenOptions())
        except MissingExtraError as error:
            assert f"nadie[{extra}]" in str(error)
            print(name)
"""


def test_without_the_optional_packages_a_file_names_the_extra_that_it_needs() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_EXTRAS], capture_output=True, text=True, check=True)
    assert done.stdout.split() == sorted(name for name in CONTAINERS.names() if CONTAINERS.get(name).extra)
