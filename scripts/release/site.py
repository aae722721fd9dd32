"""The documentation as a site, built from the last commit, in one archive that needs no internet."""

from __future__ import annotations

import sys
import tarfile
import tempfile
from pathlib import Path

from release.checksums import write_checksums
from release.commands import commit_time, run
from release.version import ROOT


def write_site(out: Path, version: str) -> None:
    """Write `nadie-VERSION-docs.tar.gz` and renew the checksums; a warning of the build is an error."""
    with tempfile.TemporaryDirectory() as work:
        source, site = Path(work) / "source", Path(work) / "site"
        export(source)
        run(sys.executable, str(source / "scripts" / "build_site.py"), "--out", str(site), cwd=source)
        path = site_of(out, version)
        pack(site, f"nadie-{version}-docs", path)
    print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    write_checksums(out)


def site_of(out: Path, version: str) -> Path:
    return out / f"nadie-{version}-docs.tar.gz"


def export(folder: Path, *paths: str) -> None:
    """The files of the last commit, or those below some paths."""
    with tempfile.TemporaryDirectory() as work:
        archive = Path(work) / "archive.tar"
        run("git", "-c", "tar.umask=0022", "archive", f"--output={archive}", "HEAD", *paths, cwd=ROOT)
        unpack(archive, folder)


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive by `tar`: before 3.11.4, Python's module cannot do it without trusting the archive."""
    folder.mkdir(parents=True, exist_ok=True)
    run("tar", "--extract", "--no-same-owner", f"--file={archive}", f"--directory={folder}")


def pack(folder: Path, name: str, path: Path) -> None:
    """Write a folder as a compressed archive whose members have one time and no owner."""
    with tarfile.open(path, "w:gz", compresslevel=1) as archive:
        archive.add(folder, arcname=name, filter=_plain)


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mtime, member.uid, member.gid, member.uname, member.gname = int(commit_time()), 0, 0, "", ""
    return member
