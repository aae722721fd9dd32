"""Download a corpus, verify it, and put it in place in one step."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nadie.corpus.fetch import Progress, fetch
from nadie.corpus.sources import CorpusSource, counted, differing
from nadie.corpus.unpack import unpack
from nadie.errors import CorpusError


@dataclass(frozen=True)
class Download:
    """The result of a download.

    `parts` are the folders that were kept, and `left_out` those without a checksum. `by_archive` says whether the
    checksum of the whole archive was correct; `differing` lists the parts of such an archive that do not match the
    manifest. `was_here` says whether the folder already had the corpus.
    """

    folder: Path
    parts: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    by_archive: bool = False
    differing: tuple[str, ...] = ()
    was_here: bool = False


class _UnverifiedError(CorpusError):
    """The download is not the corpus; a second attempt from the beginning may succeed."""


def download(source: CorpusSource, folder: Path, progress: Progress, address: str | None = None) -> Download:
    """Download the corpus into `folder`, which must be new or empty, or already have the corpus.

    The archive is written to a hidden file next to `folder`, so that the next attempt can resume an interrupted
    download. Nothing unverified is kept. If the checksum of the archive is not that of its source, as may happen with
    another address, only the folders of the manifest are kept, and all of them must match it.
    """
    if folder.is_dir() and any(folder.iterdir()):
        if differing(folder, source.manifest):
            raise CorpusError(f"{folder} is not empty and does not contain the corpus {source.name}")
        return Download(folder, tuple(source.manifest), was_here=True)
    if folder.exists() and not folder.is_dir():
        raise CorpusError(f"{folder} is a file")
    folder = folder.absolute()
    archive = folder.with_name(f".{folder.name}.{source.name}.zip.part")
    resumed = archive.exists()
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fetch(address or source.address, archive, progress)
        try:
            return _install(source, archive, folder)
        except _UnverifiedError:
            # The two halves of a resumed download may come from different files: start again from the beginning.
            if not resumed:
                raise
        fetch(address or source.address, archive, progress)
        return _install(source, archive, folder)
    except OSError as error:
        raise CorpusError(f"{folder} cannot be written ({error.strerror})") from None


def _install(source: CorpusSource, archive: Path, folder: Path) -> Download:
    with archive.open("rb") as file:
        by_archive = hashlib.file_digest(file, "sha256").hexdigest() == source.archive
    staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        unpacked = staging / "corpus"
        unpacked.mkdir()
        left_out, wrong = _verified(source, archive, unpacked, by_archive)
        parts = tuple(_parts(unpacked))
        if folder.exists():
            folder.rmdir()
        unpacked.replace(folder)
    except _UnverifiedError:
        archive.unlink()
        raise
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    archive.unlink()
    return Download(folder, parts, left_out, by_archive, wrong)


def _verified(
    source: CorpusSource, archive: Path, folder: Path, by_archive: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Unpack the files that have a checksum; return what was left out and what differs from the manifest."""
    try:
        unpack(archive, folder)
    except CorpusError as error:
        raise _UnverifiedError(str(error)) from None
    wrong = tuple(differing(folder, source.manifest))
    if wrong and not by_archive:
        raise _UnverifiedError(f"the download is not the corpus {source.name}: {', '.join(wrong)} differ from it")
    return (() if by_archive else _keep_only(folder, source)), wrong


def _parts(folder: Path) -> list[str]:
    """The folders that contain files, by their path inside the corpus."""
    return sorted({file.parent.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()})


def _keep_only(folder: Path, source: CorpusSource) -> tuple[str, ...]:
    """Delete every file that the manifest does not list, and return the folders that were removed."""
    before = _parts(folder)
    covered = {file for part in source.manifest for file in counted(folder / part)}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path not in covered:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    return tuple(part for part in before if part not in source.manifest)
