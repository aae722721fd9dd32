"""The list of a project's documents."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Literal

from nadie.service.project.rows import SHOWN_NAME
from nadie.service.schemas import PatientSource

TO_DO, REVIEWED = "todo", "reviewed"
State = Literal["todo", "reviewed"]


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document in the list of documents."""

    id: int
    name: str
    state: State
    version: int
    characters: int
    spans: int
    doubtful: int
    changed: str
    editor: str
    patient: str
    patient_source: PatientSource
    comments: int
    file: int | None = None
    """The file that it came from, if the project stores it."""
    scanned: bool = False
    """Whether pages of that file are scans, which can be reviewed as images."""
    flagged: bool = False
    undecided: bool = False
    """Two people read it and nobody has adjudicated: it is not exported. Only those who see all documents are told."""
    adjudicated: bool = False


_ENTRIES = f"""
SELECT d.id, {SHOWN_NAME}, d.state, d.version, d.characters,
       (SELECT COUNT(*) FROM span WHERE document = d.id),
       (SELECT COUNT(*) FROM span WHERE document = d.id AND score < ?), d.changed, d.editor,
       COALESCE(p.patient, ''), COALESCE(p.source, ''),
       (SELECT COUNT(*) FROM comment WHERE document = d.id),
       (SELECT file FROM file_document WHERE document = COALESCE(c.document, d.id)),
       EXISTS (SELECT 1 FROM file_document JOIN scanned_file USING (file)
               WHERE document = COALESCE(c.document, d.id)),
       EXISTS (SELECT 1 FROM flag WHERE document = d.id),
       COALESCE(s.copy IS NOT NULL AND s.adjudicator IS NULL, 0) OR c.document IS NOT NULL,
       s.adjudicator IS NOT NULL
FROM document d LEFT JOIN patient p ON p.document = d.id
LEFT JOIN second_reading s ON s.document = d.id LEFT JOIN second_reading c ON c.copy = d.id ORDER BY d.id
"""  # noqa: S608


def entries(db: sqlite3.Connection, doubt: float) -> list[DocumentSummary]:
    """All documents, in the order in which they were added; a span is doubtful below that score."""
    found = db.execute(_ENTRIES, (doubt,)).fetchall()
    return [DocumentSummary(*row[:13], *map(bool, row[13:])) for row in found]
