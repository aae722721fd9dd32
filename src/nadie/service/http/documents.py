"""The routes for single documents, batches, uploads and lists (`/v1`), and those for operators."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from functools import partial
from importlib.metadata import version

from fastapi import APIRouter, Request
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from nadie.document import FIELDS, Document
from nadie.files.container import SCAN
from nadie.labels import Label
from nadie.service.http import batch
from nadie.service.http.openapi import batch_operation, problems
from nadie.service.http.state import Service
from nadie.service.http.tasks import Q, R, RequestTask, annotate_task, anonymize_task, run_one
from nadie.service.merging import checked_spans
from nadie.service.problems import ProblemError
from nadie.service.project.patients import checked_rule, joined_by_number, patient_of
from nadie.service.schemas import (
    AnnotateRequest,
    Annotation,
    Anonymization,
    AnonymizeRequest,
    ExplainRequest,
    ExplanationBody,
    FileBody,
    LabelBody,
    ModelBody,
    OpenedBody,
    PatientBody,
    PatientsRequest,
    PolicyBody,
    Restored,
    RestoreRequest,
    Status,
    VersionBody,
    span_bodies,
)
from nadie.service.workers.jobs import ExplainJob, PagesJob, ShownPages, UploadJob
from nadie.service.workers.uploads import check_unpacked


def router(service: Service) -> APIRouter:
    """The routes of one service."""
    routes = APIRouter(prefix="/v1", tags=["documents"], responses=problems())
    _add_single(routes, service)
    _add_batches(routes, service)
    _add_restoring(routes, service)
    _add_lists(routes, service)
    _add_uploads(routes, service)
    return routes


def operation_router(service: Service) -> APIRouter:
    """`/health`, `/ready` and `/metrics`."""
    routes = APIRouter(tags=["operation"])

    @routes.head("/health", include_in_schema=False)
    @routes.get("/health", summary="The process is alive")
    async def health() -> Status:
        return Status(status="ok")

    @routes.head("/ready", include_in_schema=False)
    @routes.get("/ready", summary="The models are loaded", responses=problems())
    async def ready() -> Status:
        if not service.pool.ready:
            raise ProblemError("starting", retry_after=2)
        return Status(status="ok")

    @routes.get(
        "/metrics",
        summary="Metrics in the format of Prometheus, without document text",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **problems()},
    )
    async def metrics() -> Response:
        return Response(generate_latest(service.metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return routes


def _add_single(routes: APIRouter, service: Service) -> None:
    @routes.post("/annotate", response_model=Annotation, summary="Detect what identifies a person")
    async def annotate(request: AnnotateRequest) -> BaseModel:
        task = annotate_task(service)
        return task.response(request, await run_one(service, task, request))

    @routes.post("/anonymize", response_model=Anonymization, summary="Detect and replace PHI", responses=problems(404))
    async def anonymize(request: AnonymizeRequest, caller: Request) -> BaseModel:
        """Given spans under a policy with hashes, surrogates or shifted dates need the permission `keyed`."""
        task = anonymize_task(service, caller.scope["nadie.sign_on"])
        return task.response(request, await run_one(service, task, request))

    @routes.post("/explain", summary="Why each span was found")
    async def explain(request: ExplainRequest) -> list[ExplanationBody]:
        """The stage that found it, what is behind it, and the label that came second. Offsets are code points."""
        spans = checked_spans(request.text, [span.span() for span in request.spans])
        job = ExplainJob(service.document("", request.text, spans), service.model_named(request.model))
        found = await service.pool.run_one(job)
        return [ExplanationBody.model_validate(each, from_attributes=True) for each in found]


def _add_restoring(routes: APIRouter, service: Service) -> None:
    @routes.post("/restore", summary="Restore the original", responses=problems(404))
    async def restore(request: RestoreRequest, caller: Request) -> Restored:
        """Only for a text that was anonymized with `keep`, and only if it is exactly the text that was returned."""
        restored = await _restored(service, request)
        await run_in_threadpool(service.record, caller.scope["nadie.editor"], "restored", count=1)
        return restored

    @routes.post("/restore/batch", **batch_operation("Restore many originals", RestoreRequest, Restored))
    async def restore_batch(request: Request) -> StreamingResponse:
        service.opened_vault()
        body = await batch.read_body(request, service.limits.batch_documents)
        count = batch.count_lines(body)
        await run_in_threadpool(service.record, request.scope["nadie.editor"], "restored", count=count)
        lines = batch.each(RestoreRequest, body, partial(_restored, service))
        return StreamingResponse(lines, media_type=batch.MEDIA_TYPE)


async def _restored(service: Service, request: RestoreRequest) -> Restored:
    vault = service.opened_vault()
    return Restored(id=request.id, text=await run_in_threadpool(vault.restore, request.id, request.text))


def _add_batches(routes: APIRouter, service: Service) -> None:
    @routes.post("/annotate/batch", **batch_operation("Annotate many documents", AnnotateRequest, Annotation))
    async def annotate_batch(request: Request) -> StreamingResponse:
        return await _stream(service, annotate_task(service), request)

    @routes.post("/anonymize/batch", **batch_operation("Anonymize many documents", AnonymizeRequest, Anonymization))
    async def anonymize_batch(request: Request) -> StreamingResponse:
        return await _stream(service, anonymize_task(service, request.scope["nadie.sign_on"]), request)


def _add_lists(routes: APIRouter, service: Service) -> None:
    @routes.get("/version", summary="The version of nadie and of this API")
    async def version_route() -> VersionBody:
        return VersionBody(version=version("nadie"))

    @routes.get("/models", summary="The models that are loaded")
    async def models() -> list[ModelBody]:
        return list(service.models.values())

    @routes.get("/policies", summary="The policies")
    async def policies() -> list[PolicyBody]:
        return list(service.policies.values())

    @routes.get("/labels", summary="The 29 labels and their identifiers in HIPAA")
    async def labels() -> list[LabelBody]:
        return [
            LabelBody(label=label, parent=label.parent, hipaa=label.hipaa.value if label.hipaa else None)
            for label in Label
        ]


def _add_uploads(routes: APIRouter, service: Service) -> None:
    @routes.post("/open", summary="The documents of a file")
    async def open_file(file: FileBody) -> list[OpenedBody]:
        """Plain text, brat, the MEDDOCAN XML, JSONL and every other registered format and container.

        The format of a file is recognised by its content; an unsupported format is refused by its name. Nothing is
        stored.
        """
        await run_in_threadpool(check_unpacked, file, service.limits.unpacked)
        return [_opened(document, file) for document in await service.pool.run_one(UploadJob(file))]

    @routes.post("/pages", summary="The scanned pages of a file, as images")
    async def show_pages(file: FileBody) -> ShownPages:
        """With the places of their words in the text that `/v1/open` returns, and of graphics. Nothing is stored."""
        await run_in_threadpool(check_unpacked, file, service.limits.unpacked)
        return await service.pool.run_one(PagesJob(file))

    @routes.post("/patients", summary="The patients of documents")
    def tell_patients(request: PatientsRequest) -> list[PatientBody]:
        """For a page whose service stores nothing; a project determines the patients of its own documents."""
        rule = checked_rule(request.rule)
        documents = [
            service.document(
                each.name, each.text, checked_spans(each.text, [span.span() for span in each.spans]), each.field
            )
            for each in request.documents
        ]
        by_hand = [each.by_hand for each in request.documents]
        return joined_by_number(
            documents, [patient_of(d, rule, hand) for d, hand in zip(documents, by_hand, strict=True)]
        )


def _opened(document: Document, file: FileBody) -> OpenedBody:
    fields = [span for span in document.spans if span.source in FIELDS]
    has_spans = file.annotations is not None or (document.spans and not fields)
    return OpenedBody(
        name=document.id,
        text=document.text,
        spans=span_bodies(document.spans) if has_spans else None,
        fields=span_bodies(fields),
        scan=SCAN.keys() <= document.meta.keys(),
        format=document.meta.get("format", ""),
        patient=document.meta.get("patient", ""),
    )


async def _stream(service: Service, task: RequestTask[Q, R], request: Request) -> StreamingResponse:
    body = await batch.read_body(request, service.limits.batch_documents)
    slot = service.batch(request.scope["nadie.caller"])
    slot.__enter__()
    return BatchResponse(batch.responses(service, task, body), slot)


class BatchResponse(StreamingResponse):
    """The response of a batch. It frees its slot among the batches when it ends, even after a disconnection."""

    def __init__(self, lines: AsyncIterator[bytes], slot: AbstractContextManager[None]) -> None:
        super().__init__(lines, media_type=batch.MEDIA_TYPE)
        self._slot = slot

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._slot.__exit__(None, None, None)
