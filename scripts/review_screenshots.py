"""The pictures of docs/review.md: goes through the review page with the example notes and saves what it looks like.

    python scripts/review_screenshots.py

Needs the extra `service`, the group `dev` and Chromium (`chromium`, or where NADIE_CHROMIUM says).
"""

from __future__ import annotations

import io
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--font-render-hinting=none",
]
COLOURS = 256


def save(page: Page, name: str) -> None:
    """A screenshot with few colours: a third of the bytes, and nobody sees the difference."""
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)
    print(f"{name}.png: {(IMAGES / f'{name}.png').stat().st_size // 1024} kB")


def serve(project: str) -> tuple[subprocess.Popen[bytes], str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "nadie", "serve", "--port", str(port), "--project", project]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)  # noqa: S603
    for _ in range(1200):
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            break
        except OSError:
            time.sleep(0.1)
    return process, f"http://127.0.0.1:{port}"


def go_through(page: Page) -> None:
    files = sorted((ROOT / "examples").glob("*.txt"))
    page.wait_for_function("() => document.querySelector('#policy').options.length > 0")
    save(page, "review-empty")
    page.set_input_files("#file-input", [str(file) for file in files])
    page.wait_for_function(
        "n => document.querySelectorAll('button.entry').length === n", arg=len(files), timeout=120_000
    )
    page.locator("button.entry").first.click()
    page.wait_for_selector("#preview-text .replacement")
    page.click("button[data-t-label=view]")
    page.fill("#threshold", "0.99")
    page.keyboard.press("Escape")
    page.select_option("#policy", "research")
    page.focus("#text")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".entry-state.reviewed")
    page.wait_for_timeout(4000)
    page.focus("#text")
    page.keyboard.press("d")
    save(page, "review")
    page.keyboard.press("t")
    save(page, "review-type")
    page.keyboard.press("Escape")
    page.click("#export")
    page.check("input[value=brat]")
    save(page, "review-export")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    save(page, "review-help")
    page.keyboard.press("Escape")
    page.click("#language")
    page.set_viewport_size({"width": 820, "height": 1180})
    page.emulate_media(color_scheme="dark")
    page.locator("#text .mark").first.click()
    save(page, "review-tablet-dark")


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    path = os.environ.get("NADIE_CHROMIUM") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, url = serve(str(Path(folder) / "informes-2024"))
        try:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            page = browser.new_page(viewport={"width": 1440, "height": 900}, locale="es-ES")
            page.goto(url)
            go_through(page)
            browser.close()
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    main()
