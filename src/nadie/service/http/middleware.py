"""The middleware around the routes: request log, security headers, origin checks, permissions. Limits are separate.

It uses ASGI directly and not dependencies of FastAPI, which reads the body of a request before it runs them.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nadie.service.http.signon import SignOn
from nadie.service.monitoring import ACCESS, ERRORS, Metrics
from nadie.service.options import Network, is_loopback
from nadie.service.problems import ProblemError
from nadie.service.tokens import Permission

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


class RequestLog:
    """The outermost middleware: assigns an id to the request, counts it, logs it, and converts exceptions to problems.

    A path without a route may contain anything, so the log and the metrics have the template of the route.
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
        route = template_of(scope)
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PUT", "DELETE") else "(other)"
        self._metrics.requests.labels(route, method, str(status)).inc()
        self._metrics.seconds.labels(route).observe(seconds)
        line: dict[str, str | int] = {"request": request_id, "method": method, "route": route, "status": status}
        line["ms"] = round(seconds * 1000)
        line["caller"] = scope.get("nadie.editor", "-")
        client = scope.get("client")
        if status in (401, 403):
            line["address"] = client[0] if client else "-"
        if isinstance(document := scope.get("path_params", {}).get("document"), int):
            line["document"] = document
        ACCESS.info("%s", json.dumps(line))


class SecurityHeaders:
    """Sets the security headers of every response, and `no-store` unless the route set another caching rule.

    It also responds with the problems that the middleware inside it raises.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                if scope["scheme"] == "https":
                    headers["Strict-Transport-Security"] = f"max-age={_YEAR}"
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)
        except ProblemError as problem:
            await problem.response()(scope, receive, send_with_headers)


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
        if scope["type"] == "http":
            self._check(scope)
        await self._app(scope, receive, send)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        host = str(scope["nadie.host"])
        name = _parsed(f"//{host}").hostname
        if name is None or not (self._any_host or is_loopback(name) or name in self._hosts):
            raise ProblemError("wrong-host", "see the setting network.allowed_hosts")
        origin = headers.get("origin")
        from_elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        followed_link = headers.get("sec-fetch-mode") == "navigate" and not scope["path"].startswith("/v1/")
        is_foreign = origin is not None and _place(_parsed(origin)) != _place(_parsed(f"{scope['scheme']}://{host}"))
        if is_foreign or (from_elsewhere and not followed_link):
            raise ProblemError("forbidden", "requests from other web sites are refused")


class Authentication:
    """Identifies the caller, and requires a permission for everything except the page and the two health checks."""

    def __init__(self, app: ASGIApp, *, sign_on: SignOn) -> None:
        self._app = app
        self._sign_on = sign_on

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            client = scope.get("client")
            scope["nadie.caller"] = client[0] if client else "local"
            scope["nadie.editor"] = "-"
            self._identify(scope)
        await self._app(scope, receive, send)

    def _identify(self, scope: Scope) -> None:
        route = template_of(scope)
        needed = needed_permission(route, scope["method"])
        if route == _NO_ROUTE and scope["path"].startswith("/v1/"):
            needed = Permission.ANNOTATE
        if needed is None and route not in _FOR_EVERYBODY:
            return
        caller = self._sign_on.caller(scope)
        scope["nadie.editor"] = caller.name
        scope["nadie.sign_on"] = caller
        if needed is not None and needed not in caller.permissions:
            raise ProblemError("forbidden", f"the permission {needed.value!r} is missing", permission=needed.value)
        if caller.sign_on != "none":
            scope["nadie.caller"] = caller.name


_FOR_EVERYBODY = ("/v1/me", "/v1/session", "/v1/me/rotate")  # routes that require sign-on but no permission
_NO_ROUTE = "(none)"
_NEEDED = {
    "/v1/restore": Permission.RESTORE,
    "/metrics": Permission.METRICS,
    "/v1/project/assignments": Permission.ADMINISTER,
    "/v1/project/log": Permission.ADMINISTER,
    "/v1/project/suggestions": Permission.ADMINISTER,
    "/v1/project/patients/rule": Permission.ADMINISTER,
    "DELETE /v1/project/documents/{document}": Permission.ADMINISTER,
    "PUT /v1/project/guidelines": Permission.ADMINISTER,
    "/v1/people": Permission.ADMINISTER,
    "/v1/project/pairs": Permission.ADJUDICATE,
    "/v1/project/agreement": Permission.ADJUDICATE,
    "/v1/project/": Permission.REVIEW,
    "/v1/": Permission.ANNOTATE,
}
"""The permission of each route: the first entry with which its template, or its method and template, begins."""


def needed_permission(template: str, method: str = "POST") -> Permission | None:
    """The permission that the route with this template requires, or None."""
    if template in _FOR_EVERYBODY:
        return None
    for beginning, permission in _NEEDED.items():
        if template.startswith(beginning) or f"{method} {template}" == beginning:
            return permission
    return None


def template_of(scope: Scope) -> str:
    """The template of the route that the request reaches. Permissions and the log use it and never the path as sent."""
    if "nadie.template" not in scope:
        scope["nadie.template"] = _template(scope)
    return str(scope["nadie.template"])


def _template(scope: Scope) -> str:
    other_method = None
    for route in scope["app"].state.routes:
        match, _ = route.matches(scope)
        if match is Match.FULL:
            return str(route.path_format)
        if match is Match.PARTIAL:
            other_method = other_method or str(route.path_format)
    return other_method or _NO_ROUTE


def _place(url: SplitResult) -> tuple[str, int | None]:
    """The host and the port of an address. Behind a proxy that does not tell the scheme, https is taken for http."""
    standard = {"http": 80, "https": 443}
    try:
        port = url.port
    except ValueError:
        return "", None
    is_standard = port is None or port in standard.values()
    return (url.hostname or "").lower(), None if is_standard else port


def _parsed(url: str) -> SplitResult:
    """The parts of an address; they are empty if it is not one, such as the origin `null`."""
    try:
        return urlsplit(url)
    except ValueError:
        return urlsplit("")
