"""A project folder: documents, their states and every change, in SQLite, so that closing a browser loses nothing.

    DIR/project.sqlite3   the documents, the files they came from, their spans, and the change log
    DIR/training/         the documents with the state "reviewed" as brat files, for `nadie train`. Others are left
                          out: unmarked PHI in them would be trained as not being PHI
    DIR/key               the secret for surrogates and date shifts of this project

All of it is PHI and only its owner can read it.
"""

from __future__ import annotations

import errno
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from nadie.document import Document, Span
from nadie.errors import ConfigError, FormatError
from nadie.files.annotated.brat import Brat
from nadie.service import remarks
from nadie.service.merging import Change, ConflictError, checked_spans, merged
from nadie.service.problems import ProblemError
from nadie.service.project import patients, rows, searching
from nadie.service.project.rows import Stored
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


class Project:
    """One project folder. Every method is one transaction; several processes may work on the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.is_copy: Callable[[int], bool] = lambda _: False  # whether a document is a second reading: see `team`
        self._file = folder / "project.sqlite3"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file.touch(mode=0o600)
        # One connection stays open, and with it the shared memory that SQLite cannot create again on a full disk:
        # without it, nothing could be read then.
        always_open = sqlite3.connect(self._file, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, always_open.close)
        always_open.execute("PRAGMA journal_mode = WAL")
        always_open.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()
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
            found = db.execute(
                """SELECT id, name, state, version, characters,
                          (SELECT COUNT(*) FROM span WHERE document = d.id),
                          (SELECT COUNT(*) FROM span WHERE document = d.id AND score < ?), changed, editor,
                          COALESCE(p.patient, ''), COALESCE(p.source, ''),
                          (SELECT COUNT(*) FROM comment WHERE document = d.id),
                          (SELECT file FROM file_document WHERE document = d.id)
                   FROM document d LEFT JOIN patient p ON p.document = d.id ORDER BY id""",
                (doubt,),
            ).fetchall()
        return [DocumentSummary(*row) for row in found]

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

    def change_all(self, of: Callable[[Stored], Change | None], editor: str) -> list[tuple[Stored, Change]]:
        """Apply the change that `of` returns for each document, all in one transaction."""
        with self.writing() as db:
            done = []
            for stored in rows.every(db):
                if change := of(stored):
                    done.append((self._change(db, change, editor), change))
            return done

    def set_state(self, id: int, state: str, version: int, editor: str) -> Stored:  # noqa: A002
        """Mark a document as reviewed, or as to do. `version` must be the latest."""
        with self.writing() as db:
            stored = rows.get(db, id)
            if stored.version != version:
                raise ConflictError(stored.version, (), id, version)
            return self._save(db, stored, stored.spans, state, editor, Change(id, version))

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
            rows.log_detail(db, editor, "patients", {"rule": rule.partition(":")[0]})

    def set_patient(self, ids: Sequence[int], patient: str, editor: str) -> list[Stored]:
        """Set the patient of these documents by hand; an empty name leaves it to the rule again."""
        with self.writing() as db:
            done = []
            for id in ids:  # noqa: A001
                stored = rows.get(db, id)
                done.append(rows.with_patient(db, stored, by_hand=patient))
                rows.log_by(db, stored, "patient", editor)
            return done

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
            remarks.add_comment(db, id, replace(comment, at=rows.now()))
            rows.log_by(db, stored, "commented", comment.editor)
            return remarks.comments_of(db, id)

    def remove_comment(self, id: int, comment: int, editor: str) -> None:  # noqa: A002
        with self.writing() as db:
            stored = rows.get(db, id)
            if not remarks.remove_comment(db, id, comment):
                raise ProblemError("not-found")
            rows.log_by(db, stored, "uncommented", editor)

    def choose(self, id: int, start: int, end: int, text: str | None, editor: str) -> Stored:  # noqa: A002
        """Set the replacement of one span; None leaves it to the policy again. The document must be reviewed again."""
        with self.writing() as db:
            stored = rows.get(db, id)
            remarks.put_replacement(db, id, start, end, text)
            chosen = replace(stored, replacements=remarks.replacements_of(db, id))
            return self._save(db, chosen, stored.spans, TO_DO, editor, Change(id, stored.version))

    def decide_in(self, db: sqlite3.Connection, stored: Stored, spans: tuple[Span, ...], editor: str) -> Stored:
        """Within a transaction, set the adjudicated spans of a document and mark it as reviewed."""
        before, after = set(stored.spans), set(spans)
        change = Change(stored.id, stored.version, tuple(sorted(before - after)), tuple(sorted(after - before)))
        return self._save(db, stored, spans, REVIEWED, editor, change)

    def delete(self, id: int, editor: str) -> None:  # noqa: A002
        """Remove a document; its text is overwritten in the file."""
        with self.writing() as db:
            stored = rows.get(db, id)
            db.execute("DELETE FROM document WHERE id = ?", (id,))
            rows.log(db, stored, "deleted", Change(id, stored.version))
            self._remove_training(id)
        with self.reading() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def record(self, editor: str, event: str, detail: Mapping[str, object]) -> None:
        """Write an event without a single document, such as an export of originals, to the change log."""
        with self.writing() as db:
            rows.log_detail(db, editor, event, detail)

    def _change(self, db: sqlite3.Connection, change: Change, editor: str) -> Stored:
        stored = rows.get(db, change.document)
        spans = checked_spans(stored.text, merged(stored.spans, change, stored.version))
        # The document is no longer the one that was reviewed.
        return self._save(db, stored, spans, TO_DO, editor, change)

    def _save(
        self, db: sqlite3.Connection, stored: Stored, spans: tuple[Span, ...], state: str, editor: str, change: Change
    ) -> Stored:
        new = replace(stored, state=state, version=stored.version + 1, changed=rows.now(), editor=editor, spans=spans)
        db.execute(
            "UPDATE document SET state = ?, version = ?, changed = ?, editor = ? WHERE id = ?",
            (new.state, new.version, new.changed, new.editor, new.id),
        )
        if spans is not stored.spans:
            db.execute("DELETE FROM span WHERE document = ?", (new.id,))
            rows.put_spans(db, new.id, spans)
            new = rows.with_patient(db, new)
        rows.log(db, new, state if state != stored.state else "changed", change)
        if state == REVIEWED and not self.is_copy(new.id):
            self._write_training(new)
        else:
            self._remove_training(new.id)
        return new

    def _write_training(self, stored: Stored) -> None:
        """Write the brat files of a reviewed document, replacing older ones."""
        folder = self.folder / "training"
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            Brat().write([Document(f"{stored.id:06d}", stored.text, stored.spans)], folder)
        except FormatError as error:
            number = getattr(error.__context__, "errno", None) or errno.EIO
            raise OSError(number, "the training folder cannot be written") from None

    def _remove_training(self, id: int) -> None:  # noqa: A002
        for suffix in (".ann", ".txt"):
            (self.folder / "training" / f"{id:06d}{suffix}").unlink(missing_ok=True)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading."""
        db = sqlite3.connect(self._file, timeout=20, isolation_level=None)
        try:
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")
            yield db
        finally:
            db.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection for writing, in one transaction."""
        with self.reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                if db.in_transaction:  # on a full disk SQLite has already rolled back
                    db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")


def open_project(folder: Path) -> Project:
    """The project in that folder, created if it does not exist."""
    try:
        return Project(folder)
    except (OSError, sqlite3.Error) as error:
        raise ConfigError(f"the project folder {folder} cannot be used ({type(error).__name__})") from None
