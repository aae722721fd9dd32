"""Conversion of requests to jobs, and of results to responses, for single requests and for batches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from nadie.anonymize.engine import Anonymized
from nadie.document import FIELD, FIELDS, Span
from nadie.files.container import SCAN
from nadie.service.http.offsets import Offsets, offsets_of
from nadie.service.http.signon import Caller
from nadie.service.http.state import Service
from nadie.service.keyed import key_of
from nadie.service.merging import checked_spans
from nadie.service.problems import ProblemError
from nadie.service.remarks import with_chosen
from nadie.service.request_options import NO_OPTIONS, request_options
from nadie.service.schemas import (
    AnnotateRequest,
    Annotation,
    Anonymization,
    AnonymizeRequest,
    Replacement,
    Unit,
    span_bodies,
)
from nadie.service.workers.jobs import AnnotateJob, AnonymizeJob, DocumentsJob

Q = TypeVar("Q", AnnotateRequest, AnonymizeRequest)
R = TypeVar("R", tuple[Span, ...], Anonymized)


@dataclass(frozen=True)
class RequestTask(Generic[Q, R]):
    """The processing of a request: its job, for one document, and the response for its result."""

    name: str
    request: type[Q]
    job: Callable[[Q], DocumentsJob[R]]
    response: Callable[[Q, R], BaseModel]
    finish: Callable[[Q, R], R] = lambda _, result: result
    """The processing of the result in this process; it may raise an error of nadie."""
    before_response: Callable[[Sequence[tuple[Q, R]]], Awaitable[None]] | None = None
    """The step that must succeed before any of these results is sent."""


def annotate_task(service: Service) -> RequestTask[AnnotateRequest, tuple[Span, ...]]:
    def job(request: AnnotateRequest) -> AnnotateJob:
        model = service.model_named(request.model)
        given = offsets_of(request).read(request.fields)
        as_fields = [span if span.source in FIELDS else replace(span, source=FIELD) for span in given]
        fields = checked_spans(request.text, as_fields)
        document = service.document(request.id, request.text, fields)
        if request.scan:
            document = replace(document, meta={**document.meta, **SCAN})
        return AnnotateJob((document,), model, request_options(request))

    def response(request: AnnotateRequest, spans: tuple[Span, ...]) -> Annotation:
        written = offsets_of(request).write(span_bodies(spans))
        return Annotation(id=request.id, model=service.model_named(request.model), spans=written)

    return RequestTask("annotate", AnnotateRequest, job, response)


def anonymize_task(service: Service, caller: Caller) -> RequestTask[AnonymizeRequest, Anonymized]:
    key = key_of(caller)

    def job(request: AnonymizeRequest) -> AnonymizeJob:
        model, policy = service.model_named(request.model), service.policy_named(request.policy)
        if request.keep:
            service.check_keep(caller)
        given = request.spans
        spans = () if given is None else checked_spans(request.text, offsets_of(request).read(given))
        document = service.document(request.id, request.text, spans, request.patient)
        options = request_options(request)
        if given is not None and options != NO_OPTIONS:
            raise ProblemError("invalid", "detection options cannot be combined with spans: nothing is detected then")
        if given is not None or request.deny or request.known:
            service.check_given(caller, policy)
        return AnonymizeJob((document,), model if given is None else None, policy, options, key)

    def response(request: AnonymizeRequest, result: Anonymized) -> Anonymization:
        return Anonymization(
            id=request.id,
            model=service.model_named(request.model),
            policy=service.policy_named(request.policy),
            **anonymized_parts(result, request.offsets),
        )

    async def store(done: Sequence[tuple[AnonymizeRequest, Anonymized]]) -> None:
        await run_in_threadpool(service.spend, caller, key, [result for _, result in done])
        outputs = [result for request, result in done if request.keep]
        if outputs:
            size = sum(len(output.document.text.encode()) for output in outputs)
            await run_in_threadpool(service.store, caller, size)
            await run_in_threadpool(service.opened_vault().add, outputs)

    def finish(request: AnonymizeRequest, result: Anonymized) -> Anonymized:
        return with_chosen(result, offsets_of(request).read_chosen(request.replacements))

    return RequestTask("anonymize", AnonymizeRequest, job, response, finish, store)


def anonymized_parts(result: Anonymized, unit: Unit) -> dict[str, Any]:
    """The text of a response, its spans and its replacements, with offsets in that unit."""
    spans = span_bodies(replaced.span for replaced in result.replaced)
    replacements = [Replacement.model_validate(each, from_attributes=True) for each in result.replaced]
    return {
        "text": result.text,
        "spans": Offsets(result.document.text, unit).write(spans),
        "replacements": Offsets(result.text, unit).write(replacements),
    }


async def run_one(service: Service, task: RequestTask[Q, R], request: Q) -> R:
    """The result of a single request; raises its problem."""
    job = task.job(request)
    (result,) = await service.pool.run(job)
    service.count(task.name, job.documents[0], result)
    if isinstance(result, ProblemError):
        raise result
    result = task.finish(request, result)
    if task.before_response is not None:
        await task.before_response([(request, result)])
    return result
