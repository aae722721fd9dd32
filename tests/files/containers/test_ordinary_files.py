"""Ordinary files that other programs write in unusual ways: they are read, and their copies open."""

from __future__ import annotations

import io
import subprocess
import zipfile
from pathlib import Path

import pytest

from nadie.errors import FormatError
from nadie.files.containers.mail.msg.compound import written
from nadie.files.recognition import decoded_text, recognise
from nadie.files.source import Source

from . import dicoms, linked_files, msg_files, odt_files, samples, word_files
from .helpers import anonymized, opened, texts_of
from .office import parts_of, shown

_LIBRARY = (
    b'<?xml version="1.0"?>'
    b'<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "library.dtd">'
    b'<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard"/>'
)


def old_text_document() -> bytes:
    """A text with the parts that OpenOffice wrote: an empty one, and a macro library with a document type."""
    more = {"Configurations2/accelerator/current.xml": b"", "Basic/Standard/script-lb.xml": _LIBRARY}
    parts = odt_files.parts() | more
    listed = "".join(f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type=""/>' for name in more)
    end = b"</manifest:manifest>"
    parts["META-INF/manifest.xml"] = parts["META-INF/manifest.xml"].replace(end, listed.encode() + end)
    return odt_files.packed(parts)


def template() -> bytes:
    parts = parts_of(linked_files.open_document())
    kind = b"application/vnd.oasis.opendocument.text"
    parts["mimetype"] = kind + b"-template"
    parts["META-INF/manifest.xml"] = parts["META-INF/manifest.xml"].replace(kind + b'"', kind + b'-template"')
    return odt_files.packed(parts)


def test_old_texts_and_templates_are_read_and_open(tmp_path: Path) -> None:
    made = {
        "old.odt": anonymized(old_text_document(), "a.odt", {"Ana": "Eva"})[0],
        "new.ott": anonymized(template(), "a.ott", {"Ana": "Eva"})[0],
    }
    for text in shown(made, tmp_path).values():
        assert "Eva" in text
        assert "Ana" not in text


@pytest.mark.parametrize(("page", "encoding"), [(28591, "iso8859-1"), (20127, "cp1252"), (28605, "iso8859-15")])
def test_messages_in_any_code_page(page: int, encoding: str) -> None:
    body = "<html><body>Vino Ana Muñoz</body></html>".encode(encoding)
    made = msg_files.message(more={0x1013: body, 0x3FDE: page, 0x3FFD: page})
    assert "Vino Ana Muñoz" in texts_of(written(made, msg_files.CLSID), "a.msg")[0]


@pytest.mark.parametrize("start", [b"II*\0\x08\0\0\0", b"MM\0*\0\0\0\x08"])
def test_a_dicom_file_whose_preamble_is_that_of_an_image(start: bytes) -> None:
    content = dicoms.saved(dicoms.report())
    assert texts_of(start + content[len(start) :], "a.dcm") == texts_of(content, "a.dcm")


@pytest.mark.parametrize("option", ["+ti", "+te", "+tb"])
def test_a_dicom_file_without_preamble_and_meta_information(option: str, tmp_path: Path) -> None:
    """As `dcmconv` of DCMTK writes it, with implicit types, explicit types, and in the other order of bytes."""
    content = dicoms.saved(dicoms.report())
    (tmp_path / "whole.dcm").write_bytes(content)
    command = ["dcmconv", "-F", option, str(tmp_path / "whole.dcm"), str(tmp_path / "bare.dcm")]
    subprocess.run(command, check=True, capture_output=True)
    bare = (tmp_path / "bare.dcm").read_bytes()
    assert bare[128:132] != b"DICM"
    assert texts_of(bare, "a.dcm") == texts_of(content, "a.dcm")
    copy = dicoms.reopened(anonymized(bare, "a.dcm", {"Ana": "Eva"})[0])
    assert copy.file_meta.MediaStorageSOPClassUID == dicoms.REPORT
    assert copy.PatientIdentityRemoved == "YES"


def test_files_of_the_operating_system_and_logos_are_no_failures() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in ("nota.txt", "__MACOSX/._nota.txt", "a/._foto.jpg", "a/.DS_Store", "Thumbs.db"):
            archive.writestr(name, b"Vino Ana" if name == "nota.txt" else b"\0\5\x16\7Ana")
        archive.writestr("logo.png", word_files.png())
    copy, account = anonymized(file.getvalue(), "a.zip", {"Ana": "Eva"})
    assert account.failures == []
    assert list(parts_of(copy)) == ["nota.txt"]
    assert [(place, reason) for place, reason in account.uncovered] == [
        ("logo.png", "a small image, left out of the copy")
    ]
    assert "4 files of the operating system were left out" in account.remarks


@pytest.mark.parametrize("name", ["a.docx", "a.xlsx", "a.odt"])
def test_documents_that_were_packed_again_on_a_mac(name: str) -> None:
    made = {"a.docx": linked_files.letter, "a.xlsx": linked_files.workbook, "a.odt": linked_files.open_document}[name]
    more = {"__MACOSX/": b"", "__MACOSX/._content.xml": b"\0\5\x16\7Ana", "a/.DS_Store": b"\0Ana"}
    copy, account = anonymized(word_files.packed(parts_of(made()) | more), name, {"Ana": "Eva"})
    assert account.failures == []
    assert list(parts_of(copy)) == list(parts_of(anonymized(made(), name, {"Ana": "Eva"})[0]))


def test_signs_of_texts_in_windows_1252() -> None:
    """Trade marks, bullets and the like, as Word writes them; letters of DOS are no such signs."""
    text = "• Adiro® 100 mg, Nolotil™ ¬ exitus † João de Ana"
    assert decoded_text(text.encode("cp1252"), "a.txt") == (text, "cp1252")
    with pytest.raises(FormatError, match="neither UTF-8 nor Windows-1252"):
        decoded_text("Exploración de Ana".encode("cp850"), "a.txt")


def test_a_message_that_names_no_version() -> None:
    """Mail needs neither `MIME-Version` nor `Message-ID`; without the suffix this is a text."""
    content = b"From: Ana <a@x.es>\r\nSubject: alta\r\n\r\nVino Ana\r\n"
    copy = anonymized(content, "a.eml", {"Ana": "Eva"})[0]
    assert b"Ana" not in copy
    assert b"Vino Eva" in copy
    assert recognise(Source("a.txt", "a.txt", None, content)) == "text"


def test_a_count_in_a_cell_with_the_format_of_a_date() -> None:
    parts = parts_of(linked_files.workbook())
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(b"<v>70</v>", b"<v>7e12</v>")
    assert opened(word_files.packed(parts), "a.xlsx")


@pytest.mark.parametrize("start", [b"\n", b"\r\n\n"])
def test_a_mailbox_that_begins_with_blank_lines(start: bytes) -> None:
    copies = [anonymized(begin + samples.mbox(), "a.mbox", {"Ana": "Eva"})[0] for begin in (b"", start)]
    assert copies[1] == copies[0]
    assert copies[0].count(b"Vino Eva hoy.") == 2
