"""Chromium for the tests of the page: found, started, and watched for anything that it complains about.

With `NADIE_SLOW_LINE=300 pytest tests/service/test_page*.py` every request takes 300 ms more: a test that does not wait
for what it needs fails then, and not only on some days.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

# As root in a container there is no sandbox to be had, and nothing in a test has to reach the network.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LISTED = "**/v1/project/documents?*"  # the request for the list of documents
AXE = Path(__file__).parents[2] / "scripts" / "page-check" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE = 120.0  # seconds: a machine that does much else may be slow; what never comes takes this long to fail
LAPTOP = {"width": 1440, "height": 900}
TABLET = {"width": 820, "height": 1180}


def chromium_path() -> str | None:
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("NADIE_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@contextmanager
def started_chromium() -> Iterator[Any]:
    """A browser, or a skip that says what is missing."""
    playwright = pytest.importorskip("playwright.sync_api", reason="the page's tests need playwright (group dev)")
    path = chromium_path()
    if path is None:
        pytest.skip("Chromium is not here: install it, or set NADIE_CHROMIUM to its path")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=FLAGS, timeout=1000 * PATIENCE)
        yield browser
        browser.close()


class Tab:
    """A page in a context of its own, and what a person does there."""

    def __init__(self, browser: Any, url: str, **options: Any) -> None:
        self.url = url
        still = {"reduced_motion": "reduce", **options}  # nothing is half faded, with too little contrast
        self.context = browser.new_context(viewport=LAPTOP, locale="es-ES", accept_downloads=True, **still)
        self.context.set_default_timeout(1000 * PATIENCE)
        self.page = self.context.new_page()
        if latency := os.environ.get("NADIE_SLOW_LINE"):
            slow_down(self.page, int(latency))
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.page.on("console", lambda message: self._heard(message.type, message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("dialog", lambda dialog: dialog.accept())

    def _heard(self, kind: str, text: str) -> None:
        # A refused request is written to the console by the browser itself; the page is to show it to the person.
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.complaints.append(text)

    def _asked(self, url: str) -> None:
        if not url.startswith((self.url, "blob:", "data:")):
            self.elsewhere.append(url)

    def go(self) -> Tab:
        """Load the page, and wait until it is ready."""
        self.page.goto(self.url)
        self.wait_until_ready()
        return self

    def wait_until_ready(self) -> None:
        """Until the page has loaded what it shows: before that, it may still open a document."""
        self.page.wait_for_selector("#main:not([aria-busy])")

    def close(self) -> None:
        self.context.close()
        assert not self.complaints, self.complaints
        assert not self.elsewhere, self.elsewhere

    def add(self, **texts: str) -> None:
        """Open files as a person would, and wait until they are in the list."""
        before = self.page.locator("#document-list .entry").count()
        files = [{"name": f"{n}.txt", "mimeType": "text/plain", "buffer": t.encode()} for n, t in texts.items()]
        self.page.set_input_files("#file-input", files)
        self.page.wait_for_function(
            "n => document.querySelectorAll('#document-list button.entry').length === n", arg=before + len(texts)
        )
        self.page.wait_for_selector("#editor:not([hidden])")

    def hear_nothing(self) -> None:
        """From now on the page does not learn what others change, which it otherwise asks every five seconds."""
        self.page.route(LISTED, lambda route: route.fulfill(status=304))

    def clear(self) -> None:
        """Remove what is in the project from an earlier test, and set its rule for patients back."""
        headers = {"Content-Type": "application/json"}
        self.page.evaluate(_CLEAR, headers)
        self.go()

    def open(self, name: str) -> None:
        self.page.locator("button.entry", has_text=name).click()
        self.page.wait_for_function(_IS_OPEN, arg=name)

    def wait_until_open(self, name: str) -> None:
        self.page.wait_for_function("n => document.querySelector('#document-name').textContent === n", arg=name)

    def wait_until_saved(self) -> None:
        self.page.wait_for_function("() => document.querySelector('#status').textContent.includes('Guardado')")

    def wait_for_state(self, name: str, words: str) -> None:
        """Until the list says of a document that it is `revisado` or `por revisar`."""
        shown = self.page.locator("button.entry", has_text=name).locator(".visually-hidden", has_text=words)
        shown.wait_for(state="attached")

    def marks(self) -> list[tuple[str, str]]:
        """Words and tag of every mark."""
        found = self.page.eval_on_selector_all(
            "#text .mark", "marks => marks.map(m => [m.textContent, m.dataset.tag ?? ''])"
        )
        return [(words, tag.replace("\xa0", " ")) for words, tag in found]

    def words(self) -> list[str]:
        return [words for words, _ in self.marks()]

    def mark(self, words: str) -> Any:
        return self.page.locator("#text .mark", has_text=words).first

    def text(self) -> str:
        shown: str = self.page.eval_on_selector("#text .lines", "lines => lines.textContent")
        return shown

    def preview(self) -> str:
        shown: str = self.page.eval_on_selector("#preview-text .lines", "lines => lines.textContent")
        return shown

    def wait_for_preview(self, words: str) -> None:
        self.page.wait_for_function(
            "words => document.querySelector('#preview-text .lines').textContent.includes(words)", arg=words
        )

    def selected(self) -> str:
        quoted: str = self.page.inner_text(".quote") if self.page.locator(".quote").is_visible() else ""
        return quoted.strip("«»")

    def drag_over(self, words: str, nth: int = 0) -> None:
        """Select words with the mouse, from their first line to their last."""
        first, last = self._place_of(words, nth)
        self.page.mouse.move(first["left"] + 0.5, first["y"])
        self.page.mouse.down()
        self.page.mouse.move(last["right"] - 0.5, last["y"], steps=4)
        self.page.mouse.up()

    def _place_of(self, words: str, nth: int) -> Any:
        """Where the words begin and end, as soon as nothing moves any more."""
        return self.settled(lambda: self.page.evaluate(_FIND, [words, nth]))

    def settled(self, measured: Callable[[], Any]) -> Any:
        """What was measured, as soon as nothing moves any more."""
        place = None
        while place != (place := measured()):
            self.page.evaluate("() => new Promise(requestAnimationFrame)")
        return place

    def pick(self, search: str) -> None:
        """Choose a type by typing the beginning of its name."""
        self.page.click("#type-input")
        self.page.keyboard.type(search)
        self.page.keyboard.press("Enter")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def hold(self, key: str, *held: str, times: int = 12) -> None:
        """A key that stays down: the system repeats it."""
        for modifier in held:
            self.page.keyboard.down(modifier)
        for _ in range(times):
            self.page.keyboard.down(key)
            self.page.wait_for_timeout(30)
        for each in (key, *held):
            self.page.keyboard.up(each)
        self.page.wait_for_timeout(200)

    def review(self, sure: bool = True) -> None:
        """Call the open document reviewed, and answer the question that is asked where doubts remain."""
        self.press("Control+Enter")
        if self.page.locator("dialog[open]").count():
            self.press("Enter" if sure else "Escape")

    def download(self, selector: str, to: Path) -> Path:
        with self.page.expect_download() as waiting:
            self.page.click(selector)
        path = to / str(waiting.value.suggested_filename)
        waiting.value.save_as(path)
        return path


class Slow:
    """Answers of the service that come when the test lets them."""

    def __init__(self, tab: Tab, pattern: str) -> None:
        self.waiting: list[Any] = []
        self._tab, self._is_slow = tab, True
        tab.page.route(pattern, lambda route: self.waiting.append(route) if self._is_slow else route.continue_())

    def wait(self, count: int = 1) -> None:
        latest = time.monotonic() + PATIENCE
        while len(self.waiting) < count:
            assert time.monotonic() < latest, "nothing was asked"
            self._tab.page.wait_for_timeout(20)

    def answer(self) -> None:
        self.waiting.pop(0).continue_()

    def answer_all(self) -> None:
        """Those that wait, and all later ones at once."""
        self._is_slow = False
        while self.waiting:
            self.answer()


def slow_down(page: Any, latency: int) -> None:
    """Give the page a slow line, in milliseconds: what a test does not wait for then comes too late for it."""
    session = page.context.new_cdp_session(page)
    line = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", line)


def violations(tab: Tab) -> list[str]:
    """What axe finds against WCAG 2.2 AA and its own best practices."""
    if not AXE.exists():
        pytest.skip("axe is not here: `make page-check` installs it (needs npm)")
    tab.page.evaluate(AXE.read_text(encoding="utf-8"))
    found = tab.page.evaluate("async () => (await axe.run()).violations")
    return [f"{each['id']}: {[node['html'][:120] for node in each['nodes'][:3]]}" for each in found]


_CLEAR = """async (headers) => {
  const { open } = await (await fetch('/v1/project')).json();
  if (!open) return;
  await fetch('/v1/project/patients/rule', { method: 'PUT', headers, body: '{"rule": "auto"}' });
  for (const { id } of await (await fetch('/v1/project/documents')).json())
    await fetch(`/v1/project/documents/${id}`, { method: 'DELETE' });
}"""
_IS_OPEN = """(name) => document.querySelector('#document-name').textContent.includes(name)
  && document.querySelector('#text').getAttribute('aria-busy') !== 'true'"""
_FIND = """([words, nth]) => {
  const lines = document.querySelector('#text .lines');
  const walker = document.createTreeWalker(lines, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    for (let at = node.data.indexOf(words); at >= 0; at = node.data.indexOf(words, at + 1)) {
      if (nth-- > 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + words.length);
      node.parentElement.scrollIntoView({ block: 'center' });
      const rects = [...range.getClientRects()].filter(({ width }) => width);
      return [rects[0], rects.at(-1)].map(({ left, right, top, height }) => ({ left, right, y: top + height / 2 }));
    }
  }
  throw new Error('the words are not there');
}"""
