"""The review page: `/`, its script and its style sheet, each one file that a browser caches, and its image."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from nadie.service.http.bundle import bundled

FOLDER = Path(str(files("nadie.service") / "page"))
_CHECKED = "no-cache"  # a browser may cache it but must revalidate it
_FOREVER = "public, max-age=31536000, immutable"  # the address of a file has a hash of its content
_LEAST_COMPRESSED = 1000


class PageFile:
    """A file of the page, prepared when the service starts."""

    def __init__(self, content: bytes, media_type: str) -> None:
        self.content = content
        self.media_type = media_type
        self.hash = hashlib.sha256(content).hexdigest()[:24]
        self._compressed = gzip.compress(content, mtime=0) if len(content) >= _LEAST_COMPRESSED else None

    def response(self, request: Request) -> Response:
        """The file, compressed if the browser accepts it, or 304."""
        is_named = request.query_params.get("v") == self.hash
        headers = {"Cache-Control": _FOREVER if is_named else _CHECKED, "ETag": f'"{self.hash}"'}
        if request.headers.get("if-none-match") == headers["ETag"]:
            return Response(status_code=304, headers=headers)
        content = self.content
        if self._compressed is not None:
            headers["Vary"] = "Accept-Encoding"
            if "gzip" in request.headers.get("accept-encoding", ""):
                content = self._compressed
                headers["Content-Encoding"] = "gzip"
        return Response(content, media_type=self.media_type, headers=headers)


def router() -> APIRouter:
    """`/` and the files that it loads."""
    loaded = {
        "page/app.js": PageFile(bundled(FOLDER, "app.js").encode(), "text/javascript"),
        "page/style.css": PageFile(style_sheet(), "text/css"),
        "page/nadie.svg": PageFile((FOLDER / "nadie.svg").read_bytes(), "image/svg+xml"),
    }
    index = (FOLDER / "index.html").read_text(encoding="utf-8")
    for path, file in loaded.items():
        index = index.replace(f'"{path}"', f'"{path}?v={file.hash}"')
    routes = APIRouter(include_in_schema=False)
    for path, file in {"": PageFile(index.encode(), "text/html"), **loaded}.items():
        routes.add_api_route(f"/{path}", endpoint(file), methods=["GET", "HEAD"])
    return routes


def endpoint(file: PageFile) -> Callable[[Request], Awaitable[Response]]:
    """A route that returns the file."""

    async def respond(request: Request) -> Response:
        return file.response(request)

    return respond


def style_sheet() -> bytes:
    """All style sheets in one response, because a browser renders nothing before it has them all."""
    return b"\n".join(path.read_bytes() for path in sorted((FOLDER / "style").glob("*.css")))
