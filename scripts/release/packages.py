"""The sdist and the wheel: built from the last commit, the same bytes in every build, the bill of materials inside."""

from __future__ import annotations

import gzip
import io
import shutil
import sys
import tarfile
import tempfile
from pathlib import Path

from release.checksums import digest, write_checksums
from release.commands import commit_time, run
from release.materials import bill_of_materials
from release.site import export


def build(out: Path, version: str) -> None:
    """Build twice, compare, and write the second build with its checksums to `out`."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        first, second = (_build_once(Path(work) / name, version) for name in ("first", "second"))
        for one, other in zip(first, second, strict=True):
            if digest(one) != digest(other):
                raise SystemExit(f"two builds of {one.name} differ")
        for path in second:
            shutil.copy(path, out / path.name)
            print(f"{path.name}: two builds are the same, {path.stat().st_size / 1e6:.1f} MB")
    write_checksums(out)


def _build_once(work: Path, version: str) -> list[Path]:
    """The sdist, the wheel and the bill of materials of one build."""
    source = work / "source"
    export(source)
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", str(work))
    run(*build, "--sdist", str(source))
    sdist = work / f"nadie-{version}.tar.gz"
    _repack(sdist)
    run(*build, "--wheel", str(source))
    wheel = next(work.glob("nadie-*.whl"))
    bill = work / f"nadie-{version}.cdx.json"
    bill.write_text(bill_of_materials(wheel, version), encoding="utf-8")
    _put_inside(wheel, bill, version)
    return [sdist, wheel, bill]


def _repack(sdist: Path) -> None:
    """Give all members one time and owner, in alphabetical order: setuptools writes the time of the build."""
    when = int(commit_time())
    packed = io.BytesIO()
    with tarfile.open(sdist) as old, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new:
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = when, 0, 0, "", ""
            member.pax_headers = {}
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            new.addfile(member, old.extractfile(member) if member.isfile() else None)
    with sdist.open("wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=when) as zipped:
        zipped.write(packed.getvalue())


def _put_inside(wheel: Path, bill: Path, version: str) -> None:
    """Put the bill of materials where PEP 770 has it: in `.dist-info/sboms`."""
    with tempfile.TemporaryDirectory() as work:
        run(sys.executable, "-m", "wheel", "unpack", "--dest", work, str(wheel))
        unpacked = Path(work) / f"nadie-{version}"
        place = unpacked / f"nadie-{version}.dist-info" / "sboms"
        place.mkdir()
        shutil.copy(bill, place / bill.name)
        wheel.unlink()
        run(sys.executable, "-m", "wheel", "pack", "--dest-dir", str(wheel.parent), str(unpacked))
