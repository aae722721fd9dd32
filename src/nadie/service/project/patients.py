"""The patient of a document: set by hand, otherwise by the rule for all documents, otherwise by the file or its text.

A project stores it with its documents. The page of a service without a project requests it at `/v1/patients`.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from typing import Literal

from nadie.anonymize.patients import patient_by
from nadie.document import Document
from nadie.errors import ConfigError

Source = Literal["hand", "folder", "name", "field", "identifier", "own", ""]
DEFAULT_RULE = "auto"
_SOURCES: dict[str, Source] = {"folder": "folder", "id": "name"}
_PREFIX = "patient "
_SCHEMA = """
CREATE TABLE IF NOT EXISTS patient (
    document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
    field TEXT NOT NULL, by_hand TEXT NOT NULL, patient TEXT NOT NULL, source TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS patient_rule (id INTEGER PRIMARY KEY CHECK (id = 1), rule TEXT NOT NULL)
"""


@dataclass(frozen=True, slots=True)
class Told:
    """A document's patient and its source; both are empty if the patient is unknown."""

    patient: str
    source: Source


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


def told(document: Document, rule: str, by_hand: str = "") -> Told:
    """The patient of the document. `document.meta` has the field of its file, if there was one."""
    if by_hand:
        return Told(by_hand, "hand")
    if rule == "none":
        return Told("", "own")
    source = _SOURCES.get(rule.partition(":")[0])
    if source is not None:
        try:
            return Told(patient_by(rule)(document).removeprefix(_PREFIX), source)
        except ConfigError:
            pass  # the rule does not apply to this document
    found = patient_by("auto")(document).removeprefix(_PREFIX)
    return Told(found, ("field" if document.meta.get("patient") else "identifier") if found else "")


def for_engine(name: str, known: Told) -> str | None:
    """The patient to pass to the engine; None if the engine identifies the patient itself."""
    if known.source == "own":
        return f"document {name}"
    return known.patient if known.source not in ("identifier", "") else None


def create(db: sqlite3.Connection) -> None:
    for statement in _SCHEMA.split(";"):
        db.execute(statement)


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
) -> Told:
    """Determine a document's patient again, from the stored data and the given values."""
    row = db.execute("SELECT field, by_hand FROM patient WHERE document = ?", (id,)).fetchone() or ("", "")
    field, by_hand = (row[0] if field is None else field), (row[1] if by_hand is None else by_hand)
    known = told(replace(document, meta={"patient": field} if field else {}), rule_of(db), by_hand)
    values = (id, field, by_hand, known.patient, known.source)
    db.execute("INSERT OR REPLACE INTO patient VALUES (?, ?, ?, ?, ?)", values)
    return known
