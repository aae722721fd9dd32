"""The images of docs/en/reference/review.md: opens the review page with the example notes and saves screenshots.

    python scripts/review_screenshots.py

Needs the extra `service`, the group `dev` and Chromium (`chromium`, or the path in NADIE_CHROMIUM).
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "benchmarks"))
from review_browser import review_page  # noqa: E402

IMAGES = ROOT / "docs" / "images"
COLOURS = 256


def save(page: Page, name: str) -> None:
    """A screenshot with few colours, which has a third of the size and no visible difference."""
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)
    print(f"{name}.png: {(IMAGES / f'{name}.png').stat().st_size // 1024} kB")


def go_through(page: Page) -> None:
    files = sorted((ROOT / "examples").glob("*.txt"))
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
    page.keyboard.press("Enter")  # doubts remain
    page.wait_for_selector(".entry-state.reviewed")
    page.wait_for_timeout(4000)
    page.focus("#text")
    save(page, "review")
    page.keyboard.press("t")
    save(page, "review-type")
    page.keyboard.press("Escape")
    page.focus("#text")
    page.keyboard.press(".")
    save(page, "review-hints")
    page.keyboard.press("Escape")
    page.click("#tab-values")
    page.locator(".value").first.click()
    save(page, "review-values")
    page.click("#tab-preview")
    page.click("#patient")
    save(page, "review-patient")
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
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="light")
    page.locator("#text .mark").first.click()
    save(page, "review-phone")


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        project = str(Path(folder) / "informes-2024")
        with review_page("--project", project, flags=("--font-render-hinting=none",)) as (page, _):
            go_through(page)


if __name__ == "__main__":
    main()
