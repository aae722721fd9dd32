"""The middleware around the routes: request log, security headers, origin checks, tokens and limits.

It is written against ASGI and not as dependencies of FastAPI, which reads the body of a request before it runs them.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nadie.service.monitoring import ACCESS, ERRORS, Metrics
from nadie.service.problems import ProblemError
from nadie.service.settings import Limits, Network, is_loopback
from nadie.service.tokens import Permission, TokenFile

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), interest-cohort=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_YEAR = 365 * 24 * 3600
_BATCH_PATHS = ("/v1/annotate/batch", "/v1/anonymize/batch", "/v1/restore/batch", "/v1/export", "/v1/open")


class RequestLog:
    """The outermost middleware: gives the request an id, counts it, logs it, and turns exceptions into a problem.

    A path that no route has may contain anything, so the log and the metrics have the template of the route.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_id = secrets.token_hex(8)
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        started = time.perf_counter()
        self._metrics.under_way.inc()
        try:
            await self._app(scope, receive, send_with_id)
        except Exception as error:
            ERRORS.error("request %s failed", request_id, exc_info=error)
            if not status:
                await ProblemError("internal", request=request_id).response()(scope, receive, send_with_id)
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


class SecurityHeaders:
    """Sets the security headers of every response, and `no-store` unless the route set another caching rule."""

    def __init__(self, app: ASGIApp, *, tls: bool) -> None:
        self._app = app
        self._headers = {**HEADERS, **({"Strict-Transport-Security": f"max-age={_YEAR}"} if tls else {})}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class BrowserGuard:
    """Refuses requests from other web sites.

    A page in the user's browser may send requests to 127.0.0.1, or resolve its own name to 127.0.0.1 (DNS rebinding).
    The `Origin` header shows the first, the `Host` header the second.
    """

    def __init__(self, app: ASGIApp, *, network: Network) -> None:
        self._app = app
        self._any_host = not network.loopback and not network.allowed_hosts
        self._hosts = {host.lower() for host in network.allowed_hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] == "http" and (problem := self._problem(scope)):
            await problem.response()(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _problem(self, scope: Scope) -> ProblemError | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = _host_name(f"//{host}")
        if name is None or not (self._any_host or is_loopback(name) or name in self._hosts):
            return ProblemError("wrong-host", "see the setting network.allowed_hosts")
        origin = headers.get("origin")
        from_elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        followed_link = headers.get("sec-fetch-mode") == "navigate" and not scope["path"].startswith("/v1/")
        if (origin is not None and _host_and_port(origin) != host.lower()) or (from_elsewhere and not followed_link):
            return ProblemError("forbidden", "requests from other web sites are refused")
        return None


class Authentication:
    """Requires a token for everything but the page and the two health checks, if the service has a token file."""

    def __init__(self, app: ASGIApp, *, tokens: TokenFile | None) -> None:
        self._app = app
        self._tokens = tokens

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            client = scope.get("client")
            scope["nadie.caller"] = client[0] if client else "local"
            scope["nadie.editor"] = "local"
            needed = needed_permission(scope["path"])
            if self._tokens is not None and needed is not None:
                problem = self._identify(scope, self._tokens, needed)
                if problem is not None:
                    await problem.response()(scope, receive, send)
                    return
        await self._app(scope, receive, send)

    def _identify(self, scope: Scope, tokens: TokenFile, needed: Permission) -> ProblemError | None:
        scheme, _, secret = Headers(scope=scope).get("authorization", "").partition(" ")
        token = tokens.holder(secret.strip()) if scheme.lower() == "bearer" else None
        if token is None:
            return ProblemError("unauthorized", "send the header `Authorization: Bearer TOKEN`")
        if needed not in token.permissions:
            return ProblemError("forbidden", f"the token lacks the permission {needed.value!r}")
        scope["nadie.caller"] = scope["nadie.editor"] = token.name
        return None


def needed_permission(path: str) -> Permission | None:
    """The permission that a token needs for that path; None where no token is needed."""
    if path.startswith("/v1/restore"):
        return Permission.RESTORE
    if path.startswith("/v1/project"):
        return Permission.REVIEW
    if path == "/metrics":
        return Permission.METRICS
    return Permission.ANNOTATE if path.startswith("/v1/") else None


class RequestLimits:
    """Limits the requests at a time, and reads the body, of bounded size and in bounded time, before any route runs."""

    def __init__(self, app: ASGIApp, *, limits: Limits) -> None:
        self._app = app
        self._limits = limits
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith("/v1/"):
            await self._app(scope, receive, send)
            return
        caller = scope["nadie.caller"]
        try:
            self._admit(caller)
        except ProblemError as problem:
            await problem.response()(scope, receive, send)
            return
        self._under_way[caller] += 1
        try:
            app: ASGIApp
            try:
                app, receive = self._app, _replay(await self._body(scope, receive), receive)
            except ProblemError as problem:
                app = problem.response()
            await app(scope, receive, send)
        finally:
            self._under_way[caller] -= 1
            self._under_way += Counter()

    def _admit(self, caller: str) -> None:
        if self._under_way.total() >= self._limits.requests:
            raise ProblemError("overloaded", "too many requests are under way", retry_after=2)
        if self._under_way[caller] >= self._limits.requests_per_caller:
            raise ProblemError("too-many-requests", retry_after=1)

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        limit = self._limits.batch_body if scope["path"] in _BATCH_PATHS else self._limits.body
        too_large = ProblemError("too-large", f"a body may have {limit} bytes here", limit=limit)
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > limit:
            raise too_large
        parts: list[bytes] = []
        size = 0
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise ProblemError("bad-request", "the request was cut off")
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    if size > limit:
                        raise too_large
                    if not message.get("more_body", False):
                        return b"".join(parts)
        except TimeoutError:
            raise ProblemError("body-timeout") from None


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that returns the whole body at once and then what follows it, such as a disconnection."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _host_name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _host_and_port(url: str) -> str:
    """Host and port of an origin; empty where it is none, such as `null`."""
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""
