"""The innermost middleware: limits on the number of requests, and on the size and type of a request."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nadie.service.options import Limits
from nadie.service.problems import ProblemError
from nadie.service.workers.queue import CALLER

_JSON, _LINES, _FORM = "application/json", "application/x-ndjson", "multipart/form-data"
_FORM_PATH = "/v1/anonymize/file"
_BATCH_PATHS = (
    _FORM_PATH, "/v1/annotate/batch", "/v1/anonymize/batch", "/v1/restore/batch", "/v1/export", "/v1/export/original",
    "/v1/open", "/v1/pages", "/v1/project/files", "/v1/project/export/original",
)  # fmt: skip


class RequestLimits:
    """Limits concurrent requests, and reads the body, with a limit on its size and time, before any route runs."""

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._under_way: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            await self._app(scope, receive, send)
            return
        caller = scope["nadie.caller"]
        self._admit(caller)
        self._under_way[caller] += 1
        CALLER.set(caller)
        held = 0
        try:
            parts: list[bytes] = []
            async for part in self._body(scope, receive):
                self._bytes[caller] += len(part)
                held += len(part)
                self._check_bytes(caller, 0)
                parts.append(part)
            body = b"".join(parts)
            del parts
            _check_content(scope, body)
            await self._app(scope, _replay(body, receive), send)
        finally:
            self._under_way[caller] -= 1
            self._under_way += Counter()
            self._bytes[caller] -= held
            self._bytes += Counter()

    def _check_bytes(self, caller: str, more: int) -> None:
        if self._bytes[caller] + more > self._limits.bytes_per_caller:
            raise ProblemError("too-many-requests", "the bodies of this caller are too large together", retry_after=5)
        if self._bytes.total() + more > self._limits.bytes_in_flight:
            raise ProblemError("overloaded", "the bodies of all requests are too large together", retry_after=5)

    def _admit(self, caller: str) -> None:
        if self._under_way.total() >= self._limits.requests:
            raise ProblemError("overloaded", "too many requests are in progress", retry_after=2)
        if self._under_way[caller] >= self._limits.requests_per_caller:
            raise ProblemError("too-many-requests", retry_after=1)

    async def _body(self, scope: Scope, receive: Receive) -> AsyncIterator[bytes]:
        limit = self._limits.batch_body if scope["path"] in _BATCH_PATHS else self._limits.body
        too_large = ProblemError("too-large", f"a body may have {limit} bytes here", limit=limit)
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > limit:
            raise too_large
        self._check_bytes(scope["nadie.caller"], int(length))
        size = 0
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ProblemError("bad-request", "the request was cut off")
                    part = message.get("body", b"")
                    size += len(part)
                    if size > limit:
                        raise too_large
                    yield part
                    if not message.get("more_body", False):
                        return
        except TimeoutError:
            raise ProblemError("body-timeout") from None


def _check_content(scope: Scope, body: bytes) -> None:
    """Refuse a body that is not declared as JSON (or, of one route, as a form), or is not UTF-8."""
    if scope["method"] not in ("POST", "PUT"):
        return
    wanted = _LINES if scope["path"].endswith("/batch") else _FORM if scope["path"] == _FORM_PATH else _JSON
    given, _, parameters = Headers(scope=scope).get("content-type", "").partition(";")
    if not given.strip():
        raise ProblemError("unsupported-media-type", f"the request has no Content-Type: send {wanted}")
    if given.strip().lower() != wanted:
        raise ProblemError("unsupported-media-type", f"send {wanted}")
    if wanted == _FORM:
        return
    charset = parameters.lower().replace(" ", "").replace('"', "").removeprefix("charset=")
    if "charset" in parameters.lower() and charset not in ("utf-8", "utf8"):
        raise ProblemError("unsupported-media-type", "JSON must be in UTF-8, without another charset")
    try:
        if wanted == _JSON:  # a batch is checked line by line
            body.decode()
    except UnicodeDecodeError as error:
        raise ProblemError("bad-request", f"the body is not UTF-8: see its byte {error.start}") from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the whole body at once and then the following messages, such as a disconnection."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
