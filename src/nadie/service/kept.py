"""The reviewed documents of a project as training data: brat files that `nadie train` reads.

A document is there exactly while its state is "reviewed": a document that nobody finished would teach a model that
what was overlooked in it is no PHI.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.formats.brat import Brat

FOLDER = "training"


def keep(project: Path, id: int, text: str, spans: Iterable[Span]) -> None:  # noqa: A002
    """Write the document, over what stood there of it before."""
    folder = project / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        Brat().write([Document(_stem(id), text, tuple(spans))], folder)
    except FormatError:
        raise OSError("the training folder cannot be written") from None


def drop(project: Path, id: int) -> None:  # noqa: A002
    for suffix in (".ann", ".txt"):
        (project / FOLDER / (_stem(id) + suffix)).unlink(missing_ok=True)


def _stem(id: int) -> str:  # noqa: A002
    return f"{id:06d}"
