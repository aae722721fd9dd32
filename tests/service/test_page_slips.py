"""What a slip of the hand may do on the review page: held keys, late answers, and one key for many documents."""

from __future__ import annotations

import pytest

from .browsing import Slow, Tab
from .conftest import NOTE, SECOND

TEXTS = {f"n{number}": NOTE for number in range(6)}
PROGRESS = "text => document.querySelector('#progress-text').textContent === text"


@pytest.mark.parametrize("held", [("Control", "Shift"), ("Control",)])
def test_a_held_key_reviews_one_document(empty: Tab, held: tuple[str, ...]) -> None:
    empty.add(**TEXTS)
    empty.open("n0")
    empty.hold("Enter", *held)
    if held == ("Control",):  # the question stays: the held key does not answer it
        assert empty.page.locator("dialog[open]").is_visible()
        empty.press("Enter")
    empty.page.wait_for_function(PROGRESS, arg="1 de 6 revisados")
    empty.wait_until_open("n1.txt")


@pytest.mark.parametrize(("key", "gone"), [("Delete", 1), ("x", 1), ("a", 0), ("5", 0)])
def test_a_held_key_decides_once(work: Tab, key: str, gone: int) -> None:
    before = len(work.marks())
    work.press("d")
    work.hold(key)
    decided = [tag for _, tag in work.marks() if tag.endswith("✓")]
    assert (before - len(work.marks()), len(decided)) == (gone, 1 - gone)
    work.hold("z", "Control")
    assert not [tag for _, tag in work.marks() if tag.endswith("✓")]
    assert len(work.marks()) == before


def test_a_held_key_does_not_answer_in_the_list_of_labels_or_press_a_button(work: Tab) -> None:
    work.mark("Cuenca").click()
    work.hold("Enter")  # opens the list of labels, and chooses nothing there
    assert not [tag for _, tag in work.marks() if tag.endswith("✓")]
    work.press("Escape")
    work.page.focus("#document-state button.primary")
    work.hold("Enter")
    assert work.page.locator("dialog[open]").is_visible(), "the question about doubts is asked and not answered"


def test_a_held_key_still_moves(work: Tab) -> None:
    work.press("Escape")  # from the beginning of the text
    work.hold("ArrowRight", times=5)
    first = work.selected()
    work.hold("ArrowRight", times=3)
    assert work.selected() != first
    work.mark("Cuenca").click()
    work.hold("h", times=2)
    assert "natural de Cuenca" in work.words()


def test_a_late_answer_does_not_open_another_document(tab: Tab) -> None:
    tab.clear()
    tab.add(**TEXTS)
    tab.open("n0")
    slow = Slow(tab, "**/documents/*/state")
    tab.press("Control+Shift+Enter")
    slow.wait()
    tab.page.locator("button.entry", has_text="n4").click()
    tab.wait_until_open("n4.txt")
    slow.answer()
    tab.page.wait_for_function(PROGRESS, arg="1 de 6 revisados")
    tab.page.wait_for_timeout(300)
    assert tab.page.inner_text("#document-name") == "n4.txt", "the review went on, the user had gone elsewhere"


def test_the_last_choice_counts_when_answers_come_in_another_order(tab: Tab) -> None:
    tab.clear()
    tab.add(**TEXTS)
    tab.go()
    tab.wait_until_open("n0.txt")
    slow = Slow(tab, "**/v1/project/documents/*")
    for name in ("n2", "n3"):
        tab.page.locator("button.entry", has_text=name).click()
    slow.wait(2)
    slow.waiting.reverse()
    slow.answer()
    tab.wait_until_open("n3.txt")
    slow.answer()
    tab.page.wait_for_timeout(300)
    assert tab.page.inner_text("#document-name") == "n3.txt"


