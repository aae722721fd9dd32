"""The archive of a corpus: fetched over HTTP, resumed after a broken connection, and unpacked without trusting it."""

from __future__ import annotations

import stat
import time
import zlib
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import cast
from urllib import request
from urllib.error import HTTPError
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from nadie.errors import CorpusError

Progress = Callable[[int, int | None], None]
"""Called with the bytes received so far and the total, if the server gave it."""

MAX_BYTES = 128 * 1024 * 1024
_ATTEMPTS = 4
_PAUSE = 0.5
_TIMEOUT = 30.0
_CHUNK = 1 << 16
_TRY_AGAIN = frozenset((HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS))
MAX_FILES = 50_000
MAX_UNPACKED = 512 * 1024 * 1024
_ENCRYPTED = 0x1
_LANDMARK = "train/brat/"


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


def unpack(archive: Path, folder: Path, limit: int = MAX_UNPACKED) -> None:
    """Unpack the corpus into `folder`, so that its training set is at `train/brat`.

    Hidden files, and files outside the corpus folder of the archive, are left out. A path outside the folder, a link,
    two files with the same name, an encrypted file, or more than `limit` bytes make the whole archive an error.
    """
    try:
        with ZipFile(archive) as content:
            entries = [entry for entry in content.infolist() if not entry.is_dir()]
            if len(entries) > MAX_FILES:
                raise CorpusError(f"the archive has more than {MAX_FILES} files")
            for entry in entries:
                _check(entry)
            root = _root(entries)
            left = limit
            for entry in entries:
                name = entry.filename.removeprefix(root)
                if entry.filename.startswith(root) and not any(part.startswith(".") for part in name.split("/")):
                    left -= _extract(content, entry, folder.joinpath(*name.split("/")), left)
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise CorpusError(f"the archive is damaged or not supported ({type(error).__name__})") from None
    except OSError as error:
        raise CorpusError(f"the archive cannot be unpacked ({error.strerror})") from None


def _check(entry: ZipInfo) -> None:
    name = entry.orig_filename
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or any(character in name for character in "\\:\0"):
        raise CorpusError("the archive has a file whose path leads outside the folder")
    file_type = stat.S_IFMT(entry.external_attr >> 16)
    if file_type not in (0, stat.S_IFREG):
        raise CorpusError("the archive has an entry that is not a regular file")
    if entry.flag_bits & _ENCRYPTED:
        raise CorpusError("the archive is encrypted")
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise CorpusError("the archive uses a compression that is not supported")


def _root(entries: list[ZipInfo]) -> str:
    """The folder inside the archive that contains the corpus: the one nearest to the root."""
    roots = {
        before
        for entry in entries
        for before, landmark, _ in [f"/{entry.filename}".partition(f"/{_LANDMARK}")]
        if landmark and not before.startswith("/__MACOSX")
    }
    if not roots:
        raise CorpusError(f"the archive has no folder {_LANDMARK.rstrip('/')}: it is not the corpus")
    return f"{min(roots, key=lambda root: (root.count('/'), root))}/".removeprefix("/")


def _extract(content: ZipFile, entry: ZipInfo, target: Path, left: int) -> int:
    """Write one file and return its actual size; the size that the archive states is not trusted."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        raise CorpusError("the archive has two files with the same name")
    size = 0
    with content.open(entry) as packed, target.open("xb") as file:
        while chunk := packed.read(_CHUNK):
            size += len(chunk)
            if size > left:
                raise CorpusError("the archive unpacks to more than the limit")
            file.write(chunk)
    return size
