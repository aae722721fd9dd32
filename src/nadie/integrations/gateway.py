"""A gateway to a language model: an OpenAI-compatible server that sends placeholders on and restores the answers.

Every text of a request is shielded before it leaves, whatever field it is in; only names that programs resolve pass as
they are. What cannot be shielded, such as an image, is refused. Nothing is logged or stored: the originals are in
memory while a request is answered. If nadie or the model fails, the caller gets an error, never an unshielded request.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from nadie.document import Document
from nadie.errors import ConfigError, MissingExtraError, NadieError
from nadie.integrations.placeholders import STRICT
from nadie.integrations.shield import Shielded, StreamRestorer, shielded_by
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
_RESOLVED = frozenset(
    "model role type id object name tool_call_id finish_reason encoding_format reasoning_effort service_tier"
    " system_fingerprint tool_choice $ref format required".split()
)
"""The fields whose strings are names that programs resolve, if they are written like one."""
_NAME = re.compile(r"[\w.:/$#@+-]{1,128}")
_LONG_NUMBER = 5  # digits
_DROPPED = ("user", "metadata", "safety_identifier", "prompt_cache_key", "store")
_REFUSED = frozenset(("image_url", "input_audio", "file", "audio", "web_search_options", "prediction"))


_NAMES = ("[NOMBRE_", "[SANITARIO_", "[FAMILIAR_")


class RefusedError(NadieError):
    """A request that cannot be shielded."""


class Conversation:
    """The texts of one request, shielded together: a person has the same placeholder in all of them."""

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self.shielded = Shielded("", {})
        self.has_json = False

    def request(self, body: dict[str, Any]) -> dict[str, Any]:
        """The request to send."""
        for name in _DROPPED:
            body.pop(name, None)
        for message in _messages(body):
            if message.get("role") not in ("tool", "function"):
                message.pop("name", None)  # of a person
        if any(isinstance(item, int | list) for name in ("prompt", "input") for item in _list(body.get(name))):
            raise RefusedError("a request with token numbers cannot be shielded")
        self.has_json = _has_json(body)
        # Names are looked for in all messages in any spelling, also where they stand without their context.
        names: dict[str, None] = {}
        for text in _texts(body):
            found = shielded_by(self._pipeline, Document("", _neutral(text)))
            names |= dict.fromkeys(value for name, value in found.originals.items() if name.startswith(_NAMES))
        known = [name for name in names if len(name.split()) > 1]
        changed: dict[str, Any] = _mapped(body, lambda text: self._shield(text, known))
        return changed

    def _shield(self, text: str, known: list[str]) -> str:
        document = Document("", _neutral(text), known=known)
        self.shielded = shielded_by(self._pipeline, document, self.shielded)
        return self.shielded.text

    def answer(self, body: Any) -> Any:
        """The answer with originals in place of placeholders."""
        return _mapped(body, self._all().restore, is_answer=True)

    async def stream(self, lines: AsyncIterator[str]) -> AsyncIterator[str]:
        """The same for the events of a streamed answer, which may cut placeholders anywhere."""
        restoring = _RestoredStream(self._all(), has_json=self.has_json)
        async for line in lines:
            if not line.startswith("data:"):
                yield f"{line}\n"
                continue
            content = line.removeprefix("data:").strip()
            if content == "[DONE]":
                yield restoring.rest()
                yield f"data: {content}\n"
            else:
                yield f"data: {_dumped(restoring.chunk(json.loads(content)))}\n"
        yield restoring.rest()

    def _all(self) -> Shielded:
        """The originals of all messages. Addresses of the request itself are not known to be safe in the answer."""
        return Shielded("", self.shielded.originals)


def _texts(body: Any) -> Iterator[str]:
    """All texts of a request, as they are shielded."""
    found: list[str] = []

    def collect(text: str) -> str:
        found.append(text)
        return text

    _mapped(body, collect)
    yield from found


def _messages(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [message for message in _list(body.get("messages")) if isinstance(message, dict)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _has_json(body: dict[str, Any]) -> bool:
    """Whether the answer is to be JSON, in which originals must be escaped."""
    wanted = body.get("response_format")
    return isinstance(wanted, dict) and str(wanted.get("type", "")).startswith("json")


def _neutral(text: str) -> str:
    """The text without anything that would be taken for one of our placeholders."""
    return STRICT.sub(lambda found: f"({found[0][1:-1]})", text)


def _mapped(node: Any, change: Callable[[str], str], key: str = "", *, is_answer: bool = False) -> Any:
    """A copy of a JSON value with every text changed, also in texts that are JSON themselves, as tools have."""
    if isinstance(node, dict):
        if not is_answer and (refused := _REFUSED.intersection(node)):
            raise RefusedError(f"a request with {min(refused)} cannot be shielded")
        return {name: _mapped(value, change, name, is_answer=is_answer) for name, value in node.items()}
    if isinstance(node, list):
        return [_mapped(item, change, key, is_answer=is_answer) for item in node]
    if not isinstance(node, str) or not node or (key in _RESOLVED and _NAME.fullmatch(node)):
        return node
    if node.lstrip()[:1] in ("{", "["):
        try:
            return _dumped(_mapped_data(json.loads(node), change, ""))
        except (ValueError, RecursionError):
            pass
    return change(node)


def _mapped_data(node: Any, change: Callable[[str], str], key: str) -> Any:
    """The data of a tool with every text and long number changed; the name of a field tells what its value is."""
    if isinstance(node, dict):
        return {name: _mapped_data(value, change, name) for name, value in node.items()}
    if isinstance(node, list):
        return [_mapped_data(item, change, key) for item in node]
    is_number = isinstance(node, int | float) and not isinstance(node, bool)
    if is_number and sum(map(str.isdigit, str(node))) < _LONG_NUMBER:
        return node
    if not is_number and not (isinstance(node, str) and node):
        return node
    caption = f"{key}: " if key else ""
    changed = change(f"{caption}{node}")
    value = changed.removeprefix(caption) if changed.startswith(caption) else change(str(node))
    return node if value == str(node) else value


class _RestoredStream:
    """The chunks of a streamed answer: each text of each choice is one stream."""

    def __init__(self, shielded: Shielded, *, has_json: bool) -> None:
        escaped = {name: json.dumps(value, ensure_ascii=False)[1:-1] for name, value in shielded.originals.items()}
        self._in_json = Shielded("", escaped)
        self._plain = self._in_json if has_json else shielded
        self._streams: dict[tuple[int, str, int], StreamRestorer] = {}
        self._last: dict[str, Any] = {}

    def chunk(self, chunk: dict[str, Any]) -> dict[str, Any]:
        """The chunk with what can be shown; with the end of a choice comes what was held back of it."""
        self._last = {name: value for name, value in chunk.items() if name not in ("choices", "usage")}
        for choice in chunk.get("choices") or ():
            number = choice.get("index", 0)
            delta = choice.setdefault("delta", {}) if "text" not in choice else choice
            for name, text in list(delta.items()):
                if isinstance(text, str) and name not in (*_RESOLVED, "finish_reason"):
                    delta[name] = self._stream(number, name).feed(text)
            for call in delta.get("tool_calls") or ():
                function = call.get("function") or {}
                if isinstance(function.get("arguments"), str):
                    stream = self._stream(number, "arguments", call.get("index", 0))
                    function["arguments"] = stream.feed(function["arguments"])
            if choice.get("finish_reason"):
                self._end(number, delta)
        return chunk

    def rest(self) -> str:
        """An event with what is held back if the answer ends without saying so."""
        choices = []
        for number in sorted({number for number, _, _ in self._streams}):
            delta: dict[str, Any] = {}
            self._end(number, delta)
            if any(delta.values()):
                choices.append({"index": number, "delta": delta, "finish_reason": None})
        return f"data: {_dumped({**self._last, 'choices': choices})}\n\n" if choices else ""

    def _stream(self, number: int, name: str, call: int = -1) -> StreamRestorer:
        shielded = self._plain if call < 0 else self._in_json
        return self._streams.setdefault((number, name, call), StreamRestorer(shielded))

    def _end(self, number: int, delta: dict[str, Any]) -> None:
        for (of_choice, name, call), stream in self._streams.items():
            if of_choice != number or not (held := stream.end()):
                continue
            if call < 0:
                delta[name] = (delta.get(name) or "") + held
            else:
                calls = delta.get("tool_calls") or []
                delta["tool_calls"] = [*calls, {"index": call, "function": {"arguments": held}}]


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
        async for event in conversation.stream(answer.aiter_lines()):
            yield event
    except Exception as error:  # its message may quote the text
        yield f"data: {_dumped({'error': {'message': f'the answer broke off ({type(error).__name__})'}})}\n\n"
    finally:
        await answer.aclose()


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _error(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": {"message": f"nadie: {message}", "type": "nadie"}}, status)
