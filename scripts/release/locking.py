"""Requirements files with hashes, one for each documented installation, for all supported Pythons at once."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from release.checksums import write_checksums
from release.commands import run
from release.version import ROOT

INSTALLATIONS = {
    "base": (),
    "files": ("tables", "office", "pdf", "health", "scan"),
    "service": ("service", "tables", "office", "pdf", "health", "scan"),
}


def lock(out: Path) -> None:
    """Write `requirements-NAME.txt` for each installation and renew the checksums."""
    for name, extras in INSTALLATIONS.items():
        path = out / f"requirements-{name}.txt"
        path.write_text(_HEADER.format(name=name) + compiled(extras), encoding="utf-8")
        print(f"{path.name}: {path.read_text(encoding='utf-8').count('==')} packages")
    write_checksums(out)


def compiled(extras: Sequence[str] = ()) -> str:
    """All packages that nadie with these extras needs, with their versions and the hashes of their files."""
    asked = [part for extra in extras for part in ("--extra", extra)]
    options = (
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
        "--no-header",
        "--no-annotate",
        "--quiet",
    )
    return run("uv", "pip", "compile", *options, *asked, str(ROOT / "pyproject.toml")).decode()


_HEADER = """\
# What the installation "{name}" of nadie needs, without nadie itself:
#   pip install --require-hashes -r requirements-{name}.txt
#   pip install --no-deps nadie-VERSION-py3-none-any.whl
"""
