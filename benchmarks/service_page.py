"""The review page in Chromium: the time to the first paint, and the time of an edit in a note of twenty pages.

    python benchmarks/service_page.py --model fast

An edit is a key press that removes a mark; it prints the time in the page's own code and the time until the browser has
painted the result. Chromium is `chromium`, or the path in NADIE_CHROMIUM.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics

from playwright.sync_api import FilePayload, Page, sync_playwright
from service_load import Server, note

FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]
PAGES = 20
CHARACTERS_OF_A_PAGE = 3_000

PRESS = """async (key) => {
  performance.clearMeasures();
  const began = performance.now();
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  const spans = performance.getEntriesByName('spans').reduce((sum, entry) => sum + entry.duration, 0);
  const code = performance.now() - began;
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return { spans, code, painted: performance.now() - began };
}"""


def long_note() -> str:
    chance = random.Random(5)
    text = ""
    while len(text) < PAGES * CHARACTERS_OF_A_PAGE:
        text += note(chance, 6) + "\n"
    return text


def middle(values: list[float]) -> str:
    ordered = sorted(values)
    return f"median {statistics.median(ordered):6.1f} ms, slowest {ordered[-1]:6.1f} ms"


def first_paint(page: Page, url: str) -> float:
    page.goto(url)
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
    paint: float = page.evaluate("() => performance.getEntriesByName('first-contentful-paint')[0].startTime")
    return paint


def measure(page: Page, text: str) -> None:
    file: FilePayload = {"name": "n.txt", "mimeType": "text/plain", "buffer": text.encode()}
    page.set_input_files("#file-input", [file])
    page.wait_for_selector("#text .mark", timeout=120_000)
    page.wait_for_selector("#preview-text .replacement", timeout=120_000)
    marks = page.locator("#text .mark").count()
    print(f"note of {len(text)} characters, {marks} marks")
    page.focus("#text")
    for name, keys in {"go to the next mark": ["n"], "remove a mark": ["n", "Delete"], "undo": []}.items():
        times: list[dict[str, float]] = []
        for _ in range(30):
            for key in keys[:-1]:
                page.evaluate(PRESS, key)
            if keys:
                times.append(page.evaluate(PRESS, keys[-1]))
            else:
                times.append(page.evaluate(PRESS.replace("{ key, bubbles", "{ key: 'z', ctrlKey: true, bubbles"), "z"))
        print(
            f"  {name:22s} code {middle([t['code'] for t in times])}; painted {middle([t['painted'] for t in times])}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="fast")
    arguments = parser.parse_args()
    server = Server(arguments.model, 1)
    server.wait()
    path = os.environ.get("NADIE_CHROMIUM") or shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        paints = []
        for _ in range(7):
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            paints.append(first_paint(context.new_page(), f"http://127.0.0.1:{server.port}"))
            context.close()
        print(f"first contentful paint, nothing cached: {middle(paints)}")
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        first_paint(page, f"http://127.0.0.1:{server.port}")
        measure(page, long_note())
        browser.close()
    server.stop()


if __name__ == "__main__":
    main()
