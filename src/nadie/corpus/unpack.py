"""Unpack an untrusted zip archive."""

from __future__ import annotations

import stat
import zlib
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from nadie.errors import CorpusError

MAX_FILES = 50_000
MAX_BYTES = 512 * 1024 * 1024
_CHUNK = 1 << 20
_ENCRYPTED = 0x1
_LANDMARK = "train/brat/"


def unpack(archive: Path, folder: Path, limit: int = MAX_BYTES) -> None:
    """Unpack the corpus into `folder`, so that its training set is at `train/brat`.

    Hidden files, and files outside the corpus folder of the archive, are left out. A path outside the folder, a link,
    two files with the same name, an encrypted file, or more than `limit` bytes make the whole archive an error.
    """
    try:
        with ZipFile(archive) as content:
            entries = [entry for entry in content.infolist() if not entry.is_dir()]
            if len(entries) > MAX_FILES:
                raise CorpusError(f"the archive has more than {MAX_FILES} files")
            for entry in entries:
                _check(entry)
            root = _root(entries)
            left = limit
            for entry in entries:
                name = entry.filename.removeprefix(root)
                if entry.filename.startswith(root) and not any(part.startswith(".") for part in name.split("/")):
                    left -= _extract(content, entry, folder.joinpath(*name.split("/")), left)
    except (BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError) as error:
        raise CorpusError(f"the archive is damaged or not supported ({type(error).__name__})") from None
    except OSError as error:
        raise CorpusError(f"the archive cannot be unpacked ({error.strerror})") from None


def _check(entry: ZipInfo) -> None:
    name = entry.orig_filename
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or any(character in name for character in "\\:\0"):
        raise CorpusError("the archive has a file whose path leads outside the folder")
    file_type = stat.S_IFMT(entry.external_attr >> 16)
    if file_type not in (0, stat.S_IFREG):
        raise CorpusError("the archive has an entry that is not a regular file")
    if entry.flag_bits & _ENCRYPTED:
        raise CorpusError("the archive is encrypted")
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise CorpusError("the archive uses a compression that is not supported")


def _root(entries: list[ZipInfo]) -> str:
    """The folder inside the archive that contains the corpus: the one nearest to the root."""
    roots = {
        before
        for entry in entries
        for before, landmark, _ in [f"/{entry.filename}".partition(f"/{_LANDMARK}")]
        if landmark and not before.startswith("/__MACOSX")
    }
    if not roots:
        raise CorpusError(f"the archive has no folder {_LANDMARK.rstrip('/')}: it is not the corpus")
    return f"{min(roots, key=lambda root: (root.count('/'), root))}/".removeprefix("/")


def _extract(content: ZipFile, entry: ZipInfo, target: Path, left: int) -> int:
    """Write one file and return its actual size; the size that the archive states is not trusted."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        raise CorpusError("the archive has two files with the same name")
    size = 0
    with content.open(entry) as packed, target.open("xb") as file:
        while chunk := packed.read(_CHUNK):
            size += len(chunk)
            if size > left:
                raise CorpusError("the archive unpacks to more than the limit")
            file.write(chunk)
    return size
