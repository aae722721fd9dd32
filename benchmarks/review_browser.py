"""The review page in Chromium, with a service started for it."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Page, Route, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
_TIMEOUT = 900_000
_MODULES = re.compile(r"/page/(?:core|views|strings)/\w+\.js$")


@contextmanager
def review_page(*options: str, tree: Path = ROOT, flags: tuple[str, ...] = ()) -> Iterator[tuple[Page, int]]:
    """The loaded page of `nadie serve` with these options, from a checkout; and the id of its process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "nadie", "serve", "--port", str(port), *options]
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment, cwd=tree)
    try:
        _wait_for(port)
        with sync_playwright() as playwright:
            path = os.environ.get("NADIE_CHROMIUM") or shutil.which("chromium")
            browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])
            page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="es-ES")
            page.set_default_timeout(_TIMEOUT)
            page.route(_MODULES, partial(_fulfil, tree / "src" / "nadie" / "service"))
            page.goto(f"http://127.0.0.1:{port}")
            page.wait_for_function("() => document.querySelector('#policy').options.length > 0")
            yield page, process.pid
            browser.close()
    finally:
        process.terminate()
        process.wait()


def _fulfil(folder: Path, route: Route) -> None:
    """Serve a module of the page, which the service has only in a bundle, so that annotator.js can import it."""
    path = folder / urlsplit(route.request.url).path.removeprefix("/")
    if path.exists():
        route.fulfill(path=path, content_type="text/javascript")
    else:
        route.fulfill(status=404)


def _wait_for(port: int) -> None:
    for _ in range(2400):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the service does not start")
