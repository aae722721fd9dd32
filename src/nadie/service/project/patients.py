"""The patient of a document: set by hand, otherwise by the rule for all documents, otherwise by the file or its text.

A project stores it with its documents. The page of a service without a project requests it at `/v1/patients`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from nadie.anonymize.patients import identifiers_of, patient_by
from nadie.document import FIELDS, Document
from nadie.errors import ConfigError
from nadie.service.schemas import PatientBody, PatientSource

DEFAULT_RULE = "auto"
_SOURCES: dict[str, PatientSource] = {"folder": "folder", "id": "name"}
_PREFIX = "patient "
TABLES = (
    """CREATE TABLE IF NOT EXISTS patient (
        document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
        field TEXT NOT NULL, by_hand TEXT NOT NULL, patient TEXT NOT NULL, source TEXT NOT NULL
    )""",
    """CREATE TABLE IF NOT EXISTS patient_rule (id INTEGER PRIMARY KEY CHECK (id = 1), rule TEXT NOT NULL)""",
)


def checked_rule(rule: str) -> str:
    """A rule that can identify patients from the data in a project; `ConfigError` for any other rule.

    `auto`         the field of the file, else the strongest identifier found
    `none`         every document is its own patient
    `folder`       the folder of the file
    `id:PATTERN`   the pattern's first group in the name
    `meta:FIELD`   that column or field of the files opened from now on
    """
    if rule.partition(":")[0] not in ("auto", "none", "folder", "id", "meta"):
        raise ConfigError("the rule must be auto, none, folder, id:PATTERN or meta:FIELD")
    patient_by(rule)
    return rule


def patient_of(document: Document, rule: str, by_hand: str = "") -> PatientBody:
    """The patient of the document. `document.meta` has the field of its file, if there was one."""
    if by_hand:
        return PatientBody(patient=by_hand, source="hand")
    if rule == "none":
        return PatientBody(patient="", source="own")
    source = _SOURCES.get(rule.partition(":")[0])
    if source is not None:
        try:
            return PatientBody(patient=patient_by(rule)(document).removeprefix(_PREFIX), source=source)
        except ConfigError:
            pass  # the rule does not apply to this document
    found = patient_by("auto")(document).removeprefix(_PREFIX)
    source = "" if not found else "field" if document.meta.get("patient") else "identifier"
    return PatientBody(patient=found, source=source)


def number_of(document: Document) -> str:
    """The patient's record or identity number in the structure of the file; empty if it has none.

    A FHIR file refers to its patient by an id of its own, and other files do so by this number.
    """
    fields = replace(document, spans=tuple(span for span in document.spans if span.source in FIELDS))
    return next((value for kind, value in identifiers_of(fields) if kind < 2), "")


def joined_by_number(documents: Sequence[Document], known: Sequence[PatientBody]) -> list[PatientBody]:
    """The patients of documents; those that a field gives have the number that any document with this field has."""
    numbers: dict[str, str] = {}
    for document, body in zip(documents, known, strict=True):
        if body.source == "field" and (number := number_of(document)):
            numbers[body.patient] = min(number, numbers.get(body.patient, number))
    return [
        PatientBody(patient=numbers.get(body.patient, body.patient), source=body.source)
        if body.source == "field"
        else body
        for body in known
    ]


def for_engine(name: str, patient: str, source: PatientSource) -> str | None:
    """The patient to pass to the engine; None if the engine identifies the patient itself."""
    if source == "own":
        return f"document {name}"
    return patient if source not in ("identifier", "") else None


def rule_of(db: sqlite3.Connection) -> str:
    row = db.execute("SELECT rule FROM patient_rule").fetchone()
    return DEFAULT_RULE if row is None else str(row[0])


def put_rule(db: sqlite3.Connection, rule: str) -> None:
    db.execute("INSERT OR REPLACE INTO patient_rule VALUES (1, ?)", (rule,))


def put(
    db: sqlite3.Connection,
    id: int,  # noqa: A002
    document: Document,
    *,
    field: str | None = None,
    by_hand: str | None = None,
) -> PatientBody:
    """Determine a document's patient again, from the stored data and the given values."""
    row = db.execute("SELECT field, by_hand FROM patient WHERE document = ?", (id,)).fetchone() or ("", "")
    field, by_hand = (row[0] if field is None else field), (row[1] if by_hand is None else by_hand)
    known = patient_of(replace(document, meta={"patient": field} if field else {}), rule_of(db), by_hand)
    if known.source == "field":
        known = PatientBody(patient=_joined(db, known.patient, number_of(document)), source="field")
    values = (id, field, by_hand, known.patient, known.source)
    db.execute("INSERT OR REPLACE INTO patient VALUES (?, ?, ?, ?, ?)", values)
    return known


def _joined(db: sqlite3.Connection, field: str, number: str) -> str:
    """The patient of documents with that field: their number if one of them has it. All of them get it."""
    query = "SELECT MIN(patient) FROM patient WHERE field = ? AND source = 'field' AND patient != field"
    before = db.execute(query, (field,)).fetchone()[0] or ""
    patient = min(filter(None, (before, number)), default=field)
    if patient not in (field, before):
        db.execute("UPDATE patient SET patient = ? WHERE field = ? AND source = 'field'", (patient, field))
    return patient
