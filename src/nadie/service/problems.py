"""Errors as RFC 9457 problem details, without text of documents, names or queries."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from nadie.errors import (
    ConfigError,
    FormatError,
    LeakError,
    MissingExtraError,
    NadieError,
    SpanError,
    UnexpectedError,
    UnknownNameError,
    VaultError,
)

MEDIA_TYPE = "application/problem+json"

# type → (status, title). The type is the last part of the problem's type URI, which clients may rely on.
TYPES: dict[str, tuple[int, str]] = {
    "bad-request": (400, "The request cannot be understood"),
    "unauthorized": (401, "A valid token is needed"),
    "forbidden": (403, "This caller may not do this"),
    "not-found": (404, "There is nothing here"),
    "method-not-allowed": (405, "This cannot be done here"),
    "body-timeout": (408, "The body of the request took too long to arrive"),
    "conflict": (409, "Somebody else changed the same place"),
    "read-only": (409, "The service cannot write this file"),
    "too-large": (413, "The request is too large"),
    "unsupported-media-type": (415, "The media type of the body is not supported"),
    "wrong-host": (421, "The service does not answer to this host name"),
    "invalid": (422, "The request does not match the API"),
    "unsupported-format": (422, "Files of this format are not supported"),
    "wrong-encoding": (422, "The text is in another encoding"),
    "unprocessable": (422, "The document cannot be processed"),
    "timeout": (422, "The document took too long"),
    "leak": (422, "A detected value would have remained in the anonymized text"),
    "not-restorable": (422, "This text cannot be restored from the vault"),
    "too-many-requests": (429, "This caller has too many requests in progress"),
    "too-many-values": (429, "This caller has got too many keyed values today"),
    "too-many-bytes": (429, "This caller has stored too much today"),
    "internal": (500, "The service failed"),
    "overloaded": (503, "The service is busy"),
    "starting": (503, "The service is not ready"),
    "storage-full": (507, "The disk of the service is full"),
    "worker-died": (503, "The worker process crashed on this document"),
}
_WITH_FREE_KEYS = ("thresholds", "known")
_TYPE_OF_STATUS = {status: name for name, (status, _) in reversed(TYPES.items())}


class ProblemError(Exception):
    """A request that ends in a problem; `detail` and `extra` must not have document text."""

    def __init__(self, problem: str, detail: str = "", *, retry_after: int | None = None, **extra: Any) -> None:
        self.type = problem
        self.status, self.title = TYPES[problem]
        self.detail = detail
        self.retry_after = retry_after
        self.extra = extra
        super().__init__(detail or self.title)

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"type": f"urn:nadie:problem:{self.type}", "title": self.title, "status": self.status}
        if self.detail:
            body["detail"] = self.detail
        return {**body, **self.extra}

    def response(self) -> JSONResponse:
        headers: dict[str, str] = {}
        if self.retry_after is not None:
            headers["Retry-After"] = str(self.retry_after)
        if self.status == 401:
            headers["WWW-Authenticate"] = 'Bearer realm="nadie"'
        return JSONResponse(self.body(), self.status, headers, media_type=MEDIA_TYPE)


def problem_of(error: NadieError | ProblemError) -> ProblemError:
    """The problem for an error of nadie. Only messages made of offsets and labels are passed on."""
    match error:
        case ProblemError():
            return error
        case SpanError() | ConfigError() | MissingExtraError():
            return ProblemError("invalid", error.reason)
        case LeakError():
            return ProblemError("leak", "the document was not anonymized")
        case VaultError() if _is_full(error.__context__):
            return _full()
        case VaultError():
            return ProblemError(
                "not-restorable", "there is no entry for this exact text, or the vault cannot be opened"
            )
        case UnexpectedError():
            return ProblemError("unprocessable", f"a detector or operator failed ({error.kind})")
        case UnknownNameError():
            return ProblemError("invalid", "unknown name: see /v1/models and /v1/policies")
        case FormatError():
            line = "" if error.line is None else f" at line {error.line}"
            return ProblemError("invalid", f"the file cannot be read in its format{line}")
    return ProblemError("invalid", f"the document cannot be processed ({type(error).__name__})")


def install(app: FastAPI) -> None:
    """Convert every error of the routes into a problem."""

    async def on_error(request: Request, error: NadieError | ProblemError) -> JSONResponse:
        return problem_of(error).response()

    async def on_invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        errors = validation_errors(error.errors())
        return ProblemError("invalid", "the body, path or query does not match the schema", errors=errors).response()

    async def on_http_error(request: Request, error: HTTPException) -> JSONResponse:
        response = ProblemError(_TYPE_OF_STATUS.get(error.status_code, "bad-request")).response()
        response.headers.update(error.headers or {})
        return response

    async def on_storage_error(request: Request, error: Exception) -> JSONResponse:
        if not _is_full(error):
            raise error
        return _full().response()

    handlers: dict[type[Exception], Any] = {
        sqlite3.Error: on_storage_error,
        OSError: on_storage_error,
        ProblemError: on_error,
        NadieError: on_error,
        RequestValidationError: on_invalid,
        HTTPException: on_http_error,
    }
    for error_type, handler in handlers.items():
        app.add_exception_handler(error_type, handler)


def _full() -> ProblemError:
    return ProblemError("storage-full", "nothing was changed; reading still works", retry_after=60)


def _is_full(error: BaseException | None) -> bool:
    if isinstance(error, sqlite3.Error):
        return getattr(error, "sqlite_errorcode", None) in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE)
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def validation_errors(errors: Sequence[Any]) -> list[dict[str, str]]:
    """Location and type of each error, without the values that were sent and without unknown field names."""
    return [{"pointer": _pointer(error), "fault": str(error.get("type", "invalid"))} for error in errors[:20]]


def _pointer(error: Mapping[str, Any]) -> str:
    location = list(error.get("loc", ()))
    if error.get("type") == "extra_forbidden" and location:
        location[-1] = "(unknown field)"
    return "#/" + "/".join(_masked(location))


def _masked(location: Sequence[str | int]) -> Iterator[str]:
    """The parts of a location; keys that the caller chose freely are not repeated, because they may be text."""
    is_free = False
    for part in location:
        yield "(key)" if is_free and isinstance(part, str) else str(part)
        is_free = is_free or part in _WITH_FREE_KEYS
