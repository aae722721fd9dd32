"""A team on one project: the reviewers of documents, second readings, and adjudication of disagreements.

A second reading is a copy of the document, with its initial spans, that another person reviews without seeing the
first. Copies are never exported and never training data. When both are reviewed they can be compared and adjudicated;
the document then has the adjudicated spans, the copy is removed, and both readings are kept for the agreement.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from nadie.document import Document, Span
from nadie.evaluation.pairing import Pair
from nadie.service.merging import ConflictError, checked_spans
from nadie.service.problems import ProblemError
from nadie.service.project import rows, trail
from nadie.service.project.listing import REVIEWED, TO_DO
from nadie.service.project.rows import Stored
from nadie.service.project.store import Project
from nadie.service.project.trail import Entry

_MISSING = "there is no such document, or it is not ready for this"


@dataclass(frozen=True, slots=True)
class ReviewerReading:
    """The result of one reviewer for a document; `editors` have changed it, also before somebody else got it."""

    reviewer: str
    state: str
    spans: tuple[Span, ...]
    editors: frozenset[str] = frozenset()

    @property
    def readers(self) -> frozenset[str]:
        return self.editors | {self.reviewer}


@dataclass(frozen=True, slots=True)
class Guidelines:
    """The guidelines of a project, with the time and author of their last change."""

    text: str = ""
    at: str = ""
    editor: str = ""


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
    def readers(self) -> frozenset[str]:
        """Those who may not decide."""
        return self.first.readers | self.second.readers

    @property
    def is_comparable(self) -> bool:
        return self.adjudicator is not None or self.is_ready


class Team:
    """The team of a project. Every method is one transaction."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def assignments(self) -> dict[int, str]:
        """The reviewer of each document that has one."""
        with self._project.reading() as db:
            return dict(db.execute("SELECT document, reviewer FROM assignment"))

    def reviewed(self) -> set[int]:
        """The documents that are reviewed."""
        with self._project.reading() as db:
            return {row[0] for row in db.execute("SELECT id FROM document WHERE state = ?", (REVIEWED,))}

    def of_others(self, name: str) -> set[int]:
        """The documents assigned to somebody other than this person."""
        return {document for document, reviewer in self.assignments().items() if reviewer != name}

    def undecided(self) -> set[int]:
        """Both documents of each pair of readings that nobody has adjudicated yet: neither is exported."""
        return {document for pair in self._open_pairs() for document in pair}

    def second_readings(self) -> dict[int, int]:
        """The copy of each document whose two readings nobody has adjudicated yet."""
        return dict(self._open_pairs())

    def other_readings(self, name: str) -> set[int]:
        """The readings that this person must not see because they have the other reading of the same text."""
        assigned, pairs = self.assignments(), self._open_pairs()
        return {pair[1 - own] for pair in pairs for own in (0, 1) if assigned.get(pair[own]) == name}

    def adjudicated(self) -> dict[int, frozenset[str]]:
        """The adjudicated documents, each with the people who had read it."""
        with self._project.reading() as db:
            found = db.execute("SELECT document, first, second FROM second_reading WHERE adjudicator IS NOT NULL")
            return {row[0]: frozenset().union(*(_read(packed).readers for packed in row[1:])) for row in found}

    def _open_pairs(self) -> list[tuple[int, int]]:
        query = "SELECT document, copy FROM second_reading WHERE copy IS NOT NULL AND adjudicator IS NULL"
        with self._project.reading() as db:
            return [(document, copy) for document, copy in db.execute(query)]

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
                    copy = _copy(db, document, editor)
                    _assign(db, copy, reviewers[(turn + 1) % len(reviewers)], editor)
            return len(waiting), len(twice)

    def read_twice(self) -> list[ReadTwice]:
        """The documents with a second reading, adjudicated or not."""
        with self._project.reading() as db:
            db.execute("BEGIN")
            return list(_pairs(db))

    def ready_pair(self, document: int) -> ReadTwice:
        """Both readings of a document; a problem unless both are reviewed and not adjudicated yet."""
        return _ready(self.read_twice(), document)

    def adjudicate(self, document: int, version: int, copy_version: int, spans: Sequence[Span], editor: str) -> Stored:
        """Set the adjudicated spans of the document, based on these versions; the copy is removed."""
        with self._project.writing() as db:
            pair = _ready(_pairs(db), document)
            if editor in pair.readers:
                raise ProblemError("forbidden", "nobody decides on their own reading", own=True)
            if (pair.document.version, pair.copy_version) != (version, copy_version):
                raise ConflictError(pair.document.version, (), document, version)
            values = (editor, trail.now(), _packed(pair.first), _packed(pair.second), document)
            db.execute(
                "UPDATE second_reading SET adjudicator = ?, at = ?, first = ?, second = ? WHERE document = ?", values
            )
            db.execute(
                "DELETE FROM document WHERE id = (SELECT copy FROM second_reading WHERE document = ?)", (document,)
            )
            trail.write(db, Entry(editor, "adjudicated", document, detail={"readers": sorted(pair.readers)}))
            return self._project.decide_in(db, pair.document, checked_spans(pair.document.text, spans), editor)

    def compared(self) -> list[Pair]:
        """The two readings of each document that two people have reviewed, as they were before the adjudication."""
        return [
            Pair(
                Document("", each.document.text, each.first.spans),
                Document("", each.document.text, each.second.spans),
            )
            for each in self.read_twice()
            if each.is_comparable
        ]

    def guidelines(self) -> Guidelines:
        """The guidelines for the reviewers of the project."""
        with self._project.reading() as db:
            row = db.execute("SELECT text, at, editor FROM guidelines").fetchone()
            return Guidelines(*row) if row else Guidelines()

    def set_guidelines(self, text: str, editor: str) -> None:
        with self._project.writing() as db:
            at = trail.write(db, Entry(editor, "guidelines", detail={"characters": len(text)}))
            db.execute("INSERT OR REPLACE INTO guidelines VALUES (1, ?, ?, ?)", (text, at, editor))

    def spend(self, document: int, editor: str, seconds: float) -> None:
        """Add to the time that somebody worked on a document."""
        with self._project.writing() as db:
            db.execute(
                """INSERT INTO working_time SELECT id, ?, ? FROM document WHERE id = ?
                   ON CONFLICT DO UPDATE SET seconds = seconds + excluded.seconds""",
                (editor, seconds, document),
            )

    def times(self) -> list[tuple[int, str, float]]:
        """The seconds that each person worked on each document."""
        with self._project.reading() as db:
            return db.execute("SELECT document, editor, seconds FROM working_time ORDER BY document, editor").fetchall()


