"""Download a file over HTTP and resume after a broken connection."""

from __future__ import annotations

import time
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import cast
from urllib import request
from urllib.error import HTTPError
from urllib.parse import urlsplit

from nadie.errors import CorpusError

Progress = Callable[[int, int | None], None]
"""Called with the bytes received so far and the total, if the server gave it."""

MAX_BYTES = 128 * 1024 * 1024
_ATTEMPTS = 4
_PAUSE = 0.5
_TIMEOUT = 30.0
_CHUNK = 1 << 16
_TRY_AGAIN = frozenset((HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS))


def fetch(address: str, file: Path, progress: Progress, limit: int = MAX_BYTES) -> None:
    """Download `address` into `file`, resuming an earlier attempt."""
    host = urlsplit(address).hostname
    if urlsplit(address).scheme not in ("http", "https") or not host:
        raise CorpusError("the address of a corpus must begin with https:// or http://")
    problem = ""
    for attempt in range(_ATTEMPTS):
        time.sleep(_PAUSE * attempt)
        try:
            if _resume(address, file, progress, limit):
                return
            problem = "the connection ended early"
        except HTTPError as error:
            error.close()
            problem = f"the server answered {error.code}"
            if error.code < HTTPStatus.INTERNAL_SERVER_ERROR and error.code not in _TRY_AGAIN:
                break
        except (HTTPException, OSError) as error:
            problem = str(getattr(error, "reason", None) or getattr(error, "strerror", None) or type(error).__name__)
    raise CorpusError(f"could not download from {host}: {problem}")


def _resume(address: str, file: Path, progress: Progress, limit: int) -> bool:
    """Make one request. Return whether the file is then complete."""
    here = file.stat().st_size if file.exists() else 0
    try:
        response = _request(address, here)
    except HTTPError as error:
        if error.code != HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE or not here:
            raise
        error.close()
        if _number(error.headers.get("Content-Range", "").rpartition("/")[2]) == here:
            return True
        file.unlink()
        return False
    with response:
        if here and not _continues(response, here):
            here = 0
        length = _number(response.headers.get("Content-Length", ""))
        total = None if length is None else here + length
        with file.open("ab" if here else "wb") as target:
            progress(here, total)
            while chunk := response.read(_CHUNK):
                here += len(chunk)
                if max(here, total or 0) > limit:
                    file.unlink()
                    raise CorpusError(f"the server sent more than {limit} bytes: this is not the corpus")
                target.write(chunk)
                progress(here, total)
    return total is None or here == total


def _request(address: str, here: int) -> HTTPResponse:
    # Only HTTP: urllib's default opener would also follow a redirection to ftp.
    opener = request.OpenerDirector()
    for handler in (
        request.ProxyHandler,
        request.UnknownHandler,
        request.HTTPHandler,
        request.HTTPSHandler,
        request.HTTPDefaultErrorHandler,
        request.HTTPRedirectHandler,
        request.HTTPErrorProcessor,
    ):
        opener.add_handler(handler())
    headers = {"User-Agent": "nadie", "Accept-Encoding": "identity"}
    if here:
        headers["Range"] = f"bytes={here}-"
    asked = request.Request(address, headers=headers)  # noqa: S310, the scheme was checked
    return cast(HTTPResponse, opener.open(asked, timeout=_TIMEOUT))


def _continues(response: HTTPResponse, here: int) -> bool:
    """Whether the server resumed at that byte; a server without support for ranges sends everything again."""
    place = response.headers.get("Content-Range", "")
    return response.status == HTTPStatus.PARTIAL_CONTENT and place.startswith(f"bytes {here}-")


def _number(written: str) -> int | None:
    return int(written) if written.isascii() and written.isdigit() and len(written) < 16 else None
