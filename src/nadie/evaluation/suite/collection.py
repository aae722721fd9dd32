"""The hand-written notes, read from the files they ship in: one file for each style, several notes in each.

A note begins with a line `=== id COUNTRY`, which may go on with `key=value` pairs; its text is everything up to the
next such line. The file's name is the style. Countries are ISO 3166 codes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from nadie.document import Document
from nadie.errors import FormatError
from nadie.evaluation.suite.markup import Trap, parse

_HEADER = re.compile(r"=== (?P<id>[a-z0-9_-]+) (?P<country>[A-Z]{2})(?P<meta>(?: [a-z]+=[^ ]+)*)")
_BEGINS = "==="


@dataclass(frozen=True, slots=True)
class Note:
    """One hand-written note with its true spans, and the traps in it."""

    document: Document
    style: str
    country: str
    traps: tuple[Trap, ...]


def load_notes(folder: Path | None = None) -> tuple[Note, ...]:
    """The notes that ship with nadie, or those in `folder`, in the order of their files."""
    folder = folder or Path(str(files("nadie"))) / "evaluation" / "suite" / "notes"
    notes = tuple(note for path in sorted(folder.glob("*.txt")) for note in _read(path))
    if not notes:
        raise FormatError("there are no notes here", where=str(folder))
    seen: set[str] = set()
    for note in notes:
        if note.document.id in seen:
            raise FormatError(f"two notes are called {note.document.id}", where=str(folder))
        seen.add(note.document.id)
    return notes


def _read(path: Path) -> list[Note]:
    """The notes of one file. Newlines are kept as they stand, so that offsets are those of the file."""
    with path.open(encoding="utf-8", newline="") as file:
        lines = file.read().splitlines(keepends=True)
    starts = [i for i, line in enumerate(lines) if line.startswith(_BEGINS)]
    if not lines or starts[:1] != [0]:
        raise FormatError("a file of notes begins with a line '=== id COUNTRY'", where=path.name, line=1)
    return [_note(lines[a:b], path, a + 1) for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]


def _note(lines: list[str], path: Path, line: int) -> Note:
    header = _HEADER.fullmatch(lines[0].rstrip("\r\n"))
    if header is None:
        raise FormatError("a note begins with a line '=== id COUNTRY'", where=path.name, line=line)
    marked = parse("".join(lines[1:]), where=path.name, first_line=line + 1)
    if not marked.text.strip():
        raise FormatError("a note without text", where=path.name, line=line)
    style, country = path.stem, header["country"]
    meta = dict(pair.split("=", 1) for pair in header["meta"].split())
    document = Document(header["id"], marked.text, marked.spans, {"style": style, "country": country, **meta})
    return Note(document, style, country, marked.traps)
