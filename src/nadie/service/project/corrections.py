"""The corrections in a project: its reviewed documents, each with the spans that the model had found."""

from __future__ import annotations

from pathlib import Path

from nadie.document import Document
from nadie.errors import ConfigError
from nadie.service.project import rows
from nadie.service.project.history import spans_of
from nadie.service.project.listing import REVIEWED
from nadie.service.project.store import open_project
from nadie.training.suggestions import Reviewed


def corrections(folder: Path) -> list[Reviewed]:
    """The reviewed documents of a project, without second readings and undecided ones."""
    if not (folder / "project.sqlite3").is_file():
        raise ConfigError(f"{folder} is not a project: `nadie sample` and `nadie serve --project` make one")
    project = open_project(folder)
    with project.reading() as db:
        undecided = {stored.id for stored in rows.every(db, "state = ?", REVIEWED) if rows.is_undecided(db, stored.id)}
    return [
        Reviewed(Document(f"{each.id:06d}", each.text, each.spans), spans_of(project, each.id, 1))
        for each in project.documents(REVIEWED)
        if each.id not in undecided
    ]
