"""The review page: the files under `page/`, held in memory and served with an entity tag each."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from fastapi import APIRouter, Request
from starlette.responses import Response

from nadie.service.problems import ProblemError

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


@dataclass(frozen=True, slots=True)
class PageFile:
    """One file and how a browser is to take it."""

    content: bytes
    media_type: str
    tag: str


def page_files() -> dict[str, PageFile]:
    """Every file of the page by its path. Nothing else can be asked for, so no path leads anywhere else.

    The style sheets are put together to one, because a browser paints nothing before it has them all.
    """
    found = dict(_walk(files("nadie.service") / "page", ""))
    sheets = {name: found.pop(name) for name in sorted(found) if name.endswith(".css")}
    found["style.css"] = _page_file(b"\n".join(sheet.content for sheet in sheets.values()), ".css")
    return found


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, PageFile]]:
    found: list[tuple[str, PageFile]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _walk(entry, f"{prefix}{entry.name}/")
            continue
        suffix = "." + entry.name.rpartition(".")[2]
        if suffix in _TYPES:
            found.append((prefix + entry.name, _page_file(entry.read_bytes(), suffix)))
    return found


def _page_file(content: bytes, suffix: str) -> PageFile:
    return PageFile(content, _TYPES[suffix], f'"{hashlib.sha256(content).hexdigest()[:24]}"')


def router() -> APIRouter:
    """`/` and what it loads."""
    routes = APIRouter(include_in_schema=False)
    held = page_files()

    async def serve(request: Request, path: str = "index.html") -> Response:
        file = held.get(path)
        if file is None:
            raise ProblemError("not-found")
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.content, media_type=file.media_type, headers=headers)

    routes.add_api_route("/", serve, methods=["GET", "HEAD"], name="page")
    routes.add_api_route("/page/{path:path}", serve, methods=["GET", "HEAD"], name="page_file")
    return routes
