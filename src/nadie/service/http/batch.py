"""Batches: NDJSON in, NDJSON out, one output line per input line, in order, as soon as it is ready."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.requests import Request

from nadie.errors import NadieError
from nadie.service.http.state import Service
from nadie.service.http.tasks import Q, R, RequestTask
from nadie.service.problems import ProblemError, problem_of, validation_errors
from nadie.service.workers.jobs import DocumentsJob, chunks, joined

MEDIA_TYPE = "application/x-ndjson"

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Line(Generic[T]):
    """A line of a batch: a request, or its problem."""

    number: int
    request: T | ProblemError

    def valid(self) -> T:
        if isinstance(self.request, ProblemError):
            raise self.request
        return self.request


async def read_body(request: Request, limit: int) -> bytes:
    """The body of a batch, if it does not exceed the limit."""
    body = await request.body()
    if body.count(b"\n") > limit and count_lines(body) > limit:
        raise ProblemError("too-large", f"a batch may have {limit} documents", limit=limit)
    return body


def count_lines(body: bytes) -> int:
    """The number of lines that are not empty."""
    return sum(1 for line in body.split(b"\n") if line.strip())


async def responses(service: Service, task: RequestTask[Q, R], body: bytes) -> AsyncIterator[bytes]:
    """The lines of the response. Only a few chunks are processed at a time, so memory does not grow with the batch."""
    under_way: deque[asyncio.Task[list[bytes]]] = deque()
    try:
        for chunk in chunks(_lines(task.request, body), lambda line: len(getattr(line.request, "text", ""))):
            under_way.append(asyncio.create_task(_chunk_lines(service, task, chunk)))
            if len(under_way) > service.pool.size:
                for line in await under_way.popleft():
                    yield line
        while under_way:
            for line in await under_way.popleft():
                yield line
    finally:
        for waiting in under_way:
            waiting.cancel()


async def each(request: type[T], body: bytes, work: Callable[[T], Awaitable[BaseModel]]) -> AsyncIterator[bytes]:
    """The lines of a response that needs no worker, processed one by one."""
    for line in _lines(request, body):
        try:
            yield _encoded(await work(line.valid()))
        except (ProblemError, NadieError) as error:
            yield _failed(line, problem_of(error))


def _lines(request: type[T], body: bytes) -> Iterator[Line[T]]:
    start = number = 0
    while start < len(body):
        end = body.find(b"\n", start)
        end = len(body) if end < 0 else end
        line, start, number = body[start:end], end + 1, number + 1
        if not line.strip():
            continue
        try:
            yield Line(number, request.model_validate_json(line.decode()))
        except UnicodeDecodeError:
            yield Line(number, ProblemError("bad-request", "the line is not UTF-8"))
        except ValidationError as error:
            errors = validation_errors(error.errors(include_input=False, include_context=False, include_url=False))
            yield Line(number, ProblemError("invalid", "the line does not match the schema", errors=errors))


async def _chunk_lines(service: Service, task: RequestTask[Q, R], chunk: list[Line[Q]]) -> list[bytes]:
    """The lines of one chunk. Documents with the same options go to a worker together."""
    groups: dict[DocumentsJob[R], list[tuple[int, DocumentsJob[R]]]] = {}
    results: dict[int, R | ProblemError] = {}
    for index, line in enumerate(chunk):
        try:
            job = task.job(line.valid())
            groups.setdefault(replace(job, documents=()), []).append((index, job))
        except (ProblemError, NadieError) as error:
            results[index] = problem_of(error)
    for group in groups.values():
        done = await service.pool.run_apart(joined([job for _, job in group]))
        for (index, job), result in zip(group, done, strict=True):
            service.count(task.name, job.documents[0], result)
            results[index] = _finished(task, chunk[index].valid(), result)
    await _before_response(task, chunk, results)
    return [
        _failed(line, result)
        if isinstance(result := results[index], ProblemError)
        else _encoded(task.response(line.valid(), result))
        for index, line in enumerate(chunk)
    ]


def _finished(task: RequestTask[Q, R], request: Q, result: R | ProblemError) -> R | ProblemError:
    try:
        return result if isinstance(result, ProblemError) else task.finish(request, result)
    except NadieError as error:
        return problem_of(error)


async def _before_response(task: RequestTask[Q, R], chunk: list[Line[Q]], results: dict[int, R | ProblemError]) -> None:
    """Run the steps required before the responses; if they fail, no result of the chunk is sent."""
    if task.before_response is None:
        return
    good = {index: result for index, result in results.items() if not isinstance(result, ProblemError)}
    try:
        await task.before_response([(chunk[index].valid(), result) for index, result in sorted(good.items())])
    except (ProblemError, NadieError) as error:
        results.update(dict.fromkeys(good, problem_of(error)))


def _encoded(response: BaseModel) -> bytes:
    return response.model_dump_json().encode() + b"\n"


def _failed(line: Line[T], problem: ProblemError) -> bytes:
    body = {"line": line.number, "id": getattr(line.request, "id", None), "problem": problem.body()}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
