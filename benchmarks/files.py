"""The speed for notes in tables and HTML pages, compared with plain text.

    python benchmarks/files.py NOTES [--count 300] [--model fast]

Takes `.txt` files from a folder and puts them into one CSV, Parquet and JSON-lines file and into HTML pages. Prints the
processor time of a run over each, and its speed relative to plain text. Then fills 200 pages of a PDF with them and
prints the time to read and to write it, without the time of the model.
"""

from __future__ import annotations

import argparse
import csv
import html
import io
import json
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from textwrap import wrap

import pyarrow as pa
import pyarrow.parquet as pq
from reportlab.pdfgen.canvas import Canvas

from nadie.anonymize.engine import Anonymized
from nadie.files.container import OpenOptions
from nadie.files.disk import OutputFiles
from nadie.files.mapped import Edit
from nadie.files.recognition import open_as
from nadie.files.source import FileList, Source
from nadie.run.documents import Run, RunOptions
from nadie.run.rewriting import FileReader, ReadOptions, outputs

_PAGES = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--model", default="fast")
    arguments = parser.parse_args()
    files = sorted(arguments.notes.rglob("*.txt"))[: arguments.count]
    notes = [file.read_text(encoding="utf-8") for file in files]
    with tempfile.TemporaryDirectory() as home, Run(RunOptions(arguments.model)) as run:
        inputs = _written(Path(home), notes)
        list(run.anonymize_owned(FileReader(FileList([inputs["text"]]), ReadOptions()).texts()))  # warm up
        plain = 0.0
        for name, path in inputs.items():
            start = time.process_time()
            reader = FileReader(FileList([path]), ReadOptions(open_options=OpenOptions(("nota",))))
            for _ in outputs(run.anonymize_owned(reader.texts()), OutputFiles(Path(home, "out", name))):
                pass
            seconds = time.process_time() - start
            plain = plain or seconds
            print(f"{name:8} {seconds:7.2f} s  {len(notes) / seconds:7.1f} notes/s  {100 * plain / seconds:5.1f} %")
        _time_pdf(run, _pdf(notes))


def _time_pdf(run: Run, content: bytes) -> None:
    start = time.process_time()
    opened = open_as("pdf", Source("a.pdf", "a.pdf", None, content), OpenOptions())
    [text] = opened.texts()
    reading = time.process_time() - start
    [result] = run.anonymize([text.document("a.pdf")])
    assert isinstance(result, Anonymized)
    edits = [Edit(r.span.start, r.span.end, result.text[r.start : r.end]) for r in result.replaced]
    start = time.process_time()
    opened.write(iter([edits]), io.BytesIO())
    writing = time.process_time() - start
    print(f"pdf      {_PAGES} pages, {len(text.text)} characters, {len(edits)} replacements: ", end="")
    print(f"{reading:.1f} s to read, {writing:.1f} s to write")


def _pdf(notes: list[str]) -> bytes:
    """The lines of the notes, 55 per page, until there are enough pages."""
    file = io.BytesIO()
    canvas = Canvas(file)
    lines = cycle(part for note in notes for line in note.splitlines() for part in wrap(line, 95))
    for _ in range(_PAGES):
        page = canvas.beginText(50, 800)
        page.setFont("Helvetica", 10)
        page.textLines(list(islice(lines, 55)))
        canvas.drawText(page)
        canvas.showPage()
    canvas.save()
    return file.getvalue()


def _written(home: Path, notes: list[str]) -> dict[str, Path]:
    """The notes in each format: one note per text file, row, line or page."""
    for folder in ("text", "html"):
        (home / folder).mkdir()
    for number, note in enumerate(notes):
        (home / "text" / f"{number}.txt").write_text(note, encoding="utf-8")
        page = "".join(f"<p>{html.escape(line)}</p>\n" for line in note.splitlines())
        (home / "html" / f"{number}.html").write_text(f"<html><body>{page}</body></html>", encoding="utf-8")
    with (home / "notes.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "nota"], *enumerate(notes)])
    pq.write_table(pa.table({"id": range(len(notes)), "nota": notes}), home / "notes.parquet")
    lines = (json.dumps({"nhc": n, "nota": note}) + "\n" for n, note in enumerate(notes))
    (home / "notes.jsonl").write_text("".join(lines), encoding="utf-8")
    return {
        "text": home / "text",
        "csv": home / "notes.csv",
        "parquet": home / "notes.parquet",
        "jsonl": home / "notes.jsonl",
        "html": home / "html",
    }


if __name__ == "__main__":
    main()
