"""A team on one project: the reviewers of documents, second readings, and adjudication of disagreements.

A second reading is a copy of the document, with its initial spans, that another person reviews without seeing the
first. Copies are never exported and never training data. When both are reviewed they can be compared and adjudicated;
the document then has the adjudicated spans, the copy is removed, and both readings are kept for the agreement.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from nadie.document import Document, Span
from nadie.evaluation.official import Counts, by_label, total_by_label
from nadie.evaluation.pairing import Pair
from nadie.service.merging import ConflictError, checked_spans
from nadie.service.project.rows import Stored
from nadie.service.project.store import REVIEWED, TO_DO, Project

_TABLES = (
    """CREATE TABLE IF NOT EXISTS assignment (
        document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE, reviewer TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS second_reading (
        document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
        copy INTEGER UNIQUE REFERENCES document (id) ON DELETE SET NULL,
        adjudicator TEXT, at TEXT, first TEXT, second TEXT)""",
    """CREATE TRIGGER IF NOT EXISTS remove_copy BEFORE DELETE ON document BEGIN
        DELETE FROM document WHERE id = (SELECT copy FROM second_reading WHERE document = OLD.id); END""",
)


@dataclass(frozen=True, slots=True)
class ReviewerReading:
    """The result of one reviewer for a document."""

    reviewer: str
    state: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ReadTwice:
    """A document with two readings, and the person who adjudicated them, if any."""

    document: Stored
    first: ReviewerReading
    second: ReviewerReading
    adjudicator: str | None
    copy_version: int = 0

    @property
    def is_ready(self) -> bool:
        return self.adjudicator is None and {self.first.state, self.second.state} == {REVIEWED}

    @property
    def is_comparable(self) -> bool:
        return self.adjudicator is not None or self.is_ready


class Team:
    """The team of a project. Every method is one transaction."""

    def __init__(self, project: Project) -> None:
        self._project = project
        with project.writing() as db:
            for statement in _TABLES:
                db.execute(statement)
        project.is_copy = self.is_copy

    def assignments(self) -> dict[int, str]:
        """The reviewer of each document that has one."""
        with self._project.reading() as db:
            return dict(db.execute("SELECT document, reviewer FROM assignment"))

    def of_others(self, name: str) -> set[int]:
        """The documents assigned to somebody other than this person."""
        return {document for document, reviewer in self.assignments().items() if reviewer != name}

    def is_copy(self, document: int) -> bool:
        return document in self.copies()

    def copies(self) -> set[int]:
        with self._project.reading() as db:
            return {row[0] for row in db.execute("SELECT copy FROM second_reading WHERE copy IS NOT NULL")}

    def assign(self, documents: Sequence[int], reviewer: str, editor: str) -> None:
        """Assign documents to a reviewer; an empty name removes the assignment."""
        with self._project.writing() as db:
            for document in documents:
                _assign(db, document, reviewer, editor)

    def deal(self, reviewers: Sequence[str], share: float, editor: str) -> tuple[int, int]:
        """Assign every unassigned document that is to do to one of the reviewers, in turn.

        A share of them is also assigned to a second reviewer. Which ones depends only on the documents and not on their
        order. Returns the number of documents assigned, and the number of those that will be read twice.
        """
        with self._project.writing() as db:
            waiting = [row[0] for row in db.execute(_TO_DEAL, (TO_DO,))]
            twice = set(sorted(waiting, key=_drawn)[: round(share * len(waiting))] if len(reviewers) > 1 else ())
            for turn, document in enumerate(waiting):
                _assign(db, document, reviewers[turn % len(reviewers)], editor)
                if document in twice:
                    copy = _copy(db, self._project, document, editor)
                    _assign(db, copy, reviewers[(turn + 1) % len(reviewers)], editor)
            return len(waiting), len(twice)

    def read_twice(self) -> list[ReadTwice]:
        """The documents with a second reading, adjudicated or not."""
        with self._project.reading() as db:
            db.execute("BEGIN")
            return list(_pairs(db, self._project))

    def adjudicate(self, document: int, version: int, copy_version: int, spans: Sequence[Span], editor: str) -> Stored:
        """Set the adjudicated spans of the document, based on these versions; the copy is removed."""
        with self._project.writing() as db:
            pair = next((each for each in _pairs(db, self._project) if each.document.id == document), None)
            if pair is None or not pair.is_ready:
                raise KeyError(document)
            if (pair.document.version, pair.copy_version) != (version, copy_version):
                raise ConflictError(pair.document.version, (), document, version)
            values = (editor, _now(), _packed(pair.first), _packed(pair.second), document)
            db.execute(
                "UPDATE second_reading SET adjudicator = ?, at = ?, first = ?, second = ? WHERE document = ?", values
            )
            db.execute(
                "DELETE FROM document WHERE id = (SELECT copy FROM second_reading WHERE document = ?)", (document,)
            )
            return self._project.decide_in(db, pair.document, checked_spans(pair.document.text, spans), editor)

    def agreement(self) -> dict[str, Counts]:
        """True and false positives of the second reading against the first, by label."""
        compared = [
            Pair(
                Document("", each.document.text, each.first.spans),
                Document("", each.document.text, each.second.spans),
            )
            for each in self.read_twice()
            if each.is_comparable
        ]
        return total_by_label(map(by_label, compared))


_SETTLE = "UPDATE second_reading SET adjudicator = ?, at = ?, first = ?, second = ? WHERE document = ?"
_REMOVE_COPY = "DELETE FROM document WHERE id = (SELECT copy FROM second_reading WHERE document = ?)"
_TO_DEAL = """
SELECT id FROM document WHERE state = ? AND id NOT IN (SELECT document FROM assignment)
AND id NOT IN (SELECT copy FROM second_reading WHERE copy IS NOT NULL)
AND id NOT IN (SELECT document FROM second_reading) ORDER BY id
"""


def _drawn(document: int) -> bytes:
    return hashlib.sha256(str(document).encode()).digest()


def _assign(db: sqlite3.Connection, document: int, reviewer: str, editor: str) -> None:
    if db.execute("SELECT 1 FROM document WHERE id = ?", (document,)).fetchone() is None:
        raise KeyError(document)
    db.execute("DELETE FROM assignment WHERE document = ?", (document,))
    if reviewer:
        db.execute("INSERT INTO assignment VALUES (?, ?)", (document, reviewer))
    db.execute(
        "INSERT INTO change (document, version, kind, at, editor, removed, added) VALUES (?, 0, ?, ?, ?, '[]', ?)",
        (document, "assigned", _now(), editor, json.dumps({"reviewer": reviewer})),
    )


def _copy(db: sqlite3.Connection, project: Project, document: int, editor: str) -> int:
    """Create a copy of the document with its initial spans; return its id."""
    stored = project.get_in(db, document)
    if stored is None:
        raise KeyError(document)
    row = db.execute("SELECT added FROM change WHERE document = ? AND kind = 'added'", (document,)).fetchone()
    spans = stored.spans if row is None else _unpacked(row[0])
    copy = project.add_in(db, stored.name, stored.text, spans, model=stored.model, editor=editor)
    db.execute("INSERT INTO second_reading (document, copy) VALUES (?, ?)", (document, copy.id))
    return copy.id


def _pairs(db: sqlite3.Connection, project: Project) -> Iterator[ReadTwice]:
    reviewers = dict(db.execute("SELECT document, reviewer FROM assignment"))
    rows = db.execute(
        "SELECT document, copy, adjudicator, first, second FROM second_reading ORDER BY document"
    ).fetchall()
    for document, copy, adjudicator, first, second in rows:
        stored = project.get_in(db, document)
        if stored is None:
            continue
        if adjudicator is not None:
            yield ReadTwice(stored, _read(first), _read(second), adjudicator)
        elif copy is not None and (other := project.get_in(db, copy)) is not None:
            readings = [ReviewerReading(reviewers.get(each.id, ""), each.state, each.spans) for each in (stored, other)]
            yield ReadTwice(stored, readings[0], readings[1], None, other.version)


def _packed(reading: ReviewerReading) -> str:
    spans = [[span.start, span.end, span.label, span.score, span.source] for span in reading.spans]
    return json.dumps({"reviewer": reading.reviewer, "state": reading.state, "spans": spans})


def _read(packed: str) -> ReviewerReading:
    content = json.loads(packed)
    return ReviewerReading(content["reviewer"], content["state"], tuple(Span(*row) for row in content["spans"]))


def _unpacked(rows: str) -> tuple[Span, ...]:
    return tuple(Span(*row) for row in json.loads(rows))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
