"""Uploaded files that a project stores, so that its documents can be exported in their original format at any time.

They are in the project's database, which only its owner can read, and are never returned unchanged. A file is deleted
with the first of its documents that is deleted: it contains that text, and could no longer be rewritten as a whole.
"""

from __future__ import annotations

import base64
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from nadie.service.problems import ProblemError
from nadie.service.project import rows, trail
from nadie.service.project.rows import Stored
from nadie.service.project.store import Project
from nadie.service.project.trail import Entry
from nadie.service.schemas import FileBody
from nadie.service.workers.uploads import decoded

MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file with all its documents, in the order in which they were read from it."""

    file: FileBody
    documents: tuple[Stored, ...]


def store_file(project: Project, file: FileBody, documents: Sequence[int], editor: str) -> None:
    """Store the file of these documents; a problem if one of them does not exist."""
    content = decoded(file.content)
    if len(content) > MOST_BYTES:
        raise ProblemError("too-large", f"a project stores files of up to {MOST_BYTES} bytes", limit=MOST_BYTES)
    with project.writing() as db:
        for document in documents:
            rows.get(db, document)
        values = (file.name, file.patient_field, content)
        number = db.execute("INSERT INTO file (name, patient_field, content) VALUES (?, ?, ?)", values).lastrowid
        positions = [(document, number, position) for position, document in enumerate(documents)]
        try:
            db.executemany("INSERT INTO file_document (document, file, place) VALUES (?, ?, ?)", positions)
        except sqlite3.IntegrityError:
            raise ProblemError("invalid", "a document can belong to only one file") from None
        trail.write(db, Entry(editor, "file", detail={"documents": len(documents)}))


def stored_files(project: Project, documents: frozenset[int]) -> list[StoredFile]:
    """The files whose documents are all among these."""
    with project.reading() as db:
        db.execute("BEGIN")
        stored = db.execute("SELECT file, document FROM file_document ORDER BY file, place").fetchall()
        of_file: dict[int, list[int]] = {}
        for file, document in stored:
            of_file.setdefault(file, []).append(document)
        return [_read(db, file, own) for file, own in of_file.items() if documents >= set(own)]


def _read(db: sqlite3.Connection, file: int, documents: Sequence[int]) -> StoredFile:
    name, field, content = db.execute("SELECT name, patient_field, content FROM file WHERE id = ?", (file,)).fetchone()
    body = FileBody(name=name, content=base64.b64encode(content).decode("ascii"), patient_field=field)
    return StoredFile(body, tuple(rows.get(db, document) for document in documents))
