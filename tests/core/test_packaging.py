"""The source distribution and the wheel: what is in them, and that the installed wheel works; and the Makefile."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import nadie

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "nadie"
_BUILD = "import sys; from setuptools import build_meta; getattr(build_meta, sys.argv[1])(sys.argv[2])"
_NOT_SOURCE = (".git", ".venv", "node_modules", "build", "dist", "out", "*.egg-info", "__pycache__", ".*_cache")


def build(kind: str, source: Path, out: Path) -> Path:
    """A wheel or an sdist, built without the internet by the setuptools of this environment."""
    command = [sys.executable, "-W", "ignore", "-c", _BUILD, f"build_{kind}", str(out)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    [built] = [path for path in out.iterdir() if path.is_file()]
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, unpacked. It is built from a copy, because setuptools writes beside what it builds."""
    folder = tmp_path_factory.mktemp("sdist")
    source = shutil.copytree(ROOT, folder / "source", ignore=shutil.ignore_patterns(*_NOT_SOURCE))
    (folder / "unpacked").mkdir()
    subprocess.run(["tar", "-xf", build("sdist", source, folder), "-C", folder / "unpacked"], check=True)
    [unpacked] = (folder / "unpacked").iterdir()
    return unpacked


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source distribution."""
    return build("wheel", sdist, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def packed(wheel: Path) -> set[str]:
    """The names of all files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(packed: set[str]) -> None:
    files = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    inside = {name for name in packed if ".dist-info/" not in name}
    assert inside == {path.relative_to(ROOT / "src").as_posix() for path in files}


def test_a_packed_model_is_whole(packed: set[str]) -> None:
    sums = list(PACKAGE.glob("models/*/checksums.json"))
    assert {path.parent.name for path in sums} >= {"fast"}
    for path in sums:
        listed = {f"nadie/models/{path.parent.name}/{name}" for name in json.loads(path.read_text(encoding="utf-8"))}
        assert listed <= packed


def test_no_record_of_a_training_is_packed(packed: set[str]) -> None:
    assert not {name for name in packed if name.endswith((".png", ".jsonl", ".log"))}


def test_licences_are_packed(packed: set[str]) -> None:
    assert {name.rpartition("/licenses/")[2] for name in packed if "/licenses/" in name} == {"LICENSE", "NOTICE"}
    assert "nadie/tokens/tagger/data/README.md" in packed
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    folders = re.findall(r"src/(nadie/[\w/]*data)\b", notice)
    assert folders
    assert {f"{folder}/README.md" for folder in folders} <= packed


@pytest.mark.parametrize("folder", ["tests", "docs", "examples", "benchmarks", "scripts", "data", "deploy"])
def test_the_source_distribution_has_what_a_packager_needs(sdist: Path, folder: str) -> None:
    wanted = {path.relative_to(ROOT) for path in (ROOT / folder).rglob("*") if path.is_file()}
    generated = {path for path in wanted if {"__pycache__", "node_modules"} & set(path.parts)}
    found = {path.relative_to(sdist) for path in (sdist / folder).rglob("*") if path.is_file()}
    assert found == wanted - generated
    assert {"CHANGELOG.md", "CITATION.cff", "LICENSE", "Makefile", "NOTICE"} <= {path.name for path in sdist.iterdir()}


def test_the_installed_wheel_anonymizes_the_examples(wheel: Path, tmp_path: Path) -> None:
    """In an environment that has the libraries of this one, but neither its nadie nor this folder."""
    home = tmp_path / "clean"
    venv.create(home, symlinks=True)
    [packages] = home.glob("lib/python*/site-packages")
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "borrowed.pth").write_text("\n".join(borrowed), encoding="utf-8")
    install = [sys.executable, "-m", "pip", "--python", str(home / "bin" / "python"), "install", "--quiet"]
    subprocess.run([*install, "--no-index", "--no-deps", "--ignore-installed", wheel], check=True, cwd=tmp_path)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*command: str | Path) -> str:
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    place = run(home / "bin" / "python", "-c", "import nadie; print(nadie.__file__)").strip()
    assert Path(place).is_relative_to(packages)
    assert run(home / "bin" / "nadie", "--version") == f"nadie {nadie.__version__}\n"
    run(home / "bin" / "nadie", "anonymize", ROOT / "examples", "--out", tmp_path / "out")
    examples = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "examples").iterdir()}
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").glob("*.txt")}
    assert written.keys() == examples.keys()
    for name, text in written.items():
        assert "[NOMBRE_SUJETO_ASISTENCIA" in text, name
    assert not [value for value in ("Urrestarazu", "4471920", "926 540 117") if value in written["alta.txt"]]


def test_the_version_is_written_in_one_place() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert nadie.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+)\]", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    literal = re.compile(rf"(?<![\w.]){re.escape(version)}(?![\w.])")
    assert not [path for path in PACKAGE.rglob("*.py") if literal.search(path.read_text(encoding="utf-8"))]
