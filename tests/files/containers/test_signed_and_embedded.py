"""Office documents with signatures, and with embedded files that cannot be covered: both are left out of the copy."""

from __future__ import annotations

import io
import re
from pathlib import Path

import openpyxl
import pytest

from nadie.errors import FormatError

from . import odt_files, rtf_files, word_files
from .helpers import anonymized, opened, texts_of
from .office import everything, parts_of, shown

_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
_SIGNATURE = f"{_PACKAGE}/digital-signature"
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Ana Muñoz".encode("utf-16-le").ljust(600, b"\0")
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/oleObject"
_SHEET = "xl/worksheets/sheet1.xml"
_NOTE = "the signature, which would be invalid, was removed"


def workbook() -> bytes:
    book = openpyxl.Workbook()
    book.active["A1"] = "Vista Ana hoy"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def signed(content: bytes) -> bytes:
    """A package with a signature as Office adds it: an origin, the signature, and the certificate of the signer."""
    parts = parts_of(content) | {
        "_xmlsignatures/origin.sigs": b"",
        "_xmlsignatures/sig1.xml": b"<Signature xmlns='http://www.w3.org/2000/09/xmldsig#'>Ana Firma</Signature>",
        "_xmlsignatures/cert.cer": b"\x30\x82Ana Firma",
        "_xmlsignatures/_rels/origin.sigs.rels": f"<Relationships xmlns='{_PACKAGE}'><Relationship Id='r1' "
        f"Type='{_SIGNATURE}/signature' Target='sig1.xml'/></Relationships>".encode(),
        "_xmlsignatures/_rels/sig1.xml.rels": f"<Relationships xmlns='{_PACKAGE}'><Relationship Id='r1' "
        f"Type='{_SIGNATURE}/certificate' Target='cert.cer'/></Relationships>".encode(),
    }
    origin = f'<Relationship Id="s1" Type="{_SIGNATURE}/origin" Target="_xmlsignatures/origin.sigs"/></Relationships>'
    parts["_rels/.rels"] = parts["_rels/.rels"].replace(b"</Relationships>", origin.encode())
    return word_files.packed(parts)


def signed_text() -> bytes:
    made = "<document-signatures><Signature>Ana Firma</Signature></document-signatures>"
    return odt_files.packed({**odt_files.parts(), "META-INF/documentsignatures.xml": made.encode()})


def text_with_object() -> bytes:
    parts = odt_files.parts()
    entry = b'<manifest:file-entry manifest:full-path="Object 1" manifest:media-type="application/x-ole"/>'
    end = b"</manifest:manifest>"
    parts["META-INF/manifest.xml"] = parts["META-INF/manifest.xml"].replace(end, entry + end)
    return odt_files.packed({**parts, "Object 1": _OLE})


def with_object(content: bytes, folder: str) -> bytes:
    made = {f"{folder}/embeddings/oleObject1.bin": (_OLE, "application/vnd.openxmlformats.oleObject", _RELATION)}
    main = "document" if folder == "word" else "workbook"
    return word_files.with_parts(content, made, f"{folder}/_rels/{main}.xml.rels")


def test_signatures_are_left_out_and_the_copies_open(tmp_path: Path) -> None:
    files = {
        "a.docx": signed(word_files.planted()),
        "a.xlsx": signed(workbook()),
        "a.odt": signed_text(),
    }
    copies = {}
    for name, content in files.items():
        copies[f"{name[2:]}.{name[2:]}"], account = anonymized(content, name, {"Ana": "Eva", "Muñoz": "Gil"})
        assert _NOTE in account.remarks
    assert not any(re.search("Firma|sigs|Ana", everything(copy)) for copy in copies.values())
    del copies["xlsx.xlsx"]  # LibreOffice converts a workbook to another kind of text
    assert all("Eva" in text for text in shown(copies, tmp_path).values())


def test_objects_that_cannot_be_opened_are_emptied_and_listed(tmp_path: Path) -> None:
    files = {
        "a.docx": with_object(word_files.planted(), "word"),
        "a.odt": text_with_object(),
        "a.rtf": rtf_files.with_body(r"Vista Ana{\object\objemb{\*\objdata 416e61}{\result foto de Ana}} hoy\par"),
        "a.xlsx": with_object(workbook(), "xl"),
    }
    copies = {}
    for name, content in files.items():
        copies[f"{name[2:]}.{name[2:]}"], account = anonymized(content, name, {"Ana": "Eva", "Muñoz": "Gil"})
        [failure] = account.failures
        assert failure.reason.endswith("; it is left out of the copy")
        assert "Ana" not in failure.reason
    assert not any(re.search("Ana|A\0n\0a|416e61", everything(copy)) for copy in copies.values())
    assert openpyxl.load_workbook(io.BytesIO(copies.pop("xlsx.xlsx"))).active["A1"].value == "Vista Eva hoy"
    assert all("Eva" in text for text in shown(copies, tmp_path).values())


def test_templates_with_the_manifest_of_old_versions_and_with_styles_only() -> None:
    parts = odt_files.parts()
    manifest = parts["META-INF/manifest.xml"]
    parts["META-INF/manifest.xml"] = re.sub(rb"<manifest:manifest [^>]*>", b"<manifest:manifest>", manifest)
    assert b"<manifest:manifest>" in parts["META-INF/manifest.xml"]
    assert texts_of(odt_files.packed(parts), "a.ott") == texts_of(odt_files.packed(odt_files.parts()), "a.odt")
    del parts["content.xml"]
    assert "Cabecera de Ana Muñoz" in texts_of(odt_files.packed(parts), "a.ott")[0]


def with_strings(text: str, number: int, rows: int) -> bytes:
    """A workbook with one shared string, and cells that show the string of that number."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    strings = f'<sst xmlns="{main}"><si><t>{text}</t></si></sst>'.encode()
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    made = {"xl/sharedStrings.xml": (strings, kind, relation)}
    parts = parts_of(word_files.with_parts(workbook(), made, "xl/_rels/workbook.xml.rels"))
    cells = "".join(f'<row r="{n}"><c r="A{n}" t="s"><v>{number}</v></c></row>' for n in range(1, rows + 1))
    sheet = re.sub(rb"<sheetData>.*</sheetData>", f"<sheetData>{cells}</sheetData>".encode(), parts[_SHEET])
    return word_files.packed({**parts, _SHEET: sheet})


def test_a_string_that_does_not_exist_and_one_that_fills_the_memory() -> None:
    assert "Vista Ana" in texts_of(with_strings("Vista Ana", 0, 1), "a.xlsx")[0]
    assert "Vista Ana" not in "".join(texts_of(with_strings("Vista Ana", 7, 1), "a.xlsx"))
    with pytest.raises(FormatError, match="repeats strings in cells"):
        opened(with_strings("Ana " * 100_000, 0, 200), "a.xlsx")
