"""Recognising outputs of nadie: by the mark of their folder, and by labels in their text.

The mark is a hidden file that says which policy the files of a folder, and of those below it, were anonymized with; a
copy of the folder has it too. Texts that were copied out of it are recognised by labels such as `[NUMERO_TELEFONO]`;
those with surrogates alone are not, because surrogates look like originals.

Who gives an output of nadie to nadie again gets surrogates of surrogates, and who writes the output of a second policy
into the same folder gets one in which nobody knows what was done with a file. Both are refused unless asked for.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from importlib.metadata import version
from itertools import chain
from pathlib import Path

from nadie.anonymize.policy import Policy
from nadie.errors import ConfigError
from nadie.files.disk import write_bytes
from nadie.files.source import STDIN, FileList
from nadie.labels import Label

NAME = ".nadie-output"
_MOST_BYTES = 10_000
_LABEL = re.compile(rf"\[(?P<label>{'|'.join(sorted(Label, key=len, reverse=True))})(?:_\d{{1,5}})?\]")


def check_not_again(files: FileList, folder: Path | None, policy: Policy) -> None:
    """Raise an error if an input is an output of nadie, or if the folder has the output of another policy."""
    for path in chain(files.paths, (file.parent for file in files.own_files() if file.name == NAME)):
        if path != STDIN and (found := _mark_above(path)):
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


def is_labelled(text: str) -> bool:
    """Whether a text has labels of nadie: one with a name that nobody else uses, or two different ones."""
    found = {match["label"] for match in _LABEL.finditer(text)}
    return len(found) > 1 or any("_" in label for label in found)


def _mark_above(path: Path) -> dict[str, str] | None:
    """The mark of a folder, or of one above a folder or file."""
    return next(filter(None, (_read(folder) for folder in (path, *path.absolute().parents))), None)


def _read(folder: Path) -> dict[str, str] | None:
    with suppress(OSError, ValueError):
        with (folder / NAME).open("rb") as file:
            content = json.loads(file.read(_MOST_BYTES))
        if isinstance(content, dict) and {"policy", "digest"} <= content.keys():
            return {name: str(content[name])[:100] for name in ("policy", "digest")}
    return None
