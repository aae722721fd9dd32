"""Whether the service lives, whether it is ready, and its counters."""

from __future__ import annotations

from fastapi import APIRouter
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.responses import Response

from nadie.service.openapi import problems
from nadie.service.problems import ProblemError
from nadie.service.schemas import Status
from nadie.service.state import Service


def router(service: Service) -> APIRouter:
    """`/health`, `/ready` and `/metrics`."""
    routes = APIRouter(tags=["operation"])

    @routes.get("/health", summary="The process answers")
    async def health() -> Status:
        return Status(status="ok")

    @routes.get("/ready", summary="The models are loaded", responses=problems())
    async def ready() -> Status:
        if not service.pool.ready:
            raise ProblemError("starting", retry_after=2)
        return Status(status="ok")

    @routes.get(
        "/metrics",
        summary="Counters in the format of Prometheus, without any content of documents",
        response_class=Response,
        responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **problems()},
    )
    async def metrics() -> Response:
        return Response(generate_latest(service.metrics.registry), media_type=CONTENT_TYPE_LATEST)

    return routes
