"""Small screens, zoom, and accessibility in every state of the page, at every size, in both schemes and languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from .browsing import Tab, violations
from .conftest import NOTE, SECOND, Server

PHONE = (390, 844)
# What a browser makes of a window of 1280 x 1024 at 200 % and at 400 %.
ZOOM_200 = (640, 512)
ZOOM_400 = (320, 256)
SIZES = {"390": PHONE, "1024": (1024, 768), "1440": (1440, 900), "400%": ZOOM_400}


def opened(browser: Any, server: Server, size: tuple[int, int], **options: Any) -> Tab:
    tab = Tab(browser, server.url, **options)
    tab.page.set_viewport_size({"width": size[0], "height": size[1]})
    tab.go()
    tab.clear()
    return tab


def too_wide(tab: Tab) -> int:
    """By how many pixels the page has to be scrolled sideways."""
    wide: int = tab.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wide


def show_documents(tab: Tab) -> None:
    if tab.page.locator("#documents").is_hidden():
        tab.page.click("#toggle-documents")


def states(tab: Tab) -> Iterator[str]:
    """Bring the page into each of its states; what is open is closed again before the next."""
    page = tab.page
    yield "empty"
    tab.add(una=NOTE, otra=SECOND)
    rar = {"name": "r.txt", "mimeType": "text/plain", "buffer": b"Rar!\x1a\x07\x01\x00 x"}
    page.set_input_files("#file-input", [rar])
    page.wait_for_selector(".failure", state="attached")
    show_documents(tab)
    yield "list with a failure"
    tab.open("una")
    tab.wait_for_preview("[FECHAS]")
    yield "document"
    tab.mark("Cuenca").click()
    yield "selected span"
    tab.press("t")
    yield "labels"
    tab.press("Escape", "/")
    page.keyboard.type("a")
    yield "search"
    tab.press("Escape")
    page.click("#tab-values")
    page.locator(".value").first.click()
    page.select_option("#values-label", "FECHAS")
    page.locator(".value").first.wait_for()
    yield "values with a filter"
    page.click(".chip")
    page.click("#tab-comments")
    page.fill("#comment-text", "¿Seguro?")
    page.click("#comment-form button")
    page.wait_for_selector(".comments li")
    yield "comments"
    page.click("#tab-preview")
    page.click("button[data-t-label=view]")
    yield "view"
    tab.press("Escape")
    yield from dialogs(tab)


def dialogs(tab: Tab) -> Iterator[str]:
    page = tab.page

    def from_list(selector: str) -> Callable[[], None]:
        def click() -> None:
            show_documents(tab)
            page.click(selector)

        return click

    tab.mark("Cuenca").click()
    asked: dict[str, Callable[[], None]] = {
        "help": lambda: page.click("#help"),
        "patient": lambda: page.click("#patient"),
        "replacement": lambda: tab.press("="),
        "export": from_list("#export"),
        "paste": from_list("#paste"),
        "delete": from_list("li:has-text('otra.txt') .entry-delete"),
        "doubts": lambda: tab.press("Control+Enter"),
    }
    for name, ask in asked.items():
        if name == "replacement":
            tab.mark("Cuenca").click()
        ask()
        page.wait_for_selector("dialog[open]")
        yield name
        tab.press("Escape")
        page.wait_for_selector("dialog", state="detached")
        if name in ("export", "paste", "delete") and page.viewport_size["width"] <= 1100:
            tab.press("Escape")


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [
        *(("390", "light", "es"), ("390", "dark", "en"), ("1024", "light", "en"), ("1024", "dark", "es")),
        *(("1440", "light", "es"), ("1440", "dark", "en"), ("400%", "light", "en"), ("400%", "dark", "es")),
    ],
)
def test_no_violation_in_any_state(browser: Any, server: Server, size: str, scheme: str, language: str) -> None:
    tab = opened(browser, server, SIZES[size], color_scheme=scheme)
    if language == "en":
        tab.page.click("#language")
    found = {}
    for state in states(tab):
        wide = [f"{too_wide(tab)} px too wide"] if too_wide(tab) > 0 else []
        if problems := violations(tab) + wide:
            found[state] = problems
    tab.close()
    assert found == {}


@pytest.mark.parametrize("size", [PHONE, ZOOM_200, ZOOM_400], ids=["390px", "200%", "400%"])
def test_a_document_is_corrected_and_exported_on_a_small_screen(
    browser: Any, server: Server, size: tuple[int, int], tmp_path: Path
) -> None:
    tab = opened(browser, server, size, has_touch=True)
    box = tab.page.locator("#empty-choose").bounding_box()
    assert box is not None
    tab.page.locator("#empty-choose").scroll_into_view_if_needed()
    with tab.page.expect_file_chooser():
        tab.page.tap("#empty-choose")  # nothing lies over it
    tab.add(una=NOTE, otra=SECOND)
    assert tab.page.locator("#documents").is_hidden(), "the list makes room"
    tab.mark("Cuenca").tap()
    tab.page.tap("button.danger:visible")
    assert "Cuenca" not in tab.words()
    assert too_wide(tab) <= 0
    tab.page.tap("#toggle-documents")
    tab.page.tap("#export")
    tab.page.tap("dialog input[value=this]")
    path = tab.download("dialog button[type=submit]", tmp_path)
    assert "natural de Cuenca" in path.read_text(encoding="utf-8")
    tab.close()


def test_the_list_closes_by_escape_and_by_a_tap_beside_it(browser: Any, server: Server) -> None:
    tab = opened(browser, server, PHONE, has_touch=True)
    tab.add(una=NOTE)
    tab.page.tap("#toggle-documents")
    assert tab.page.locator("#documents").is_visible()
    tab.press("Escape")
    assert tab.page.locator("#documents").is_hidden()
    assert tab.page.evaluate("document.activeElement.id") == "toggle-documents"
    tab.page.tap("#toggle-documents")
    tab.page.touchscreen.tap(380, 500)
    assert tab.page.locator("#documents").is_hidden()
    tab.close()


def test_what_a_key_selects_is_brought_into_sight_on_a_phone(browser: Any, server: Server) -> None:
    tab = opened(browser, server, PHONE)
    tab.add(nota=NOTE + "Sin novedad.\n" * 80 + "Fin del informe de Osuna.\n")
    tab.press("/")
    tab.page.keyboard.type("osuna")
    inside = """() => {
      const [range] = CSS.highlights.get('found');
      const { top, bottom } = range.getBoundingClientRect();
      return top >= 0 && bottom <= document.querySelector('#inspector').getBoundingClientRect().top;
    }"""
    tab.page.wait_for_function(inside)
    tab.close()
