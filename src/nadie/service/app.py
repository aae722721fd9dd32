"""The application: routes inside, the layers around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.metadata import version

from fastapi import FastAPI
from starlette.middleware import Middleware

from nadie.service import api, exporting, health, openapi, opening, page_files, problems, project_api
from nadie.service.keys import service_secret
from nadie.service.layers import Authentication, BrowserGuard, RequestLimits, SecurityHeaders
from nadie.service.observing import Observing, quiet_exception_handler
from nadie.service.settings import Settings
from nadie.service.state import Service
from nadie.service.store import open_project
from nadie.service.tokens import TokenFile

# FastAPI can send traces, logs and validation errors, with the bodies they came from, to whatever collector the
# environment names. Documents must not leave that way.
_NO_TELEMETRY = {"tracing": False, "metrics": False, "logs": False, "operation_spans": False, "auto_configure": False}


def create_app(settings: Settings) -> FastAPI:
    """The service as an ASGI application. Its workers start and end with the application's lifespan."""
    tokens = None if settings.tokens is None else TokenFile(settings.tokens)
    project = None if settings.project is None else open_project(settings.project)
    service = Service(settings, service_secret(settings))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_exception_handler(quiet_exception_handler)
        await service.pool.start()
        yield
        await service.pool.close()
        if service.vault is not None:
            service.vault.close()

    network = settings.network
    app = FastAPI(
        title="nadie",
        version=version("nadie"),
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        telemetry=_NO_TELEMETRY,  # type: ignore[arg-type]
        middleware=[
            Middleware(Observing, metrics=service.metrics),
            Middleware(SecurityHeaders, tls=network.tls_certificate is not None),
            Middleware(BrowserGuard, network=network),
            Middleware(Authentication, tokens=tokens),
            Middleware(RequestLimits, limits=settings.limits),
        ],
    )
    problems.install(app)
    routers = [health.router(service), api.router(service), opening.router(service), exporting.router(service)]
    for router in [*routers, project_api.router(service, project), page_files.router()]:
        app.include_router(router)
    openapi.describe(app, with_tokens=tokens is not None)
    return app
