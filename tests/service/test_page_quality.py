"""Accessibility, what the modules compute, and what the page is allowed to do."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from nadie.labels import Label
from nadie.service.http.bundle import bundled
from nadie.service.http.page import FOLDER, router
from nadie.service.project.sampled import EVENT

from .browsing import TABLET, Tab
from .conftest import NOTE, Server, StartServer


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def test_a_tablet_is_enough_for_the_whole_work(browser: Any, server: Server) -> None:
    tab = Tab(browser, server.url, has_touch=True).go()
    tab.page.set_viewport_size(TABLET)
    tab.add(nota=NOTE)
    assert tab.page.locator("#documents").is_hidden(), "the list makes room"
    tab.mark("Cuenca").tap()
    tab.page.tap("button.danger:visible")
    assert "Cuenca" not in tab.words()
    tab.page.tap("#toggle-documents")
    assert tab.page.locator("#documents").is_visible()
    for name in ("#text", "#preview-text", "#inspector"):
        box = tab.page.locator(name).bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= TABLET["width"]
    tab.close()


def test_the_page_is_one_script_and_one_style_sheet_that_are_cached(browser: Any, server: Server) -> None:
    tab = Tab(browser, server.url)
    loaded: list[str] = []
    tab.page.on("response", lambda answer: loaded.append(answer.url.removeprefix(server.url)))
    tab.go()
    files = [url.partition("?")[0] for url in loaded if not url.startswith("/v1/")]
    assert sorted(set(files)) == ["/", "/page/app.js", "/page/nadie.svg", "/page/style.css"]
    assert len(files) <= 5, files
    tab.close()


def test_the_script_is_compressed_and_may_be_kept_for_ever() -> None:
    application = FastAPI()
    application.include_router(router())
    client = TestClient(application)
    page = client.get("/").text
    for name in ("page/app.js", "page/style.css"):
        [address] = re.findall(rf'"({re.escape(name)}\?v=[0-9a-f]+)"', page)
        answer = client.get(address, headers={"Accept-Encoding": "gzip"})
        assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer.headers["Content-Encoding"] == "gzip"
        assert client.get(name, headers={"Accept-Encoding": ""}).headers["Cache-Control"] == "no-cache"
        assert "Content-Encoding" not in client.get(name, headers={"Accept-Encoding": ""}).headers
        unchanged = client.get(name, headers={"If-None-Match": answer.headers["ETag"]})
        assert (unchanged.status_code, unchanged.content) == (304, b"")


def test_every_module_is_in_the_bundle_once() -> None:
    script = bundled(FOLDER, "app.js")
    modules = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js")}
    for name in modules:
        variable = "$" + re.sub(r"\W", "_", name.removesuffix(".js"))
        assert script.count(f"const {variable} = ") == 1, name


@pytest.mark.parametrize(
    "line", ['import * as x from "./b.js";', 'import x from "./b.js";', "export default 1;", "export let x = 1;"]
)
def test_what_cannot_be_bundled_is_an_error(tmp_path: Path, line: str) -> None:
    (tmp_path / "a.js").write_text(f"{line}\n")
    (tmp_path / "b.js").write_text("export const y = 1;\n")
    with pytest.raises(ValueError, match="cannot be bundled"):
        bundled(tmp_path, "a.js")


def test_modules_that_need_each_other_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = () => b;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = () => a;\n')
    with pytest.raises(ValueError, match="cycle"):
        bundled(tmp_path, "a.js")


def test_the_labels_are_those_of_nadie() -> None:
    source = (FOLDER / "core" / "labels.js").read_text(encoding="utf-8")
    assert set(re.findall(r"^  ([A-Z_]{3,}): \"", source, re.MULTILINE)) == set(Label)


def test_the_page_cannot_run_anything_but_its_own_files(browser: Any, server: Server) -> None:
    tab = Tab(browser, server.url).go()
    script = """() => new Promise((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective));
      const inline = document.createElement('script');
      try { inline.textContent = 'window.ran = true'; } catch { resolve('trusted-types'); }
      document.head.append(inline);
      setTimeout(() => resolve('nothing'), 1000);
    })"""
    assert tab.page.evaluate(script) in ("script-src-elem", "require-trusted-types-for", "trusted-types")
    assert tab.page.evaluate("() => window.ran") is None
    tab.context.close()


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_the_description_of_a_policy_is_shown_in_full(tab: Tab, width: int) -> None:
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.add(nota=NOTE)
    for name in ("default", "hipaa-safe-harbor", "gdpr-pseudonymise", "research"):
        tab.page.select_option("#policy", name)
        shown = tab.page.locator("#policy-description")
        tab.page.wait_for_function("() => document.querySelector('#policy-description').textContent.endsWith('.')")
        hidden = shown.evaluate("p => [p.scrollWidth - p.clientWidth, p.scrollHeight - p.clientHeight]")
        assert max(hidden) <= 1, (name, hidden)


def test_keys_are_named_in_the_language_of_the_page(tab: Tab) -> None:
    tab.page.click("#help")
    assert "Supr" in tab.page.locator("dialog kbd").all_inner_texts()
    tab.press("Escape")
    tab.page.click("#language")
    tab.page.click("#help")
    keys = tab.page.locator("dialog kbd").all_inner_texts()
    assert "Del" in keys
    assert "Supr" not in keys


def _kinds_in(source: str) -> set[str]:
    """The kinds of change that a module writes to the change log."""
    found: set[str] = set()
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        named = [
            each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in [call.func, *call.args]
        ]
        at = next((place for place in (0, 1) if named[place : place + 1] in (["Entry"], ["audit"], ["record"])), None)
        if at is not None:
            parts = [part for argument in call.args[at + 1 : at + 2] for part in ast.walk(argument)]
            found |= {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return found


def test_every_kind_of_change_has_its_words_on_the_page() -> None:
    written = {"changed", "todo", "reviewed", EVENT}
    for path in FOLDER.parent.rglob("*.py"):
        written |= _kinds_in(path.read_text(encoding="utf-8"))
    assert {"deleted", "flagged", "unflagged", "exported", "restored", "person added"} <= written
    table = (
        (FOLDER / "core" / "events.js").read_text(encoding="utf-8").partition("const KINDS = {")[2].partition("};")[0]
    )
    assert written == set(re.findall(r'([a-z]+(?: [a-z]+)?)"?: "did', table))
