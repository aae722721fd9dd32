"""`/health` and `/ready` on a port of their own, so that they answer when all other connections are in use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from nadie.service.options import Network
from nadie.service.problems import ProblemError
from nadie.service.workers.pool import WorkerPool

_CONNECTIONS = 16


class _Server(uvicorn.Server):
    """A server that leaves signals to the main one."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def health_server(network: Network, pool: WorkerPool) -> AsyncIterator[None]:
    """Serve the two routes on `network.health_port`, if there is one."""
    if not network.health_port:
        yield
        return

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    async def ready(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"}) if pool.ready else ProblemError("starting", retry_after=2).response()

    app = Starlette(routes=[Route("/health", health), Route("/ready", ready)])
    config = uvicorn.Config(
        app,
        host=network.host,
        port=network.health_port,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_keep_alive=1,
        limit_concurrency=_CONNECTIONS,
    )
    server = _Server(config)
    serving = asyncio.create_task(server.serve())
    yield
    server.should_exit = True
    await serving
