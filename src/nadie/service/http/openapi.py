"""Additions to the OpenAPI description: problems, batches, tokens."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel

from nadie.service.http import batch
from nadie.service.problems import MEDIA_TYPE, TYPES
from nadie.service.schemas import FailedLine, Problem

_DESCRIPTION = """\
Finds and removes what identifies a person in Spanish clinical text.

Offsets count Unicode code points. Errors are problem details (RFC 9457) without document text. Nothing is stored
unless the service was started on a project folder.
"""


_ANYWHERE = (400, 401, 403, 408, 413, 415, 421, 422, 429, 503, 507)


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route under `/v1`: these statuses, and those that every route can return."""
    titles = dict(reversed(TYPES.values()))
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": titles[status], "content": content} for status in (*_ANYWHERE, *statuses)}


def batch_operation(summary: str, request: type[BaseModel], answer: type[BaseModel]) -> dict[str, Any]:
    """The arguments of a route whose request and response are NDJSON."""
    example = request.model_json_schema().get("examples", [{}])[0]
    lines = {"type": "string", "description": f"One `{request.__name__}` as JSON in each line"}
    answers = {"type": "string", "description": f"One `{answer.__name__}` or `{FailedLine.__name__}` in each line"}
    return {
        "summary": summary,
        "description": (
            f"One `{request.__name__}` per line. The response has one line for each, in the same order, as soon as it "
            "is ready. For a line that fails it has a `FailedLine`; the others are not affected."
        ),
        "openapi_extra": {
            "requestBody": {"required": True, "content": {batch.MEDIA_TYPE: {"schema": lines, "example": example}}}
        },
        "responses": {
            200: {"description": "The answers", "content": {batch.MEDIA_TYPE: {"schema": answers}}},
            **problems(404),
        },
    }


def describe(app: FastAPI, *, with_tokens: bool) -> None:
    """Add problems, batches and tokens to `/openapi.json`."""

    def openapi() -> dict[str, Any]:
        app.openapi_schema = app.openapi_schema or _schema(app, with_tokens)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]


def _schema(app: FastAPI, with_tokens: bool) -> dict[str, Any]:
    schema = get_openapi(title=app.title, version=app.version, description=_DESCRIPTION, routes=app.routes)
    components = schema.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for body in (Problem, FailedLine):
        made = body.model_json_schema(ref_template="#/components/schemas/{model}")
        made.pop("$defs", None)
        schemas[body.__name__] = made
    # The validation errors of FastAPI, which this service never sends.
    schemas.pop("HTTPValidationError", None)
    schemas.pop("ValidationError", None)
    if with_tokens:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        for path, operations in schema["paths"].items():
            if path.startswith("/v1/") or path == "/metrics":
                for operation in operations.values():
                    operation["security"] = [{"token": []}]
    return schema
