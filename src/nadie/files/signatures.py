"""The type of a file, from its content. It recognises formats that must never be taken as plain text, whether or not
nadie reads them: a name that is split by markup, escaped or encoded is not found in raw text.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import zipfile
from typing import BinaryIO

HEAD_BYTES = 64 * 1024

TITLES: dict[str, str] = {  # of the formats that have no container
    "base64": "data in base64 or uuencode",
    "binary": "binary data in an unknown format",
    "bzip2": "a bzip2 archive",
    "encrypted-office": "an encrypted Office document",
    "epub": "an EPUB book",
    "fhir-xml": "FHIR XML",
    "gzip": "a gzip archive",
    "i2b2": "the task's XML",
    "icalendar": "a calendar (iCalendar)",
    "image": "an image",
    "jsonl": "documents in JSON lines",
    "media": "a sound or video file",
    "odp": "an OpenDocument presentation",
    "ods": "an OpenDocument spreadsheet",
    "office-xml": "an Office document in a single XML file",
    "old-office": "an Office document of the formats before 2007",
    "postscript": "a PostScript file",
    "pptx": "a PowerPoint presentation",
    "program": "a program",
    "rar": "a RAR archive",
    "seven-zip": "a 7-Zip archive",
    "sqlite": "an SQLite database",
    "tar": "a tar archive",
    "vcard": "a business card (vCard)",
    "xz": "an xz archive",
}

FORMATS_OF_SUFFIX: dict[str, frozenset[str]] = {
    suffix: frozenset(kinds.split())
    for suffix, kinds in {
        ".dcm": "dicom", ".doc": "old-office encrypted-office rtf html docx office-xml",
        ".docm": "docx encrypted-office",
        ".docx": "docx encrypted-office", ".eml": "eml mbox", ".emlx": "emlx", ".epub": "epub", ".gz": "gzip",
        ".hl7": "hl7", ".ics": "icalendar",
        ".jpeg": "image", ".jpg": "image", ".json": "json fhir fhir-ndjson jsonl jsonl-table", ".msg": "msg",
        ".mbox": "mbox", ".ndjson": "fhir fhir-ndjson jsonl-table", ".odp": "odp", ".ods": "ods", ".odt": "odt",
        ".ott": "odt", ".parquet": "parquet", ".pdf": "pdf", ".png": "image",
        ".pptx": "pptx encrypted-office", ".rtf": "rtf", ".tif": "image", ".tiff": "image", ".vcf": "vcard",
        ".xls": "old-office encrypted-office html xlsx office-xml", ".xlsm": "xlsx encrypted-office",
        ".xlsx": "xlsx encrypted-office", ".zip": "zip",
    }.items()
}  # fmt: skip
"""The allowed types of a file with that suffix. A file of another type is mislabelled."""

_STARTS: tuple[tuple[bytes, str], ...] = (
    (b"{\\rtf", "rtf"), (b"\x89PNG", "image"), (b"\xff\xd8\xff", "image"), (b"GIF8", "image"), (b"BM", "bmp"),
    (b"II*\0", "image"), (b"MM\0*", "image"), (b"\0\0\1\0", "image"), (b"\x1f\x8b", "gzip"), (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"), (b"7z\xbc\xaf\x27\x1c", "seven-zip"), (b"Rar!\x1a\x07", "rar"), (b"PAR1", "parquet"),
    (b"SQLite format 3\0", "sqlite"), (b"\x7fELF", "program"), (b"ID3", "media"), (b"OggS", "media"),
    (b"RIFF", "riff"), (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"), (b"PK\3\4", "zip"), (b"PK\5\6", "zip"),
)  # fmt: skip
_ONLY_IF_BINARY = frozenset({"bmp", "riff", "bzip2", "media"})  # a note may begin with these letters
_ZIPPED = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"))
_MIME_TYPES = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.text-template": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
    b"application/epub+zip": "epub",
}
_OLE_STREAMS = (
    ("__properties_version1.0", "msg"), ("__nameid_version1.0", "msg"), ("__substg1.0_", "msg"),
    ("EncryptedPackage", "encrypted-office"),
)  # fmt: skip
_BINARY = re.compile(rb"[\x00-\x06\x0e-\x1a\x7f]")
_MAIL = re.compile(
    rb"(?:return-path|received|delivered-to|mime-version|message-id|content-type|x-[a-z-]+|from|to|cc|subject|date"
    rb"|reply-to|dkim-signature|arc-[a-z-]+|content-transfer-encoding|sender|importance|thread-topic|thread-index):",
    re.IGNORECASE,
)
_SURE_MAIL = re.compile(rb"^(?:mime-version|message-id|received|return-path|content-type):", re.I | re.M)
_HEADER_LINES = re.compile(rb"(?:[!-9;-~]+:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n)+(?:\r?\n|$)")
_PROLOG = re.compile(rb"(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*", re.S | re.I)
_ROOT = re.compile(rb"<(?:[\w.-]+:)?([A-Za-z_][\w.-]*)([^>]*)")
_HTML = re.compile(
    rb"<!doctype html|<(?:html|head|body|meta|title|table|div|span|p|br|hr|h[1-6]|font|style|script|ul|ol|pre|form"
    rb"|center|section|article|main|strong|em|img|a\s+href)\b",
    re.IGNORECASE,
)
_MAILBOX = re.compile(rb"From [^\r\n]*\d{4}[^\r\n]*\r?\n(?=[!-9;-~]+:)")
_COUNTED_MAIL = re.compile(rb"\d{1,12}[ \t]*\r?\n")
_BEGINNINGS = re.compile(
    rb"(?:(BEGIN:VCARD)|(BEGIN:V(?:CALENDAR|EVENT|TODO|JOURNAL|FREEBUSY|TIMEZONE|ALARM))"
    rb"|(%!PS|\x1b%-12345X)|(-----BEGIN [A-Z0-9 ]+-----))\s?",
    re.IGNORECASE,
)
# The first attribute of a DICOM file without preamble: the length of the group, the character set, or the type.
_BARE_DICOM = re.compile(rb"\x08\0[\0\5\x08\x16]\0(?:CS|UI|UL|.\0\0\0)|\0\x08\0[\0\5\x08\x16](?:CS|UI|UL)", re.DOTALL)
_BASE64_LINE = re.compile(rb"[A-Za-z0-9+/_-]{40,}={0,2}")
_LETTERS_ONLY = re.compile(rb"[A-Z]+|[a-z]+|[0-9_-]+")
_BASE64_SHARE = 0.5  # of the lines
_ENCODED = re.compile(  # an attachment or a picture inside a text
    rb"^begin(?:-base64)? [0-7]{3,4} \S[^\r\n]*\r?\n[!-`]{61}\r?$"
    rb"|(?:^(?=[A-Z0-9+/]*[a-z])(?=[a-z0-9+/]*[A-Z])[A-Za-z0-9+/]{60,}\r?\n){4}"
    rb"|(?<![A-Za-z0-9+/])(?=[A-Z0-9+/]*[a-z])(?=[a-z0-9+/]*[A-Z])[A-Za-z0-9+/]{400}",
    re.MULTILINE,
)
_LINES_TRIED = 5
_OBJECT = re.compile(rb'\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})')
_ARRAY = re.compile(rb'\[(?:\s*[\[{"]|(?:[\d.eE+-]++|true|false|null|[\s,])*+\]\s*\Z)')


def format_of(file: BinaryIO) -> str | None:
    """The kind of file, one of `TITLES`; None if it is plain text."""
    head = file.read(HEAD_BYTES)
    is_binary = bool(_BINARY.search(head)) and not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if head[128:132] == b"DICM" or _BARE_DICOM.match(head):  # a preamble may be that of a TIFF image
        return "dicom"
    for start, kind in _STARTS:
        if head.startswith(start) and (is_binary or kind not in _ONLY_IF_BINARY):
            return _special(kind, head, file)
    if head[257:262] == b"ustar":
        return "tar"
    if is_binary and head[4:8] == b"ftyp":
        return "media" if head[8:12] in (b"isom", b"mp42", b"M4A ") else "image"
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        head = head.decode("utf-16", "ignore").encode("utf-8", "ignore")
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\x0b")
    return _format_of_text(text) or ("binary" if is_binary else None)


def _special(kind: str, head: bytes, file: BinaryIO) -> str:
    if kind == "zip":
        return _zipped(file)
    if kind == "ole":
        return _ole(head, file)
    return {"bmp": "image", "riff": "image" if head[8:12] == b"WEBP" else "media"}.get(kind, kind)


def _zipped(file: BinaryIO) -> str:
    file.seek(0)
    try:
        with zipfile.ZipFile(file) as archive:
            names = archive.namelist()
            for start, kind in _ZIPPED:
                if "[Content_Types].xml" in names and any(name.startswith(start) for name in names):
                    return kind
            if "mimetype" in names:
                with archive.open("mimetype") as member:
                    return _MIME_TYPES.get(member.read(100).strip(), "zip")
    except Exception:  # damaged: opening it as an archive raises the error
        return "zip"
    return "zip"


def _ole(head: bytes, file: BinaryIO) -> str:
    """The type by the names of the streams in the directory, whose offset is in the header."""
    sector = 1 << min(int.from_bytes(head[30:32], "little"), 12)
    place = (int.from_bytes(head[48:52], "little") + 1) * sector
    file.seek(min(place, file.seek(0, os.SEEK_END)))
    directory = file.read(4096)
    return next((kind for name, kind in _OLE_STREAMS if name.encode("utf-16-le") in directory), "old-office")


def _format_of_text(text: bytes) -> str | None:
    if text[:3] in (b"MSH", b"FHS", b"BHS") and re.match(rb"...([^\w\s])[^\w\s]{3,5}\1", text, re.S):
        return "hl7"
    if text.startswith(b"{\\rtf"):
        return "rtf"
    if text.startswith(b"<"):
        return _markup(text)
    if _OBJECT.match(text):
        return _json(text)
    if _ARRAY.match(text):
        return "json"
    if begins := _BEGINNINGS.match(text):
        return ("vcard", "icalendar", "postscript", "base64")[(begins.lastindex or 1) - 1]
    if _MAILBOX.match(text):
        return "mbox"
    if (count := _COUNTED_MAIL.match(text)) and _is_mail(text[count.end() :]):
        return "emlx"
    if _is_mail(text):
        return "eml"
    return "base64" if is_base64(text) else None


def _is_mail(text: bytes) -> bool:
    headers = _HEADER_LINES.match(text) if _MAIL.match(text) else None
    return headers is not None and _SURE_MAIL.search(headers[0]) is not None


def has_headers(head: bytes) -> bool:
    """Whether a file begins with the headers of a message; without the suffix of messages this is too little."""
    text = head.removeprefix(codecs.BOM_UTF8).lstrip()
    return _MAIL.match(text) is not None and _HEADER_LINES.match(text) is not None


def is_base64(text: bytes) -> bool:
    """Whether most lines are long and nothing but letters of base64, of different kinds, as no words are."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    coded = [line for line in lines if _BASE64_LINE.fullmatch(line) and not _LETTERS_ONLY.fullmatch(line)]
    return bool(coded) and len(coded) >= _BASE64_SHARE * len(lines)


