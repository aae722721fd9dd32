"""Backup of a project while a service works on it, and restoring it into a new folder."""

from __future__ import annotations

import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path

from nadie.errors import ConfigError
from nadie.risk.sample import FILE
from nadie.service.project import schema, trail, training
from nadie.service.project.listing import REVIEWED
from nadie.service.project.rows import every, is_undecided

_DATABASE, _KEY = "project.sqlite3", "key"


def back_up(folder: Path, file: Path) -> trail.Checked:
    """Write the database, as it is at one moment, the key and the sample into a new file for its owner only."""
    if not (folder / _DATABASE).is_file():
        raise ConfigError(f"{folder} is not a project")
    try:
        file.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise ConfigError(f"{file} cannot be created ({error.strerror})") from None
    with tempfile.TemporaryDirectory(dir=file.parent, prefix=".nadie-") as scratch:
        copy = Path(scratch) / _DATABASE
        with closing(sqlite3.connect(folder / _DATABASE)) as source, closing(sqlite3.connect(copy)) as target:
            source.backup(target)
            state = _checked(target)
        with tarfile.open(file, "w:gz") as archive:
            archive.add(copy, _DATABASE)
            for name in (_KEY, FILE):
                if (folder / name).is_file():
                    archive.add(folder / name, name)
    return state


def restore(file: Path, folder: Path) -> trail.Checked:
    """Create a project folder from a backup. The folder must not exist or be empty."""
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is not empty: restore into a new folder")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        with tarfile.open(file, "r:gz") as archive:
            others = [name for name in (_KEY, FILE) if name in archive.getnames()]
            for name in (_DATABASE, *others):
                content = archive.extractfile(name)
                target = folder / name
                target.touch(mode=0o600)
                target.write_bytes(b"" if content is None else content.read())
    except (OSError, KeyError, tarfile.TarError):
        raise ConfigError(f"{file} is not a backup of a project, or cannot be read") from None
    with closing(sqlite3.connect(folder / _DATABASE)) as db:
        state = _checked(db)
        for stored in every(db, "state = ?", REVIEWED):
            if not is_undecided(db, stored.id):
                training.write(folder / "training", stored)
    return state


def check(folder: Path, heads: tuple[str, ...] = ()) -> trail.Checked:
    """Check the database and the chain of its change log, with hashes from the service's log."""
    if not (folder / _DATABASE).is_file():
        raise ConfigError(f"{folder} is not a project")
    with closing(sqlite3.connect(f"file:{folder / _DATABASE}?mode=ro", uri=True)) as db:
        return _checked(db, heads)


def _checked(db: sqlite3.Connection, heads: tuple[str, ...] = ()) -> trail.Checked:
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version != schema.VERSION:
            raise ConfigError(f"the project has version {version}, this nadie handles {schema.VERSION}")
        if db.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise ConfigError("the database is damaged")
        return trail.check(db, heads)
    except sqlite3.Error:
        raise ConfigError("the database cannot be read") from None
