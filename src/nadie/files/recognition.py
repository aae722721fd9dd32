"""The format and the encoding of a file: by its content first, then by its name, unless the user specifies them."""

from __future__ import annotations

import codecs
import csv
import io
import re
import zipfile
from functools import cache
from typing import Any, BinaryIO

from nadie.errors import FormatError, MissingExtraError, NadieError
from nadie.files import signatures
from nadie.files.container import CONTAINERS, Container, Opened, OpenOptions, damaged
from nadie.files.disk import MAX_BYTES
from nadie.files.format import guess
from nadie.files.mapped import MappedText
from nadie.files.source import ANNOTATIONS, Source

PLAIN = "text"
_TEXT_SUFFIXES = frozenset(("", ".txt"))
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ACCEPTED = {"utf-8", "cp1252", "iso8859-1", "iso8859-15", "ascii"}
_HEAD = 4096
_COLUMN_NAME = re.compile(r"[^\W\d](?:[\w ./()-]{0,39}[\w)])?")  # prose has a space after a comma
_ASCII = bytes(range(128))
_SPANISH = frozenset(
    "áéíóúüñçàèìòùïâêîôûäëöÁÉÍÓÚÜÑÇÀÈÌÒÙÏÂÊÎÔÛÄËÖãõÕß¿¡ºª·°±µ¹²³½¼¾€«»“”‘’–—…\xa0\xad×÷§´¬•†‰®©™".encode("cp1252")
)
"""Without Ã, which texts in UTF-8 are full of, and without signs that are Spanish letters in other encodings, as ¢."""


def recognise(source: Source) -> str:
    """The kind of a file: a registered container, `text`, or a format of `nadie.formats`, for a file with a path.

    Any other file is an error that names the kind, and so is a file whose suffix does not match its content.
    """
    kind = _format_by_content(source)
    if source.suffix != ".txt" and (claimed := _claimed_by_third_party(source)):
        return claimed
    promised = signatures.FORMATS_OF_SUFFIX.get(source.suffix)
    if promised and kind not in promised:
        if kind == "zip" and not _is_whole_zip(source):
            raise FormatError(f"is a damaged or truncated {source.suffix} file", where=source.where)
        found = title_of(kind) if kind else "plain text"
        raise FormatError(f"is named {source.suffix} but is {found}: rename it or use --from", where=source.where)
    if kind in (None, "xml") and source.suffix != ".txt":  # neither the content nor the name determine the format
        kind = _by_suffix().get(source.suffix, kind)
    if kind in (None, PLAIN) and source.path is not None:
        form = guess(source.path)
        kind = PLAIN if form == "brat" else form  # an annotation file, or a text beside one
    return "base64" if kind in (None, PLAIN) and _has_attachment(source) else kind or PLAIN


def _has_attachment(source: Source) -> bool:
    if _is_annotated(source):
        return False
    with source.open() as file:
        return signatures.has_attachment(file.read(MAX_BYTES))


def _format_by_content(source: Source) -> str | None:
    try:
        with source.open() as file:
            kind = signatures.format_of(file)
            if kind not in (None, "pdf") and _is_annotated(source):
                file.seek(0)
                return kind if b"\0" in file.read(signatures.HEAD_BYTES) else None
            if kind == "binary" and source.suffix in _TEXT_SUFFIXES:
                file.seek(0)
                return None if unmarked_utf16(file.read(signatures.HEAD_BYTES)) else kind
            if kind is None and source.suffix == ".eml":
                file.seek(0)
                return "eml" if signatures.has_headers(file.read(signatures.HEAD_BYTES)) else None
            if kind == "json" and source.suffix in _TEXT_SUFFIXES:
                file.seek(0)
                content = file.read(MAX_BYTES)
                is_json = not source.suffix and signatures.json_value(content) is not None
                return kind if is_json or b"\\" in content else None  # a note, unless its letters may be escaped
            return kind
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", where=source.where) from None


def may_be_table(source: Source) -> bool:
    """Whether a text without a name has a heading and rows of as many cells, as a CSV table has."""
    with source.open() as file:
        head = file.read(_HEAD)
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    if len(head) == _HEAD:
        lines = lines[:-1]  # cut
    for delimiter in (";", ",", "\t", "|"):
        rows = list(csv.reader(lines, delimiter=delimiter))
        heading = rows[0] if len(rows) > 1 else []
        is_heading = len(set(heading)) == len(heading) > 1 and all(map(_COLUMN_NAME.fullmatch, heading))
        if is_heading and all(len(row) == len(heading) for row in rows):
            return True
    return False


def _is_annotated(source: Source) -> bool:
    """Whether a file is a text of a corpus: its annotations refer to its characters, whatever they look like."""
    return source.suffix == ".txt" and source.path is not None and source.path.with_suffix(ANNOTATIONS).is_file()


def _claimed_by_third_party(source: Source) -> str | None:
    """The container of another package that declares the first bytes of the file, and its suffix if it declares any."""
    known = CONTAINERS.third_party().items()
    takers = [(name, each.starts) for name, each in known if not each.suffixes or source.suffix in each.suffixes]
    if not any(starts for _, starts in takers):
        return None
    with source.open() as file:
        head = file.read(_HEAD)
    return next((name for name, starts in takers if head.startswith(starts)), None)


