"""What may be known about a request afterwards: one log line and some counters, without a word of its content.

A path that no route has may hold anything, so lines and counters carry the route's template. Exceptions are told by
their type and the lines of code they passed through, never by their message, which may quote a document.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time
import traceback
from types import TracebackType
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nadie.service.problems import ProblemError

ACCESS = logging.getLogger("nadie.access")
ERRORS = logging.getLogger("nadie.error")

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The counters of one service."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        # A path of the fixed set of routes, a status, a label: nothing that a caller can choose freely.
        self.requests = self._counter("nadie_requests", "Requests answered", "route", "method", "status")
        self.seconds = Histogram(
            "nadie_request_seconds",
            "Time to the end of the answer",
            ["route"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.under_way = Gauge("nadie_requests_under_way", "Requests being answered", registry=self.registry)
        self.documents = self._counter("nadie_documents", "Documents handled", "task", "outcome")
        self.characters = self._counter("nadie_characters", "Characters of the documents handled")
        self.spans = self._counter("nadie_spans", "Spans found", "label")
        self.waiting = Gauge("nadie_work_waiting", "Pieces of work that wait for a worker", registry=self.registry)
        self.workers = Gauge("nadie_workers_ready", "Workers that are ready or at work", registry=self.registry)
        self.restarts = self._counter("nadie_worker_restarts", "Workers that died or were ended for taking too long")

    def _counter(self, name: str, text: str, *labels: str) -> Counter:
        return Counter(name, text, labels, registry=self.registry)


class Observing:
    """The outermost layer: gives the request an id, counts it, logs it, and lets no exception through."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        status = 0

        async def observed_send(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        started = time.perf_counter()
        self._metrics.under_way.inc()
        try:
            await self._app(scope, receive, observed_send)
        except Exception as error:
            ERRORS.error("request %s failed", request_id, exc_info=error)
            if not status:
                await ProblemError("internal", request=request_id).response()(scope, receive, observed_send)
        finally:
            self._metrics.under_way.dec()
            self._record(scope, request_id, status, time.perf_counter() - started)

    def _record(self, scope: Scope, request_id: str, status: int, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", None) or "(none)"
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PUT", "DELETE") else "(other)"
        self._metrics.requests.labels(route, method, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        line = {"request": request_id, "method": method, "route": route, "status": status, "ms": round(seconds * 1000)}
        ACCESS.info("%s", json.dumps({**line, "caller": scope.get("nadie.editor", "-")}))


class SafeFormatter(logging.Formatter):
    """Writes where an exception came from, and nothing that it says."""

    def formatException(  # noqa: N802
        self, ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]
    ) -> str:
        kind, _, trace = ei
        if kind is None:
            return ""
        frames = [f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(trace)]
        return "\n".join([kind.__qualname__, *frames])

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        return ""


def configure_logging(level: int = logging.INFO) -> None:
    """Send what nadie, the server and asyncio log to stderr through the safe formatter."""
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
    """For the event loop: its own handler would log the representation of tasks and exceptions."""
    error = context.get("exception")
    ERRORS.error("a background task failed", exc_info=error if isinstance(error, BaseException) else None)
