"""`nadie models`."""

from __future__ import annotations

import hashlib
import json
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

_FIRST = ("best", "fast")  # those for users; the others are for comparison
_NAME, _PURPOSE = 18, 44  # columns: all of it fits into 80 × 24


def models(
    action: Annotated[
        Literal["verify"] | None, typer.Argument(help="verify: check the SHA-256 of every file of every model.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the complete model cards as JSON.")] = False,
) -> None:
    """List the models that can be loaded by name: size, score and purpose.

    These are the models in the package, and those in the folders of the environment variable NADIE_MODELS.

    Examples:

        nadie models
        nadie models --json
        nadie models verify
    """
    from nadie.storage import named_models, read_model

    if action == "verify":
        _verify(named_models())
        return
    folders = [read_model(path, verify=False) for path in named_models().values()]
    if as_json:
        cards = [{"name": f.name, "system": f.system, "bytes": f.size, **f.card} for f in folders]
        sys.stdout.write(json.dumps(cards, ensure_ascii=False, indent=1) + "\n")
        return
    sys.stdout.write(f"{'name':<{_NAME}}{'size':>8}{'F1':>7}  for\n")
    for folder in sorted(folders, key=lambda folder: (folder.name not in _FIRST, folder.name)):
        first, *rest = textwrap.wrap(str(folder.card.get("purpose", "")), _PURPOSE, max_lines=2, placeholder=" …") or [
            ""
        ]
        sys.stdout.write(f"{folder.name:<{_NAME}}{folder.size / 1e6:>5.1f} MB{_score(folder.card):>7}  {first}\n")
        sys.stdout.writelines(f"{'':<{_NAME + 17}}{line}\n" for line in rest)
    sys.stdout.write(
        "\nF1: labels and borders right, in the development set of MEDDOCAN. `nadie models\n"
        "--json` prints the complete cards, with the data that each was trained on.\n"
    )


def _verify(paths: Mapping[str, Path]) -> None:
    """Print whether the files of each model match their checksums, and the SHA-256 of the list of these checksums."""
    from nadie.errors import ModelError
    from nadie.storage import read_model

    damaged = 0
    for name, path in sorted(paths.items()):
        try:
            read_model(path)
            seal = hashlib.sha256((path / "checksums.json").read_bytes()).hexdigest()
            sys.stdout.write(f"{name}\tunchanged\t{seal}\n")
        except (ModelError, OSError):
            damaged += 1
            sys.stdout.write(f"{name}\tdamaged or changed\n")
    if damaged:
        raise typer.Exit(1)


def _score(card: Any) -> str:
    score = card.get("scores", {}).get("dev", {}).get("subtask1_f1")
    return "" if score is None else f"{100 * score:.2f}"
