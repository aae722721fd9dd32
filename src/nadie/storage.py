"""Model folders: the only code that reads or writes weights.

A model is a folder: `config.json` (its system and config, and the fingerprints of the code its features depend on),
`card.json` (training data, scores, licence of the data), the system's own files in safe formats, and
`checksums.json`, which lists the SHA-256 of every other file and is verified on loading.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from nadie.errors import FeaturesChangedWarning, ModelError, UnknownNameError

FORMAT_VERSION = 1
_CHECKSUMS = "checksums.json"
_CONFIG = "config.json"
_CARD = "card.json"


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A verified model folder."""

    path: Path
    system: str
    config: Mapping[str, Any]
    card: Mapping[str, Any]
    shared: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def size(self) -> int:
        """The size in bytes of its files and of the models that it loads, such as the members of a committee."""
        own = sum(file.stat().st_size for file in self.path.rglob("*") if file.is_file())
        others = [*self.config.get("members", ()), *filter(None, map(self.config.get, ("within", "base")))]
        return own + sum(read_model(find_model(name), verify=False).size for name in others)

    def with_settings(self, changes: Mapping[str, Any]) -> ModelFolder:
        """The same folder with other values of settings that apply after training, such as TCCNN's final filter."""
        return replace(self, config={**self.config, **changes})

    def file(self, name: str) -> Path:
        """A file of the folder, or of the shipped model that has an identical one: `shared` names it and its hash."""
        path = self.path / name
        if (other := self.shared.get(name)) and not path.is_file():
            path = find_model(other["model"]) / name
            if path.is_file() and _sha256(path) != other["sha256"]:
                raise ModelError(f"model {self.name!r} needs another {name!r} than that of {other['model']!r}")
        if not path.is_file():
            raise ModelError(f"model {self.name!r} lacks its file {name!r}")
        return path


def read_model(path: Path, *, verify: bool = True) -> ModelFolder:
    """Open the folder at `path`; with `verify`, check every file against its checksum."""
    _recover(path)
    if not path.is_dir():
        raise ModelError(f"there is no model folder at {path}")
    config = _read_json(path / _CONFIG)
    card = _read_json(path / _CARD)
    if config.get("format") != FORMAT_VERSION:
        raise ModelError(f"model {path.name!r} has format {config.get('format')!r}; only {FORMAT_VERSION} is supported")
    system = config.get("system")
    if not isinstance(system, str):
        raise ModelError(f"model {path.name!r} does not name its system")
    if verify:
        _verify(path)
    if parts := changed_features(config.get("features_fingerprint", {})):
        warnings.warn(
            f"model {path.name!r} was trained with other features ({', '.join(parts)} changed): it may find less",
            FeaturesChangedWarning,
            stacklevel=2,
        )
    return ModelFolder(path, system, config.get("settings", {}), card, config.get("shared", {}))


def write_model(
    path: Path,
    *,
    system: str,
    config: Mapping[str, Any],
    card: Mapping[str, Any],
    files: Mapping[str, bytes],
    features: Iterable[str] = (),
) -> None:
    """Write a folder atomically: it appears complete or not at all, and the folder it replaces is kept until then.

    `features` names the parts of `fingerprint.json` that the model's features depend on.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _recover(path)
    staging = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    try:
        stored = {
            "format": FORMAT_VERSION,
            "system": system,
            "settings": dict(config),
            "features_fingerprint": {part: fingerprints()[part] for part in features},
        }
        _write_json(staging / _CONFIG, stored)
        _write_json(staging / _CARD, card)
        for name, content in files.items():
            target = staging / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        _write_json(staging / _CHECKSUMS, _checksums(staging))
        staging.chmod(0o755)
        _put_in_place(staging, path)
    except BaseException:
        shutil.rmtree(staging, ignore_errors=True)
        raise


def add_files(path: Path, files: Mapping[str, bytes]) -> None:
    """Add or replace files of an existing folder (such as a learning curve) and update its checksums."""
    for name, content in files.items():
        (path / name).write_bytes(content)
    (path / _CHECKSUMS).unlink(missing_ok=True)
    _write_json(path / _CHECKSUMS, _checksums(path))


def shipped_models() -> dict[str, Path]:
    """The models inside the package, by name."""
    root = Path(str(files("nadie"))) / "models"
    return {path.name: path for path in sorted(root.iterdir()) if (path / _CONFIG).is_file()}


def named_models() -> dict[str, Path]:
    """The models that can be loaded by name: the shipped ones; then those in the folders of the environment variable
    NADIE_MODELS and, in a clone of the repository, in its folder `papers`.
    """
    clone = Path(str(files("nadie"))).parents[1]
    roots = [Path(part) for part in os.environ.get("NADIE_MODELS", "").split(os.pathsep) if part]
    roots += [clone / "papers"] if (clone / "pyproject.toml").is_file() else []
    found = {
        path.name: path
        for root in reversed(roots)
        if root.is_dir()
        for path in sorted(root.iterdir())
        if (path / _CONFIG).is_file()
    }
    return found | shipped_models()


def find_model(name: str | os.PathLike[str]) -> Path:
    """The folder of a model by name (`named_models`), or any model folder by path."""
    named = named_models()
    if isinstance(name, str) and name in named:
        return named[name]
    path = Path(name)
    if path.is_dir():
        return path
    known = ", ".join(named) or "none"
    raise UnknownNameError(
        f"there is no model {str(name)[:80]!r}, neither shipped ({known}) nor as a folder, and no such detector"
    )


@cache
def fingerprints() -> dict[str, str]:
    """The fingerprints, in this version, of the parts that features depend on."""
    return _read_json(Path(str(files("nadie"))) / "fingerprint.json")


def changed_features(stored: Mapping[str, str]) -> list[str]:
    """The parts whose fingerprint differs from the stored one."""
    return sorted(part for part, value in stored.items() if fingerprints().get(part) != value)


def checksum_of(path: Path) -> str:
    """One hash of all files of a model folder; empty if it has no checksums."""
    seal = path / _CHECKSUMS
    return _sha256(seal) if seal.is_file() else ""


def _put_in_place(staging: Path, path: Path) -> None:
    """Rename the old folder, move the new one into its place, and only then delete the old one."""
    old = _old(path)
    if path.exists():
        path.rename(old)
    try:
        staging.rename(path)
    finally:
        _recover(path)


def _recover(path: Path) -> None:
    """Undo or finish an interrupted replacement: restore the old folder unless the new one is in place."""
    old = _old(path)
    if not old.is_dir():
        return
    if path.exists():
        shutil.rmtree(old)
    else:
        old.rename(path)


def _old(path: Path) -> Path:
    """The temporary name of a folder while it is being replaced."""
    return path.with_name(f".{path.name}.old")


def _checksums(path: Path) -> dict[str, str]:
    return {
        file.relative_to(path).as_posix(): _sha256(file)
        for file in sorted(path.rglob("*"))
        if file.is_file() and file.name != _CHECKSUMS
    }


def _sha256(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _verify(path: Path) -> None:
    if _read_json(path / _CHECKSUMS) != _checksums(path):
        raise ModelError(f"model {path.name!r} does not match its checksums: it is damaged or was changed")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ModelError(f"model {path.parent.name!r} lacks its file {path.name!r}") from None
    except (OSError, ValueError) as error:
        raise ModelError(f"model {path.parent.name!r}: {path.name} cannot be read") from error
    if not isinstance(content, dict):
        raise ModelError(f"model {path.parent.name!r}: {path.name} is not a JSON object")
    return content


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
