"""The time that the review page takes to open many notes, and its response time with all of them open.

    python benchmarks/review_many.py --model fast --notes 500
    python benchmarks/review_many.py --model fast --notes 500 --project /tmp/review

The notes are those of data/notes/train, repeated with a number before them. The output has the seconds until all are in
the list, as wall time and processor time, and the milliseconds until the result of a key press is painted.
"""

from __future__ import annotations

import argparse
import itertools
import os
import time
from pathlib import Path

from playwright.sync_api import FilePayload
from review_browser import ROOT, review_page

from nadie.files.annotated.reading import read_documents

SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30))))"


def seconds_of(processes: list[int]) -> float:
    """The processor time of these processes and their children."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(path.parent.name) in processes or int(fields[1]) in processes:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--notes", type=int, default=500)
    parser.add_argument("--project", default="")
    arguments = parser.parse_args()
    notes = [note.text for note in read_documents(ROOT / "data" / "notes" / "train")]
    texts = [f"{number}\n{note}" for number, note in zip(range(arguments.notes), itertools.cycle(notes), strict=False)]
    print(f"{len(texts)} notes of {sum(map(len, texts)) // len(texts)} characters")
    project = ["--project", arguments.project] if arguments.project else []
    with review_page("--model", arguments.model, *project) as (page, service):
        files: list[FilePayload] = [
            {"name": f"nota-{number:04d}.txt", "mimeType": "text/plain", "buffer": text.encode()}
            for number, text in enumerate(texts)
        ]
        began, used = time.perf_counter(), seconds_of([service])
        page.set_input_files("#file-input", files)
        page.wait_for_function("n => document.querySelectorAll('button.entry').length === n", arg=len(texts))
        took, used = time.perf_counter() - began, seconds_of([service]) - used
        print(f"opened in {took:.1f} s; processor time of the service {used:.1f} s")
        page.focus("#text")
        for key in ("n", "3", "Alt+ArrowDown"):
            began = time.perf_counter()
            page.keyboard.press(key)
            page.evaluate(SETTLED)
            print(f"key {key}: {1000 * (time.perf_counter() - began):.0f} ms to the painted result")


if __name__ == "__main__":
    main()
