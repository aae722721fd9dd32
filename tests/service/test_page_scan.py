"""A scanned page on the review page: boxes are drawn, moved and removed, and the export paints what was reviewed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from .browsing import Tab
from .conftest import Server, StartServer

NOTE = (
    "Paciente: Remedios Iturralde Pacheco",
    "Ingresa por neumonía adquirida en la comunidad.",
    "Se pauta amoxicilina 1 g cada 8 horas.",
    "Fdo.: Dr. Baltasar Quiroga Menchaca",
)
SIZE = 1000, 420


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def scan() -> bytes:
    image = Image.new("L", SIZE, 255)
    for n, line in enumerate(NOTE):
        ImageDraw.Draw(image).text((60, 60 + 70 * n), line, fill=0, font=ImageFont.load_default(30))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def dragged(tab: Tab, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag between two points, in pixels of the scan."""
    box = tab.page.locator(".scan-page").bounding_box()
    assert box
    mouse: Any = tab.page.mouse
    points = [(box["x"] + x * box["width"] / SIZE[0], box["y"] + y * box["height"] / SIZE[1]) for x, y in (begin, end)]
    mouse.move(*points[0])
    mouse.down()
    mouse.move(*points[1], steps=4)
    mouse.up()


def exported(tab: Tab, folder: Path) -> np.ndarray[Any, Any]:
    tab.page.click("dialog.scan .end button")
    tab.page.click("#export")
    copy = tab.download("dialog button[type=submit]", folder)
    return np.array(Image.open(copy))


def is_painted(pixels: np.ndarray[Any, Any], left: int, top: int, right: int, bottom: int) -> bool:
    return bool((pixels[top:bottom, left:right] == 0).all())


def test_boxes_are_added_moved_and_removed(tab: Tab, tmp_path: Path) -> None:
    tab.page.set_input_files("#file-input", [{"name": "hoja.png", "mimeType": "image/png", "buffer": scan()}])
    tab.page.wait_for_selector("#editor:not([hidden])")
    assert any("Iturralde" in words for words in tab.words())
    tab.page.click("#show-scan")
    tab.page.wait_for_selector(".scan-box.mark")
    tab.page.wait_for_function("() => document.querySelector('.scan-page canvas').width === 1000")
    dragged(tab, (60, 200), (300, 240))  # over `Se pauta`
    assert tab.page.locator(".scan-box.own").count() == 1
    dragged(tab, (100, 220), (100, 150))  # to the line above
    pixels = exported(tab, tmp_path)
    assert is_painted(pixels, 70, 135, 290, 165)  # where the box was moved to
    assert not is_painted(pixels, 70, 205, 290, 235)  # where it was
    assert is_painted(pixels, 220, 70, 500, 85)  # the name of the patient
    tab.page.click("#show-scan")
    tab.page.wait_for_selector(".scan-box.mark")
    for box in tab.page.locator(".scan-box").all()[::-1]:
        box.focus()
        box.press("Delete")
    assert tab.page.locator(".scan-box").count() == 0
    assert not any("Iturralde" in words for words in tab.words())  # the mark is gone from the text, too
    pixels = exported(tab, tmp_path)
    assert not is_painted(pixels, 70, 135, 290, 165)
    assert not is_painted(pixels, 220, 70, 500, 85)


def test_page_without_scan_has_no_button(tab: Tab) -> None:
    tab.add(**{"nota.txt": "Ingresa Remedios Iturralde."})
    tab.page.wait_for_selector("#editor:not([hidden])")
    assert not tab.page.locator("#show-scan").is_visible()