def test_nothing_is_decided_while_another_document_is_being_opened(tab: Tab) -> None:
    tab.clear()
    tab.add(**TEXTS)
    tab.go()
    tab.wait_until_open("n0.txt")
    tab.mark("Cuenca").click()
    slow = Slow(tab, "**/v1/project/documents/*")
    tab.press("Alt+ArrowDown")
    slow.wait()
    assert tab.page.get_attribute("#text", "aria-busy") == "true"
    tab.press("Delete", "a", "1")
    tab.page.click("button.danger:visible")
    assert "Cuenca" in tab.words()
    tab.press("Escape")  # stay here after all
    assert tab.page.get_attribute("#text", "aria-busy") == "false"
    slow.answer()
    tab.page.wait_for_timeout(300)
    assert tab.page.inner_text("#document-name") == "n0.txt"
    tab.mark("Cuenca").click()
    tab.press("Delete")
    assert "Cuenca" not in tab.words()


def test_what_was_selected_is_labelled_although_something_else_is_selected_meanwhile(tab: Tab) -> None:
    tab.clear()
    tab.add(una=NOTE)
    slow = Slow(tab, "**/v1/project/everywhere/count")
    tab.mark("Cuenca").click()
    tab.press("s", "s", "y")
    slow.wait()
    tab.press("n")
    assert tab.selected() == "03/01/2024"
    slow.answer()
    tab.page.wait_for_selector("#text .mark[data-tag*=país]")
    assert [words for words, tag in tab.marks() if tag == "país ✓"] == ["Cuenca"]


def reviewed(tab: Tab, *names: str) -> None:
    for name in names:
        tab.open(name)
        tab.review()
        tab.page.wait_for_selector(f"button.entry:has-text('{name}') .reviewed")


def test_removing_everywhere_asks_and_its_undo_restores_the_reviews(empty: Tab) -> None:
    empty.add(una=NOTE, otra=SECOND, tercera=NOTE)
    reviewed(empty, "otra", "tercera")
    empty.open("una")
    empty.mark("Inés Montoya").click()
    empty.press("s", "s", "Delete")
    empty.page.wait_for_selector("text=Esto cambia 3 documentos")
    assert "2 de ellos están revisados" in empty.page.inner_text("dialog[open]")
    empty.press("Escape")
    assert "Inés Montoya" in empty.words(), "nothing without consent"
    empty.wait_for_state("otra", "revisado")
    empty.press("s", "s", "Delete")
    empty.page.wait_for_selector("text=Esto cambia 3 documentos")
    empty.press("Enter")
    empty.page.wait_for_selector(".toast:has-text('Cambiado en 2 documentos')")
    empty.wait_for_state("otra", "por revisar")
    empty.press("Control+z")
    empty.page.wait_for_selector(".toast:has-text('Deshecho en 3 documentos')")
    empty.page.wait_for_function(PROGRESS, arg="2 de 3 revisados")
    empty.open("otra")
    assert "Inés Montoya" in empty.words()
    assert empty.page.inner_text("#document-state").strip() == "Volver a revisar"


def test_confirming_everywhere_leaves_reviewed_documents_reviewed(empty: Tab) -> None:
    empty.add(una=NOTE, otra=SECOND)
    reviewed(empty, "otra")
    empty.open("una")
    empty.mark("Inés Montoya").click()
    empty.press("s", "s", "a")
    empty.page.wait_for_selector("text=No hay que volver a revisar ninguno")
    empty.press("Enter")
    empty.page.wait_for_selector(".toast:has-text('Confirmado en 1 documento')")
    empty.page.wait_for_timeout(600)
    empty.wait_for_state("otra", "revisado")
    empty.open("otra")
    assert ("Inés Montoya", "sanitario ✓") in empty.marks()


def test_a_single_change_of_a_reviewed_document_is_undone_with_its_state(work: Tab) -> None:
    reviewed(work, "una")
    work.open("una")
    work.mark("Cuenca").click()
    work.press("a")
    assert work.page.inner_text("#document-state").strip() == "Volver a revisar", "confirming is no change"
    work.mark("Cuenca").click()
    work.press("Delete")
    assert work.page.inner_text("#document-state").strip() == "Dar por revisado"
    work.press("Control+z")
    work.page.wait_for_function("() => document.querySelector('#document-state').textContent.includes('Volver')")
    work.page.wait_for_timeout(600)
    work.wait_for_state("una", "revisado")
