"""The mark of an output folder: a hidden file that says which policy its files were anonymized with.

Who gives an output of nadie to nadie again gets surrogates of surrogates, and who writes the output of a second policy
into the same folder gets one in which nobody knows what was done with a file. Both are refused unless asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from nadie.anonymize.policy import Policy
from nadie.errors import ConfigError
from nadie.files.disk import write_bytes
from nadie.files.source import STDIN

NAME = ".nadie-output"
_MOST_BYTES = 10_000


def check_not_again(paths: Iterable[Path], folder: Path | None, policy: Policy) -> None:
    """Raise an error if an input is an output of nadie, or if the folder has the output of another policy."""
    for path in paths:
        if path != STDIN and (found := _mark_of(path)):
            raise ConfigError(
                f"{path} is an output of nadie already (policy {found['policy']!r}): give the originals, or --again"
            )
    if folder is not None and (found := _read(folder)) and found["digest"] != policy.digest:
        raise ConfigError(
            f"{folder} has the output of the policy {found['policy']!r}: choose another folder, or give --again"
        )


def mark(folder: Path, policy: Policy) -> None:
    """Write the mark of an output folder; it has no key, no name and no text."""
    content = {"nadie": version("nadie"), "policy": policy.name, "digest": policy.digest}
    folder.mkdir(parents=True, exist_ok=True)
    write_bytes(folder / NAME, json.dumps(content).encode())


def _mark_of(path: Path) -> dict[str, str] | None:
    """The mark of a folder, or of the folder that a file lies in."""
    return _read(path if path.is_dir() else path.parent)


def _read(folder: Path) -> dict[str, str] | None:
    with suppress(OSError, ValueError):
        with (folder / NAME).open("rb") as file:
            content = json.loads(file.read(_MOST_BYTES))
        if isinstance(content, dict) and {"policy", "digest"} <= content.keys():
            return {name: str(content[name])[:100] for name in ("policy", "digest")}
    return None
