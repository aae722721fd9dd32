"""The application, its middleware and routes, and the server that runs it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

import uvicorn
from fastapi import FastAPI
from starlette.middleware import Middleware

from nadie.service import problems
from nadie.service.http import (
    documents,
    export,
    file_copies,
    openapi,
    originals,
    page,
    people,
    project,
    reference,
    team,
)
from nadie.service.http.connections import timed_protocol
from nadie.service.http.forwarded import Forwarded
from nadie.service.http.health import health_server
from nadie.service.http.middleware import Authentication, BrowserGuard, RequestLog, SecurityHeaders
from nadie.service.http.request_limits import RequestLimits
from nadie.service.http.state import Service
from nadie.service.monitoring import configure_logging, quiet_exception_handler
from nadie.service.options import ServiceOptions
from nadie.service.workers.uploads import remove_leftovers

# FastAPI can send traces, logs and validation errors, with request bodies, to a collector that the environment names.
# Documents must not leave the machine in this way.
_NO_TELEMETRY = {"tracing": False, "metrics": False, "logs": False, "operation_spans": False, "auto_configure": False}

_KEEP_ALIVE_SECONDS = 10
_GRACE_SECONDS = 10
_MOST_HEADER_BYTES = 32_768


def create_app(options: ServiceOptions) -> FastAPI:
    """The service as an ASGI application. Its workers start and end with the application's lifespan."""
    service = Service(options)
    sign_on = service.sign_on

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(quiet_exception_handler)
        remove_leftovers()
        await service.pool.start()
        async with health_server(options.network, service.pool):
            yield
        await service.pool.close()
        if service.vault is not None:
            service.vault.close()

    network = options.network
    app = FastAPI(
        title="nadie",
        version=version("nadie"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,  # type: ignore[arg-type]
        middleware=[
            Middleware(Forwarded, network=network),
            Middleware(RequestLog, metrics=service.metrics),
            Middleware(SecurityHeaders),
            Middleware(BrowserGuard, network=network),
            Middleware(Authentication, sign_on=sign_on),
            Middleware(RequestLimits, limits=options.limits),
        ],
    )
    problems.install(app)
    parts = (documents, export, file_copies, originals, people, team, project)
    routers = [part.router(service) for part in parts]
    routers = [documents.operation_router(service), *routers, page.router(), reference.router()]
    for router in routers:
        app.include_router(router)
    app.state.service = service
    app.state.routes = [route for router in routers for route in router.routes]
    openapi.describe(app, with_tokens=sign_on.is_needed)
    return app


def run(options: ServiceOptions) -> None:
    """Serve until SIGTERM or SIGINT; then accept no new requests and finish the running ones."""
    os.umask(0o077)
    configure_logging()
    network = options.network
    config = uvicorn.Config(
        create_app(options),
        host=network.host,
        port=network.port,
        http=timed_protocol(options.limits),
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        timeout_keep_alive=_KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(options.limits.seconds) + _GRACE_SECONDS,
        limit_concurrency=4 * options.limits.requests,
        h11_max_incomplete_event_size=_MOST_HEADER_BYTES,
        ssl_certfile=network.tls_certificate,
        ssl_keyfile=network.tls_key,
    )
    uvicorn.Server(config).run()
