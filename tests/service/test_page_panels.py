"""Search, values over all documents, filters, comments and replacements by hand, on a project and without one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from nadie.anonymize.engine import Anonymized, Replaced
from nadie.document import Document, Span
from nadie.errors import LeakError
from nadie.service.project.searching import folded
from nadie.service.project.store import open_project
from nadie.service.remarks import with_chosen
from nadie.service.schemas import ChosenBody

from .browsing import Slow, Tab
from .conftest import NOTE, SECOND


def test_words_are_searched_in_the_text_and_a_key_labels_what_was_found(work: Tab) -> None:
    work.press("/")
    work.page.keyboard.type("INFORME FIRMADO")
    assert work.page.inner_text("#search-count") == "1 de 1"
    assert work.selected() == "Informe firmado"
    work.press("Escape", "o")
    assert ("Informe firmado", "otro dato ✓") in work.marks()
    work.press("/")
    work.page.fill("#search-text", "ines")
    work.press("Enter")
    assert work.selected() == "Inés Montoya", "accents do not matter, and a span is selected as a whole"
    work.page.fill("#search-text", "nada de esto")
    assert work.page.inner_text("#search-count") == "0 de 0"


def test_words_are_searched_over_all_documents(work: Tab) -> None:
    work.page.fill("#search-documents", "osuna")
    work.page.wait_for_selector("text=2 veces en el texto")
    assert work.page.locator("button.entry").count() == 1
    work.open("otra")
    work.page.wait_for_function("() => document.querySelector('#search-count').textContent === '1 de 2'")
    assert work.selected() == "Osuna"


def value(tab: Tab, words: str) -> None:
    tab.page.click("#tab-values")
    tab.page.locator(".value", has_text=words).click()


def test_all_mentions_are_confirmed_at_once_over_all_documents(work: Tab) -> None:
    value(work, "Inés Montoya")
    assert "2 × · 2 documentos · 55\xa0%" in work.page.locator(".value", has_text="Inés").inner_text()
    work.page.click("text=Confirmar todos")
    work.page.wait_for_selector("text=Esto cambia 2 documentos")
    work.press("Enter")
    work.page.wait_for_selector(".toast:has-text('Confirmado en 2 documentos')")
    assert ("Inés Montoya", "sanitario ✓") in work.marks()
    work.open("otra")
    assert ("Inés Montoya", "sanitario ✓") in work.marks()
    work.press("Control+z")
    work.page.wait_for_selector(".toast:has-text('Deshecho en 2 documentos')")
    assert not any(tag.endswith("✓") for _, tag in work.marks())


def test_all_mentions_are_changed_and_removed_by_keys(work: Tab) -> None:
    value(work, "Inés Montoya")
    work.press("f")
    work.page.wait_for_selector("text=Esto cambia 2 documentos")
    work.press("Enter")
    work.page.wait_for_selector(".toast:has-text('Cambiado en 2 documentos')")
    assert ("Inés Montoya", "familiares ✓") in work.marks()
    work.page.wait_for_selector(".value:has-text('familiares')")
    work.page.locator(".value", has_text="Inés").focus()
    work.press("Delete")
    work.page.wait_for_selector("text=Esto cambia 2 documentos")
    work.press("Enter")
    work.page.wait_for_selector(".value:has-text('Inés')", state="detached")
    work.open("otra")
    assert "Inés Montoya" not in work.words()


def test_a_chosen_value_is_still_the_chosen_one_where_the_list_changes(tab: Tab, folder: Path) -> None:
    tab.clear()
    tab.add(una=NOTE, otra=SECOND)
    value(tab, "Inés Montoya")
    text = "Cuenca, Cuenca y Cuenca"
    places = [Span(start, start + 6, "TERRITORIO", 0.6) for start in (0, 8, 17)]
    open_project(folder).add("tercera.txt", text, places, model="probe", editor="otra persona")
    tab.page.wait_for_selector("li:first-child > .value:has-text('Cuenca')")  # it is the most frequent now
    assert tab.page.locator(".value[aria-expanded=true] .value-words").all_inner_texts() == ["Inés Montoya"]
    tab.press("Delete")
    tab.page.wait_for_selector("text=Esto cambia 2 documentos")
    tab.press("Enter")
    tab.page.wait_for_selector(".value:has-text('Inés')", state="detached")
    assert tab.page.evaluate("document.activeElement.id") == "values-list", "a key decides on no other value"
    tab.press("ArrowDown")
    assert tab.page.locator(".value[aria-expanded=true] .value-words").all_inner_texts() == ["Cuenca"]


def test_a_value_leads_to_its_places(work: Tab) -> None:
    value(work, "Berta Solís")
    work.page.click("text=Ir al siguiente")
    work.wait_until_open("otra.txt")
    assert work.selected() == "Berta Solís"


def test_spans_are_filtered_by_label_and_by_confidence(work: Tab) -> None:
    work.page.click("#tab-values")
    work.page.select_option("#values-label", "FECHAS")
    assert work.page.locator("#text .mark:not(.dimmed)").all_inner_texts() == ["03/01/2024"]
    work.page.focus("#text")
    work.press("n", "n")
    assert work.selected() == "03/01/2024"
    work.page.wait_for_function("() => document.querySelectorAll('.value').length === 1")
    work.page.click(".chip")
    work.page.select_option("#values-below", "doubtful")
    shown = work.page.locator("#text .mark:not(.dimmed)").all_inner_texts()
    assert shown == ["Cuenca", "Hospital Santa Marta", "Inés Montoya"]
    work.page.wait_for_function("() => document.querySelectorAll('.value').length === 3")


def test_a_document_and_a_place_are_commented(work: Tab, folder: Path) -> None:
    work.mark("Cuenca").click()
    work.press(";")
    work.page.keyboard.type("¿Es Cuenca de Ecuador?")
    work.page.click("#comment-form button")
    work.page.wait_for_selector("text=¿Es Cuenca de Ecuador?")
    assert work.page.inner_text("#tab-comments") == "Comentarios (1)"
    work.page.wait_for_selector("button.entry:has-text('1 comentario')")
    work.press("Escape")
    work.open("otra")
    assert work.page.locator(".comments li").count() == 0
    work.open("una")
    work.page.click(".comment-quote")
    assert work.selected() == "Cuenca"
    work.page.click(".comments [data-comment]")
    work.page.wait_for_selector(".comments li", state="detached")


def test_a_single_replacement_is_written_by_hand(work: Tab, tmp_path: Path) -> None:
    work.mark("Cuenca").click()
    work.press("=")
    work.page.wait_for_function("() => document.querySelector('dialog input').value === '[TERRITORIO]'")
    work.page.fill("dialog input", "una ciudad pequeña")
    work.press("Enter")
    work.wait_for_preview("natural de una ciudad pequeña")
    assert any(words == "Cuenca" and "✎" in tag for words, tag in work.marks())
    work.page.click("#export")
    work.page.check("input[value=this]")
    text = work.download("dialog button[type=submit]", tmp_path).read_text(encoding="utf-8")
    assert "natural de una ciudad pequeña" in text
    work.mark("Cuenca").click()
    work.press("=")
    work.page.fill("dialog input", "cerca de CUENCA")
    work.press("Enter")
    work.page.wait_for_selector(".toast.bad:has-text('seguiría apareciendo en el texto')")
    work.mark("Cuenca").click()
    work.press("=")
    work.page.check("dialog input[type=checkbox]")
    work.page.click("dialog button[type=submit]")
    work.wait_for_preview("natural de [TERRITORIO]")


def test_what_the_policy_gives_does_not_replace_what_is_being_written(work: Tab) -> None:
    slow = Slow(work, "**/{preview,anonymize}")
    work.open("otra")
    work.mark("Berta Solís").click()
    work.press("=")
    assert work.page.input_value("dialog input") == ""
    work.page.keyboard.type("la")
    slow.wait()
    slow.answer_all()
    work.wait_for_preview("[NOMBRE_SUJETO_ASISTENCIA]")
    assert work.page.input_value("dialog input") == "la"


def test_what_was_written_by_hand_is_in_the_export_of_the_project(tab: Tab, folder: Path, tmp_path: Path) -> None:
    tab.clear()
    tab.add(nota=NOTE)
    stored = next(iter(open_project(folder).documents()))
    town = next(span for span in stored.spans if span.label == "TERRITORIO")
    open_project(folder).choose(stored.id, town.start, town.end, "una ciudad", "test")
    tab.page.click("#export")
    text = tab.download("dialog button[type=submit]", tmp_path).read_text(encoding="utf-8")
    assert "natural de una ciudad." in text


def output() -> Anonymized:
    document = Document("a", "Ana Ruiz y Eva", (Span(0, 8, "NOMBRE_SUJETO_ASISTENCIA"), Span(11, 14, "PAIS")))
    replaced = (Replaced(document.spans[0], 0, 1, "label"), Replaced(document.spans[1], 4, 5, "label"))
    return Anonymized(document, "X y Z", replaced)


def test_a_choice_moves_what_follows() -> None:
    changed = with_chosen(output(), [ChosenBody(start=0, end=8, text="la paciente")])
    assert changed.text == "la paciente y Z"
    assert [changed.text[r.start : r.end] for r in changed.replaced] == ["la paciente", "Z"]


def test_a_choice_for_a_span_that_is_gone_counts_for_nothing() -> None:
    assert with_chosen(output(), [ChosenBody(start=0, end=7, text="la paciente")]) == output()


@pytest.mark.parametrize("text", ["Ana Ruiz", "ana  ruíz", "la de ANA RUIZ"])
def test_a_choice_that_tells_an_original_is_refused(text: str) -> None:
    with pytest.raises(LeakError):
        with_chosen(output(), [ChosenBody(start=11, end=14, text=text)])


FOLDED = json.loads((Path(__file__).parent / "folding_cases.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "expected"), FOLDED)
def test_folding_is_the_same_in_the_browser_and_here(text: str, expected: str) -> None:
    assert folded(text) == expected  # tests/service/page/text.test.mjs has the same for the browser
    assert len(folded(text)) == len(text)
