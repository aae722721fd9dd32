"""A project whose documents are a sample for review, drawn by `nadie sample`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from nadie.document import Document
from nadie.errors import ConfigError
from nadie.files.disk import read_bytes
from nadie.risk.sample import FILE, Sample
from nadie.service.project.store import Project, open_project

EVENT = "sampled"


def create(folder: Path, sample: Sample, documents: Sequence[Document], editor: str = "nadie sample") -> Project:
    """Create the project of a sample, its documents in the order of review; any further ones are not part of it.

    The first entry of its change log has the stopping rule and the hash of the sample, so that nobody can set either
    after the review.
    """
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is not empty: a sample is a project of its own")
    project = open_project(folder)
    sample.write(folder)
    detail = {"units": sample.units, "of": sample.of_units, **asdict(sample.rule)}
    project.record(editor, EVENT, {**detail, "sha256": sample.digest})
    for number, document in enumerate(documents, 1):
        stored = project.add(
            document.id,
            document.text,
            document.spans,
            model=sample.model,
            editor=editor,
            patient_field=document.meta.get("patient", ""),
        )
        if stored.id != number:
            raise ConfigError("the project was changed by others while the sample was written")
    return project


def check_unchanged(project: Project) -> None:
    """Raise an error if the file of the sample is not the one that the change log names."""
    with project.reading() as db:
        row = db.execute("SELECT added FROM change WHERE kind = ? ORDER BY id LIMIT 1", (EVENT,)).fetchone()
    named = json.loads(row[0]).get("sha256") if row else None
    if named != hashlib.sha256(read_bytes(project.folder / FILE)).hexdigest():
        raise ConfigError("sample.json is not the file that was written when the sample was drawn: restore it")
