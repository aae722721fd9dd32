"""The review page: the files in the folder `page`."""

from __future__ import annotations

import hashlib
import mimetypes
from importlib.resources import files
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

FOLDER = Path(str(files("nadie.service") / "page"))
_CACHING = {"Cache-Control": "no-cache"}  # a browser may cache a file but must revalidate it


def router() -> APIRouter:
    """`/` and the files that it loads."""
    mimetypes.add_type("text/javascript", ".js")  # some systems define another type, which browsers refuse for modules
    routes = APIRouter(include_in_schema=False)
    static = StaticFiles(directory=FOLDER)
    style = style_sheet()
    tag = f'"{hashlib.sha256(style).hexdigest()[:24]}"'

    async def file(request: Request, path: str = "index.html") -> Response:
        response = await static.get_response(path, request.scope)
        response.headers.update(_CACHING)
        return response

    async def style_file(request: Request) -> Response:
        headers = {**_CACHING, "ETag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(style, media_type="text/css", headers=headers)

    for path, endpoint in {"/": file, "/page/style.css": style_file, "/page/{path:path}": file}.items():
        routes.add_api_route(path, endpoint, methods=["GET", "HEAD"])
    return routes


def style_sheet() -> bytes:
    """All style sheets in one response, because a browser renders nothing before it has them all."""
    return b"\n".join(path.read_bytes() for path in sorted((FOLDER / "style").glob("*.css")))
