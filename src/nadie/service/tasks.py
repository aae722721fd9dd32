"""How a request becomes work, and a worker's result an answer: the same for single requests and for batches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool

from nadie.service.batch import BatchTask
from nadie.service.merging import standing
from nadie.service.restoring import output_of
from nadie.service.schemas import AnnotateRequest, AnonymizeRequest
from nadie.service.state import Service, span_rows


def annotating(service: Service) -> BatchTask[AnnotateRequest]:
    def job(request: AnnotateRequest) -> tuple[dict[str, Any], dict[str, Any]]:
        shared = {"task": "annotate", "model": service.model_named(request.model)}
        return shared, service.document(id=request.id, text=request.text)

    def answer(request: AnnotateRequest, result: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "id": request.id,
            "model": service.model_named(request.model),
            "spans": [_span(row) for row in result["spans"]],
        }

    return BatchTask("annotate", AnnotateRequest, job, answer)


def anonymizing(service: Service) -> BatchTask[AnonymizeRequest]:
    def job(request: AnonymizeRequest) -> tuple[dict[str, Any], dict[str, Any]]:
        shared = {
            "task": "anonymize",
            "model": service.model_named(request.model),
            "policy": service.policy_named(request.policy),
        }
        if request.keep:
            service.opened_vault()
        decided = request.spans
        spans = None if decided is None else span_rows(standing(request.text, [span.span() for span in decided]))
        return shared, service.document(id=request.id, text=request.text, spans=spans, patient=request.patient)

    def answer(request: AnonymizeRequest, result: Mapping[str, Any]) -> dict[str, Any]:
        return {
            "id": request.id,
            "model": service.model_named(request.model),
            "policy": service.policy_named(request.policy),
            "text": result["text"],
            "spans": [_span(row) for row in result["spans"]],
            "replacements": [_replacement(row) for row in result["replacements"]],
        }

    async def keep(done: list[tuple[AnonymizeRequest, Mapping[str, Any]]]) -> None:
        outputs = [output_of(request.id, request.text, result) for request, result in done if request.keep]
        if outputs:
            await run_in_threadpool(service.opened_vault().add, outputs)

    return BatchTask("anonymize", AnonymizeRequest, job, answer, keep)


def _span(row: list[Any]) -> dict[str, Any]:
    start, end, label, score, source = row
    return {"start": start, "end": end, "label": label, "score": score, "source": source}


def _replacement(row: list[Any]) -> dict[str, Any]:
    start, end, operator, kept, refused = row
    return {"start": start, "end": end, "operator": operator, "kept": kept, "refused": refused}
