"""Reading and writing the documents of a project within a transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nadie.document import Document, Span
from nadie.service import remarks
from nadie.service.merging import checked_spans
from nadie.service.problems import ProblemError
from nadie.service.project import patients, schema, trail
from nadie.service.project.trail import Entry
from nadie.service.schemas import ChosenBody, PatientSource


@dataclass(frozen=True, slots=True)
class Stored:
    """A document of the project."""

    id: int
    name: str
    text: str
    model: str
    state: str
    version: int
    changed: str
    editor: str
    spans: tuple[Span, ...] = ()
    patient: str = ""
    patient_source: PatientSource = ""
    comments: tuple[remarks.Comment, ...] = ()
    replacements: tuple[ChosenBody, ...] = ()
    flag: remarks.Flag | None = None

    @property
    def document(self) -> Document:
        """The document as input of the engine."""
        patient = patients.for_engine(self.name, self.patient, self.patient_source)
        return Document(self.name, self.text, self.spans, {"patient": patient} if patient else {})


def create(db: sqlite3.Connection) -> None:
    """Create the tables if they do not exist."""
    schema.create(db)
    # The documents of a project that was created before patients were stored.
    for stored in every(db, "id NOT IN (SELECT document FROM patient)"):
        with_patient(db, stored)


SHOWN_NAME = """COALESCE(
    (SELECT o.name FROM second_reading r JOIN document o ON o.id = r.document WHERE r.copy = d.id), d.name)"""
"""The name that is shown: a second reading has that of its document, so that its reader cannot tell it."""


def get(db: sqlite3.Connection, id: int) -> Stored:  # noqa: A002
    """The document with that id; a problem if there is none."""
    columns = f"d.id, {SHOWN_NAME}, text, model, state, version, changed, editor"
    row = db.execute(f"SELECT {columns} FROM document d WHERE id = ?", (id,)).fetchone()  # noqa: S608
    if row is None:
        raise ProblemError("not-found")
    spans = db.execute(
        "SELECT start, end, label, score, source FROM span WHERE document = ? ORDER BY start, end", (id,)
    )
    patient: tuple[str, PatientSource] = db.execute(
        "SELECT patient, source FROM patient WHERE document = ?", (id,)
    ).fetchone() or ("", "")
    return replace(
        Stored(*row),
        spans=trail.unpacked(spans.fetchall()),
        patient=patient[0],
        patient_source=patient[1],
        comments=remarks.comments_of(db, id),
        replacements=remarks.replacements_of(db, id),
        flag=remarks.flag_of(db, id),
    )


def add(db: sqlite3.Connection, new: Stored, patient_field: str = "") -> Stored:
    """Add a document, with a new id, the time, and a number in its name if the name exists."""
    new = replace(new, name=free_name(db, new.name), changed=trail.now(), spans=checked_spans(new.text, new.spans))
    values = (new.name, new.text, len(new.text), new.model, new.state, new.version, new.changed, new.editor)
    added = db.execute(
        """INSERT INTO document (name, text, characters, model, state, version, changed, editor)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        values,
    )
    stored = replace(new, id=added.lastrowid or 0)
    put_spans(db, stored.id, stored.spans)
    stored = with_patient(db, stored, field=patient_field)
    trail.write(db, Entry(stored.editor, "added", stored.id, stored.version, added=stored.spans))
    return stored


def every(db: sqlite3.Connection, where: str = "TRUE", *values: str) -> Iterator[Stored]:
    """The documents that satisfy the condition, in the order in which they were added."""
    for (id,) in db.execute(f"SELECT id FROM document WHERE {where} ORDER BY id", values).fetchall():  # noqa: A001, S608
        yield get(db, id)


def with_patient(
    db: sqlite3.Connection, stored: Stored, *, field: str | None = None, by_hand: str | None = None
) -> Stored:
    known = patients.put(db, stored.id, Document(stored.name, stored.text, stored.spans), field=field, by_hand=by_hand)
    return replace(stored, patient=known.patient, patient_source=known.source)


def put_spans(db: sqlite3.Connection, id: int, spans: Sequence[Span]) -> None:  # noqa: A002
    db.executemany("INSERT INTO span VALUES (?, ?, ?, ?, ?, ?)", [(id, *span) for span in trail.packed(spans)])


def is_undecided(db: sqlite3.Connection, id: int) -> bool:  # noqa: A002
    """Whether the document is one of two readings of which nobody has decided yet."""
    found = db.execute(
        "SELECT 1 FROM second_reading WHERE adjudicator IS NULL AND copy IS NOT NULL AND ? IN (document, copy)", (id,)
    )
    return found.fetchone() is not None


def free_name(db: sqlite3.Connection, name: str) -> str:
    """The name, followed by a number if a document has it already."""
    candidate, number = name, 2
    while db.execute("SELECT 1 FROM document WHERE name = ?", (candidate,)).fetchone():
        candidate, number = f"{name} ({number})", number + 1
    return candidate
