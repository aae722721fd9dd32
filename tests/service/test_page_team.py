"""The review page for a team: signing on and off, the lock, roles, assignment, conflicts, history, two readings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest

from nadie.service.tokens import new_token, write_tokens

from .browsing import PATIENCE, Tab, violations
from .conftest import NOTE, Server, StartServer

PEOPLE: dict[str, list[str]] = {
    "ana": ["review"],
    "luis": ["review"],
    "eva": ["adjudicate"],
    "jefa": ["administer", "adjudicate", "originals"],
    "sistema": ["annotate"],
    "prometheus": ["metrics"],
}


class Place:
    """A service with tokens, and what a test asks of it."""

    def __init__(self, start: StartServer, folder: Path) -> None:
        made = {name: new_token(name, permissions) for name, permissions in PEOPLE.items()}
        made["vieja"] = new_token("vieja", ["review"], datetime.now(UTC) - timedelta(days=1))
        write_tokens(folder / "tokens.json", {name: token for name, (_, token) in made.items()})
        self.secrets = {name: secret for name, (secret, _) in made.items()}
        self.server = start("--project", str(folder / "review"), "--tokens", str(folder / "tokens.json"))

    def call(self, name: str, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {self.secrets[name]}"}
        url = f"{self.server.url}/v1/project{path}"
        answer = httpx2.request(method, url, json=body, headers=headers, trust_env=False, timeout=PATIENCE)
        answer.raise_for_status()
        return answer.json() if answer.content else None

    def sign_on(self, tab: Tab, name: str) -> None:
        """Give the browser of the tab the cookie of a session."""
        headers = {"Authorization": f"Bearer {self.secrets[name]}"}
        assert tab.context.request.post(f"{self.server.url}/v1/session", headers=headers, data={}).ok

    def add(self, name: str) -> Any:
        return self.call("jefa", "POST", "/documents", {"name": name, "text": NOTE})


@pytest.fixture(scope="module")
def place(start_server: StartServer, tmp_path_factory: pytest.TempPathFactory) -> Place:
    return Place(start_server, tmp_path_factory.mktemp("team"))


@pytest.fixture
def server(place: Place) -> Server:
    return place.server


SignOn = Callable[..., Tab]


@pytest.fixture
def sign_on(browser: Any, place: Place) -> Iterator[SignOn]:
    opened: list[Tab] = []

    def go(name: str, document: int | None = None) -> Tab:
        tab = Tab(browser, place.server.url)
        opened.append(tab)
        place.sign_on(tab, name)
        if document is None:
            return tab.go()
        tab.page.goto(f"{place.server.url}/#{document}")
        tab.wait_until_ready()
        tab.page.wait_for_selector("#text .mark")
        return tab

    yield go
    for tab in opened:
        tab.close()


def give(place: Place, document: int, reviewer: str) -> None:
    place.call("jefa", "PUT", "/assignments", {"documents": [document], "reviewer": reviewer})


def names(tab: Tab) -> list[str]:
    found: list[str] = tab.page.locator(".entry-name").all_inner_texts()
    return found


def enter(tab: Tab, token: str) -> None:
    tab.page.fill("dialog input[type=password]", token)
    tab.press("Enter")


def test_a_wrong_token_is_told_and_signing_out_leaves_nothing(browser: Any, place: Place) -> None:
    document = place.add("entrada.txt")
    give(place, document["id"], "ana")
    tab = Tab(browser, place.server.url)
    tab.page.goto(f"{tab.url}/#{document['id']}")
    tab.page.wait_for_selector("text=Introduzca su token")
    enter(tab, "nadie_equivocado")
    tab.page.wait_for_selector("text=Este token no es válido")
    enter(tab, place.secrets["vieja"])
    tab.page.wait_for_selector("text=Este token ha caducado")
    enter(tab, place.secrets["ana"])
    tab.page.wait_for_selector("#text .mark")
    assert "ana" in tab.page.inner_text("#status")
    tab.page.click("#logout")
    tab.page.wait_for_selector("text=Introduzca su token")
    assert tab.page.evaluate("() => sessionStorage.length") == 0
    assert "Lucía" not in tab.page.content()
    tab.page.go_back()
    tab.page.wait_for_load_state()
    assert not tab.page.locator("#text .mark").count()
    tab.close()


def test_each_role_has_a_page_that_works_for_it(sign_on: SignOn, place: Place, browser: Any) -> None:
    document = place.add("papeles.txt")
    ana = sign_on("ana", document["id"])
    assert not ana.page.locator(".entry-delete").first.is_visible()
    assert not ana.page.locator("#team").count()
    ana.page.click("#export")
    assert ana.page.locator("dialog input[name=part]").count() == 1, "no originals"
    ana.press("Escape")
    jefa = sign_on("jefa", document["id"])
    assert jefa.page.locator(".entry-delete").first.is_visible()
    jefa.page.click("#export")
    assert jefa.page.locator("dialog input[name=part]").count() == 3
    jefa.press("Escape")
    alone = sign_on("sistema")
    assert names(alone) == [], "who may not see the project has a page that stores nothing"
    alone.add(nota=NOTE)
    assert "Cuenca" in alone.words()
    nobody = Tab(browser, place.server.url)
    place.sign_on(nobody, "prometheus")
    nobody.page.goto(nobody.url)
    nobody.page.wait_for_selector("text=Su cuenta no permite usar esta página")
    nobody.close()


def test_two_reviewers_get_different_documents_and_see_each_other(sign_on: SignOn, place: Place) -> None:
    place.call("jefa", "POST", "/assignments", {"reviewers": ["jefa"]})  # what other tests left
    first, second = place.add("reparto-1.txt"), place.add("reparto-2.txt")
    jefa = sign_on("jefa", first["id"])
    jefa.page.click("#team")
    for name in ("ana", "luis"):
        jefa.page.check(f"#reviewers input[value={name}]")
    jefa.page.fill("#twice", "0")
    assert violations(jefa) == []
    jefa.page.click("#deal")
    jefa.page.wait_for_selector("text=2 documentos asignados")
    jefa.page.wait_for_function("() => document.querySelector('#workload').textContent.includes('luis')")
    jefa.press("Escape")
    ana, luis = sign_on("ana", first["id"]), sign_on("luis", second["id"])
    assert ("reparto-1.txt" in names(ana), "reparto-2.txt" in names(ana)) == (True, False)
    assert ("reparto-1.txt" in names(luis), "reparto-2.txt" in names(luis)) == (False, True)
    shown = "text => document.querySelector('#people').textContent.includes(text)"
    jefa.page.wait_for_function(shown, arg="También lo tiene abierto: ana")
    assert "Asignado a ana" in jefa.page.inner_text("#people")


def test_a_conflict_and_the_history_say_who_changed_what(sign_on: SignOn, place: Place) -> None:
    document = place.add("choque.txt")
    ana, luis = sign_on("ana", document["id"]), sign_on("luis", document["id"])
    luis.hear_nothing()
    ana.mark("Cuenca").click()
    ana.pick("país")
    ana.wait_until_saved()
    luis.mark("Cuenca").click()
    luis.pick("profesión")
    luis.page.wait_for_selector("dialog[open]")
    told = luis.page.inner_text("dialog[open]")
    assert "ana" in told
    assert "Cambió «Cuenca» de Población, provincia o código postal a País" in told
    luis.press("Escape")
    luis.page.click("#history")
    luis.page.wait_for_selector("dialog .events")
    assert violations(luis) == []
    told = luis.page.inner_text("dialog .events")
    assert told.index("Cambió «Cuenca»") < told.index("Añadió el documento"), "the latest first"
    assert "jefa" in told
    luis.press("Escape")


def read_twice(place: Place, name: str) -> Any:
    """A document that ana and luis have reviewed, each with another span removed."""
    place.call("jefa", "POST", "/assignments", {"reviewers": ["jefa"]})
    document = place.add(name)
    place.call("jefa", "POST", "/assignments", {"reviewers": ["ana", "luis"], "twice": 1.0})
    [copy] = [each for each in place.call("luis", "GET", "/documents") if each["name"] == name]
    for name, number, words in (("ana", document["id"], "Cuenca"), ("luis", copy["id"], "54 años")):
        read = place.call(name, "GET", f"/documents/{number}")
        gone = [span for span in read["spans"] if NOTE[span["start"] : span["end"]] == words]
        change = {"document": number, "version": read["version"], "remove": gone}
        place.call(name, "POST", "/changes", {"changes": [change]})
        place.call(name, "PUT", f"/documents/{number}/state", {"state": "reviewed", "version": read["version"] + 1})
    return document


def test_two_readings_side_by_side_and_their_agreement(sign_on: SignOn, place: Place) -> None:
    document = read_twice(place, "doble.txt")
    eva = sign_on("eva")
    eva.page.click("#team")
    eva.page.wait_for_selector("#agreement")
    assert "Acuerdo en 1 documento" in eva.page.inner_text("#agreement")
    assert "83" in eva.page.inner_text("#agreement tbody tr:first-child"), "five of six spans in each reading: F1 10/12"
    assert violations(eva) == []
    eva.page.click("dialog >> text=Decidir")
    eva.page.wait_for_selector(".readings")
    left, right = (eva.page.locator(".reading-text").nth(side) for side in (0, 1))
    assert left.text_content() == right.text_content() == NOTE
    boxes = left.bounding_box(), right.bounding_box()
    assert boxes[0]["y"] == boxes[1]["y"]
    assert boxes[0]["x"] < boxes[1]["x"], "side by side"
    assert violations(eva) == []
    assert eva.page.locator(".difference").count() == 2
    eva.page.check("input[name=difference-0][value=second]")
    eva.page.check("input[name=difference-1][value=first]")
    eva.page.click("text=Guardar la decisión")
    eva.page.wait_for_selector("#pairs tr:has-text('doble.txt'):has-text('Decidió eva')")
    decided = place.call("eva", "GET", f"/documents/{document['id']}")
    assert (decided["state"], decided["editor"]) == ("reviewed", "eva")
    kept = [NOTE[span["start"] : span["end"]] for span in decided["spans"]]
    assert ("54 años" in kept, "Cuenca" in kept) == (False, False)


def test_a_page_that_nobody_uses_locks_itself(browser: Any, place: Place) -> None:
    document = place.add("quieta.txt")
    tab = Tab(browser, place.server.url)
    tab.page.clock.install()
    tab.page.goto(f"{tab.url}/#{document['id']}")
    tab.page.wait_for_selector("dialog input[type=password]")
    enter(tab, place.secrets["ana"])
    tab.page.wait_for_selector("#text .mark")
    tab.page.clock.fast_forward("14:00")
    assert tab.page.locator("#text .mark").first.is_visible()
    tab.page.clock.fast_forward("01:01")
    tab.page.wait_for_selector("#lock")
    assert not tab.page.locator("#text .mark").first.is_visible()
    assert not tab.page.locator("#document-name").is_visible()
    assert tab.page.evaluate("() => sessionStorage.length") == 0
    assert violations(tab) == []
    tab.press("Escape", "Escape")
    assert tab.page.locator("#lock").is_visible()
    for token, told in (
        ("nadie_no", "Este token no es válido"),
        (place.secrets["luis"], "Ese token es de otra persona"),
    ):
        enter(tab, token)
        tab.page.wait_for_selector(f"text={told}")
    assert not tab.page.locator("#text .mark").first.is_visible()
    enter(tab, place.secrets["ana"])
    tab.page.wait_for_selector("#text .mark")
    tab.mark("Cuenca").click()
    tab.press("Delete")
    tab.wait_until_saved()
    assert len(place.call("ana", "GET", f"/documents/{document['id']}")["spans"]) == 6
    tab.close()


def test_the_session_is_a_cookie_that_no_script_reads(browser: Any, place: Place) -> None:
    tab = Tab(browser, place.server.url)
    tab.page.goto(tab.url)
    tab.page.wait_for_selector("dialog input[type=password]")
    enter(tab, place.secrets["ana"])
    tab.page.wait_for_selector("text=como ana")
    [cookie] = [each for each in tab.context.cookies() if each["name"] == "nadie_session"]
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert place.secrets["ana"] not in tab.page.evaluate(
        "() => document.cookie + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)"
    )
    tab.page.reload()
    tab.page.wait_for_selector("text=como ana")
    tab.close()


def test_people_and_roles_on_a_page(sign_on: SignOn, place: Place) -> None:
    jefa = sign_on("jefa")
    jefa.page.click("#show-people")
    jefa.page.wait_for_selector("#people-list >> text=luis")
    assert violations(jefa) == []
    jefa.page.fill("#person-name", "nuria")
    jefa.page.click("#person-add")
    token = jefa.page.locator("dialog input[readonly]").input_value()
    assert token.startswith("nadie_")
    jefa.press("Escape")
    jefa.page.wait_for_selector("#people-list >> text=nuria")
    place.secrets["nuria"] = token
    nuria = sign_on("nuria")
    assert "nuria" in nuria.page.inner_text("#status")
    assert not nuria.page.locator("#show-people").count()
    jefa.page.click("button[aria-label='Retirar: nuria']")
    jefa.page.locator("dialog[open] button.danger").click()
    jefa.page.wait_for_selector("#people-list >> text=nuria", state="detached")


def test_a_third_answer_by_keys(sign_on: SignOn, place: Place) -> None:
    document = read_twice(place, "tercera.txt")
    eva = sign_on("eva")
    eva.page.click("#team")
    eva.page.click("button[aria-label='Decidir: tercera.txt']")
    eva.page.wait_for_selector(".difference.current")
    eva.hold("1")
    assert eva.page.locator(".difference input:checked").count() == 1, "a held key decides once"
    eva.press("3", "h", "h")
    assert eva.page.inner_text(".third:visible .third-words") == "«natural de Cuenca»"
    assert violations(eva) == []
    eva.press("Control+Enter")
    eva.page.wait_for_selector("#pairs tr:has-text('tercera.txt'):has-text('Decidió eva')")
    decided = place.call("eva", "GET", f"/documents/{document['id']}")
    kept = [NOTE[span["start"] : span["end"]] for span in decided["spans"]]
    assert ("54 años" in kept, "natural de Cuenca" in kept, "Cuenca" in kept) == (True, True, False)
