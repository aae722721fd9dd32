"""The number of keys that a simulated annotator presses on the review page to correct ten notes.

    python benchmarks/review_keystrokes.py --model fast
    python benchmarks/review_keystrokes.py --model fast --tree ../older-checkout

The notes are the first ten of data/notes/dev, without emoji, in which the model makes a mistake. The spans of the model
are loaded into the page, with their scores; annotator.py then makes each note equal to the gold annotation, by keyboard
only, the nearest correction first and each in the shortest way that the page has. The output has the keys of each note;
at the end the spans in the project are compared with the annotation, and there is no figure if a note differs. With
`--tree` the page and the service of another
checkout are used, with the keys that its help lists.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path

from annotator import Annotator, Note
from playwright.sync_api import Page
from review_browser import ROOT, review_page

from nadie.document import Document
from nadie.files.annotated.reading import read_documents
from nadie.run.documents import RunOptions

NOTES = 10

ADD = """(document) => fetch('/v1/project/documents', {
  method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(document),
})"""


def notes(model: str) -> list[tuple[Document, Document]]:
    """The model's spans and the gold spans of the first notes with a mistake."""
    pipeline = RunOptions(model).pipeline()
    chosen = []
    for right in read_documents(ROOT / "data" / "notes" / "dev"):
        if max(right.text) > "\uffff":
            continue  # the browser counts such characters twice
        [found] = pipeline.annotate_all([Document(right.id, right.text)])
        if {(s.start, s.end, s.label) for s in found.spans} != {(s.start, s.end, s.label) for s in right.spans}:
            chosen.append((found, right))
        if len(chosen) == NOTES:
            return chosen
    raise SystemExit("there are too few notes")


def corrected(page: Page, pairs: list[tuple[Document, Document]]) -> int:
    for number, (found, _) in enumerate(pairs):
        spans = [{f: getattr(span, f) for f in ("start", "end", "label", "score", "source")} for span in found.spans]
        page.evaluate(ADD, {"name": f"nota-{number:02d}", "text": found.text, "spans": spans})
    page.reload()
    page.wait_for_function("n => document.querySelectorAll('button.entry').length === n", arg=len(pairs))
    page.locator("button.entry").first.click()
    page.wait_for_selector("#text .paragraph")
    annotator, total = Annotator(page), 0
    for number, (found, right) in enumerate(pairs):
        opened = "n => document.querySelector('#document-name').textContent === n"
        page.wait_for_function(opened, arg=f"nota-{number:02d}")
        page.wait_for_timeout(1000)  # wait for suggestions; a person would read longer than that
        before = annotator.keys
        annotator.correct(Note(found, right))
        print(f"  {right.id:28s} {annotator.keys - before:5d} keys", flush=True)
        total = annotator.keys
    return total


def differing(page: Page, pairs: list[tuple[Document, Document]]) -> list[str]:
    """The notes whose spans in the project differ from the annotation."""
    listed = page.evaluate("async () => (await fetch('/v1/project/documents')).json()")
    wrong = []
    for entry, (_, right) in zip(listed, pairs, strict=True):
        stored = page.evaluate(f"async () => (await fetch('/v1/project/documents/{entry['id']}')).json()")
        got = {(span["start"], span["end"], span["label"]) for span in stored["spans"]}
        if difference := got ^ {(span.start, span.end, span.label) for span in right.spans}:
            wrong.append(f"{right.id}: {sorted(difference)}")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout whose page is used")
    arguments = parser.parse_args()
    pairs = notes(arguments.model)
    with tempfile.TemporaryDirectory() as folder:
        options = ("--project", f"{folder}/review", "--model", arguments.model)
        with review_page(*options, tree=arguments.tree.resolve()) as (page, _):
            keys = corrected(page, pairs)
            page.wait_for_function("() => document.querySelector('#status').textContent.includes('Guardado')")
            if wrong := differing(page, pairs):
                raise SystemExit("\n".join(["these notes are not right, so their keys count for nothing:", *wrong]))
            print(json.dumps({"notes": len(pairs), "keys": keys}))


if __name__ == "__main__":
    main()
