"""The routes of `/v1` that keep nothing: annotate, anonymize, their batches, and the lists."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from nadie.labels import Label
from nadie.service import batch
from nadie.service.batch import BatchTask
from nadie.service.openapi import batch_operation, problems
from nadie.service.problems import ProblemError
from nadie.service.schemas import (
    AnnotateRequest,
    Annotation,
    Anonymization,
    AnonymizeRequest,
    LabelBody,
    ModelBody,
    PolicyBody,
    Restored,
    RestoreRequest,
)
from nadie.service.state import Service
from nadie.service.tasks import annotating, anonymizing


def router(service: Service) -> APIRouter:
    """The routes over one service."""
    routes = APIRouter(prefix="/v1", tags=["documents"], responses=problems())
    _add_single(routes, service)
    _add_batches(routes, service)
    _add_restoring(routes, service)
    _add_lists(routes, service)
    return routes


def _add_single(routes: APIRouter, service: Service) -> None:
    @routes.post("/annotate", response_model=Annotation, summary="Find what identifies a person")
    async def annotate(request: AnnotateRequest) -> dict[str, Any]:
        return await _one(service, annotating(service), request)

    @routes.post("/anonymize", response_model=Anonymization, summary="Find it and replace it", responses=problems(404))
    async def anonymize(request: AnonymizeRequest) -> dict[str, Any]:
        return await _one(service, anonymizing(service), request)


def _add_restoring(routes: APIRouter, service: Service) -> None:
    @routes.post("/restore", summary="Give the original back", responses=problems(404))
    async def restore(request: RestoreRequest) -> Restored:
        """Only for a text that was anonymized with `keep`, and only if it is exactly the one that was given out."""
        return await _restored(service, request)

    @routes.post("/restore/batch", **batch_operation("Give many originals back", RestoreRequest, Restored))
    async def restore_batch(request: Request) -> StreamingResponse:
        service.opened_vault()
        lines = batch.each(RestoreRequest, await _lines(service, request), partial(_restored, service))
        return StreamingResponse(lines, media_type=batch.MEDIA_TYPE)


async def _restored(service: Service, request: RestoreRequest) -> Restored:
    vault = service.opened_vault()
    return Restored(id=request.id, text=await run_in_threadpool(vault.restore, request.id, request.text))


def _add_batches(routes: APIRouter, service: Service) -> None:
    @routes.post("/annotate/batch", **batch_operation("Annotate many documents", AnnotateRequest, Annotation))
    async def annotate_batch(request: Request) -> StreamingResponse:
        return await _stream(service, annotating(service), request)

    @routes.post("/anonymize/batch", **batch_operation("Anonymize many documents", AnonymizeRequest, Anonymization))
    async def anonymize_batch(request: Request) -> StreamingResponse:
        return await _stream(service, anonymizing(service), request)


def _add_lists(routes: APIRouter, service: Service) -> None:
    @routes.get("/models", summary="The models that are loaded")
    async def models() -> list[ModelBody]:
        return list(service.models.values())

    @routes.get("/policies", summary="The ways to anonymize")
    async def policies() -> list[PolicyBody]:
        return list(service.policies.values())

    @routes.get("/labels", summary="The 29 types and the identifiers of HIPAA they are")
    async def labels() -> list[LabelBody]:
        return [
            LabelBody(label=label, parent=label.parent, hipaa=label.hipaa.value if label.hipaa else None)
            for label in Label
        ]


async def _one(service: Service, task: BatchTask[Any], request: Any) -> dict[str, Any]:
    shared, document = task.job(request)
    results = await service.pool.run({**shared, "documents": [document]})
    result = service.checked(task.name, request.text, results[0])
    if task.before_answer is not None:
        await task.before_answer([(request, result)])
    return task.answer(request, result)


async def _lines(service: Service, request: Request) -> bytes:
    """The body of a batch, if it is one and not too long."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != batch.MEDIA_TYPE:
        raise ProblemError("unsupported-media-type", f"a batch is {batch.MEDIA_TYPE}")
    body = await request.body()
    batch.count_lines(body, service.limits.batch_documents)
    return body


async def _stream(service: Service, task: BatchTask[Any], request: Request) -> StreamingResponse:
    body = await _lines(service, request)
    place = service.batch()
    place.__enter__()
    return BatchResponse(batch.answers(service, task, body), place)


class BatchResponse(StreamingResponse):
    """The answer of a batch. It gives up its place among the batches when it ends, even if nobody took a line of it."""

    def __init__(self, lines: AsyncIterator[bytes], place: AbstractContextManager[None]) -> None:
        super().__init__(lines, media_type=batch.MEDIA_TYPE)
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._place.__exit__(None, None, None)
