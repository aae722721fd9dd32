"""A real HTTP server on localhost that serves one file, and can be configured to misbehave."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class Behaviour:
    """What is served, and how."""

    content: bytes
    ranges: bool = True
    cuts: list[int] = field(default_factory=list)
    """For each of the first answers, after how many bytes of its body the connection is cut."""
    statuses: list[int] = field(default_factory=list)
    """For each of the first answers, an error to give instead."""
    redirect: str = ""
    length: str | None = None
    """A Content-Length that is not true."""
    asked: list[str | None] = field(default_factory=list)
    """The Range of every request so far."""


@contextmanager
def serving(behaviour: Behaviour) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            answer(self, behaviour)

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/corpus.zip"
        finally:
            server.shutdown()
            thread.join()


def answer(handler: BaseHTTPRequestHandler, behaviour: Behaviour) -> None:
    asked = handler.headers.get("Range")
    behaviour.asked.append(asked)
    if behaviour.redirect:
        handler.send_response(302)
        handler.send_header("Location", behaviour.redirect)
        handler.end_headers()
        return
    if behaviour.statuses:
        handler.send_error(behaviour.statuses.pop(0))
        return
    start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and behaviour.ranges else 0
    size = len(behaviour.content)
    if start >= size > 0:
        handler.send_response(416)
        handler.send_header("Content-Range", f"bytes */{size}")
        handler.end_headers()
        return
    body = behaviour.content[start:]
    handler.send_response(206 if start else 200)
    handler.send_header("Content-Length", behaviour.length or str(len(body)))
    if start:
        handler.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
    handler.end_headers()
    handler.wfile.write(body[: behaviour.cuts.pop(0)] if behaviour.cuts else body)
