"""From a request to a job, and from its result to a response: the same for single requests and for batches."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from nadie.anonymize.engine import Anonymized
from nadie.document import Span
from nadie.service.jobs import AnnotateJob, AnonymizeJob, Job
from nadie.service.merging import checked_spans
from nadie.service.problems import ProblemError
from nadie.service.schemas import (
    AnnotateRequest,
    Annotation,
    Anonymization,
    AnonymizeRequest,
    Replacement,
    span_bodies,
)
from nadie.service.state import Service

Q = TypeVar("Q", AnnotateRequest, AnonymizeRequest)
R = TypeVar("R", tuple[Span, ...], Anonymized)


@dataclass(frozen=True)
class RequestTask(Generic[Q, R]):
    """What is done with a request: the job it becomes, of one document, and the response its result becomes."""

    name: str
    request: type[Q]
    job: Callable[[Q], Job[R]]
    response: Callable[[Q, R], BaseModel]
    before_response: Callable[[Sequence[tuple[Q, R]]], Awaitable[None]] | None = None
    """What has to succeed before any of these results is sent."""


def annotate_task(service: Service) -> RequestTask[AnnotateRequest, tuple[Span, ...]]:
    def job(request: AnnotateRequest) -> AnnotateJob:
        model = service.model_named(request.model)
        return AnnotateJob((service.document(request.id, request.text),), model)

    def response(request: AnnotateRequest, spans: tuple[Span, ...]) -> Annotation:
        return Annotation(id=request.id, model=service.model_named(request.model), spans=span_bodies(spans))

    return RequestTask("annotate", AnnotateRequest, job, response)


def anonymize_task(service: Service) -> RequestTask[AnonymizeRequest, Anonymized]:
    def job(request: AnonymizeRequest) -> AnonymizeJob:
        model, policy = service.model_named(request.model), service.policy_named(request.policy)
        if request.keep:
            service.opened_vault()
        given = request.spans
        spans = () if given is None else checked_spans(request.text, [span.span() for span in given])
        document = service.document(request.id, request.text, spans, request.patient)
        return AnonymizeJob((document,), model if given is None else None, policy)

    def response(request: AnonymizeRequest, result: Anonymized) -> Anonymization:
        return Anonymization(
            id=request.id,
            model=service.model_named(request.model),
            policy=service.policy_named(request.policy),
            text=result.text,
            spans=span_bodies(replaced.span for replaced in result.replaced),
            replacements=[Replacement.model_validate(each, from_attributes=True) for each in result.replaced],
        )

    async def keep(done: Sequence[tuple[AnonymizeRequest, Anonymized]]) -> None:
        outputs = [result for request, result in done if request.keep]
        if outputs:
            await run_in_threadpool(service.opened_vault().add, outputs)

    return RequestTask("anonymize", AnonymizeRequest, job, response, keep)


async def run_one(service: Service, task: RequestTask[Q, R], request: Q) -> R:
    """The result of a single request; raises the problem it has."""
    job = task.job(request)
    (result,) = await service.pool.run(job)
    service.count(task.name, job.documents[0], result)
    if isinstance(result, ProblemError):
        raise result
    if task.before_response is not None:
        await task.before_response([(request, result)])
    return result
