"""One archive for a machine without internet, for each supported Python."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path

from release.checksums import write_checksums
from release.commands import run
from release.site import export, pack, site_of, unpack
from release.smoke import environment

_READ_ME = """\
# nadie {version} for a machine without internet

This archive is for Linux on x86-64 with the Python in its name. It has nadie with its models, every package that it
needs, the documentation and the checksums of all files.

    sha256sum --check SHA256SUMS
    python3 -m venv /opt/nadie
    /opt/nadie/bin/pip install --no-index --find-links wheels --require-hashes -r requirements-service.txt
    /opt/nadie/bin/pip install --no-index --no-deps wheels/nadie-{version}-py3-none-any.whl
    /opt/nadie/bin/nadie models verify

`requirements-base.txt` and `requirements-files.txt` install less. The documentation begins with `docs/index.html`.
"""


def bundle(out: Path, version: str, pythons: Sequence[str]) -> None:
    """Write `nadie-VERSION-offline-pyXY.tar.gz` for each Python, and install from it without an index."""
    for python in pythons:
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work) / f"nadie-{version}"
            tag = run(python, "-c", "import sys; print('py%d%d' % sys.version_info[:2])").decode().strip()
            _fill(folder, out, version, python)
            _install(folder, python)
            path = out / f"nadie-{version}-offline-{tag}.tar.gz"
            pack(folder, folder.name, path)
        print(f"{path.name}: installed without an index, {path.stat().st_size / 1e6:.0f} MB")
    write_checksums(out)


def _fill(folder: Path, out: Path, version: str, python: str) -> None:
    wheels = folder / "wheels"
    wheels.mkdir(parents=True)
    for path in (*out.glob("requirements-*.txt"), *out.glob("*.cdx.json")):
        shutil.copy(path, folder)
    with environment(python) as clean:
        locked = ("--require-hashes", "-r", str(folder / "requirements-service.txt"))
        download = ("-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", str(wheels))
        run(str(clean / "bin" / "python"), *download, *locked)
    shutil.copy(next(out.glob(f"nadie-{version}-*.whl")), wheels)
    export(folder, "LICENSE", "NOTICE")
    unpack(site_of(out, version), folder)
    (folder / f"nadie-{version}-docs").rename(folder / "docs")
    (folder / "README.md").write_text(_READ_ME.format(version=version), encoding="utf-8")
    write_checksums(folder)


def _install(folder: Path, python: str) -> None:
    with environment(python) as clean:
        pip = (
            str(clean / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-index",
            "--find-links",
            str(folder / "wheels"),
        )
        run(*pip, "--require-hashes", "-r", str(folder / "requirements-base.txt"))
        run(*pip, "--no-deps", str(next((folder / "wheels").glob("nadie-*.whl"))))
        run(str(clean / "bin" / "nadie"), "--version")
