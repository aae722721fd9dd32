"""Daily use of the review page: a long list, flags, guidelines, versions, letters, and what survives a crash."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nadie.service.project.store import open_project

from .browsing import Tab, violations
from .conftest import NOTE, SECOND, Server, StartServer

MANY = 1200


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "review"


@pytest.fixture
def server(start_server: StartServer, folder: Path) -> Iterator[Server]:
    started = start_server("--project", str(folder))
    yield started
    started.stop()


def test_a_long_list_has_few_nodes_and_follows_the_open_document(tab: Tab, folder: Path) -> None:
    project = open_project(folder)
    for number in range(MANY):
        project.add(f"nota-{number:04d}.txt", "54 años", (), model="probe", editor="local")
    tab.page.goto("about:blank")
    tab.page.goto(f"{tab.url}/#{MANY - 100}")
    tab.wait_until_open(f"nota-{MANY - 101:04d}.txt")
    current = tab.page.locator("button.entry[aria-current=true]")
    assert current.count() == 1
    box, frame = current.bounding_box(), tab.page.locator("#document-list").bounding_box()
    assert box is not None
    assert frame is not None
    assert frame["y"] <= box["y"] <= frame["y"] + frame["height"] - box["height"] + 1
    assert tab.page.evaluate("() => document.querySelectorAll('#document-list *').length") < 1500
    row = tab.page.locator("#document-list li", has=current)
    assert (row.get_attribute("aria-posinset"), row.get_attribute("aria-setsize")) == (str(MANY - 100), str(MANY))
    for number in range(MANY - 100, MANY - 85):
        tab.press("Alt+ArrowDown")
        tab.wait_until_open(f"nota-{number:04d}.txt")
    assert tab.page.locator("button.entry[aria-current=true]").is_visible()
    tab.page.evaluate("() => { document.querySelector('#document-list').scrollTop = 0; }")
    tab.page.wait_for_selector("button.entry:has-text('nota-0000')")
    assert violations(tab) == []


def test_a_flagged_document_is_left_for_later(tab: Tab) -> None:
    tab.add(una=NOTE, otra=SECOND, tercera=NOTE)
    tab.open("una")
    tab.press("!")
    tab.wait_until_open("otra.txt")
    tab.page.wait_for_selector("button.entry:has-text('una') >> text=aplazado")
    tab.press("Control+Shift+Enter")
    tab.wait_until_open("tercera.txt")
    tab.press("Control+Shift+Enter")
    tab.wait_until_open("una.txt")  # the flagged one is the last
    tab.page.click("#filter button[data-filter=flagged]")
    assert tab.page.locator("button.entry").count() == 1
    assert violations(tab) == []
    tab.page.click("button[data-t-label=flag]")
    tab.page.wait_for_selector("text=ya no está aplazado")
    tab.page.wait_for_selector("#filter button[data-filter=flagged]", state="hidden")


def test_guidelines_are_beside_the_text(tab: Tab) -> None:
    tab.add(una=NOTE)
    tab.page.click("#tab-guidelines")
    tab.page.wait_for_selector("text=El proyecto aún no tiene guía")
    tab.page.click("#edit-guidelines")
    tab.page.fill("dialog textarea", "# Nombres\n\nMarque <b>todos</b> los nombres.\n\n- pacientes\n- familiares")
    tab.page.click("dialog button[type=submit]")
    tab.page.wait_for_selector("#guidelines-text h3:has-text('Nombres')")
    assert tab.page.locator("#guidelines-text li").all_inner_texts() == ["pacientes", "familiares"]
    assert "<b>todos</b>" in tab.page.inner_text("#guidelines-text"), "text, never markup"
    assert tab.page.locator("#text").is_visible()
    assert violations(tab) == []


def test_a_version_of_the_history_is_restored(tab: Tab) -> None:
    tab.add(una=NOTE)
    before = tab.words()
    tab.mark("Cuenca").click()
    tab.press("Delete")
    tab.wait_until_saved()
    tab.mark("54 años").click()
    tab.press("Delete")
    tab.wait_until_saved()
    tab.page.click("#history")
    tab.page.wait_for_selector("dialog .events")
    assert violations(tab) == []
    tab.page.locator("dialog .events li button").last.click()
    tab.page.wait_for_selector(".toast:has-text('Versión restaurada')")
    assert tab.words() == before


def test_undo_survives_a_reload(tab: Tab) -> None:
    tab.add(una=NOTE)
    tab.mark("Cuenca").click()
    tab.press("Delete")
    tab.wait_until_saved()
    tab.page.reload()
    tab.page.wait_for_selector("#text .mark")
    assert "Cuenca" not in tab.words()
    tab.page.focus("#text")
    tab.press("Control+z")
    tab.page.wait_for_selector(".toast:has-text('Deshecho: quitar «Cuenca»')")
    assert "Cuenca" in tab.words()
    kept = tab.page.evaluate("() => JSON.stringify(sessionStorage)")
    assert "nadie.undo" in kept
    assert "Cuenca" not in kept, "offsets and labels, no text"


@pytest.mark.parametrize("is_kept", [True, False])
def test_unsent_work_survives_a_crash_if_the_user_wants_it(tab: Tab, folder: Path, is_kept: bool) -> None:
    tab.add(una=NOTE)
    if is_kept:
        tab.page.click("button[data-t-label=view]")
        tab.page.check("#isKept")
        tab.press("Escape")
    tab.page.route("**/v1/project/changes", lambda route: route.abort())
    tab.mark("Cuenca").click()
    tab.press("Delete")
    tab.page.wait_for_selector("text=Sin conexión")
    tab.page.goto("about:blank")  # the tab is gone before the change was sent
    tab.page.unroute("**/v1/project/changes")
    tab.page.goto(tab.url)
    if not is_kept:
        tab.page.wait_for_selector("#text .mark")
        assert not tab.page.locator("dialog[open]").count()
        assert "Cuenca" in tab.words()
        return
    tab.page.wait_for_selector("text=La página se cerró antes de enviar 1 cambio")
    tab.press("Escape", "Escape")
    assert tab.page.locator("dialog[open]").is_visible(), "a slip does not drop the work"
    tab.press("Enter")
    tab.page.wait_for_selector("#text .mark")
    assert "Cuenca" not in tab.words()
    stored = open_project(folder).get(1)
    assert stored is not None
    assert "Cuenca" not in {stored.text[span.start : span.end] for span in stored.spans}


def test_letters_grow_columns_stay_and_the_policy_is_remembered(tab: Tab) -> None:
    table = "Hb      12,1   g/dL\nLeuco   9800   /µL   Cuenca\nPlaq    210    x10   54 años\n"
    tab.add(tabla=table)
    size = "() => parseFloat(getComputedStyle(document.querySelector('#text')).fontSize)"
    before = tab.page.evaluate(size)
    tab.page.click("button[data-t-label=view]")
    assert violations(tab) == []
    tab.page.fill("#size", "1.5")
    tab.page.check("#isFixed")
    tab.press("Escape")
    assert tab.page.evaluate(size) == pytest.approx(1.5 * before)
    columns = tab.page.evaluate(
        """() => [...document.querySelectorAll('#text .paragraph')].map((line) => {
          const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
          let at = 0;
          for (let node; (node = walker.nextNode()); at += node.length) {
            if (at + node.length <= 8) continue;
            const range = document.createRange();
            range.setStart(node, Math.max(0, 8 - at));
            range.setEnd(node, Math.max(0, 8 - at) + 1);
            return Math.round(range.getBoundingClientRect().left);
          }
        })"""
    )
    assert len(set(columns)) == 1, "the second column begins at one place"
    tab.page.select_option("#policy", "research")
    tab.page.reload()
    tab.page.wait_for_selector("#text .mark")
    assert tab.page.input_value("#policy") == "research"
    assert tab.page.evaluate(size) == pytest.approx(1.5 * before)


def test_the_export_counts_what_it_exports(tab: Tab) -> None:
    tab.add(una=NOTE, otra=SECOND, tercera=SECOND)
    tab.open("una")
    tab.press("Control+Shift+Enter")
    tab.wait_until_open("otra.txt")
    tab.page.click("#export")
    count = tab.page.locator("#export-count")
    assert "Se exportan 3 documentos" in count.inner_text()
    assert "2 documentos están sin revisar" in count.inner_text()
    tab.page.check("input[name=which][value=reviewed]")
    assert "Se exporta 1 documento" in count.inner_text()
    assert "sin revisar" not in count.inner_text(), "those that are exported are reviewed"
    assert violations(tab) == []


def test_the_page_below_a_path(browser: Any, server: Server) -> None:
    """All addresses are relative: a proxy may serve the page below a path of its own."""
    tab = Tab(browser, server.url)
    asked: list[str] = []

    def forward(route: Any) -> None:
        asked.append(route.request.url)
        answer = route.fetch(url=route.request.url.replace("/notas/", "/"))
        route.fulfill(response=answer)

    tab.page.route("**/notas/**", forward)
    tab.page.goto(f"{server.url}/notas/")
    tab.wait_until_ready()
    assert asked
    assert all("/notas/" in url for url in asked)
    assert json.dumps(asked).count("/v1/") >= 3
    tab.page.unroute_all(behavior="ignoreErrors")  # a request may be under way
    tab.close()
