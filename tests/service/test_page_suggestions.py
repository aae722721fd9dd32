"""Fewer keys: suggestions, moving on after a decision, borders that join spans, one key for the rest."""

from __future__ import annotations

from typing import Any

import pytest

from .browsing import Tab
from .conftest import NOTE, SECOND, Server, StartServer

NEAR = "Paciente: Berta Solís. Habla con Osuna y habla con Lucas Gil; usuario vossorio02.\n"


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def suggested(tab: Tab) -> list[str]:
    """The dashed words of the text."""
    words: list[str] = tab.page.evaluate("[...(CSS.highlights.get('nearly') ?? [])].map(String)")
    return words


def wait_for_suggestions(tab: Tab, count: int) -> None:
    tab.page.wait_for_function("n => CSS.highlights.get('nearly')?.size === n", arg=count)


def test_what_the_model_nearly_found_is_shown_in_whole_words(tab: Tab) -> None:
    tab.add(nota=NEAR)
    wait_for_suggestions(tab, 3)
    assert suggested(tab) == ["Osuna", "Lucas Gil", "vossorio02"]
    assert tab.words() == ["Berta Solís"], "nothing is marked by itself"
    assert tab.page.inner_text("button.suggested").strip() == "3 sugerencias"
    assert "[FAMILIARES" not in tab.preview()


def test_a_suggestion_is_added_relabelled_or_dismissed_by_one_key(tab: Tab) -> None:
    tab.add(nota=NEAR)
    wait_for_suggestions(tab, 3)
    tab.press(",")
    assert tab.selected() == "Osuna"
    assert "Osuna" in tab.page.inner_text("#announcer")
    tab.press("a")
    assert ("Osuna", "familiares ✓") in tab.marks()
    assert tab.selected() == "Lucas Gil", "one is led to the next"
    tab.press("2")
    assert ("Lucas Gil", "sanitario ✓") in tab.marks()
    assert tab.selected() == "vossorio02"
    tab.press("x")
    assert suggested(tab) == []
    assert "vossorio02" not in tab.words()
    assert tab.page.locator("button.suggested").is_hidden()
    tab.press(",")
    tab.page.wait_for_selector("text=Este documento no tiene sugerencias")


def test_one_key_leads_back_to_the_suggestion_before(tab: Tab) -> None:
    tab.add(nota=NEAR)
    wait_for_suggestions(tab, 3)
    tab.press(",", ",")
    assert tab.selected() == "Lucas Gil"
    tab.press("<")
    assert tab.selected() == "Osuna"
    tab.press("<")
    assert tab.selected() == "vossorio02", "before the first comes the last"


def test_a_note_chosen_in_the_list_begins_at_its_least_certain_span(tab: Tab) -> None:
    tab.add(una=NOTE, otra=SECOND)
    tab.open("otra")
    tab.open("una")
    begun = tab.selected()
    tab.press("Escape", "d")
    assert begun
    assert tab.words(), "nothing is decided by opening a note"
    assert not [tag for _, tag in tab.marks() if tag.endswith("✓")]
    tab.review()
    tab.open("una")
    assert tab.selected() == "", "a note that was reviewed is only shown"


def test_suggestions_by_mouse(tab: Tab) -> None:
    tab.add(nota=NEAR + NOTE)
    wait_for_suggestions(tab, 3)
    tab.page.set_viewport_size({"width": 1024, "height": 768})
    right = "(query) => Math.max(...[...document.querySelectorAll(query)].map((n) => n.getBoundingClientRect().right))"
    last, pane = (tab.page.evaluate(right, query) for query in ("#toolbar > *", "#editor"))
    assert last <= pane, "every tool stays in its pane"
    tab.page.click("button.suggested")
    assert tab.selected() == "Osuna"
    tab.page.click("#inspector button.primary")
    assert ("Osuna", "familiares ✓") in tab.marks()
    tab.page.click("button:has-text('Descartar')")
    assert suggested(tab) == ["vossorio02"]


