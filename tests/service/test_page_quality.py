"""Accessibility, what the modules compute, and what the page is allowed to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nadie.labels import Label
from nadie.service.page import FOLDER

from .browsing import TABLET, Tab
from .conftest import NOTE, Server, StartServer

CASES = json.loads((Path(__file__).parent / "occurrence_cases.json").read_text(encoding="utf-8"))
TEXTS = ["", "abc", "😀", "a😀b😀😀c", "👩‍⚕️x", "\ufeffa\r\n", "𝒜𝒷"]


@pytest.fixture(scope="module")
def server(start_server: StartServer) -> Server:
    return start_server()


def violations(tab: Tab) -> list[str]:
    """What axe finds against WCAG 2.2 AA and its own best practices."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python (group dev)")
    results = axe.Axe().run(tab.page).response["violations"]
    return [f"{found['id']}: {found['nodes'][0]['html'][:120]}" for found in results]


def test_no_accessibility_violation_in_any_state(tab: Tab) -> None:
    assert violations(tab) == []
    tab.add(una=NOTE, otra=NOTE)
    tab.wait_for_preview("[FECHAS]")
    assert violations(tab) == []
    tab.mark("Cuenca").click()
    assert violations(tab) == []
    tab.press("t")
    assert violations(tab) == []
    tab.press("Escape", "?")
    assert violations(tab) == []
    tab.press("Escape")
    tab.page.click("#export")
    tab.page.check("input[value=brat]")
    assert violations(tab) == []
    tab.press("Escape")
    tab.page.click("#paste")
    assert violations(tab) == []
    tab.press("Escape")
    tab.page.click("button[data-t-label=view]")
    assert violations(tab) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [TABLET, {"width": 1180, "height": 820}], ids=["upright", "lying"])
def test_no_accessibility_violation_on_a_tablet(browser: Any, server: Server, scheme: str, size: Any) -> None:
    tab = Tab(browser, server.url, color_scheme=scheme, has_touch=True).go()
    tab.page.set_viewport_size(size)
    tab.add(nota=NOTE)
    tab.page.click("#language")
    tab.mark("Cuenca").tap()
    assert violations(tab) == []
    tab.close()


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


@pytest.mark.parametrize("case", CASES, ids=[case["words"] for case in CASES])
def test_occurrences_as_the_service_finds_them(tab: Tab, case: dict[str, Any]) -> None:
    script = "async ([t, w]) => (await import('/page/core/occurrences.js')).occurrences(t, w)"
    assert tab.page.evaluate(script, [case["text"], case["words"]]) == case["places"]


def test_offsets_there_and_back(tab: Tab) -> None:
    script = """async (texts) => {
      const { Offsets } = await import('/page/core/offsets.js');
      return texts.map((text) => {
        const offsets = new Offsets(text);
        const length = Array.from(text).length;
        return Array.from({ length: length + 1 }, (_, at) => [
          offsets.toUtf16(at), offsets.toCodePoint(offsets.toUtf16(at))]);
      });
    }"""
    for text, answer in zip(TEXTS, tab.page.evaluate(script, TEXTS), strict=True):
        expected = [[len(text[:at].encode("utf-16-le")) // 2, at] for at in range(len(text) + 1)]
        assert answer == expected


SPANS = """async ([name, ...values]) => {
  const spans = await import('/page/core/spans.js');
  const result = spans[name](...values);
  return result;
}"""


def span(start: int, end: int, label: str = "FECHAS", score: float = 0.5) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label, "score": score, "source": "probe"}


def test_a_new_span_leaves_the_rest_of_older_ones_covered(tab: Tab) -> None:
    older = [span(0, 10), span(20, 30)]
    change = tab.page.evaluate(SPANS, ["adding", older, span(5, 22, "CALLE")])
    assert change["remove"] == older
    assert [(s["start"], s["end"]) for s in change["add"]] == [(5, 22), (0, 5), (22, 30)]


@pytest.mark.parametrize(
    ("start", "end", "result"),
    [(11, 20, (11, 20)), (5, 20, (10, 20)), (12, 40, (12, 30)), (25, 20, (19, 20)), (12, 3, (12, 13)), (12, 15, None)],
)
def test_a_border_stops_at_its_neighbours(tab: Tab, start: int, end: int, result: tuple[int, int] | None) -> None:
    spans = [span(0, 10), span(12, 15) if result is None else span(12, 20), span(30, 40)]
    change = tab.page.evaluate(SPANS, ["moving", spans, spans[1], start, end, 50])
    assert (change and (change["add"][0]["start"], change["add"][0]["end"])) == result


def test_changes_that_follow_each_other_are_one(tab: Tab) -> None:
    first, second, third = span(0, 5), span(0, 6), span(0, 7)
    steps = [
        {"document": 1, "remove": [first], "add": [second]},
        {"document": 1, "remove": [second], "add": [third]},
        {"document": 2, "remove": [], "add": [first]},
    ]
    net = tab.page.evaluate(SPANS, ["combined", steps])
    assert net == [{"document": 1, "remove": [first], "add": [third]}, {"document": 2, "remove": [], "add": [first]}]


def test_both_languages_say_the_same_things(tab: Tab) -> None:
    script = """async () => {
      const { spanish } = await import('/page/strings/es.js');
      const { english } = await import('/page/strings/en.js');
      const shape = (texts) => Object.entries(texts.texts).map(([key, text]) => [
        key, Array.isArray(text), [...String(text).matchAll(/{\\w+}/g)].map(String).sort().join()]);
      const { LABELS } = await import('/page/core/labels.js');
      return { es: shape(spanish), en: shape(english), labels: LABELS,
               es_labels: Object.keys(spanish.labels), en_labels: Object.keys(english.labels) };
    }"""
    answer = tab.page.evaluate(script)
    assert answer["es"] == answer["en"]
    assert sorted(answer["labels"]) == sorted(answer["es_labels"]) == sorted(answer["en_labels"]) == sorted(Label)


def test_every_module_is_preloaded() -> None:
    page = (FOLDER / "index.html").read_text(encoding="utf-8")
    modules = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.js")} - {"app.js"}
    assert modules == {
        name for name in modules if f'<link rel="modulepreload" fetchpriority="low" href="/page/{name}" />' in page
    }
    assert page.count("modulepreload") == len(modules)


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
