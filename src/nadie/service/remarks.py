"""What people add to a document besides its spans: comments, flags, and replacements of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nadie.anonymize.engine import Anonymized, Piece, assemble
from nadie.anonymize.verification import hidden_values, survivors
from nadie.document import Document
from nadie.errors import LeakError
from nadie.resolve.completing import complete
from nadie.resolve.values import identifying_values
from nadie.service.schemas import ChosenBody

OPERATOR = "person"
TABLES = (
    """CREATE TABLE IF NOT EXISTS comment (
        id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
        at TEXT NOT NULL, editor TEXT NOT NULL, start INTEGER, end INTEGER, text TEXT NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS replacement (
        document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
        start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (document, start, end)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS flag (
        document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
        at TEXT NOT NULL, editor TEXT NOT NULL, reason TEXT NOT NULL
    )""",
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment on a document, or on `text[start:end]` of it."""

    id: int
    at: str
    editor: str
    start: int | None
    end: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Flag:
    """A document that somebody put aside for others to look at, and why."""

    at: str
    editor: str
    reason: str


def flag_of(db: sqlite3.Connection, document: int) -> Flag | None:
    row = db.execute("SELECT at, editor, reason FROM flag WHERE document = ?", (document,)).fetchone()
    return None if row is None else Flag(*row)


def put_flag(db: sqlite3.Connection, document: int, flag: Flag | None) -> None:
    """Set or remove the flag of a document."""
    db.execute("DELETE FROM flag WHERE document = ?", (document,))
    if flag is not None:
        db.execute("INSERT INTO flag VALUES (?, ?, ?, ?)", (document, flag.at, flag.editor, flag.reason))


def comments_of(db: sqlite3.Connection, document: int) -> tuple[Comment, ...]:
    rows = db.execute(
        "SELECT id, at, editor, start, end, text FROM comment WHERE document = ? ORDER BY id", (document,)
    )
    return tuple(Comment(*row) for row in rows)


def add_comment(db: sqlite3.Connection, document: int, comment: Comment) -> None:
    values = (document, comment.at, comment.editor, comment.start, comment.end, comment.text)
    db.execute("INSERT INTO comment (document, at, editor, start, end, text) VALUES (?, ?, ?, ?, ?, ?)", values)


def remove_comment(db: sqlite3.Connection, document: int, comment: int) -> None:
    db.execute("DELETE FROM comment WHERE document = ? AND id = ?", (document, comment))


def replacements_of(db: sqlite3.Connection, document: int) -> tuple[ChosenBody, ...]:
    rows = db.execute("SELECT start, end, text FROM replacement WHERE document = ? ORDER BY start", (document,))
    return tuple(ChosenBody(start=start, end=end, text=text) for start, end, text in rows)


def put_replacement(db: sqlite3.Connection, document: int, start: int, end: int, text: str | None) -> None:
    """Set the replacement of a span; None leaves it to the policy again."""
    db.execute("DELETE FROM replacement WHERE document = ? AND start = ? AND end = ?", (document, start, end))
    if text is not None:
        db.execute("INSERT INTO replacement VALUES (?, ?, ?, ?)", (document, start, end, text))


def with_chosen(result: Anonymized, chosen: Iterable[ChosenBody]) -> Anonymized:
    """The output with replacements written by people; `LeakError` if one reveals an original value.

    A replacement is used only for a span with exactly its offsets: if the span has changed since, the policy decides.
    """
    by_offsets = {(each.start, each.end): each.text for each in chosen}
    if not any((each.span.start, each.span.end) in by_offsets for each in result.replaced):
        return result
    pieces: list[Piece] = []
    for each in result.replaced:
        text = by_offsets.get((each.span.start, each.span.end))
        old = Piece(each.span, result.text[each.start : each.end], each.operator, each.kept, each.refused)
        pieces.append(old if text is None else Piece(each.span, text, OPERATOR))
    output = replace(assemble(result.document, pieces), name=result.name)
    _check(output)
    _check_parts(output)
    return output


def _check_parts(output: Anonymized) -> None:
    """Look in the written replacements for what a run looks for beside the spans: parts and other forms of them.

    They are read as if they stood at the end of the original, so `Sra. Iturbe` is found after `Rosalía Iturbe Cantero`.
    """
    original = output.document
    written = "".join(f"\n\n{output.text[r.start : r.end]}" for r in output.replaced if r.operator == OPERATOR)
    hidden = tuple(each.span for each in output.replaced if not each.kept)
    completed = complete(Document(original.id, original.text + written, hidden))
    if any(span.start >= len(original.text) and span not in hidden for span in completed.spans):
        raise LeakError("a replacement has a part of a detected value")


def _check(output: Anonymized) -> None:
    values = hidden_values(identifying_values(output.document), ((each.span, each.kept) for each in output.replaced))
    others: Sequence[tuple[int, int]] = [(r.start, r.end) for r in output.replaced if r.operator != OPERATOR]
    leaks = survivors(output.text, values, others)
    if leaks:
        raise LeakError(f"a detected value would be readable at {leaks[0].start}")
