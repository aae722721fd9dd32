"""A gateway to a language model: an OpenAI-compatible server that sends placeholders on and restores the answers.

Every text of a request is shielded before it leaves, whatever field it is in; only names that programs resolve pass as
they are. What cannot be shielded, such as an image, is refused. Nothing is logged or stored: the originals are in
memory while a request is answered. If nadie or the model fails, the caller gets an error, never an unshielded request.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from nadie.errors import ConfigError, MissingExtraError, NadieError
from nadie.integrations.conversation import Conversation, RefusedError, dumped
from nadie.run.pipeline import Pipeline

try:
    import httpx2
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response, StreamingResponse
    from starlette.routing import Route
except ModuleNotFoundError:
    raise MissingExtraError("the gateway", "gateway") from None

ENDPOINTS = ("chat/completions", "completions", "embeddings")
_MOST_BYTES = 16 << 20
_SECONDS = 600.0
_FORWARDED = ("authorization", "openai-organization", "openai-project")


class Gateway:
    """The handlers of the gateway to the server at `upstream`."""

    def __init__(self, upstream: str, pipeline: Pipeline) -> None:
        if not upstream.startswith(("http://", "https://")):
            raise ConfigError("the upstream must be an address that begins with http:// or https://")
        self._base = upstream.rstrip("/")
        self._pipeline = pipeline
        self._client = httpx2.AsyncClient(timeout=_SECONDS, follow_redirects=False)

    async def complete(self, request: Request) -> Response:
        """Send a shielded request on, and restore its answer."""
        try:
            return await self._answered(request)
        except RefusedError as error:
            return _error(400, str(error))
        except NadieError as error:
            return _error(422, f"the request was not sent: {error.reason}")
        except httpx2.HTTPError:
            return _error(502, "the language model cannot be reached, or broke off")
        except Exception as error:  # its message may quote the text
            return _error(500, f"the request failed ({type(error).__name__})")

    async def models(self, request: Request) -> Response:
        """The models of the server."""
        try:
            answer = await self._client.get(f"{self._base}/models", headers=_headers(request))
            return JSONResponse(answer.json(), answer.status_code)
        except (httpx2.HTTPError, ValueError):
            return _error(502, "the language model cannot be reached")

    @asynccontextmanager
    async def closing(self, app: Starlette) -> AsyncIterator[None]:
        async with self._client:
            yield

    async def _answered(self, request: Request) -> Response:
        endpoint = request.path_params["endpoint"]
        if endpoint not in ENDPOINTS:
            return _error(404, f"the gateway has only {', '.join(ENDPOINTS)} and models")
        content = await _read(request)
        conversation = Conversation(self._pipeline)
        body = await run_in_threadpool(conversation.request, content)
        sent = self._client.build_request("POST", f"{self._base}/{endpoint}", json=body, headers=_headers(request))
        answer = await self._client.send(sent, stream=True)
        if answer.is_success and answer.headers.get("content-type", "").startswith("text/event-stream"):
            return StreamingResponse(_streamed(conversation, answer), media_type="text/event-stream")
        await answer.aread()
        await answer.aclose()
        try:
            told = answer.json()
        except ValueError:
            return _error(502, "the answer of the language model is not JSON")
        return JSONResponse(conversation.answer(told), answer.status_code)


def application(upstream: str, pipeline: Pipeline) -> Starlette:
    """The gateway to the server at `upstream`, such as `https://api.example.org/v1`, as an ASGI application."""
    gateway = Gateway(upstream, pipeline)
    routes = [
        Route("/v1/{endpoint:path}", gateway.complete, methods=["POST"]),
        Route("/v1/models", gateway.models),
    ]
    return Starlette(routes=routes, lifespan=gateway.closing)


def run(upstream: str, host: str, port: int, pipeline: Pipeline) -> None:
    """Serve the gateway until it is interrupted; requests are not logged."""
    import uvicorn

    uvicorn.run(application(upstream, pipeline), host=host, port=port, log_level="warning", access_log=False)


def _headers(request: Request) -> dict[str, str]:
    return {name: request.headers[name] for name in _FORWARDED if name in request.headers}


async def _read(request: Request) -> dict[str, Any]:
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > _MOST_BYTES:
            raise RefusedError(f"a request of more than {_MOST_BYTES >> 20} MiB is refused")
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise RefusedError("a request is a JSON object")
    return body


async def _streamed(conversation: Conversation, answer: httpx2.Response) -> AsyncIterator[str]:
    """The restored events. If the model breaks off, the stream ends with an error event."""
    try:
        async for event in conversation.stream(answer.aiter_text()):
            yield event
    except Exception as error:  # its message may quote the text
        yield f"data: {dumped({'error': {'message': f'the answer broke off ({type(error).__name__})'}})}\n\n"
    finally:
        await answer.aclose()


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": {"message": f"nadie: {message}", "type": "nadie"}}, status)
