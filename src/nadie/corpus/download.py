"""The corpora that can be downloaded: fetched, verified by checksums, and put in place in one step."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from nadie.corpus.archive import Progress, fetch, unpack
from nadie.errors import CorpusError, UnknownNameError

_SUFFIXES = frozenset((".txt", ".ann", ".xml"))


@dataclass(frozen=True)
class CorpusSource:
    """A corpus in a zip archive.

    Either checksum is sufficient: `archive` is the SHA-256 of the file at `address` and verifies everything in it;
    `manifest` has the checksums of some of its folders and verifies them regardless of how they were packed.
    """

    name: str
    address: str
    archive: str
    manifest: Mapping[str, str]
    licence: str
    citation: str


def source(name: str) -> CorpusSource:
    """The source of that name."""
    if name not in _SOURCES:
        raise UnknownNameError(f"there is no corpus called {name[:60]!r}; there are: {', '.join(_SOURCES)}")
    return _SOURCES[name]()


def counted(folder: Path) -> list[Path]:
    """The files that the checksum of a folder is computed from: texts and annotations, in the order of their names.

    Hidden files and other suffixes are ignored, since tools that create archives may add them.
    """
    found = folder.iterdir() if folder.is_dir() else ()
    chosen = (file for file in found if file.suffix in _SUFFIXES and not file.name.startswith(".") and file.is_file())
    return sorted(chosen, key=lambda file: file.name)


def digest(folder: Path) -> str:
    """The SHA-256 of one line for each such file: `NAME<NUL>SHA-256 OF ITS CONTENTS<LF>`."""
    total = hashlib.sha256()
    for file in counted(folder):
        total.update(f"{file.name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def differing(folder: Path, manifest: Mapping[str, str]) -> list[str]:
    """The parts of the manifest that are missing in `folder` or have different contents."""
    return [part for part, checksum in manifest.items() if digest(folder / part) != checksum]


def _meddocan() -> CorpusSource:
    """MEDDOCAN, version 1.0 of 2020 (doi 10.5281/zenodo.4279323), at the address where its authors published it.

    The checksum of the archive is the one that two independent public projects recorded for this file. The manifest was
    computed from a copy of the training and development sets.
    """
    return CorpusSource(
        name="meddocan",
        address="https://zenodo.org/records/4279323/files/meddocan.zip?download=1",
        archive="d0e4708b58689bc1440ede6f89e017e58d667827d927827622d73810cd68eac3",
        manifest=json.loads((files("nadie.corpus") / "meddocan.json").read_text(encoding="utf-8")),
        licence="CC BY 4.0, © 2019 Secretaría de Estado para el Avance Digital",
        citation=(
            "M. Marimon et al., Automatic De-identification of Medical Texts in Spanish: the MEDDOCAN Track, Corpus, "
            "Guidelines, Methods and Evaluation of Results, IberLEF 2019"
        ),
    )


_SOURCES = {"meddocan": _meddocan}


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
