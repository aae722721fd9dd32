"""Conversion of uploaded files to documents, for files that are dropped on the review page.

The format of a file is recognised by its content. No named file is written to disk, so a worker that is killed leaves
nothing behind.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import io
import os
import re
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

from nadie.document import Document
from nadie.errors import FormatError
from nadie.files import signatures
from nadie.files.annotated.brat import parse_annotations
from nadie.files.annotated.reading import read_documents
from nadie.files.container import CONTAINERS, SCAN, OpenOptions
from nadie.files.format import FORMATS, guess_named
from nadie.files.recognition import PLAIN, decoded_text, open_as, recognise, unmarked_utf16
from nadie.files.source import Source
from nadie.service.problems import ProblemError, problem_of
from nadie.service.schemas import FileBody

WHERE = "the file"
_LONGEST_NAME = 200
_HEAD = 4096
MOST_DOCUMENTS = 5_000
_FILES = Path("/dev/fd")
_PREFIX = "nadie-"
_LEFTOVER = re.compile(rf"{_PREFIX}[a-z0-9_]{{8}}")
_LEFTOVER_SECONDS = 3600


def read_upload(file: FileBody) -> tuple[Document, ...]:
    """The documents of a file, each with a name as its id; the spans of documents from a container are fields.

    It runs in a worker, so a file that crashes a parser or takes too long only costs a worker.
    """
    content = decoded(file.content)
    if file.annotations is not None:
        text = text_of(content, file.encoding)
        return (Document(file.name, text, parse_annotations(decoded(file.annotations), text, WHERE)),)
    source = Source(file.name, WHERE, content=content)
    if file.as_text:
        text = text_of(content, file.encoding)
        if "\0" in text:
            raise ProblemError("unsupported-format", "the file is not a text", format="binary")
        return (Document(file.name, text),)
    file_format = format_of_upload(source)
    if is_container(file_format):
        try:
            return _of_container(file_format, source, file.patient_field)
        except FormatError as error:
            raise ProblemError("invalid", problem_of(error).detail, format=file_format) from None
    with _unnamed(content) as path:
        form = guess_named(path, file.name) if file_format == PLAIN else file_format
        if form == PLAIN:
            return (Document(file.name, text_of(content, file.encoding)),)
        return _named(file.name, [_of_patient(each, file.patient_field) for each in read_documents(path, form)])


def check_unpacked(file: FileBody, limit: int) -> None:
    """Raise a problem if the file is larger than that after unpacking, before a worker gets it."""
    try:
        with zipfile.ZipFile(io.BytesIO(decoded(file.content))) as archive:
            size = sum(each.file_size for each in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        return
    if size > limit:
        raise ProblemError("too-large", f"a file may have {limit} bytes after unpacking", limit=limit)


def load_formats() -> None:
    """Import every format and container, so that the first upload does not have to wait."""
    read_upload(FileBody(name="empty.txt", content=""))


def is_container(file_format: str) -> bool:
    """Whether files of that format can be rewritten in their own format."""
    return file_format in CONTAINERS.names() and file_format != PLAIN


def format_of_upload(source: Source) -> str:
    """The format of the file; a problem that names it if it is not supported."""
    try:
        file_format = recognise(source)
    except FormatError:
        detail = "the suffix of the file does not match its content"
        raise ProblemError("unsupported-format", detail, format="mislabelled") from None
    if file_format != PLAIN and file_format not in CONTAINERS.names() and file_format not in FORMATS.names():
        title = signatures.TITLES.get(file_format, file_format)
        raise ProblemError("unsupported-format", f"the file is {title}, which is not supported", format=file_format)
    return file_format


def _of_patient(document: Document, field: str) -> Document:
    """The document with the patient given by this field of its metadata; of the rest, only whether it is a scan."""
    patient = (document.meta.get(field) if field else None) or document.meta.get("patient", "")
    kept = {name: value for name, value in document.meta.items() if name in SCAN}
    return replace(document, meta={**kept, "patient": patient[:_LONGEST_NAME]} if patient else kept)


def _of_container(file_format: str, source: Source, patient_field: str) -> tuple[Document, ...]:
    try:
        texts = open_as(file_format, source, OpenOptions(patient_column=patient_field)).texts()
    except FormatError:
        open_as(file_format, source, OpenOptions())  # raises any error of the file itself
        raise ProblemError("unprocessable", "the table has no such column", column=patient_field) from None
    read = (text.document(source.name) for text in islice(texts, MOST_DOCUMENTS + 1) if text.text.strip())
    documents = [_of_patient(document, patient_field) for document in read]
    if len(documents) > MOST_DOCUMENTS:
        raise ProblemError("too-large", f"a file may have {MOST_DOCUMENTS} texts", limit=MOST_DOCUMENTS)
    if not documents:
        raise ProblemError("unprocessable", "the file has no text to review")
    return _named(source.name, [replace(each, meta={**each.meta, "format": file_format}) for each in documents])


def _named(name: str, documents: list[Document]) -> tuple[Document, ...]:
    if len(documents) == 1:
        return (replace(documents[0], id=name),)
    numbered = enumerate(documents, start=1)
    return tuple(replace(each, id=(each.id or f"{name} {number}")[-_LONGEST_NAME:]) for number, each in numbered)


@contextmanager
def _unnamed(content: bytes) -> Iterator[Path]:
    """A path to the content, for formats that need one."""
    if not _FILES.is_dir():
        with tempfile.TemporaryDirectory(prefix=_PREFIX) as folder:
            path = Path(folder) / "file"
            path.write_bytes(content)
            yield path
        return
    with (
        os.fdopen(os.memfd_create("upload"), "w+b") if hasattr(os, "memfd_create") else tempfile.TemporaryFile() as file
    ):
        file.write(content)
        file.seek(0)
        yield _FILES / str(file.fileno())


def remove_leftovers() -> None:
    """Remove leftovers of killed workers in the temporary folder: old folders of uploads."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            status = folder.lstat()
            is_own = status.st_uid == os.getuid() if hasattr(os, "getuid") else True
            is_old = time.time() - status.st_mtime > _LEFTOVER_SECONDS
            if is_own and is_old and not folder.is_symlink() and _is_upload(folder):
                shutil.rmtree(folder)
        except OSError:
            continue  # another service removed it, or it belongs to another user


def _is_upload(folder: Path) -> bool:
    """Whether the folder has the name and exactly the one file of an upload."""
    if not _LEFTOVER.fullmatch(folder.name):
        return False
    names = [entry.name for entry in folder.iterdir()]
    return len(names) <= 1 and all(name == "file" or name.startswith("file.") for name in names)


def text_of(content: bytes, encoding: str) -> str:
    """The text in UTF-16, which is recognised as on the command line, or in that encoding."""
    try:
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or unmarked_utf16(content[:_HEAD]):
            return decoded_text(content, WHERE)[0]
        return content.decode(encoding)
    except UnicodeDecodeError:
        pass
    raise ProblemError("wrong-encoding", f"the file is not {encoding}")


def decoded(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise ProblemError("invalid", "the content is not base64") from None
