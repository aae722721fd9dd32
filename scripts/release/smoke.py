"""The wheel in a clean environment of each supported Python: installed from its requirements file, and used."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from release.commands import run
from release.version import ROOT

SUPPORTED = ("3.11", "3.12", "3.13")
NAMES = ("Urrestarazu", "4471920", "926 540 117")
_USE = """
import nadie
model = nadie.load("fast")
print(model.anonymize("Paciente: Ana Pérez Soto, de 70 años, natural de Lugo."))
"""


def interpreters() -> list[str]:
    """The supported Pythons on this machine; an error if there is none."""
    found = {version: path for version in SUPPORTED if (path := _interpreter(version))}
    missing = [version for version in SUPPORTED if version not in found]
    if missing:
        print(
            f"NOT TRIED: Python {', '.join(missing)}: neither on the path nor known to pyenv or uv; "
            "`python -m release try --python PATH` tries one"
        )
    if not found:
        raise SystemExit("none of the supported Pythons was found")
    return list(found.values())


def _interpreter(version: str) -> str:
    """The first of the path, pyenv and uv that has this Python and can start it, or nothing."""
    on_path = shutil.which(f"python{version}") or ""
    of_pyenv = _answer("pyenv", "prefix", version)
    candidates = (on_path, of_pyenv and f"{of_pyenv}/bin/python{version}", _answer("uv", "python", "find", version))
    starts = "import sys; print('%d.%d' % sys.version_info[:2])"
    return next((path for path in candidates if path and _answer(path, "-c", starts) == version), "")


def _answer(*command: str) -> str:
    """What a command prints; nothing if it is not there or fails, as a launcher does that has no interpreter."""
    try:
        done = subprocess.run(command, capture_output=True, check=False, text=True)  # noqa: S603
    except OSError:
        return ""
    return "" if done.returncode else done.stdout.strip()


def try_wheel(out: Path, pythons: Sequence[str]) -> None:
    """Install with `--require-hashes`, import, anonymize the examples, and see that no name is left."""
    wheel = next(out.glob("nadie-*.whl"), None)
    if wheel is None:
        raise SystemExit(f"no wheel in {out}: run `python -m release build` first")
    for python in pythons:
        with environment(python) as folder:
            pip = (str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
            run(*pip, "--require-hashes", "-r", str(out / "requirements-base.txt"))
            run(*pip, "--no-deps", str(wheel))
            _use(folder)
        print(f"{python}: installed and used")


def _use(folder: Path) -> None:
    printed = run(str(folder / "bin" / "python"), "-c", _USE, cwd=folder).decode()
    if "Ana" in printed or "[NOMBRE_SUJETO_ASISTENCIA]" not in printed:
        raise SystemExit("the installed package did not replace a name")
    results = folder / "anonymized"
    run(str(folder / "bin" / "nadie"), "anonymize", str(ROOT / "examples"), "--out", str(results), cwd=folder)
    texts = [path.read_text(encoding="utf-8") for path in results.rglob("*.txt")]
    if len(texts) != len(list((ROOT / "examples").glob("*.txt"))):
        raise SystemExit("not every example was anonymized")
    if any(name in text for name in NAMES for text in texts):
        raise SystemExit("an identifier of an example is in the output")


@contextmanager
def environment(python: str) -> Iterator[Path]:
    """A new virtual environment of an interpreter, removed afterwards."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "environment"
        run(python, "-m", "venv", str(folder))
        yield folder
