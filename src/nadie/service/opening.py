"""Files as people have them → documents: what happens when somebody drops a file on the review page."""

from __future__ import annotations

import base64
import binascii
import tempfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from fastapi import APIRouter
from pydantic import ConfigDict, Field

from nadie.document import Document
from nadie.errors import FormatError
from nadie.formats.brat import parse_annotations
from nadie.formats.reading import read_documents
from nadie.service.openapi import problems
from nadie.service.problems import ProblemError
from nadie.service.schemas import Body, Name, SpanBody
from nadie.service.state import Service

_MOST_SUFFIX = 12


class FileBody(Body):
    """A file: its bytes in base64, and the `.ann` file beside it if there is one."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "nota.txt", "content": base64.b64encode(b"Ingresa hoy.").decode()}]},
    )

    name: Name = Field(min_length=1)
    content: str
    annotations: str | None = None
    encoding: Literal["utf-8", "windows-1252"] = "utf-8"


class OpenedBody(Body):
    """A document of the file; `spans` is null where the file says nothing about them."""

    name: str
    text: str
    spans: list[SpanBody] | None


def router(service: Service) -> APIRouter:
    """`/v1/open`."""
    routes = APIRouter(prefix="/v1", tags=["documents"], responses=problems())

    @routes.post("/open", response_model=list[OpenedBody], summary="The documents of a file")
    async def open_file(file: FileBody) -> list[dict[str, Any]]:
        """Plain text, brat, the MEDDOCAN XML, JSONL and every other format that is registered. Nothing is kept."""
        results = await service.pool.run({"task": "open", "documents": [file.model_dump()]})
        if "problem" in results[0]:
            raise ProblemError(results[0]["problem"], results[0]["detail"])
        opened: list[dict[str, Any]] = results[0]["documents"]
        return opened

    return routes


def opened(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The documents of a file; runs in a worker, where a file that is made to do harm can do none."""
    content, name = _decoded(fields["content"]), fields["name"]
    plain = PurePosixPath(name).suffix.lower() in (".txt", ".text", "")
    if fields["annotations"] is not None:
        text = _text(content, fields["encoding"])
        spans = parse_annotations(_decoded(fields["annotations"]), text, "file")
        return [_fields(name, Document("", text, spans), decided=True)]
    if plain or fields["encoding"] != "utf-8":
        return [_fields(name, Document("", _text(content, fields["encoding"])), decided=False)]
    return _through_format(name, content)


def _through_format(name: str, content: bytes) -> list[dict[str, Any]]:
    """The formats read files, so the bytes become one, in a folder of their own and for this moment only."""
    suffix = PurePosixPath(name).suffix.lower()
    if len(suffix) > _MOST_SUFFIX or not suffix[1:].isalnum() or not suffix.isascii():
        suffix = ".txt"
    with tempfile.TemporaryDirectory(prefix="nadie-") as folder:
        file = Path(folder) / f"file{suffix}"
        file.write_bytes(content)
        documents = list(read_documents(file))
    alone = len(documents) == 1
    return [
        _fields(name if alone else document.id or f"{name} {number}", document, decided=bool(document.spans))
        for number, document in enumerate(documents, start=1)
    ]


def _fields(name: str, document: Document, *, decided: bool) -> dict[str, Any]:
    spans = [
        {"start": span.start, "end": span.end, "label": span.label, "score": span.score, "source": span.source}
        for span in document.spans
    ]
    return {"name": name[:200], "text": document.text, "spans": spans if decided else None}


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
