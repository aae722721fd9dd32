"""LibreOffice as the independent reader of what was written, and everything that is in a package."""

from __future__ import annotations

import io
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest


def shown(files: dict[str, bytes], folder: Path) -> dict[str, str]:
    """What LibreOffice reads in each file, as plain text; it is started once for all of them."""
    made = converted(files, folder, "txt:Text (encoded):UTF8")
    return {name: content.decode("utf-8-sig") for name, content in made.items()}


def converted(files: dict[str, bytes], folder: Path, to: str) -> dict[str, bytes]:
    """What LibreOffice makes of each file."""
    soffice = shutil.which("soffice")
    if soffice is None:
        pytest.skip("LibreOffice is not here: install libreoffice-writer and libreoffice-calc")
    out = folder / "shown"
    for name, content in files.items():
        (folder / name).write_bytes(content)
    command = [soffice, f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless", "--convert-to"]
    paths = [str(folder / name) for name in files]
    subprocess.run(
        [*command, to, "--outdir", str(out), *paths],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    suffix = to.partition(":")[0]
    return {name: (out / f"{Path(name).stem}.{suffix}").read_bytes() for name in files}


def parts_of(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def everything(content: bytes) -> str:
    """The raw bytes and all parts of a package, those of packages in it too, with their names."""
    told = content.decode("utf-8", "replace")
    if content.startswith(b"PK"):
        told += "".join(name + everything(part) for name, part in parts_of(content).items())
    return told
