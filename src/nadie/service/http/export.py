"""Export of documents as files to download.

Anonymized texts and originals with their annotations are in different folders of the archive. Anonymized files are
numbered unless the request asks for names, because a file name often is the name of a patient.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from nadie.document import Document
from nadie.errors import LeakError
from nadie.files.annotated.brat import format_annotations
from nadie.files.annotated.jsonl import format_line
from nadie.service.http.openapi import problems
from nadie.service.http.signon import Caller
from nadie.service.http.state import Service
from nadie.service.keyed import key_of
from nadie.service.merging import checked_spans
from nadie.service.problems import ProblemError
from nadie.service.project.schemas import ExportPlan, ExportRequest
from nadie.service.remarks import with_chosen
from nadie.service.schemas import ChosenBody
from nadie.service.tokens import Permission
from nadie.service.workers.jobs import AnonymizeJob, chunks

_ORIGINALS = "con-datos-personales"
ANONYMIZED = "anonimizado"
_FAILED = "NO-ANONIMIZADOS.txt"
_MEDIA_TYPES = {".jsonl": "application/x-ndjson", ".txt": "text/plain; charset=utf-8"}
_UNSAFE = re.compile(r'[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"/\\|?*]')
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)", re.IGNORECASE)
_LONGEST_BYTES = 200


@dataclass
class Export:
    """The files so far, in order, and the documents that could not be anonymized."""

    files: dict[str, bytes] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    count: int = 0
    failed: list[str] = field(default_factory=list)
    undecided: int = 0

    def response(self) -> Response:
        if self.lines:
            self.files[f"{_ORIGINALS}/documents.jsonl"] = "".join(self.lines).encode()
        if self.failed:
            self.files[_FAILED] = "".join(f"{name}\n" for name in self.failed).encode()
        if len(self.files) == 1:
            [(path, content)] = self.files.items()
            name = path.rpartition("/")[2]
            media_type = _MEDIA_TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")
        else:
            name, content, media_type = "nadie.zip", _zipped(self.files), "application/zip"
        headers = {
            "X-Nadie-Failed": str(len(self.failed)),
            "X-Nadie-Undecided": str(self.undecided),
            "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}",
        }
        return Response(content, media_type=media_type, headers=headers)


def router(service: Service) -> APIRouter:
    """`/v1/export`."""
    routes = APIRouter(prefix="/v1", tags=["documents"])

    @routes.post("/export", **export_operation("Documents as files to download"))
    async def export_documents(request: ExportRequest, caller: Request) -> Response:
        if len(request.documents) > service.limits.batch_documents:
            limit = service.limits.batch_documents
            raise ProblemError("too-large", f"an export may have {limit} documents", limit=limit)
        documents = [
            service.document(
                each.name, each.text, checked_spans(each.text, [span.span() for span in each.spans]), each.patient
            )
            for each in request.documents
        ]
        await record_export(service, caller, request.plan, len(documents))
        chosen = [each.replacements for each in request.documents]
        by = caller.scope["nadie.sign_on"]
        if "anonymized" in request.plan.parts:
            service.check_given(by, service.policy_named(request.plan.policy))
        exporter = Exporter(service, by, key_of(by), request.plan, chosen)
        with service.batch(caller.scope["nadie.caller"]):
            return (await exporter.run(documents)).response()

    return routes


def check_parts(caller: Request, plan: ExportPlan) -> None:
    """Raise a problem if originals of the project are requested without the permission to export them."""
    if set(plan.parts) - {"anonymized"} and Permission.ORIGINALS not in caller.scope["nadie.sign_on"].permissions:
        detail = f"the permission {Permission.ORIGINALS.value!r} is missing"
        raise ProblemError("forbidden", detail, permission=Permission.ORIGINALS.value)


async def record_export(service: Service, caller: Request, plan: ExportPlan, count: int) -> None:
    """Write to the change log who exports what, before it is sent."""
    editor = caller.scope["nadie.editor"]
    await run_in_threadpool(service.record, editor, "exported", parts=plan.parts, count=count)


def export_operation(summary: str) -> dict[str, Any]:
    """The arguments of a route that returns files."""
    binary = {"schema": {"type": "string", "format": "binary"}}
    media_types = ("application/zip", "application/x-ndjson", "text/plain", "application/octet-stream")
    files = {
        "description": "A ZIP archive, or the file itself if it is only one",
        "content": dict.fromkeys(media_types, binary),
    }
    return {"summary": summary, "response_class": Response, "responses": {200: files, **problems()}}


@dataclass(frozen=True)
class Exporter:
    """An export for one caller. `chosen` are the replacements that people wrote for single spans of each document."""

    service: Service
    caller: Caller
    key: str
    plan: ExportPlan
    chosen: Sequence[Sequence[ChosenBody]]

    async def run(self, documents: Iterable[Document]) -> Export:
        """The files of the documents. One that cannot be anonymized is left out and listed in a separate file."""
        export, parts = Export(), self.plan.parts
        self.service.policy_named(self.plan.policy)  # raises a problem for an unknown name before anything is done
        for chunk in chunks(_named_apart(documents), lambda named: len(named[1].text)):
            if "anonymized" in parts:
                await self._add_anonymized(export, chunk)
            for name, document in chunk:
                if "brat" in parts:
                    stem = f"{_ORIGINALS}/brat/{name}"
                    export.files[f"{stem}.txt"] = document.text.encode()
                    export.files[f"{stem}.ann"] = format_annotations(document).encode()
                if "jsonl" in parts:
                    export.lines.append(format_line(replace(document, id=name)))
        return export

    async def _add_anonymized(self, export: Export, chunk: list[tuple[str, Document]]) -> None:
        service = self.service
        documents = tuple(service.document(d.id, d.text, d.spans, d.meta.get("patient")) for _, d in chunk)
        job = AnonymizeJob(documents, None, service.policy_named(self.plan.policy), key=self.key)
        results = await service.pool.run_apart(job)
        done = [result for result in results if not isinstance(result, ProblemError)]
        await run_in_threadpool(service.spend, self.caller, self.key, done)
        for (name, _), result in zip(chunk, results, strict=True):
            chosen = self.chosen[export.count]
            export.count += 1
            stem = name if self.plan.names == "original" else f"{export.count:04d}"
            try:
                if isinstance(result, ProblemError):
                    raise result
                output = with_chosen(result, chosen)
            except (ProblemError, LeakError):
                export.failed.append(stem)
                continue
            export.files[f"{ANONYMIZED}/{stem}.txt"] = output.text.encode()


def _named_apart(documents: Iterable[Document]) -> Iterator[tuple[str, Document]]:
    """The documents, each with a unique name that is safe as a file name.

    They keep their own id, because surrogates depend on it and must be the same as those that the page showed.
    """
    taken: set[str] = set()
    for document in documents:
        name = safe_name(document.id.removesuffix(".txt"))
        candidate, number = name, 2
        while candidate.lower() in taken:
            candidate, number = f"{name} ({number})", number + 1
        taken.add(candidate.lower())
        yield candidate, document


def safe_name(name: str) -> str:
    """A name that is valid as a file name on every system."""
    short = _UNSAFE.sub("_", name).encode()[:_LONGEST_BYTES].decode(errors="ignore").strip(". ") or "documento"
    return f"_{short}" if _DEVICE.match(short) else short


def _zipped(files: Mapping[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            # A fixed date, so that the same content gives the same archive.
            archive.writestr(zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
