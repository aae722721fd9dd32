"""Accessibility, what the modules compute, and what the page is allowed to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nadie.labels import Label
from nadie.service.http.page import FOLDER

from .browsing import TABLET, Tab
from .conftest import NOTE, Server, StartServer

CASES = json.loads((Path(__file__).parent / "occurrence_cases.json").read_text(encoding="utf-8"))
TEXTS = ["", "abc", "😀", "a😀b😀😀c", "👩‍⚕️x", "\ufeffa\r\n", "𝒜𝒷"]


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
      const { teamSpanish } = await import('/page/strings/team_es.js');
      const { teamEnglish } = await import('/page/strings/team_en.js');
      spanish.texts = { ...spanish.texts, ...teamSpanish };
      english.texts = { ...english.texts, ...teamEnglish };
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


@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_the_description_of_a_policy_is_shown_in_full(tab: Tab, width: int) -> None:
    tab.page.set_viewport_size({"width": width, "height": 800})
    tab.add(nota=NOTE)
    for name in ("default", "hipaa-safe-harbor", "gdpr-pseudonymise", "research"):
        tab.page.select_option("#policy", name)
        shown = tab.page.locator("#policy-description")
        assert shown.inner_text().endswith(".")
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
