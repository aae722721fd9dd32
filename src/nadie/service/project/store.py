"""A project folder: documents, their states and every change, in SQLite, so that closing a browser loses nothing.

    DIR/project.sqlite3   the documents, the files they came from, their spans, and the change log
    DIR/training/         the reviewed documents as brat files, for `nadie train`: see `training`
    DIR/key               the secret for surrogates and date shifts of this project

All of it is PHI and only its owner can read it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from nadie.document import Span
from nadie.errors import ConfigError
from nadie.service import remarks
from nadie.service.merging import Change, ConflictError, checked_spans, merged
from nadie.service.problems import ProblemError
from nadie.service.project import listing, patients, rows, searching, trail, training
from nadie.service.project.database import Database
from nadie.service.project.listing import REVIEWED, TO_DO, DocumentSummary
from nadie.service.project.rows import Stored
from nadie.service.project.trail import Entry


class Project(Database):
    """One project folder. Every method is one transaction; several processes may work on the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        super().__init__(folder / "project.sqlite3")
        with self.writing() as db:
            rows.create(db)

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    def revision(self) -> int:
        """A number that increases with every change in the project."""
        with self.reading() as db:
            return int(db.execute("SELECT COALESCE(MAX(id), 0) FROM change").fetchone()[0])

    def entries(self, doubt: float) -> list[DocumentSummary]:
        """All documents, in the order in which they were added; a span is doubtful below that score."""
        with self.reading() as db:
            return listing.entries(db, doubt)

    def get(self, id: int) -> Stored:  # noqa: A002
        """The document with that id; a problem if there is none."""
        with self.reading() as db:
            db.execute("BEGIN")
            return rows.get(db, id)

    def documents(self, state: str | None = None) -> Iterator[Stored]:
        """The documents one by one, so that an export of any size needs memory for only one."""
        with self.reading() as db:
            ids = db.execute("SELECT id FROM document WHERE ? IN (state, '') ORDER BY id", (state or "",)).fetchall()
        for (id,) in ids:  # noqa: A001
            with suppress(ProblemError):  # removed in the meantime
                yield self.get(id)

    def add(
        self, name: str, text: str, spans: Sequence[Span], *, model: str, editor: str, patient_field: str = ""
    ) -> Stored:
        """Add a document. A number is added to its name if the name exists."""
        new = Stored(0, name, text, model, TO_DO, 1, "", editor, tuple(spans))
        with self.writing() as db:
            return rows.add(db, new, patient_field)

    def change(self, changes: Sequence[Change], editor: str) -> list[Stored]:
        """Apply all changes or none; `ConflictError` if one cannot be applied to the current spans."""
        with self.writing() as db:
            return [self._change(db, change, editor) for change in changes]

    def change_all(self, of: Callable[[Stored], Change | None], editor: str) -> list[tuple[Stored, Change, str]]:
        """Apply the change that `of` returns for each document, in one transaction; also gives the states before."""
        with self.writing() as db:
            done = []
            for stored in rows.every(db):
                if change := of(stored):
                    done.append((self._change(db, change, editor), change, stored.state))
            return done

    def set_state(self, id: int, state: str, version: int, editor: str) -> Stored:  # noqa: A002
        """Mark a document as reviewed, or as to do. `version` must be the latest."""
        with self.writing() as db:
            stored = rows.get(db, id)
            if stored.version != version:
                raise ConflictError(stored.version, (), id, version)
            return self._save(db, stored, stored.spans, state, Change(id, version), editor)

    def patient_rule(self) -> str:
        """The rule that identifies the patients of the documents: see `patients.checked_rule`."""
        with self.reading() as db:
            return patients.rule_of(db)

    def set_patient_rule(self, rule: str, editor: str) -> None:
        """Identify the patients of all documents by that rule; those set by hand are not changed."""
        with self.writing() as db:
            patients.put_rule(db, patients.checked_rule(rule))
            for stored in rows.every(db):
                rows.with_patient(db, stored)
            trail.write(db, Entry(editor, "patients", detail={"rule": rule.partition(":")[0]}))

    def set_patient(self, ids: Sequence[int], patient: str, editor: str) -> list[Stored]:
        """Set the patient of these documents by hand; an empty name leaves it to the rule again."""
        with self.writing() as db:
            done = []
            for id in ids:  # noqa: A001
                stored = rows.get(db, id)
                done.append(rows.with_patient(db, stored, by_hand=patient))
                trail.write(db, Entry(editor, "patient", id, stored.version))
            return done

    def added_by(self, editor: str) -> set[int]:
        """The documents that this person added."""
        with self.reading() as db:
            found = db.execute("SELECT document FROM change WHERE editor = ? AND kind = 'added'", (editor,))
            return {document for (document,) in found}

    def given_by(self, editor: str) -> set[int]:
        """The documents whose text or patient this person gave, and their second readings.

        A document gives its record number to all that have the same field of a patient, so these count as given too.
        """
        query = """WITH own AS (SELECT document FROM change WHERE editor = ? AND kind IN ('added', 'patient')),
                   given AS (SELECT document FROM own UNION SELECT document FROM patient
                             WHERE field IN (SELECT field FROM patient WHERE document IN own AND field != ''))
                   SELECT document FROM given
                   UNION SELECT copy FROM second_reading WHERE copy IS NOT NULL AND document IN given"""
        with self.reading() as db:
            return {document for (document,) in db.execute(query, (editor,))}

    def search(self, words: str) -> list[searching.Hits]:
        """The documents whose text has the words."""
        with self.reading() as db:
            return searching.hits(db, words)

    def values(self, words: str, label: str | None, below: float, hidden: Set[int]) -> list[searching.FoundValue]:
        """The values of all documents except the hidden ones: see `searching.values`."""
        with self.reading() as db:
            return searching.values(db, words, label, below, hidden)

    def comment(self, id: int, comment: remarks.Comment) -> tuple[remarks.Comment, ...]:  # noqa: A002
        """Add a comment to a document, and return all its comments."""
        with self.writing() as db:
            stored = rows.get(db, id)
            at = trail.write(db, Entry(comment.editor, "commented", id, stored.version))
            remarks.add_comment(db, id, replace(comment, at=at))
            return remarks.comments_of(db, id)

    def remove_comment(self, id: int, comment: int, editor: str, *, of_anybody: bool) -> None:  # noqa: A002
        """Remove a comment of the editor or, with `of_anybody`, of somebody else."""
        with self.writing() as db:
            stored = rows.get(db, id)
            authors = {each.id: each.editor for each in stored.comments}
            if comment not in authors:
                raise ProblemError("not-found")
            if not of_anybody and authors[comment] != editor:
                raise ProblemError("forbidden", "the comment is somebody else's", permission="administer")
            remarks.remove_comment(db, id, comment)
            trail.write(db, Entry(editor, "uncommented", id, stored.version))

    def flag(self, id: int, reason: str | None, editor: str) -> None:  # noqa: A002
        """Flag a document for others to look at, with a reason; None removes the flag."""
        with self.writing() as db:
            stored = rows.get(db, id)
            at = trail.write(db, Entry(editor, "unflagged" if reason is None else "flagged", id, stored.version))
            remarks.put_flag(db, id, None if reason is None else remarks.Flag(at, editor, reason))

    def choose(self, id: int, start: int, end: int, text: str | None, editor: str) -> Stored:  # noqa: A002
        """Set the replacement of one span; None leaves it to the policy again. The document must be reviewed again."""
        with self.writing() as db:
            stored = rows.get(db, id)
            remarks.put_replacement(db, id, start, end, text)
            chosen = replace(stored, replacements=remarks.replacements_of(db, id))
            return self._save(db, chosen, stored.spans, TO_DO, Change(id, stored.version), editor)

    def put_back(self, id: int, version: int, spans: tuple[Span, ...], editor: str) -> Stored:  # noqa: A002
        """Give a document the spans of an earlier version. `version` must be the latest."""
        with self.writing() as db:
            stored = rows.get(db, id)
            if stored.version != version:
                raise ConflictError(stored.version, (), id, version)
            return self._save(db, stored, spans, TO_DO, _between(stored, spans), editor)

    def decide_in(self, db: sqlite3.Connection, stored: Stored, spans: tuple[Span, ...], editor: str) -> Stored:
        """Within a transaction, set the adjudicated spans of a document and mark it as reviewed."""
        return self._save(db, stored, spans, REVIEWED, _between(stored, spans), editor)

    def review_again_in(self, db: sqlite3.Connection, id: int, editor: str) -> None:  # noqa: A002
        """Within a transaction, mark a document as to do if it was reviewed."""
        stored = rows.get(db, id)
        if stored.state == REVIEWED:
            self._save(db, stored, stored.spans, TO_DO, Change(id, stored.version), editor)

    def delete(self, id: int, editor: str) -> str:  # noqa: A002
        """Remove a document; its text is overwritten in the file. Returns the hash of the change log."""
        with self.writing() as db:
            stored = rows.get(db, id)
            db.execute("DELETE FROM document WHERE id = ?", (id,))
            trail.write(db, Entry(editor, "deleted", id, stored.version))
            training.remove(self.folder / "training", id)
            chain = trail.head(db)
        with self.reading() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return chain

    def record(self, editor: str, event: str, detail: Mapping[str, object]) -> str:
        """Write an event without a single document, such as an export, to the change log; return the log's hash."""
        with self.writing() as db:
            trail.write(db, Entry(editor, event, detail=detail))
            return trail.head(db)

    def _change(self, db: sqlite3.Connection, change: Change, editor: str) -> Stored:
        stored = rows.get(db, change.document)
        spans = checked_spans(stored.text, merged(stored.spans, change, stored.version))
        # If other words are marked, or the same otherwise, the document is no longer the one that was reviewed. A
        # change that takes another one back says which state the document had before.
        state = stored.state if set(spans) == set(stored.spans) else TO_DO
        if change.state is not None and change.version == stored.version:
            state = change.state
        return self._save(db, stored, spans, state, change, editor)

    def _save(
        self, db: sqlite3.Connection, stored: Stored, spans: tuple[Span, ...], state: str, change: Change, editor: str
    ) -> Stored:
        version, kind = stored.version + 1, state if state != stored.state else "changed"
        at = trail.write(db, Entry(editor, kind, stored.id, version, change.remove, change.add))
        new = replace(stored, state=state, version=version, changed=at, editor=editor, spans=spans)
        db.execute(
            "UPDATE document SET state = ?, version = ?, changed = ?, editor = ? WHERE id = ?",
            (new.state, new.version, new.changed, new.editor, new.id),
        )
        if spans is not stored.spans:
            db.execute("DELETE FROM span WHERE document = ?", (new.id,))
            rows.put_spans(db, new.id, spans)
            new = rows.with_patient(db, new)
        if state == REVIEWED and not rows.is_undecided(db, new.id):
            training.write(self.folder / "training", new)
        else:
            training.remove(self.folder / "training", new.id)
        return new


def _between(stored: Stored, spans: tuple[Span, ...]) -> Change:
    """The change from the current spans to these."""
    now, then = set(stored.spans), set(spans)
    return Change(stored.id, stored.version, tuple(sorted(now - then)), tuple(sorted(then - now)))


def open_project(folder: Path) -> Project:
    """The project in that folder, created if it does not exist."""
    try:
        return Project(folder)
    except (OSError, sqlite3.Error) as error:
        raise ConfigError(f"the project folder {folder} cannot be used ({type(error).__name__})") from None
