"""A corpus brought here: downloaded, unpacked, verified, and put in its place all at once."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nadie.corpus.fetch import Progress, fetch
from nadie.corpus.manifest import counted, differing
from nadie.corpus.sources import Source
from nadie.corpus.unpack import unpack
from nadie.errors import CorpusError


@dataclass(frozen=True)
class Arrival:
    """What came of a download.

    `parts` are the folders that were kept, and `left_out` those that nothing vouched for. `by_archive` tells that the
    whole archive had its checksum; `differing` names parts of a true archive that are not as the manifest has them.
    """

    folder: Path
    parts: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    by_archive: bool = False
    differing: tuple[str, ...] = ()
    was_here: bool = False


class _UnverifiedError(CorpusError):
    """What arrived is not the corpus; a clean second attempt may bring it."""


def download(source: Source, folder: Path, progress: Progress, address: str | None = None) -> Arrival:
    """Bring the corpus into `folder`, which must be new or empty, or hold it already.

    The archive grows in a hidden file beside `folder`, so that an attempt which broke off is taken up by the next one.
    Nothing unverified is kept. If the archive has not the checksum of its source, as one from another address may, then
    only the folders of the manifest are, and all of them must agree with it.
    """
    if folder.is_dir() and any(folder.iterdir()):
        if differing(folder, source.manifest):
            raise CorpusError(f"{folder} is not empty, and what it holds is not the corpus {source.name}")
        return Arrival(folder, tuple(source.manifest), was_here=True)
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
            # The two halves of a resumed download may be of different files: once more, from the beginning.
            if not resumed:
                raise
        fetch(address or source.address, archive, progress)
        return _install(source, archive, folder)
    except OSError as error:
        raise CorpusError(f"{folder} cannot be written ({error.strerror})") from None


def _install(source: Source, archive: Path, folder: Path) -> Arrival:
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
    return Arrival(folder, parts, left_out, by_archive, wrong)


def _verified(source: Source, archive: Path, folder: Path, by_archive: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Unpack into `folder` what something vouches for; what was left out, and what is not as the manifest has it."""
    try:
        unpack(archive, folder)
    except CorpusError as error:
        raise _UnverifiedError(str(error)) from None
    wrong = tuple(differing(folder, source.manifest))
    if wrong and not by_archive:
        raise _UnverifiedError(f"what arrived is not the corpus {source.name}: {', '.join(wrong)} differ from it")
    return (() if by_archive else _keep_only(folder, source)), wrong


def _parts(folder: Path) -> list[str]:
    """The folders that hold files, by their path inside the corpus."""
    return sorted({file.parent.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()})


def _keep_only(folder: Path, source: Source) -> tuple[str, ...]:
    """Take away every file that the manifest does not vouch for, and tell which folders are gone."""
    before = _parts(folder)
    vouched = {file for part in source.manifest for file in counted(folder / part)}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and path not in vouched:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    return tuple(part for part in before if part not in source.manifest)
