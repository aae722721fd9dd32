"""The review page in a real browser, without a project: the journey of a privacy officer, by mouse and by keyboard."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .browsing import Tab, started_chromium
from .conftest import NOTE, Server, StartServer

SECOND = "Paciente: Berta Solís, 41 años.\nHabla con Osuna. La Dra. Inés Montoya firma; Osuna asiente.\n"
HOSTILE = '<img src=x onerror=alert(1)> Paciente: Ana Ruiz </script><b>54 años</b> &amp; "comillas"\n'


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started_chromium() as running:
        yield running


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


@pytest.fixture
def tab(browser: Any, server: Server) -> Iterator[Tab]:
    opened = Tab(browser, server.url).go()
    yield opened
    opened.close()


def test_files_are_listed_with_what_was_found_in_them(tab: Tab) -> None:
    assert tab.page.locator("#empty").is_visible()
    tab.add(primera=NOTE, segunda=SECOND)
    rows = [row.split("\n") for row in tab.page.locator("button.entry").all_inner_texts()]
    assert [row[0] for row in rows] == ["primera.txt", "segunda.txt"]
    assert rows[0][1].startswith("7 datos · 3 dudosos")
    assert tab.page.inner_text("#progress-text") == "0 de 2 revisados"
    assert tab.text() == NOTE
    assert ("Lucía Prado Ferrer", "paciente") in tab.marks()
    assert ("Hospital Santa Marta", "hospital ? 72 %") in tab.marks()


def test_many_files_come_in_the_order_they_were_given(tab: Tab) -> None:
    names = [f"nota-{number:02d}" for number in range(60)]
    tab.add(**dict.fromkeys(names, NOTE))
    shown = tab.page.locator(".entry-name").all_text_contents()
    assert shown == [f"{name}.txt" for name in names]
    tab.page.click("button[data-filter=reviewed]")
    assert tab.page.locator("button.entry").count() == 0
    tab.page.click("button[data-filter=todo]")
    assert tab.page.locator("button.entry").count() == 60


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


def test_words_that_are_replaced_without_a_mark_can_become_one(tab: Tab) -> None:
    tab.add(nota="Paciente: Lucía Prado.\nlucía prado vuelve mañana.\n")
    tab.wait_for_preview("[NOMBRE_SUJETO_ASISTENCIA] vuelve")
    assert tab.words() == ["Lucía Prado"]
    tab.page.locator("#preview-text .replacement").last.click()
    assert tab.selected() == "lucía prado"
    tab.page.click("#inspector button.primary")
    assert tab.words() == ["Lucía Prado", "lucía prado"]


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
    tab.press("Control+Enter")
    page.wait_for_selector("text=Revisado: una.txt")
    assert page.inner_text("#document-name") == "otra.txt"
    tab.press("Alt+ArrowUp")
    page.wait_for_function("() => document.querySelector('#document-name').textContent === 'una.txt'")
    tab.press("?")
    page.wait_for_selector("dialog[open]")
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


def test_emoji_and_combining_marks_keep_their_offsets(tab: Tab, tmp_path: Path) -> None:
    text = "👩‍⚕️😀 Paciente: Lucía Prado, 54 años 🏥 firma Jose\u0301 Ruiz 😀.\n"
    tab.add(emoji=text)
    assert tab.words() == ["Lucía Prado", "54 años"]
    tab.drag_over("Jose\u0301 Ruiz")
    tab.pick("personal")
    tab.press("Shift+k", "Shift+l")
    tab.page.click("#export")
    tab.page.uncheck("input[value=anonymized]")
    tab.page.check("input[value=jsonl]")
    line = json.loads(tab.download("dialog button[type=submit]", tmp_path).read_text(encoding="utf-8"))
    assert line["text"] == text
    assert [text[span["start"] : span["end"]] for span in line["spans"]] == [
        "Lucía Prado",
        "54 años",
        "Jose\u0301 Ruiz",
    ]


def test_what_is_in_a_document_never_becomes_markup(tab: Tab) -> None:
    tab.add(**{'<b onclick="alert(1)">': HOSTILE})
    assert tab.text() == HOSTILE
    assert "Ana Ruiz" in tab.words()
    assert tab.page.locator("#text img, #text b, #preview-text img, .entry-name b").count() == 0
    tab.wait_for_preview("<img src=x onerror=alert(1)>")


def test_line_ends_tabs_and_odd_spaces_come_back_as_they_were(tab: Tab, tmp_path: Path) -> None:
    text = "\ufeffPaciente: Ana Ruiz\r\n\r\n\tIngresa\u00a0el 03/01/2024\u2028fin\x0b.\r\n"
    tab.add(nota=text)
    tab.page.click("#export")
    tab.page.check("input[value=brat]")
    archive = zipfile.ZipFile(tab.download("dialog button[type=submit]", tmp_path))
    assert archive.read("con-datos-personales/brat/nota.txt").decode() == text
    expected = text.replace("Ana Ruiz", "[NOMBRE_SUJETO_ASISTENCIA]").replace("03/01/2024", "[FECHAS]")
    assert archive.read("anonimizado/0001.txt").decode() == expected


def test_export_of_all_documents_in_one_archive(tab: Tab, tmp_path: Path) -> None:
    tab.add(una=NOTE, otra=SECOND)
    tab.page.click("#export")
    assert tab.page.locator("dialog .warning:visible").count() == 1, "there are documents that nobody reviewed"
    tab.page.check("input[value=brat]")
    assert tab.page.locator("dialog .warning:visible").count() == 2, "brat holds the originals"
    tab.page.check("input[value=jsonl]")
    archive = zipfile.ZipFile(io.BytesIO(tab.download("dialog button[type=submit]", tmp_path).read_bytes()))
    assert len(archive.namelist()) == 7
    anonymized = [name for name in archive.namelist() if name.startswith("anonimizado/")]
    assert not any(b"Montoya" in archive.read(name) for name in anonymized)


def test_the_anonymized_text_alone_is_downloaded(tab: Tab, tmp_path: Path) -> None:
    tab.add(nota=NOTE)
    tab.wait_for_preview("[FECHAS]")
    assert tab.download("#download", tmp_path).read_text(encoding="utf-8") == tab.preview()


def test_a_file_in_another_encoding_is_told_and_can_be_opened(tab: Tab) -> None:
    content = "Paciente: Íñigo Peña, 54 años".encode("cp1252")
    tab.page.set_input_files("#file-input", [{"name": "vieja.txt", "mimeType": "text/plain", "buffer": content}])
    tab.page.click("text=Abrir como Windows-1252")
    tab.page.wait_for_selector("#text .mark")
    assert tab.words() == ["Íñigo Peña", "54 años"]


def test_files_can_be_dropped_with_their_annotations(tab: Tab) -> None:
    drop = """() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['Ingresa hoy.'], 'a.txt', { type: 'text/plain' }));
      transfer.items.add(new File(['T1\\tFECHAS 8 11\\thoy\\n'], 'a.ann'));
      for (const kind of ['dragenter', 'dragover', 'drop'])
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }"""
    tab.page.evaluate(drop)
    tab.page.wait_for_selector("#text .mark")
    assert tab.words() == ["hoy"]
    assert tab.page.locator("#drop").is_hidden()


def test_text_can_be_pasted(tab: Tab) -> None:
    tab.page.click("#paste")
    tab.page.fill("dialog textarea", SECOND)
    tab.page.click("dialog button[type=submit]")
    tab.page.wait_for_selector("#text .mark")
    assert "Berta Solís" in tab.words()


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
    assert "6 dudosos" in tab.page.inner_text("button.entry")
    tab.page.select_option("#view-panel select", "none")
    assert ("Lucía Prado Ferrer", "") in tab.marks()
    tab.press("Escape")
    assert tab.page.locator("#view-panel").is_hidden()


def test_a_document_is_removed_after_a_question(tab: Tab) -> None:
    tab.add(una=NOTE, otra=SECOND)
    tab.page.hover("li:has-text('una.txt')")
    tab.page.click("li:has-text('una.txt') .entry-delete")
    tab.page.click("dialog button[type=submit]")
    tab.page.wait_for_function("() => document.querySelectorAll('button.entry').length === 1")
    assert tab.page.inner_text("#document-name") == "otra.txt"


def test_leaving_with_documents_open_asks_first(browser: Any, server: Server) -> None:
    tab = Tab(browser, server.url).go()
    tab.add(nota=NOTE)
    tab.mark("Cuenca").click()
    with tab.page.expect_event("dialog") as asked:
        tab.page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    tab.close()


def test_an_empty_document_and_one_endless_line(tab: Tab) -> None:
    line = "Paciente: Ana Ruiz " + "palabra " * 4000 + "54 años"
    tab.add(vacia="", larga=line)
    tab.open("larga")
    assert tab.text() == line
    assert tab.words() == ["Ana Ruiz", "54 años"]
    assert tab.page.locator("#text .paragraph > span").count() > 20, "an endless line is rendered in pieces"
    tab.open("vacia")
    assert tab.text() == ""
    tab.page.focus("#text")
    tab.press("n", "d", "ArrowRight", "ArrowDown", "Enter", "Delete")