def open_as(kind: str, source: Source, options: OpenOptions) -> Opened:
    """Open the file as a container of that kind; a kind without a container is refused by name."""
    if kind not in CONTAINERS.names():
        raise _refusal(kind, source.where)
    container = CONTAINERS.get(kind)()
    try:
        return container.open(source, options)
    except NadieError:
        raise
    except ModuleNotFoundError as error:
        if container.extra and error.name and not error.name.startswith("nadie"):
            raise MissingExtraError(f"reading {container.title}", container.extra) from None
        raise
    except Exception as error:
        problem = damaged(container.title, source.where, error)
    raise problem


def texts_of(opened: Opened, kind: str, where: str) -> list[MappedText[Any]]:
    """All texts of an open container, which may turn out to be damaged."""
    try:
        return list(opened.texts())
    except NadieError:
        raise
    except Exception as error:
        problem = damaged(title_of(kind), where, error)
    raise problem


def refuse_other_than_text(file: BinaryIO, where: str) -> None:
    """Raise an error that names the format of the file, unless it is plain text."""
    if kind := signatures.format_of(file):
        raise _refusal(kind, where)


def _refusal(kind: str, where: str) -> FormatError:
    advice = ": save it as .docx or .xlsx" if kind in ("old-office", "office-xml") else ""
    return FormatError(f"is {title_of(kind)}, which is not supported{advice}", where=where)


def title_of(kind: str) -> str:
    return CONTAINERS.get(kind).title if kind in CONTAINERS.names() else signatures.TITLES.get(kind, kind)


def unit_of(kind: str) -> str:
    """What the texts of a container are: rows, or simply texts."""
    return CONTAINERS.get(kind).unit


def _is_whole_zip(source: Source) -> bool:
    with source.open() as file:
        return zipfile.is_zipfile(file)


@cache
def _by_suffix() -> dict[str, str]:
    known: dict[str, type[Container]] = {name: CONTAINERS.get(name) for name in CONTAINERS.names()}
    return {suffix: name for name, each in known.items() if not each.starts for suffix in each.suffixes}


def decoded(content: bytes, where: str, declared: str = "") -> tuple[str, str]:
    """The text, with its byte-order mark, and the encoding: that of the mark, the declared one, or as of plain text."""
    marked = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "")
    if not marked and not declared:
        return decoded_text(content, where)
    encoding = marked or _known(declared, where)
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError as error:
        at = error.start
    # Raised outside the handler, because the decoding error contains the bytes of the document.
    raise FormatError(f"is not {encoding.upper()}", where=where, line=content.count(b"\n", 0, at) + 1)


def _known(declared: str, where: str) -> str:
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        name = ""
    if name not in _ACCEPTED:
        what = f"the encoding {name!r}, which" if name else "an unknown encoding, which"
        raise FormatError(f"declares {what} is not accepted", where=where)
    # As in every browser: programs that declare Latin-1 or ASCII usually write Windows-1252.
    return "cp1252" if name in ("iso8859-1", "ascii") else name


def sniffed(file: BinaryIO, where: str) -> tuple[str, int]:
    """The encoding of a text file of any size without a declaration, and the length of its byte-order mark.

    A file that is not UTF-8 is Windows-1252 if it only has letters and signs used in Spanish texts; otherwise it is an
    error, since a wrong guess would garble the names to be found.
    """
    start = file.read(4)
    for mark, encoding in _MARKS:
        if start.startswith(mark):
            return encoding, len(mark)
    decoder = codecs.getincrementaldecoder("utf-8")()
    is_utf8, high = True, set[int]()
    file.seek(0)
    while chunk := file.read(1 << 20):
        high.update(chunk.translate(None, _ASCII))
        if is_utf8:
            try:
                decoder.decode(chunk)
            except UnicodeDecodeError:
                is_utf8 = False
    if is_utf8 and not decoder.getstate()[0]:
        return "utf-8", 0
    if high <= _SPANISH:
        return "cp1252", 0
    raise FormatError("is neither UTF-8 nor Windows-1252", where=where)


def unmarked_utf16(head: bytes) -> str:
    """The UTF-16 variant of a text without a mark, or an empty string: every other byte of its letters is 0."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return ""
    for name, zeros, others in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        if zeros and zeros.count(0) > 0.9 * len(zeros) and 0 not in others:
            return name
    return ""


def decoded_text(content: bytes, where: str, encoding: str = "") -> tuple[str, str]:
    """The text of a plain file and its encoding: the given one, otherwise UTF-8, otherwise a detected one."""
    name = codecs.lookup(encoding).name if encoding else unmarked_utf16(content[:_HEAD]) or "utf-8"
    try:
        return content.decode(name), name
    except UnicodeDecodeError as error:
        at = error.start
    # Outside the handler, because the decoding error contains the bytes of the document.
    if encoding or (not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and b"\0" in content):
        raise FormatError(f"is not {name.upper()}", where=where, line=content.count(b"\n", 0, at) + 1)
    found, mark = sniffed(io.BytesIO(content), where)
    try:
        return content[mark:].decode(found), found
    except UnicodeDecodeError:
        pass
    raise FormatError(f"is neither UTF-8 nor {found.upper()}", where=where)
