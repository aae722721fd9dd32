"""Documents → files to download.

Anonymized texts and originals with their annotations are in different folders of the archive. Anonymized files are
numbered unless the request asks for names, because the name of a file often is the name of a patient.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from urllib.parse import quote

from fastapi import APIRouter
from pydantic import Field
from starlette.responses import Response

from nadie.document import Document
from nadie.formats.brat import format_annotations
from nadie.formats.jsonl import format_line
from nadie.service.jobs import AnonymizeJob, chunks
from nadie.service.merging import checked_spans
from nadie.service.openapi import problems
from nadie.service.problems import ProblemError
from nadie.service.schemas import Body, Name, SpanBody, Text
from nadie.service.state import Service

Part = Literal["anonymized", "brat", "jsonl"]
_ORIGINALS = "con-datos-personales"
_ANONYMIZED = "anonimizado"
_FAILED = "NO-ANONIMIZADOS.txt"
_UNSAFE = re.compile(r'[\x00-\x1f\x7f<>:"/\\|?*]')


def _anonymized_only() -> list[Part]:
    return ["anonymized"]


class ExportPlan(Body):
    """What to export. A single file is sent as it is, several as a ZIP archive."""

    parts: list[Part] = Field(default_factory=_anonymized_only, min_length=1, max_length=3)
    policy: Name | None = None
    names: Literal["numbered", "original"] = "numbered"


class ExportDocument(Body):
    """A document with its reviewed spans."""

    name: Name = Field(min_length=1)
    text: Text
    spans: list[SpanBody]


class ExportRequest(Body):
    """Documents to export, for a page whose service stores nothing."""

    documents: list[ExportDocument] = Field(min_length=1)
    plan: ExportPlan = ExportPlan()


@dataclass
class Export:
    """The files so far, in the order they came, and the documents that could not be anonymized."""

    files: dict[str, bytes] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    count: int = 0
    failed: list[str] = field(default_factory=list)

    def response(self) -> Response:
        headers = {"X-Nadie-Failed": str(len(self.failed))}
        if self.lines:
            self.files[f"{_ORIGINALS}/documents.jsonl"] = "".join(self.lines).encode()
        if self.failed:
            self.files[_FAILED] = "".join(f"{name}\n" for name in self.failed).encode()
        if len(self.files) == 1:
            [(path, content)] = self.files.items()
            kind = "application/x-ndjson" if path.endswith(".jsonl") else "text/plain; charset=utf-8"
            return Response(content, media_type=kind, headers={**headers, **_attachment(path.rpartition("/")[2])})
        return Response(
            _zipped(self.files), media_type="application/zip", headers={**headers, **_attachment("nadie.zip")}
        )


def router(service: Service) -> APIRouter:
    """`/v1/export`."""
    routes = APIRouter(prefix="/v1", tags=["documents"])

    @routes.post("/export", **export_operation("Documents as files to download"))
    async def export_documents(request: ExportRequest) -> Response:
        if len(request.documents) > service.limits.batch_documents:
            limit = service.limits.batch_documents
            raise ProblemError("too-large", f"an export may have {limit} documents", limit=limit)
        documents = [
            Document(each.name, each.text, checked_spans(each.text, [span.span() for span in each.spans]))
            for each in request.documents
        ]
        return (await exported(service, documents, request.plan)).response()

    return routes


def export_operation(summary: str) -> dict[str, Any]:
    """The arguments of a route that answers with files."""
    binary = {"schema": {"type": "string", "format": "binary"}}
    kinds = ("application/zip", "application/x-ndjson", "text/plain")
    files = {
        "description": "A ZIP archive, or the file itself if it is only one",
        "content": dict.fromkeys(kinds, binary),
    }
    return {
        "summary": summary,
        "response_class": Response,
        "responses": {200: files, **problems()},
    }


async def exported(service: Service, documents: Iterable[Document], plan: ExportPlan) -> Export:
    """The files of the documents. One that cannot be anonymized is left out and named in a file of its own."""
    export = Export()
    policy = service.policy_named(plan.policy)
    with service.batch():
        for chunk in chunks(_named_apart(documents), lambda named: len(named[1].text)):
            if "anonymized" in plan.parts:
                await _add_anonymized(export, service, chunk, policy, plan)
            for name, document in chunk:
                if "brat" in plan.parts:
                    stem = f"{_ORIGINALS}/brat/{name}"
                    export.files[f"{stem}.txt"] = document.text.encode()
                    export.files[f"{stem}.ann"] = format_annotations(document).encode()
                if "jsonl" in plan.parts:
                    export.lines.append(format_line(replace(document, id=name)))
    return export


async def _add_anonymized(
    export: Export, service: Service, chunk: Sequence[tuple[str, Document]], policy: str, plan: ExportPlan
) -> None:
    job = AnonymizeJob(tuple(service.document(d.id, d.text, d.spans) for _, d in chunk), None, policy)
    results = await service.pool.run(job, urgent=False)
    for (name, _), result in zip(chunk, results, strict=True):
        export.count += 1
        if isinstance(result, ProblemError):
            export.failed.append(name)
            continue
        stem = name if plan.names == "original" else f"{export.count:04d}"
        export.files[f"{_ANONYMIZED}/{stem}.txt"] = result.text.encode()


def _named_apart(documents: Iterable[Document]) -> Iterator[tuple[str, Document]]:
    """The documents, each with a name that is safe as a file name and unlike the others.

    They keep their own id, because surrogates depend on it and must be those that the page showed.
    """
    taken: set[str] = set()
    for document in documents:
        name = _UNSAFE.sub("_", document.id.removesuffix(".txt")).strip(". ")[:120] or "documento"
        candidate, number = name, 2
        while candidate.lower() in taken:
            candidate, number = f"{name} ({number})", number + 1
        taken.add(candidate.lower())
        yield candidate, document


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            # A fixed date, so that the same content gives the same archive.
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _attachment(name: str) -> dict[str, str]:
    return {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
