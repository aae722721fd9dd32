"""NDJSON in, NDJSON out: one line for each line, in order, as soon as it is ready."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from nadie.errors import NadieError
from nadie.service.pieces import pieces
from nadie.service.problems import ProblemError, problem_of, validation_errors
from nadie.service.state import Service

MEDIA_TYPE = "application/x-ndjson"

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True)
class Line(Generic[T]):
    """A line of a batch: a request, or the problem it has."""

    number: int
    request: T | None
    problem: ProblemError | None


@dataclass(frozen=True)
class BatchTask(Generic[T]):
    """What is done with each line: how it becomes a document for a worker, and how a result becomes an answer."""

    name: str
    kind: type[T]
    job: Callable[[T], tuple[dict[str, Any], dict[str, Any]]]
    """The settings all documents of a piece share, and the document."""
    answer: Callable[[T, Mapping[str, Any]], dict[str, Any]]
    before_answer: Callable[[list[tuple[T, Mapping[str, Any]]]], Awaitable[None]] | None = None
    """What has to be done about results before any of them is given out, such as keeping the way back."""


def count_lines(body: bytes, limit: int) -> None:
    if body.count(b"\n") > limit and sum(1 for line in body.split(b"\n") if line.strip()) > limit:
        raise ProblemError("too-large", f"a batch may have {limit} documents", limit=limit)


async def answers(service: Service, task: BatchTask[T], body: bytes) -> AsyncIterator[bytes]:
    """The lines of the answer. A few pieces are at work at any time, so memory does not grow with the batch."""
    under_way: deque[asyncio.Task[list[bytes]]] = deque()
    try:
        for piece in pieces(_lines(task.kind, body), lambda line: len(getattr(line.request, "text", ""))):
            under_way.append(asyncio.create_task(_piece_answers(service, task, piece)))
            if len(under_way) > service.pool.size:
                for line in await under_way.popleft():
                    yield line
        while under_way:
            for line in await under_way.popleft():
                yield line
    finally:
        for waiting in under_way:
            waiting.cancel()


async def each(kind: type[T], body: bytes, work: Callable[[T], Awaitable[BaseModel]]) -> AsyncIterator[bytes]:
    """The lines of an answer whose work needs no worker: one line after the other."""
    for line in _lines(kind, body):
        try:
            if line.request is None:
                raise line.problem or ProblemError("invalid")
            yield _json_line((await work(line.request)).model_dump())
        except ProblemError as problem:
            yield _failed(line, problem)
        except NadieError as error:
            yield _failed(line, problem_of(error))


def _lines(kind: type[T], body: bytes) -> Iterator[Line[T]]:
    start = number = 0
    while start < len(body):
        end = body.find(b"\n", start)
        end = len(body) if end < 0 else end
        line, start, number = body[start:end], end + 1, number + 1
        if not line.strip():
            continue
        try:
            yield Line(number, kind.model_validate_json(line), None)
        except ValidationError as error:
            places = validation_errors(error.errors(include_input=False, include_context=False, include_url=False))
            yield Line(number, None, ProblemError("invalid", "the line does not fit the schema", errors=places))


async def _piece_answers(service: Service, task: BatchTask[T], piece: list[Line[T]]) -> list[bytes]:
    """The answers of one piece. Its documents go to a worker together where they share their settings."""
    jobs: dict[str, tuple[dict[str, Any], list[tuple[int, dict[str, Any]]]]] = {}
    results: dict[int, dict[str, Any] | ProblemError] = {}
    for place, line in enumerate(piece):
        try:
            if line.request is None:
                raise line.problem or ProblemError("invalid")
            shared, document = task.job(line.request)
            jobs.setdefault(json.dumps(shared), (shared, []))[1].append((place, document))
        except ProblemError as problem:
            results[place] = problem
        except NadieError as error:
            results[place] = problem_of(error)
    for shared, documents in jobs.values():
        for (place, _), result in zip(documents, await _run(service, shared, documents), strict=True):
            results[place] = result
    await _settle(task, piece, results)
    return [_encoded(service, task, line, results[place]) for place, line in enumerate(piece)]


async def _settle(task: BatchTask[T], piece: list[Line[T]], results: dict[int, dict[str, Any] | ProblemError]) -> None:
    """What comes before the answers. If it fails, no result of the piece is given out."""
    if task.before_answer is None:
        return
    good: list[tuple[T, Mapping[str, Any]]] = []
    for place, line in enumerate(piece):
        result = results[place]
        if line.request is not None and not isinstance(result, ProblemError) and "problem" not in result:
            good.append((line.request, result))
    try:
        await task.before_answer(good)
    except NadieError as error:
        problem = problem_of(error)
        results.update(dict.fromkeys((n for n, r in results.items() if not isinstance(r, ProblemError)), problem))


async def _run(
    service: Service, shared: dict[str, Any], documents: list[tuple[int, dict[str, Any]]]
) -> list[dict[str, Any] | ProblemError]:
    """Results of documents that go together; if together they end a worker, each is tried alone."""
    try:
        return list(await service.pool.run({**shared, "documents": [d for _, d in documents]}, urgent=False))
    except ProblemError as problem:
        if len(documents) == 1:
            return [problem]
    return [(await _run(service, shared, [document]))[0] for document in documents]


def _encoded(service: Service, task: BatchTask[T], line: Line[T], result: dict[str, Any] | ProblemError) -> bytes:
    try:
        if line.request is None or isinstance(result, ProblemError):
            raise result if isinstance(result, ProblemError) else ProblemError("invalid")
        service.checked(task.name, getattr(line.request, "text", ""), result)
        return _json_line(task.answer(line.request, result))
    except ProblemError as problem:
        return _failed(line, problem)


def _failed(line: Line[T], problem: ProblemError) -> bytes:
    return _json_line({"line": line.number, "id": getattr(line.request, "id", None), "problem": problem.body()})


def _json_line(answer: dict[str, Any]) -> bytes:
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
