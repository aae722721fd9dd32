"""Fast annotation: keys that work at once, a key for each label, borders at words, and a list to search."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import PATIENCE, Tab
from .conftest import NOTE, SECOND, Server, StartServer


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def test_keys_work_as_soon_as_a_document_is_open(tab: Tab) -> None:
    tab.add(una=NOTE, otra=SECOND)
    tab.open("otra")
    tab.press("n")
    assert tab.selected() == "Berta Solís"
    tab.press("Alt+ArrowUp")
    tab.wait_until_open("una.txt")
    tab.press("n")
    assert tab.selected() == "Lucía Prado Ferrer"


def test_a_key_labels_what_is_selected(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.mark("Cuenca").click()
    tab.press("y")
    assert ("Cuenca", "país ✓") in tab.marks()
    tab.drag_over("Informe")
    tab.press("Shift+V")
    assert ("Informe", "dispositivo ✓") in tab.marks()
    tab.press("t")
    shown = tab.page.locator("#type-PAIS kbd").inner_text()
    assert shown == "Y", "the key stands beside the label"


def test_a_key_reaches_all_mentions(tab: Tab) -> None:
    tab.add(una=SECOND, otra=SECOND)
    tab.open("una")
    tab.drag_over("Osuna")
    tab.press("s", "2")
    assert tab.words().count("Osuna") == 2
    tab.press("Control+z")
    tab.drag_over("Osuna")
    tab.press("s", "s", "2")
    tab.page.wait_for_selector("text=Esto cambia 2 documentos")
    tab.press("Enter")
    tab.page.wait_for_selector("text=Cambiado en 2 documentos")


@pytest.mark.parametrize(("modifier", "kept"), [(None, "Informe firmado"), ("Alt", "nforme firma")])
def test_a_selection_ends_at_words_unless_alt_is_held(tab: Tab, modifier: str | None, kept: str) -> None:
    tab.add(nota=NOTE)
    if modifier:
        tab.page.keyboard.down(modifier)
    tab.drag_over("nforme firma")
    if modifier:
        tab.page.keyboard.up(modifier)
    assert tab.selected() == kept


def test_reviewed_asks_where_doubts_remain(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.press("Control+Enter")
    assert "3 datos dudosos" in tab.page.inner_text("dialog")
    tab.press("Escape")
    assert tab.page.inner_text("#progress-text") == "0 de 1 revisados"
    tab.press("d", "a", "a", "a", "Control+Enter")
    tab.page.wait_for_selector("text=1 de 1 revisados")


def test_documents_are_searched_and_sorted(tab: Tab) -> None:
    tab.add(**{"nota 10": "54 años", "nota 9": NOTE, "Álvaro": SECOND})

    def names() -> Any:
        return tab.page.locator("button.entry .entry-name").all_text_contents()

    tab.page.select_option("#sort-documents", "name")
    assert names() == ["Álvaro.txt", "nota 9.txt", "nota 10.txt"]
    tab.page.select_option("#sort-documents", "doubtful")
    assert names()[0] == "nota 9.txt"
    tab.page.fill("#search-documents", "alva")
    assert names() == ["Álvaro.txt"]


def test_a_browser_in_english_starts_in_english(browser: Any, server: Server) -> None:
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto(server.url)
    page.wait_for_selector("text=Drop your notes here")
    page.wait_for_selector("#main:not([aria-busy])")
    page.click("#help")
    page.wait_for_selector("dialog[open] kbd")
    keys = page.locator("dialog kbd").all_inner_texts()
    assert "Del" in keys
    assert "Supr" not in keys
    context.close()


def test_letters_lead_to_every_span_and_word_in_sight(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.press(".")
    hints = tab.page.locator(".hints kbd").all_inner_texts()
    assert len(hints) == 20, "seven spans and thirteen words"
    assert not any(other != hint and other.startswith(hint) for hint in hints for other in hints)
    tab.press("a")
    assert tab.selected() == "Paciente", "no other key leads to words that look like names"
    assert tab.page.locator(".hints").count() == 0
    tab.mark("Cuenca").click()
    tab.press(".", "a")
    assert tab.selected() == "Ingresa", "the nearest of them"
    tab.press(":")
    tab.page.keyboard.type(tab.page.locator(".hints kbd").last.inner_text())
    extended = tab.selected()
    assert "Ingresa" in extended, "extended up to another word"
    assert extended != "Ingresa"
    tab.press(".", "Escape")
    assert tab.page.locator(".hints").count() == 0


def test_a_selection_grows_from_where_it_is(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.press("ArrowRight", "Shift+ArrowRight")
    assert tab.selected() == "Paciente:"
    tab.mark("Cuenca").click()
    tab.press("Shift+ArrowRight", "Shift+ArrowRight")
    assert tab.selected() == "Cuenca. Ingresa"
