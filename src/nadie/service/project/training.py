"""The training folder of a project: its reviewed documents as brat files, for `nadie train`.

Documents that are not reviewed are left out: unmarked PHI in them would be trained as not being PHI. So are second
readings, and documents with two readings of which nobody has decided.
"""

from __future__ import annotations

import errno
from pathlib import Path

from nadie.document import Document
from nadie.errors import FormatError
from nadie.files.annotated.brat import Brat
from nadie.service.project.rows import Stored


def write(folder: Path, stored: Stored) -> None:
    """Write the files of a reviewed document, replacing older ones."""
    folder.mkdir(mode=0o700, exist_ok=True)
    try:
        Brat().write([Document(f"{stored.id:06d}", stored.text, stored.spans)], folder)
    except FormatError as error:
        number = getattr(error.__context__, "errno", None) or errno.EIO
        raise OSError(number, "the training folder cannot be written") from None


def remove(folder: Path, document: int) -> None:
    """Remove the files of a document, if there are any."""
    for suffix in (".ann", ".txt"):
        (folder / f"{document:06d}{suffix}").unlink(missing_ok=True)
