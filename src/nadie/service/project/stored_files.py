"""Uploaded files that a project stores, so that its documents can be exported in their original format at any time.

They are in the project's database, which only its owner can read, and are never returned unchanged. A file is deleted
with the first of its documents that is deleted: it contains that text, and could no longer be rewritten as a whole.
"""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from nadie.service.problems import ProblemError
from nadie.service.project import rows, trail
from nadie.service.project.rows import Stored
from nadie.service.project.store import Project
from nadie.service.project.trail import Entry
from nadie.service.schemas import BoxBody, FileBody
from nadie.service.workers.uploads import decoded

MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file with all its documents, in the order in which they were read from it.

    The boxes on its scanned pages are those that reviewers drew; `version` is that of the boxes.
    """

    file: FileBody
    documents: tuple[Stored, ...]
    version: int


def store_file(project: Project, file: FileBody, documents: Sequence[int], editor: str, *, scanned: bool) -> None:
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
        if scanned:
            db.execute(
                "INSERT INTO scanned_file (file, version, boxes) VALUES (?, 1, ?)", (number, _packed(file.boxes))
            )
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


def file_of(project: Project, document: int) -> StoredFile:
    """The file with scanned pages that the document came from; a problem if there is none."""
    with project.reading() as db:
        db.execute("BEGIN")
        file = _scanned_file(db, document)
        query = "SELECT document FROM file_document WHERE file = ? ORDER BY place"
        return _read(db, file, [row[0] for row in db.execute(query, (file,))])


def set_boxes(project: Project, document: int, boxes: Sequence[BoxBody], version: int, editor: str) -> int:
    """Replace the boxes on the pages that the document came from; `version` must be the latest. The new version.

    What was reviewed with other boxes must be reviewed again, but for readings that somebody else still decides on.
    """
    with project.writing() as db:
        file = _scanned_file(db, document)
        [(latest, before)] = db.execute("SELECT version, boxes FROM scanned_file WHERE file = ?", (file,))
        if latest != version:
            detail = "fetch the pages again: their boxes were changed by somebody else in the meantime"
            raise ProblemError("conflict", detail, version=latest, places=[], changes=[])
        db.execute("UPDATE scanned_file SET version = ?, boxes = ? WHERE file = ?", (version + 1, _packed(boxes), file))
        kept = sum(box.kept for box in boxes)
        counts = {"painted": len(boxes) - kept, "kept": kept}
        trail.write(db, Entry(editor, "boxes", document, rows.get(db, document).version, detail=counts))
        if _packed(boxes) != before:
            shown = [number for (number,) in db.execute("SELECT document FROM file_document WHERE file = ?", (file,))]
            for number in {document, *(each for each in shown if not rows.is_undecided(db, each))}:
                project.review_again_in(db, number, editor)
    return version + 1


def _scanned_file(db: sqlite3.Connection, document: int) -> int:
    # A second reading has the pages of its document: its reader cannot tell that it is a copy.
    query = """SELECT file FROM file_document JOIN scanned_file USING (file)
        WHERE document = COALESCE((SELECT document FROM second_reading WHERE copy = ?1), ?1)"""
    found = db.execute(query, (document,)).fetchone()
    if found is None:
        raise ProblemError("not-found", "the project stores no scanned pages of this document")
    return int(found[0])


def _read(db: sqlite3.Connection, file: int, documents: Sequence[int]) -> StoredFile:
    name, field, content, version, boxes = db.execute(
        "SELECT name, patient_field, content, COALESCE(version, 0), COALESCE(boxes, '[]') "
        "FROM file LEFT JOIN scanned_file ON file = id WHERE id = ?",
        (file,),
    ).fetchone()
    body = FileBody(
        name=name,
        content=base64.b64encode(content).decode("ascii"),
        patient_field=field,
        boxes=[BoxBody.model_validate(box) for box in json.loads(boxes)],
    )
    return StoredFile(body, tuple(rows.get(db, document) for document in documents), version)


def _packed(boxes: Sequence[BoxBody]) -> str:
    return json.dumps([box.model_dump() for box in boxes])
