"""A small corpus of our own invention, and the archives it comes in."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from nadie.corpus.download import CorpusSource, digest

FILES = {
    "train/brat/a.txt": "Vive en Ávila.\r\n",
    "train/brat/a.ann": "T1\tTERRITORIO 8 13\tÁvila\n",
    "dev/brat/b.txt": "\ufeffPerú",
    "dev/brat/b.ann": "T1\tPAIS 1 5\tPerú\n",
    "test/brat/c.txt": "Nada.",
}


def archive(files: Mapping[str, str | bytes] = FILES, root: str = "meddocan/") -> bytes:
    memory = io.BytesIO()
    with ZipFile(memory, "w", ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(ZipInfo(f"{root}{name}"), content, ZIP_DEFLATED)
    return memory.getvalue()


def source(folder: Path, content: bytes | None = None) -> CorpusSource:
    """The source of `FILES`, whose manifest has train and dev; `content` is the archive that its checksum is of."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return CorpusSource(
        name="mini",
        address="http://127.0.0.1:9/never-asked",
        archive=hashlib.sha256(archive() if content is None else content).hexdigest(),
        manifest={part: digest(folder / part) for part in ("train/brat", "dev/brat")},
        licence="",
        citation="",
    )
