"""A scanned page on the review page: boxes are drawn, moved and removed, and the export paints what was reviewed."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from .browsing import LISTED, Slow, Tab

NOTE = (
    "Paciente: Remedios Iturralde Pacheco",
    "Ingresa por neumonía adquirida en la comunidad.",
    "Se pauta amoxicilina 1 g cada 8 horas.",
    "Fdo.: Dr. Baltasar Quiroga Menchaca",
)
SIZE = 1000, 420
STAMP = 800


def scan() -> bytes:
    """Four lines and a stamp."""
    image = Image.new("L", SIZE, 255)
    ImageDraw.Draw(image).ellipse((STAMP, 260, STAMP + 120, 380), outline=0, width=9)
    for n, line in enumerate(NOTE):
        ImageDraw.Draw(image).text((60, 60 + 70 * n), line, fill=0, font=ImageFont.load_default(30))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def choose_scan(tab: Tab) -> None:
    tab.page.set_input_files("#file-input", [{"name": "hoja.png", "mimeType": "image/png", "buffer": scan()}])


def add_scan(tab: Tab) -> None:
    choose_scan(tab)
    tab.page.wait_for_selector("#editor:not([hidden])")


def dragged(tab: Tab, begin: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag between two points, in pixels of the scan."""
    box = tab.settled(tab.page.locator(".scan-page").bounding_box)
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


def shown(tab: Tab) -> None:
    tab.page.click("#show-scan")
    tab.page.wait_for_selector(".scan-box.mark")
    tab.page.wait_for_function("() => document.querySelector('.scan-page canvas').width === 1000")


def with_stored_boxes(tab: Tab, do: Callable[[], None]) -> None:
    """Do something, and wait until the boxes are stored, if they are."""
    if not tab.page.evaluate("async () => (await (await fetch('/v1/project')).json()).open"):
        do()
        return
    with tab.page.expect_response(lambda answer: answer.url.endswith("/boxes") and answer.request.method == "PUT"):
        do()


def test_boxes_are_added_moved_and_removed(empty: Tab, tmp_path: Path) -> None:
    tab = empty
    add_scan(tab)
    assert any("Iturralde" in words for words in tab.words())
    shown(tab)
    with_stored_boxes(tab, lambda: dragged(tab, (60, 200), (300, 240)))  # over `Se pauta`
    assert tab.page.locator(".scan-box.own").count() == 1
    with_stored_boxes(tab, lambda: dragged(tab, (100, 220), (100, 150)))  # to the line above
    pixels = exported(tab, tmp_path)
    assert is_painted(pixels, 70, 135, 290, 165)  # where the box was moved to
    assert not is_painted(pixels, 70, 205, 290, 235)  # where it was
    assert is_painted(pixels, 220, 70, 500, 85)  # the name of the patient
    assert is_painted(pixels, STAMP + 5, 265, STAMP + 115, 375)
    shown(tab)
    others = tab.page.locator(".scan-box:not(.mark)")
    while others.count():
        with_stored_boxes(tab, lambda: others.first.press("Delete"))
    for box in tab.page.locator(".scan-box").all()[::-1]:
        box.focus()
        box.press("Delete")
    assert tab.page.locator(".scan-box").count() == 0
    assert not any("Iturralde" in words for words in tab.words())  # the mark is gone from the text, too
    pixels = exported(tab, tmp_path)
    assert not is_painted(pixels, 70, 135, 290, 165)
    assert not is_painted(pixels, 220, 70, 500, 85)
    assert not is_painted(pixels, STAMP + 5, 265, STAMP + 115, 375)


def test_boxes_of_a_project_stay_and_are_those_of_everybody(tab: Tab, browser: Any, tmp_path: Path) -> None:
    tab.clear()
    add_scan(tab)
    shown(tab)
    other = Tab(browser, tab.url).go()
    shown(other)
    with_stored_boxes(tab, lambda: dragged(tab, (60, 200), (300, 240)))
    with_stored_boxes(other, lambda: dragged(other, (60, 130), (300, 160)))  # based on what is no longer true
    other.page.wait_for_selector(".toast.bad:has-text('Otra persona')")
    assert other.page.locator(".scan-box.own").count() == 0
    other.go()
    shown(other)
    assert other.page.locator(".scan-box.own").count() == 1
    pixels = exported(other, tmp_path)
    other.close()
    assert is_painted(pixels, 70, 205, 290, 235)
    assert not is_painted(pixels, 70, 135, 290, 155)


def test_other_boxes_of_a_reviewed_document_are_to_be_reviewed(empty: Tab) -> None:
    add_scan(empty)
    empty.press("Control+Shift+Enter")
    empty.wait_for_state("hoja", "revisado")
    shown(empty)
    with_stored_boxes(empty, lambda: dragged(empty, (60, 200), (300, 240)))
    empty.page.wait_for_selector(".toast:has-text('«hoja.png» ha cambiado')")
    empty.wait_for_state("hoja", "por revisar")
    empty.press("Escape")
    empty.press("Control+Shift+Enter")
    empty.wait_for_state("hoja", "revisado")


def test_pages_that_come_late_are_not_shown_over_another_document(empty: Tab) -> None:
    add_scan(empty)
    empty.add(otra="Ingresa Remedios Iturralde.")
    slow = Slow(empty, "**/pages")
    empty.page.click("#show-scan")
    slow.wait()
    empty.open("otra")
    with empty.page.expect_response("**/pages"):
        slow.answer_all()
    empty.page.wait_for_selector("#show-scan:not([aria-busy])", state="attached")
    assert not empty.page.locator("dialog").count()


def test_boxes_drawn_before_the_list_tells_of_the_file_are_stored_and_painted(tab: Tab, tmp_path: Path) -> None:
    tab.clear()
    slow = Slow(tab, "**/v1/project/files")
    choose_scan(tab)
    slow.wait()
    tab.page.wait_for_selector("button.entry")  # the document is listed, its file is not stored yet
    tab.hear_nothing()
    slow.answer_all()
    tab.page.wait_for_selector("#editor:not([hidden])")
    shown(tab)
    with_stored_boxes(tab, lambda: dragged(tab, (60, 200), (300, 240)))
    tab.page.unroute(LISTED)
    assert is_painted(exported(tab, tmp_path), 70, 205, 290, 235)


def test_page_without_scan_has_no_button(tab: Tab) -> None:
    tab.clear()
    tab.add(nota="Ingresa Remedios Iturralde.")
    assert not tab.page.locator("#show-scan").is_visible()