def test_what_a_person_removed_or_undid_is_not_suggested(tab: Tab) -> None:
    tab.add(nota=NEAR)
    wait_for_suggestions(tab, 3)
    tab.mark("Berta Solís").click()
    tab.press("Delete")
    assert "Berta Solís" not in suggested(tab)
    tab.press(",", "a", "Control+z")
    assert suggested(tab) == ["Osuna", "Lucas Gil", "vossorio02"], "what was undone can be decided on again"


def test_a_model_without_bias_suggests_nothing_and_is_asked_once(tab: Tab) -> None:
    asked = []

    def refuse(route: Any) -> None:
        if "bias" not in route.request.post_data_json:
            route.continue_()  # the document is searched as always
            return
        asked.append(route.request.url)
        route.fulfill(status=422, json={"type": "urn:nadie:problem:invalid", "title": "invalid"})

    tab.page.route("**/v1/annotate", refuse)
    tab.add(una=NEAR, otra=NEAR.replace("Osuna", "Lara"))
    tab.open("otra")
    tab.wait_for_preview("[NOMBRE")
    assert len(asked) == 1
    assert suggested(tab) == []


@pytest.mark.parametrize("key", ["1", "x", "a"])
def test_a_decision_on_a_doubt_leads_to_the_next(tab: Tab, key: str) -> None:
    tab.add(nota=NOTE)
    tab.press("d", key)
    assert tab.selected() == "Cuenca"
    tab.press(key)
    assert tab.selected() == "Hospital Santa Marta"


def test_who_clicked_on_a_doubt_stays_there(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.mark("Inés Montoya").click()
    tab.press("1")
    assert tab.selected() == "Inés Montoya"


def test_a_doubt_that_was_passed_over_comes_back_last(tab: Tab) -> None:
    tab.add(nota=NOTE)
    tab.press("d", "d")
    assert tab.selected() == "Cuenca"
    tab.press("y")
    assert tab.selected() == "Hospital Santa Marta"
    tab.press("a")
    assert tab.selected() == "Inés Montoya"
    tab.press("Shift+D")
    assert tab.selected() == "Inés Montoya", "nothing else is left"


def test_one_key_confirms_the_rest_and_opens_the_next_at_its_first_doubt(tab: Tab) -> None:
    tab.add(una=NOTE, otra=SECOND)
    tab.open("una")
    tab.press("Control+Shift+Enter")
    tab.page.wait_for_selector("text=Revisado: una.txt")
    tab.page.wait_for_function("() => document.querySelector('.quote').textContent.includes('Inés Montoya')")
    assert tab.page.inner_text("#document-name") == "otra.txt"
    tab.press("Control+z")
    tab.wait_until_open("una.txt")
    assert ("Inés Montoya", "sanitario ✓") in tab.marks()
    tab.press("Control+z")
    tab.page.wait_for_selector("text=confirmar 3 datos dudosos")
    assert ("Inés Montoya", "sanitario ? 55 %") in tab.marks()


def test_a_border_that_runs_into_a_span_joins_it(tab: Tab) -> None:
    tab.add(nota="Paciente: Berta Solís 54 años natural de Cuenca")
    tab.mark("Berta Solís").click()
    tab.press("l")
    assert tab.words() == ["Berta Solís 54 años", "Cuenca"]
    tab.press("Control+z")
    assert tab.words() == ["Berta Solís", "54 años", "Cuenca"]
    tab.mark("54 años").click()
    tab.press("h")
    assert tab.marks()[0] == ("Berta Solís 54 años", "edad ✓")


@pytest.mark.parametrize(
    ("text", "keys", "words"),
    [
        ("Col. Niños Héroes 54 años", ["h"], "Héroes 54 años"),
        ("Col. 54 años", ["h"], "Col. 54 años"),
        ("54 años·KL fin", ["l"], "54 años·KL"),
        ("54 años·KL fin", ["l", "k"], "54 años"),
        ("54 años. Fin", ["l"], "54 años."),
        ("(a) 54 años", ["h", "h", "j"], "a) 54 años"),
    ],
)
def test_borders_stop_where_words_do(tab: Tab, text: str, keys: list[str], words: str) -> None:
    tab.add(nota=text)
    tab.mark("54 años").click()
    tab.press(*keys)
    assert tab.words() == [words]
