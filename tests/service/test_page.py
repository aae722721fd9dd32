"""The review page in a real browser, without a project: the journey of a privacy officer, by mouse and by keyboard."""

from __future__ import annotations

from pathlib import Path

import pytest

from .browsing import Tab
from .conftest import NOTE, SECOND, Server, StartServer


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def test_the_least_certain_comes_first(tab: Tab) -> None:
    tab.add(nota=NOTE)
    seen = []
    for _ in range(4):
        tab.page.click("button.doubt")
        seen.append(tab.selected())
    assert seen == ["Inés Montoya", "Cuenca", "Hospital Santa Marta", "Inés Montoya"]


def test_confirming_goes_on_to_the_next_doubt_until_none_is_left(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.page.focus("#text")
    tab.press("d", "a", "a", "a")
    assert tab.page.inner_text("button.doubt").strip() == "sin dudas"
    assert ("Inés Montoya", "sanitario ✓") in tab.marks()
    assert "sin dudas" in tab.page.inner_text("button.entry")


def test_a_type_is_changed_and_a_mark_removed(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.mark("Cuenca").click()
    tab.pick("país")
    assert ("Cuenca", "país ✓") in tab.marks()
    tab.page.click("button.danger:visible")
    assert "Cuenca" not in tab.words()
    tab.press("Control+z")
    assert ("Cuenca", "país ✓") in tab.marks()
    tab.press("Control+z")
    assert ("Cuenca", "territorio ? 61 %") in tab.marks()
    tab.press("Control+y", "Control+y")
    assert "Cuenca" not in tab.words()


def test_text_is_selected_with_the_mouse_and_added(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.drag_over("Informe")
    assert tab.selected() == "Informe"
    tab.pick("otro dato")
    assert ("Informe", "otro dato ✓") in tab.marks()
    tab.wait_for_preview("[OTROS_SUJETO_ASISTENCIA] firmado")


def test_a_new_mark_over_an_old_one_uncovers_nothing(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.drag_over("Prado")
    tab.pick("familiares")
    assert tab.words()[:3] == ["Lucía ", "Prado", " Ferrer"]


def test_borders_move_by_button_key_and_drag(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.mark("Hospital Santa Marta").click()
    tab.page.evaluate("() => { performance.now = () => 0; }")  # moves are one step if little time is between them
    tab.press("k")
    assert tab.selected() == "Hospital Santa"
    tab.press("Shift+l", "Shift+l")
    assert tab.selected() == "Hospital Santa M"
    tab.page.click("button[data-t-label=startForward]")
    assert tab.selected() == "Santa M"
    tab.press("Control+z")
    assert tab.selected() == "Hospital Santa Marta", "many small moves are one step"
    handle = tab.page.locator(".handle.at-end").bounding_box()
    goal = tab.page.evaluate(
        """() => {
          const words = document.querySelector('.mark.selected .words').firstChild;
          const range = document.createRange();
          range.setStart(words, 8); range.setEnd(words, 8);
          const box = range.getBoundingClientRect();
          return { x: box.left, y: box.top + box.height / 2 };
        }"""
    )
    tab.page.mouse.move(handle["x"] + 11, handle["y"] + 8)
    tab.page.mouse.down()
    tab.page.mouse.move(goal["x"], goal["y"] + 2, steps=5)
    tab.page.mouse.up()
    assert tab.selected() == "Hospital"


def test_the_same_words_in_this_document_and_in_all(tab: Tab) -> None:
    tab.add(una=SECOND, otra=SECOND, tercera="OSUNA, Osunas")
    tab.open("una")
    tab.drag_over("Osuna")
    tab.page.click("button[data-scope=document]")
    assert tab.page.inner_text("button[data-scope=document]") == "en este documento (2)"
    tab.pick("personal")
    assert tab.words().count("Osuna") == 2
    tab.press("Control+z")
    assert tab.words().count("Osuna") == 0
    tab.drag_over("Osuna")
    tab.page.click("button[data-scope=all]")
    tab.pick("personal")
    tab.page.wait_for_selector("text=Esto cambia 3 documentos")
    tab.press("Enter")
    tab.page.wait_for_selector("text=Cambiado en 3 documentos")
    tab.open("tercera")
    assert tab.words() == ["OSUNA"]
    tab.press("Control+z")
    tab.page.wait_for_function("() => document.querySelectorAll('#text .mark').length === 0")
    tab.open("otra")
    assert "Osuna" not in tab.words()
    tab.mark("Inés Montoya").click()
    tab.page.click("button[data-scope=all]")
    tab.page.click("button.danger:visible")
    tab.page.wait_for_selector("text=Esto cambia 2 documentos")
    tab.press("Enter")
    tab.page.wait_for_selector("text=Cambiado en 1 documento")
    tab.open("una")
    assert "Inés Montoya" not in tab.words()


def test_the_anonymized_text_follows_the_policy_and_every_change(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.wait_for_preview("Paciente: [NOMBRE_SUJETO_ASISTENCIA], [EDAD_SUJETO_ASISTENCIA]")
    tab.page.select_option("#policy", "research")
    tab.page.wait_for_function("() => !document.querySelector('#preview-text').textContent.includes('[NOMBRE')")
    assert "Lucía" not in tab.preview()
    tab.mark("54 años").click()
    tab.page.wait_for_selector("#preview-text .replacement.selected")
    tab.page.locator("#preview-text .replacement", has_text="Hospital").first.click()
    assert tab.selected() == "Hospital Santa Marta"


def test_a_name_that_is_said_again_is_marked_like_the_first(tab: Tab) -> None:
    tab.add(nota="Paciente: Lucía Prado.\nlucía prado vuelve mañana.\n")
    tab.wait_for_preview("[NOMBRE_SUJETO_ASISTENCIA] vuelve")
    assert tab.words() == ["Lucía Prado", "lucía prado"]
    tab.page.locator("#preview-text .replacement").last.click()
    assert tab.selected() == "lucía prado"


def test_the_whole_journey_by_keyboard_alone(tab: Tab, tmp_path: Path) -> None:
    page = tab.page
    tab.add(una=NOTE, otra=SECOND)
    page.focus(".skip")
    tab.press("Enter")
    page.wait_for_function("() => location.hash === '#text'")
    page.focus("#text")
    tab.press("n")
    assert tab.selected() == "Lucía Prado Ferrer"
    assert page.evaluate("document.activeElement.classList.contains('mark')")
    tab.press("n", "n", "p")
    assert tab.selected() == "54 años"
    tab.press("Escape", "ArrowRight")
    assert tab.selected() == "Paciente"
    tab.press("ArrowRight", "ArrowRight")
    assert tab.selected() == "Lucía Prado Ferrer", "a mark is one stop"
    tab.press("Escape", *["ArrowRight"] * 11, "Shift+ArrowRight")
    assert tab.selected() == "Ingresa el"
    tab.press("Enter")
    page.keyboard.type("profes")
    tab.press("Enter")
    assert ("Ingresa el", "profesión ✓") in tab.marks()
    assert page.evaluate("document.activeElement.closest('#text') !== null")
    tab.press("Delete")
    assert "Ingresa el" not in tab.words()
    tab.review()
    page.wait_for_selector("text=Revisado: una.txt")
    assert page.inner_text("#document-name") == "otra.txt"
    tab.press("Alt+ArrowUp")
    page.wait_for_function("() => document.querySelector('#document-name').textContent === 'una.txt'")
    tab.press("?")
    page.wait_for_selector("dialog[open]")
    page.set_viewport_size({"width": 1440, "height": 500})
    assert page.evaluate("document.querySelector('dialog').scrollTop") == 0, "the help is read from its beginning"
    tab.press("Escape")
    page.wait_for_selector("dialog", state="detached")


def test_arrows_go_up_and_down_between_lines(tab: Tab) -> None:
    tab.add(nota="uno dos tres\n\ncuatro cinco seis\nsiete")
    tab.page.focus("#text")
    tab.press("ArrowRight", "ArrowRight", "ArrowDown")
    assert tab.selected() in ("cuatro", "cinco")
    tab.press("ArrowDown")
    assert tab.selected() == "siete"
    tab.press("ArrowUp", "ArrowUp")
    assert tab.selected() in ("uno", "dos")
    tab.press("Shift+ArrowRight", "Shift+ArrowRight", "Shift+ArrowLeft")
    assert tab.selected() in ("uno dos", "dos tres")


def test_tab_reaches_every_control_in_order(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.mark("Cuenca").click()
    tab.page.focus(".skip")
    reached = []
    for _ in range(40):
        tab.press("Tab")
        reached.append(tab.page.evaluate("document.activeElement.id || document.activeElement.className"))
    for name in (
        "toggle-documents",
        "language",
        "help",
        "add-files",
        "paste",
        "export",
        "text",
        "policy",
        "type-input",
    ):
        assert name in reached
    assert reached.index("text") < reached.index("type-input")


def test_english_at_a_switch_and_kept(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.page.click("#language")
    assert tab.page.inner_text("button.doubt").startswith("Next doubtful")
    assert ("Lucía Prado Ferrer", "patient") in tab.marks()
    assert tab.page.evaluate("document.documentElement.lang") == "en"
    tab.page.reload()
    tab.page.wait_for_selector("text=Drop your notes here")


def test_threshold_and_tags_change_what_is_shown(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.page.click("button[data-t-label=view]")
    tab.page.fill("#threshold", "0.99")
    assert ("54 años", "edad ? 98 %") in tab.marks()
    tab.page.wait_for_selector("button.entry:has-text('6 dudosos')")
    tab.page.select_option("#view-panel select", "none")
    assert ("Lucía Prado Ferrer", "") in tab.marks()
    tab.press("Escape")
    assert tab.page.locator("#view-panel").is_hidden()
