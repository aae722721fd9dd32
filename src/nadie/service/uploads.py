"""Uploaded files → documents, for files that are dropped on the review page."""

from __future__ import annotations

import base64
import binascii
import tempfile
from dataclasses import replace
from pathlib import Path, PurePosixPath

from nadie.document import Document
from nadie.errors import FormatError
from nadie.formats.brat import parse_annotations
from nadie.formats.reading import read_documents
from nadie.service.problems import ProblemError
from nadie.service.schemas import FileBody

_LONGEST_SUFFIX = 12
_LONGEST_NAME = 200


def read_upload(file: FileBody) -> tuple[Document, ...]:
    """The documents of a file, each with a name as its id.

    It runs in a worker, so a file that crashes a parser or takes too long costs a worker and not the service.
    """
    content = _decoded(file.content)
    plain = PurePosixPath(file.name).suffix.lower() in (".txt", ".text", "")
    if file.annotations is not None:
        text = _text(content, file.encoding)
        return (Document(file.name, text, parse_annotations(_decoded(file.annotations), text, "file")),)
    if plain or file.encoding != "utf-8":
        return (Document(file.name, _text(content, file.encoding)),)
    return _through_format(file.name, content)


def _through_format(name: str, content: bytes) -> tuple[Document, ...]:
    """The documents as the format of that name reads them: from a temporary file in a folder of its own."""
    suffix = PurePosixPath(name).suffix.lower()
    if len(suffix) > _LONGEST_SUFFIX or not suffix[1:].isalnum() or not suffix.isascii():
        suffix = ".txt"
    with tempfile.TemporaryDirectory(prefix="nadie-") as folder:
        file = Path(folder) / f"file{suffix}"
        file.write_bytes(content)
        documents = list(read_documents(file))
    if len(documents) == 1:
        return (replace(documents[0], id=name),)
    numbered = enumerate(documents, start=1)
    return tuple(replace(each, id=(each.id or f"{name} {number}")[:_LONGEST_NAME]) for number, each in numbered)


def _text(content: bytes, encoding: str) -> str:
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        raise FormatError(f"is not {encoding}", where="file") from None


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError):
        raise ProblemError("invalid", "the content is not base64") from None
