"""Undo on the review page: it applies to the open document, says what it did, and never changes another one."""

from __future__ import annotations

from .browsing import Tab


def said(tab: Tab, words: str) -> None:
    tab.page.wait_for_selector(f".toast:has-text('{words}')")


def test_undo_leaves_a_document_that_is_not_open_alone(work: Tab) -> None:
    work.mark("Cuenca").click()
    work.press("Delete")
    work.open("otra")
    work.page.focus("#text")
    work.press("Control+z")
    said(work, "Nada que deshacer en este documento")
    assert work.page.locator("button[data-t-label=undo]").is_disabled()
    work.open("una")
    assert "Cuenca" not in work.words()
    work.press("Control+z")
    said(work, "Deshecho: quitar «Cuenca»")
    assert "Cuenca" in work.words()
    work.press("Control+y")
    said(work, "Rehecho: quitar «Cuenca»")
    assert "Cuenca" not in work.words()


def test_undo_right_after_reviewed_takes_that_back(work: Tab) -> None:
    work.mark("Cuenca").click()
    work.press("Delete")
    work.review()
    work.wait_until_open("otra.txt")
    work.wait_for_state("una", "revisado")
    work.press("Control+z")
    said(work, "«una.txt» vuelve a estar por revisar")
    assert work.page.inner_text("#document-name") == "una.txt"
    work.wait_for_state("una", "por revisar")
    assert "Cuenca" not in work.words(), "the change itself stays"
    work.press("Control+z")
    said(work, "Deshecho: quitar «Cuenca»")


def test_a_reviewed_document_that_changes_is_to_be_reviewed_again(work: Tab) -> None:
    work.review()
    work.wait_until_open("otra.txt")
    work.open("una")
    work.wait_for_state("una", "revisado")
    work.mark("Cuenca").click()
    work.press("Delete")
    said(work, "«una.txt» ha cambiado")
    work.wait_for_state("una", "por revisar")
    assert work.page.inner_text("#document-state").strip() == "Dar por revisado"


def test_a_step_over_documents_goes_back_where_nothing_was_done_since(work: Tab) -> None:
    work.mark("Inés Montoya").click()
    work.press("t")
    work.page.click("button[data-scope=all]")
    work.pick("familiares")
    work.page.wait_for_selector("text=Esto cambia 2 documentos")
    work.press("Enter")
    said(work, "Cambiado en 1 documento")
    work.open("otra")
    work.mark("Inés Montoya").click()
    work.press("Delete")
    work.open("una")
    work.press("Control+z")
    said(work, "Deshecho: cambiar «Inés Montoya»")
    assert any(words == "Inés Montoya" and tag.startswith("sanitario ?") for words, tag in work.marks())
    work.open("otra")
    assert "Inés Montoya" not in work.words(), "what was done later stays"
    work.press("Control+z", "Control+z")
    assert any(words == "Inés Montoya" and tag.startswith("sanitario ?") for words, tag in work.marks())