_TO_DEAL = """
SELECT id FROM document WHERE state = ? AND id NOT IN (SELECT document FROM assignment)
AND id NOT IN (SELECT copy FROM second_reading WHERE copy IS NOT NULL)
AND id NOT IN (SELECT document FROM second_reading) ORDER BY id
"""


def _drawn(document: int) -> bytes:
    return hashlib.sha256(str(document).encode()).digest()


def _assign(db: sqlite3.Connection, document: int, reviewer: str, editor: str) -> None:
    if db.execute("SELECT 1 FROM document WHERE id = ?", (document,)).fetchone() is None:
        raise ProblemError("not-found", _MISSING)
    db.execute("DELETE FROM assignment WHERE document = ?", (document,))
    if reviewer:
        db.execute("INSERT INTO assignment VALUES (?, ?)", (document, reviewer))
    trail.write(db, Entry(editor, "assigned", document, detail={"reviewer": reviewer}))


def _copy(db: sqlite3.Connection, document: int, editor: str) -> int:
    """Create a copy of the document with its initial spans and its patient; return its id.

    It looks as if it had been added with the document, so that its reader cannot tell that it is a copy.
    """
    stored = rows.get(db, document)
    query = "SELECT at, editor, added FROM change WHERE document = ? AND kind = 'added'"
    [(at, by, added)] = db.execute(query, (document,))
    spans = trail.unpacked(json.loads(added))
    copy = rows.add(db, Stored(0, stored.name, stored.text, stored.model, TO_DO, 1, "", editor, spans))
    db.execute("UPDATE document SET changed = ?, editor = ? WHERE id = ?", (at, by, copy.id))
    db.execute(
        """INSERT OR REPLACE INTO patient SELECT ?, field, by_hand, patient, source FROM patient WHERE document = ?""",
        (copy.id, document),
    )
    db.execute("INSERT INTO second_reading (document, copy) VALUES (?, ?)", (document, copy.id))
    return copy.id


def _pairs(db: sqlite3.Connection) -> Iterator[ReadTwice]:
    reviewers = dict(db.execute("SELECT document, reviewer FROM assignment"))
    readings = db.execute("SELECT document, copy, adjudicator, first, second FROM second_reading ORDER BY document")
    for document, copy, adjudicator, first, second in readings.fetchall():
        stored = rows.get(db, document)
        if adjudicator is not None:
            yield ReadTwice(stored, _read(first), _read(second), adjudicator)
        elif copy is not None:
            both = (stored, other := rows.get(db, copy))
            one, two = (
                ReviewerReading(reviewers.get(each.id, ""), each.state, each.spans, _editors(db, each.id, copy))
                for each in both
            )
            yield ReadTwice(stored, one, two, None, other.version)


def _editors(db: sqlite3.Connection, document: int, copy: int) -> frozenset[str]:
    """Those who changed one of two readings, or said that it is reviewed, since there are two."""
    found = db.execute(
        """SELECT DISTINCT editor FROM change WHERE document = ? AND kind IN ('changed', 'reviewed', 'todo')
           AND id > (SELECT id FROM change WHERE document = ? AND kind = 'added')""",
        (document, copy),
    )
    return frozenset(name for (name,) in found)


def _ready(pairs: Iterable[ReadTwice], document: int) -> ReadTwice:
    for pair in pairs:
        if pair.document.id == document and pair.is_ready:
            return pair
    raise ProblemError("not-found", _MISSING)


def _packed(reading: ReviewerReading) -> str:
    content = {"reviewer": reading.reviewer, "editors": sorted(reading.editors), "state": reading.state}
    return json.dumps({**content, "spans": trail.packed(reading.spans)})


def _read(packed: str) -> ReviewerReading:
    content = json.loads(packed)
    editors = frozenset(content.get("editors", ()))  # projects of earlier versions have none
    return ReviewerReading(content["reviewer"], content["state"], trail.unpacked(content["spans"]), editors)