def has_attachment(text: bytes) -> bool:
    """Whether a text has an attachment or a picture in it, in base64 or uuencode."""
    return _ENCODED.search(text) is not None


def _markup(text: bytes) -> str | None:
    prolog = _PROLOG.match(text)
    root = _ROOT.match(text, prolog.end() if prolog else 0)
    is_xml = text.startswith(b"<?xml")
    if root is None:
        return "xml" if is_xml else "html" if _HTML.match(text) else None
    name, attributes = root[1].lower(), root[2]
    if name == b"html" or (not is_xml and _HTML.match(text)):
        return "html"
    if name == b"clinicaldocument":
        return "cda"
    if name == b"meddocan":
        return "i2b2"
    if b"http://hl7.org/fhir" in attributes:
        return "fhir-xml"
    if name == b"worddocument" or b"office:1.0" in attributes or b"microsoft.com/office" in attributes:
        return "office-xml"
    return "xml" if is_xml or b"xmlns" in attributes or b"</" in text else None


def _json(text: bytes) -> str:
    is_fhir = re.search(rb'"resourceType"\s*:', text) is not None
    lines = text.splitlines()[:_LINES_TRIED]
    fields = next((parsed for line in lines if isinstance(parsed := json_value(line), dict)), None)
    if fields is None:
        return "fhir" if is_fhir else "json"
    has_lines = len(lines) > 1
    if "resourceType" in fields:
        return "fhir-ndjson" if has_lines else "fhir"
    if {"id", "text"} <= set(fields) <= {"id", "text", "spans", "meta"}:
        return "jsonl"
    return "jsonl-table" if has_lines or text.endswith(b"\n") else "json"


def json_value(text: bytes) -> object:
    """The value of a text in JSON, or None."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
