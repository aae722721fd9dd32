"""Clients of the HTTP service: `Client` waits for each answer, `AsyncClient` is for programs with an event loop.

>>> with Client("http://127.0.0.1:8000", token="nadie_...") as client:     # doctest: +SKIP
...     client.anonymize("Paciente: Ana Pérez Soto", policy="research")
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from nadie.document import Document, Span
from nadie.errors import MissingExtraError, NadieError

try:
    import httpx2
except ModuleNotFoundError:
    raise MissingExtraError("a client of the service", "client") from None

_SECONDS = 300.0

T = TypeVar("T")


class ServiceError(NadieError):
    """The service refused a request, or could not be reached. `status` is that of HTTP, or 0; `type` the problem's."""

    def __init__(self, detail: str, status: int = 0, problem: str = "") -> None:
        super().__init__(detail)
        self.status, self.type = status, problem


@dataclass(frozen=True)
class _Call(Generic[T]):
    """One request, and the function that reads its answer."""

    path: str
    read: Callable[[httpx2.Response], T]
    body: Mapping[str, Any] = field(default_factory=dict)
    """The arguments of `httpx2.Client.post`."""

    def answer(self, response: httpx2.Response) -> T:
        if not response.is_success:
            raise _problem(response)
        return self.read(response)


def _annotate(text: str, options: Mapping[str, Any]) -> _Call[Document]:
    def read(response: httpx2.Response) -> Document:
        answer = response.json()
        return Document(answer["id"], text, tuple(Span(**span) for span in answer["spans"]))

    return _Call("/v1/annotate", read, {"json": {"text": text, **options}})


def _anonymize(text: str, options: Mapping[str, Any]) -> _Call[str]:
    return _Call("/v1/anonymize", lambda response: str(response.json()["text"]), {"json": {"text": text, **options}})


def _anonymize_all(texts: Iterable[str], options: Mapping[str, Any]) -> _Call[list[str | ServiceError]]:
    lines = [json.dumps({"id": str(n), "text": text, **options}) for n, text in enumerate(texts)]

    def read(response: httpx2.Response) -> list[str | ServiceError]:
        answers = [json.loads(line) for line in response.content.splitlines()]
        if len(answers) != len(lines):
            raise ServiceError("the answer was cut off")
        return [_told(answer["problem"]) if "problem" in answer else str(answer["text"]) for answer in answers]

    headers = {"Content-Type": "application/x-ndjson"}
    return _Call("/v1/anonymize/batch", read, {"content": "\n".join(lines).encode(), "headers": headers})


def _anonymize_file(file: Path, options: Mapping[str, str]) -> _Call[bytes]:
    content = {"files": {"file": (file.name, file.read_bytes())}, "data": dict(options)}
    return _Call("/v1/anonymize/file", lambda response: response.content, content)


def _restore(text: str, document_id: str) -> _Call[str]:
    return _Call(
        "/v1/restore", lambda response: str(response.json()["text"]), {"json": {"text": text, "id": document_id}}
    )


class Client:
    """A client that waits for each answer. The options of a method are the fields of the request (see `/docs`)."""

    def __init__(self, url: str, token: str = "", *, seconds: float = _SECONDS) -> None:
        self._http = httpx2.Client(**_arguments(url, token, seconds))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def annotate(self, text: str, **options: Any) -> Document:
        """The text with the spans found in it."""
        return self._send(_annotate(text, options))

    def anonymize(self, text: str, **options: Any) -> str:
        """The anonymized text."""
        return self._send(_anonymize(text, options))

    def anonymize_all(self, texts: Iterable[str], **options: Any) -> list[str | ServiceError]:
        """The anonymized texts in order; an error in the place of a text that failed."""
        return self._send(_anonymize_all(texts, options))

    def anonymize_file(self, file: Path, **options: str) -> bytes:
        """The anonymized copy of a file, or an archive with it and a list of the parts that were not searched."""
        return self._send(_anonymize_file(file, options))

    def restore(self, text: str, document_id: str = "") -> str:
        """The original of a text that was anonymized with `keep=True`."""
        return self._send(_restore(text, document_id))

    def _send(self, call: _Call[T]) -> T:
        try:
            return call.answer(self._http.post(call.path, **call.body))
        except httpx2.HTTPError as error:
            raise _unreachable(error) from None


class AsyncClient:
    """The same for programs with an event loop: `async with AsyncClient(url) as client`."""

    def __init__(self, url: str, token: str = "", *, seconds: float = _SECONDS) -> None:
        self._http = httpx2.AsyncClient(**_arguments(url, token, seconds))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def annotate(self, text: str, **options: Any) -> Document:
        return await self._send(_annotate(text, options))

    async def anonymize(self, text: str, **options: Any) -> str:
        return await self._send(_anonymize(text, options))

    async def anonymize_all(self, texts: Iterable[str], **options: Any) -> list[str | ServiceError]:
        return await self._send(_anonymize_all(texts, options))

    async def anonymize_file(self, file: Path, **options: str) -> bytes:
        return await self._send(_anonymize_file(file, options))

    async def restore(self, text: str, document_id: str = "") -> str:
        return await self._send(_restore(text, document_id))

    async def _send(self, call: _Call[T]) -> T:
        try:
            return call.answer(await self._http.post(call.path, **call.body))
        except httpx2.HTTPError as error:
            raise _unreachable(error) from None


def _arguments(url: str, token: str, seconds: float) -> dict[str, Any]:
    """The arguments of both clients. Proxies of the environment are not used: texts go to the service alone."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return {"base_url": url, "headers": headers, "timeout": seconds, "trust_env": False}


def _problem(response: httpx2.Response) -> ServiceError:
    try:
        return _told(response.json())
    except (ValueError, KeyError, TypeError):
        return ServiceError(f"the service answered with the status {response.status_code}", response.status_code)


def _told(problem: Mapping[str, Any]) -> ServiceError:
    return ServiceError(str(problem.get("detail") or problem["title"]), int(problem["status"]), str(problem["type"]))


def _unreachable(error: httpx2.HTTPError) -> ServiceError:
    return ServiceError(f"the service could not be reached ({type(error).__name__})")
