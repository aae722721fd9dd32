"""The review page on a project folder: nothing is lost, and several people work at once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nadie.files.annotated.reading import read_documents
from nadie.service.project.store import open_project
from nadie.service.tokens import new_token, write_tokens

from .browsing import LISTED, Tab
from .conftest import NOTE, Server, StartServer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "review"


@pytest.fixture
def server(start_server: StartServer, folder: Path) -> Iterator[Server]:
    started = start_server("--project", str(folder))
    yield started
    started.stop()


@pytest.fixture
def colleague(browser: Any, server: Server) -> Iterator[Tab]:
    opened = Tab(browser, server.url)
    yield opened
    opened.close()


def test_closing_the_browser_loses_nothing(tab: Tab, colleague: Tab, folder: Path) -> None:
    tab.add(una=NOTE, otra="54 años")
    tab.open("una")
    tab.mark("Cuenca").click()
    tab.pick("país")
    tab.wait_until_saved()
    tab.review()
    tab.page.wait_for_function("() => document.querySelector('#progress-text').textContent === '1 de 2 revisados'")
    tab.page.close()
    colleague.go()
    # what is to do comes first
    colleague.wait_until_open("otra.txt")
    colleague.open("una")
    assert ("Cuenca", "país ✓") in colleague.marks()
    assert colleague.page.inner_text("#document-state").strip() == "Volver a revisar"
    [kept] = read_documents(folder / "training")
    assert "PAIS" in {span.label for span in kept.spans}


def open_for_both(tab: Tab, colleague: Tab) -> None:
    """One document, which both have open, with a mark selected by the first."""
    tab.add(nota=NOTE)
    colleague.go()
    colleague.page.wait_for_selector("#text .mark")
    colleague.hear_nothing()
    tab.mark("Cuenca").click()


def test_two_people_change_different_places(tab: Tab, colleague: Tab) -> None:
    open_for_both(tab, colleague)
    tab.press("Delete")
    tab.wait_until_saved()
    colleague.mark("54 años").click()
    colleague.press("Delete")
    colleague.page.wait_for_selector("text=ambos cambios se han combinado")
    assert "Cuenca" not in colleague.words()
    assert "54 años" not in colleague.words()
    tab.page.wait_for_selector("text=Otra persona ha cambiado este documento")
    assert "54 años" not in tab.words()


@pytest.mark.parametrize(("answer", "label"), [("submit", "profesión ✓"), ("button", "país ✓")])
def test_two_people_change_the_same_place(tab: Tab, colleague: Tab, folder: Path, answer: str, label: str) -> None:
    open_for_both(tab, colleague)
    tab.pick("país")
    tab.wait_until_saved()
    colleague.mark("Cuenca").click()
    colleague.pick("profesión")
    colleague.page.wait_for_selector("text=Otra persona ha cambiado el mismo dato")
    colleague.page.click(f"dialog button[type={answer}]")
    colleague.wait_until_saved()
    assert ("Cuenca", label) in colleague.marks()
    stored = open_project(folder).get(1)
    assert stored is not None
    [town] = [span for span in stored.spans if stored.text[span.start : span.end] == "Cuenca"]
    assert town.label == ("PROFESION" if answer == "submit" else "PAIS")


def test_everywhere_reaches_documents_that_are_not_open(tab: Tab, folder: Path) -> None:
    tab.add(**{f"n{number}": "Habla con Osuna." for number in range(4)})
    tab.go()
    tab.drag_over("Osuna")
    tab.page.click("button[data-scope=all]")
    tab.pick("personal")
    tab.page.wait_for_selector("text=Esto cambia 4 documentos")
    tab.press("Enter")
    tab.page.wait_for_selector("text=Cambiado en 3 documentos")
    assert [len(stored.spans) for stored in open_project(folder).documents()] == [1, 1, 1, 1]
    tab.press("Control+z")
    tab.wait_until_saved()
    tab.page.wait_for_function("() => document.querySelectorAll('#text .mark').length === 0")
    assert [len(stored.spans) for stored in open_project(folder).documents()] == [0, 0, 0, 0]


def test_a_service_that_went_away_is_waited_for(tab: Tab, server: Server, folder: Path) -> None:
    tab.add(nota=NOTE)
    cut = {"on": True}
    tab.page.route("**/v1/project/changes", lambda route: route.abort() if cut["on"] else route.continue_())
    tab.mark("Cuenca").click()
    tab.press("Delete")
    tab.page.wait_for_selector("text=Sin conexión")
    cut["on"] = False
    tab.wait_until_saved()
    stored = open_project(folder).get(1)
    assert stored is not None
    assert "TERRITORIO" not in {span.label for span in stored.spans}


def test_a_token_is_asked_for_and_names_the_editor(browser: Any, start_server: StartServer, tmp_path: Path) -> None:
    secret, token = new_token("maría")
    write_tokens(tmp_path / "tokens.json", {"maría": token})
    server = start_server("--project", str(tmp_path / "review"), "--tokens", str(tmp_path / "tokens.json"))
    tab = Tab(browser, server.url)
    tab.page.goto(server.url)
    tab.page.fill("dialog input", "nadie_wrong")
    tab.press("Enter")
    tab.page.wait_for_function("() => document.querySelector('dialog input')?.value === ''")
    tab.page.fill("dialog input", secret)
    tab.press("Enter")
    tab.page.wait_for_selector("text=como maría")
    tab.wait_until_ready()
    tab.add(nota=NOTE)
    stored = open_project(tmp_path / "review").get(1)
    assert stored is not None
    assert stored.editor == "maría"
    assert secret not in server.stop()
    tab.close()


def test_a_full_disk_is_told_as_that_and_waited_for(tab: Tab) -> None:
    tab.add(nota=NOTE)
    problem = {"type": "urn:nadie:problem:storage-full", "title": "The disk of the service is full", "status": 507}
    is_full = {"on": True}
    tab.page.route(
        "**/v1/project/changes",
        lambda route: route.fulfill(status=507, json=problem) if is_full["on"] else route.continue_(),
    )
    tab.mark("Cuenca").click()
    tab.press("Delete")
    tab.page.wait_for_function(
        "() => document.querySelector('#status').textContent.includes('disco del servicio está lleno')"
    )
    is_full["on"] = False
    tab.wait_until_saved()


def test_late_lists_close_no_document(tab: Tab) -> None:
    """While the first list with a new document is awaited, others are asked for: an older one does not have it yet."""
    tab.page.clock.install()
    tab.go()
    held: list[Any] = []
    tab.page.route(LISTED, lambda route: held.append(route))
    tab.page.set_input_files("#file-input", [{"name": "nueva.txt", "mimeType": "text/plain", "buffer": NOTE.encode()}])
    tab.page.wait_for_selector("#editor:not([hidden])")
    for _ in range(6):  # each answer comes when the next list has been asked for
        tab.page.clock.fast_forward(5100)
        tab.page.wait_for_timeout(200)
        if len(held) > 2:
            with tab.page.expect_response(LISTED):
                held.pop(1).continue_()
    for route in held:
        route.continue_()
    tab.page.unroute(LISTED)
    tab.page.wait_for_selector("button.entry")
    assert tab.page.locator("#editor").is_visible()
    assert tab.page.locator("text=Otra persona ha eliminado").count() == 0
