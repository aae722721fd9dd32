"""The agreement of the second reading of the notes with the first.

    python scripts/note_agreement.py [--list]

A second reader annotated the bare text of the notes, without seeing the first annotation. For each note of
`data/notes/SPLIT/NNN.txt` (those of the suite are in the package), `data/notes/second/SPLIT-NNN.tsv` has a line
`CODE<tab>text` for each span, in order of appearance. Each line is placed at the next occurrence of its text; the
format cannot say which occurrence is meant, so a few lines are placed on an earlier one. Prints span F1 (code and both
ends) for each file; --list prints the differences, by offset.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from nadie.document import Document
from nadie.files.annotated.notes import CODES
from nadie.files.annotated.reading import read_documents

ROOT = Path(__file__).resolve().parent.parent / "data" / "notes"
SUITE = ROOT.parent.parent / "src" / "nadie" / "evaluation" / "suite" / "notes"
Marks = set[tuple[int, int, str]]


def readings() -> Iterator[tuple[str, list[tuple[Document, Marks, Marks]]]]:
    """For each file that was read twice: its name, and its notes with the spans of both readings."""
    codes = {str(label): code for code, label in CODES.items()}
    for path in sorted((ROOT / "second").glob("*.tsv")):
        split, _, number = path.stem.partition("-")
        second = _lines(path)
        notes = []
        for note in read_documents(
            SUITE / f"notes-{number}.txt" if split == "suite" else ROOT / split / f"{number}.txt"
        ):
            first = {(span.start, span.end, codes[str(span.label)]) for span in note.spans}
            notes.append((note, first, _placed(note.text, second.get(note.id, []))))
        yield path.stem, notes


def agreement(notes: list[tuple[Document, Marks, Marks]]) -> tuple[int, int, int]:
    """Spans of both readings, of the first only, of the second only."""
    both = sum(len(first & second) for _, first, second in notes)
    return both, sum(len(a - b) for _, a, b in notes), sum(len(b - a) for _, a, b in notes)


def f1(both: int, first: int, second: int) -> float:
    """Span F1 in per cent; two readings without spans agree."""
    return 200 * both / (2 * both + first + second) if both + first + second else 100.0


def _lines(path: Path) -> dict[str, list[tuple[str, str]]]:
    notes: dict[str, list[tuple[str, str]]] = {}
    current: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("=== "):
            current = notes.setdefault(line.split()[1], [])
        elif line.strip():
            code, _, text = line.partition("\t")
            current.append((code, text))
    return notes


def _placed(text: str, lines: list[tuple[str, str]]) -> Marks:
    placed: Marks = set()
    at = 0
    for code, value in lines:
        free = [
            match.span()
            for match in re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)|{re.escape(value)}", text)
            if not any(match.start() < end and start < match.end() for start, end, _ in placed)
        ]
        later = [span for span in free if span[0] >= at]
        if free:
            start, end = (later or free)[0]
            placed.add((start, end, code))
            at = end if later else at
    return placed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="print the differences between the readings")
    options = parser.parse_args()
    total = (0, 0, 0)
    for name, notes in readings():
        counts = agreement(notes)
        total = (total[0] + counts[0], total[1] + counts[1], total[2] + counts[2])
        print(f"{name}: {len(notes)} notes, span F1 {f1(*counts):.2f}")
        for note, first, second in notes if options.list else ():
            for start, end, code in sorted(first ^ second):
                print(f"  {note.id} {'first' if (start, end, code) in first else 'second'} {code} {start}-{end}")
    print(f"all: {total[0] + total[1]} spans in the first reading, span F1 {f1(*total):.2f}")


if __name__ == "__main__":
    main()
