"""The documentation as a site: built without a warning, complete, accessible, and nothing loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote

import build_site
import pytest

from service.browsing import Tab, started_chromium, violations

_PAGE_OF_NAVIGATION = re.compile(r"(?::|-) ([\w/-]+\.md)$", re.MULTILINE)
_HREF = re.compile(r'href="(?!https?:|mailto:|data:)([^"#]*)(?:#([^"]*))?"')
_ID = re.compile(r'\bid="?([^" >]+)')

# The page that answers each question of the home page, and words of the answer.
ANSWERS = {
    "en": [
        ("start.html", "make bundle"),
        ("understand/nothing-leaves.html", "opens no connection"),
        ("understand/results.html", "PHI covered"),
        ("howto/measure.html", "nadie sample"),
        ("reference/files.html", "what is searched"),
        ("howto/policies.html", "hipaa-safe-harbor"),
        ("howto/restore.html", "byte for byte"),
        ("howto/one-patient.html", "same distances between dates"),
        ("reference/sizing.html", "notes per second"),
        ("compliance/law.html", "no setting of nadie makes a text"),
    ],
    "es": [
        ("start.html", "make bundle"),
        ("understand/nothing-leaves.html", "no abre ninguna conexión"),
        ("../en/understand/results.html", "PHI covered"),
        ("howto/measure.html", "muestra"),
        ("../en/reference/files.html", "what is searched"),
        ("howto/policies.html", "hipaa-safe-harbor"),
        ("howto/restore.html", "originales"),
        ("howto/one-patient.html", "fechas"),
        ("../en/reference/sizing.html", "notes per second"),
        ("compliance/law.html", "RGPD"),
    ],
}


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the base class
        pass


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("site") / "built"
    build_site.build(out)
    return out


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with started_chromium() as running:
        yield running


@pytest.mark.parametrize("language", build_site.LANGUAGES)
def test_every_page_is_in_the_navigation(language: str) -> None:
    tree = build_site.DOCS / language
    listed = _PAGE_OF_NAVIGATION.findall((build_site.ROOT / f"mkdocs.{language}.yml").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(page.relative_to(tree).as_posix() for page in tree.rglob("*.md"))


def test_links_and_anchors_of_the_site_lead_somewhere(site: Path) -> None:
    pages = {page.resolve(): page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    anchors = {page: set(map(unquote, _ID.findall(html))) for page, html in pages.items()}
    broken = []
    for page, html in pages.items():
        if page.name == "404.html":  # its links are from the root of a server
            continue
        for path, anchor in _HREF.findall(html):
            target = (page.parent / unquote(path)).resolve() if path else page
            if not target.exists() or (anchor and target in anchors and unquote(anchor) not in anchors[target]):
                broken.append(f"{page.relative_to(site)}: {path}#{anchor}")
    assert broken == []


@pytest.mark.parametrize("language", build_site.LANGUAGES)
def test_ten_questions_of_a_newcomer_are_one_click_from_home(site: Path, language: str) -> None:
    home = (site / language / "index.html").read_text(encoding="utf-8")
    questions = re.findall(r'<li><a href="?([^" >#]+)', home.rpartition("<ol>")[2])
    assert questions == [page for page, _ in ANSWERS[language]]
    for page, words in ANSWERS[language]:
        assert words in " ".join((site / language / page).read_text(encoding="utf-8").split()), page


def test_axe_finds_nothing_and_nothing_is_loaded_from_elsewhere(site: Path, address: str, browser: Any) -> None:
    tab = Tab(browser, address)
    found = {}
    for number, page in enumerate(sorted(site.glob("*/**/*.html"))):
        if page.name == "404.html":
            continue
        tab.page.emulate_media(color_scheme="dark" if number % 2 else "light")
        tab.page.goto(address + page.relative_to(site).as_posix())
        if complaints := violations(tab):
            found[page.relative_to(site).as_posix()] = complaints
    tab.close()
    assert (found, tab.elsewhere) == ({}, [])


@pytest.mark.parametrize(("language", "word"), [("en", "vault"), ("es", "clave")])
def test_the_search_finds_a_page(address: str, browser: Any, language: str, word: str) -> None:
    tab = Tab(browser, address)
    tab.page.goto(f"{address}{language}/index.html")
    tab.page.keyboard.press("Control+k")
    tab.page.keyboard.type(word)
    tab.page.locator("a[href*='howto/restore.html']:visible").first.wait_for()
    tab.close()
