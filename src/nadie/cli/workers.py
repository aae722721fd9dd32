"""Annotating on several processes: the same spans in the same order as on one."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice

from nadie.cli.batch import Batch
from nadie.document import Document, Span
from nadie.errors import NadieError
from nadie.finding import Finding
from nadie.pipeline import Pipeline, load

_TOGETHER = 16
_WAITING = 4

Answer = tuple[Span, ...] | str
_pipeline: list[Pipeline] = []


@contextmanager
def annotating(model: str, workers: int, finding: Finding) -> Iterator[ProcessPoolExecutor]:
    """Processes that have the model loaded."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_start, initargs=(model, finding)) as pool:
        yield pool


def annotate(
    documents: Iterable[Document], pool: ProcessPoolExecutor, workers: int, batch: Batch
) -> Iterator[Document]:
    """The documents with their spans, in order; a few groups for each process are under way, never all."""
    waiting = iter(documents)
    under_way: deque[tuple[list[Document], Future[list[Answer]]]] = deque()
    while group := list(islice(waiting, _TOGETHER)):
        plain = [(document.id, document.text, dict(document.meta)) for document in group]
        under_way.append((group, pool.submit(_annotate, plain)))
        if len(under_way) >= workers * _WAITING:
            yield from _finished(*under_way.popleft(), batch)
    while under_way:
        yield from _finished(*under_way.popleft(), batch)


def _finished(group: list[Document], future: Future[list[Answer]], batch: Batch) -> Iterator[Document]:
    for document, answer in zip(group, future.result(), strict=True):
        if isinstance(answer, str):
            batch.fail(f"{document.id}: {answer}")
        else:
            yield document.with_spans(answer)


def _start(model: str, finding: Finding) -> None:
    _pipeline.append(load(model, finding=finding))


def _annotate(group: list[tuple[str, str, dict[str, str]]]) -> list[Answer]:
    """The spans of each document, or why it could not be annotated, without a word of its text."""
    documents = [Document(name, text, (), meta) for name, text, meta in group]
    try:
        return [document.spans for document in _pipeline[0].annotate_all(documents)]
    except Exception:
        return [_alone(document) for document in documents]


def _alone(document: Document) -> Answer:
    try:
        return _pipeline[0].annotate(document).spans
    except NadieError as error:
        return str(error)
    except Exception as error:
        return f"{type(error).__name__} while it was being annotated"
