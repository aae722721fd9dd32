"""Metrics and logging, without document text.

Exceptions are logged with their class and the lines of code of the traceback, never with their message, which may
quote a document.
"""

from __future__ import annotations

import logging
import sys
import traceback
from types import TracebackType
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

ACCESS = logging.getLogger("nadie.access")
ERRORS = logging.getLogger("nadie.error")
AUDIT = logging.getLogger("nadie.audit")

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The metrics of one service."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        # Label values come from fixed sets (routes, statuses, labels of spans), so a caller cannot put text into them.
        self.requests = self._counter("nadie_requests", "Requests answered", "route", "method", "status")
        self.seconds = Histogram(
            "nadie_request_seconds",
            "Time to the end of the response",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.under_way = Gauge("nadie_requests_under_way", "Requests in progress", registry=self.registry)
        self.documents = self._counter("nadie_documents", "Documents handled", "task", "outcome")
        self.characters = self._counter("nadie_characters", "Characters of the documents processed")
        self.spans = self._counter("nadie_spans", "Spans found", "label")
        self.waiting = Gauge("nadie_work_waiting", "Jobs waiting for a worker", registry=self.registry)
        self.workers = Gauge("nadie_workers_ready", "Workers that are ready or busy", registry=self.registry)
        self.restarts = self._counter("nadie_worker_restarts", "Workers that crashed or took too long")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self.registry)


class SafeFormatter(logging.Formatter):
    """Formats an exception as its class and the lines of code, without its message."""

    def formatException(  # noqa: N802
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        error_type, _, trace = ei
        if error_type is None:
            return ""
        frames = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(trace)]
        return "\n".join([error_type.__qualname__, *frames])

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        return ""


def configure_logging(level: int = logging.INFO) -> None:
    """Send the logs of nadie, the server and asyncio to stderr through the safe formatter."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(SafeFormatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("nadie", "uvicorn", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers[:] = []
        logger.propagate = True
        logger.setLevel(level)
    logging.getLogger("uvicorn.access").disabled = True


def quiet_exception_handler(loop: Any, context: dict[str, Any]) -> None:
    """The exception handler of the event loop; the default one would log representations of tasks and exceptions."""
    error = context.get("exception")
    ERRORS.error("a background task failed", exc_info=error if isinstance(error, BaseException) else None)
