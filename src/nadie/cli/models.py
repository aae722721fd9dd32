"""`nadie models`."""

from __future__ import annotations

import hashlib
import json
import sys
import textwrap
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from nadie.cli.language import say

_FIRST = ("best", "fast")  # those for users; the others are for comparison
_NAME, _PURPOSE = 17, 34  # columns: all of it fits into 80 × 24
_FIGURES = (
    "suite: % of PHI covered, and % of the masked text that is PHI, in 275 notes (* before its files last changed). "
    "F1: labels and borders right, in the development set of MEDDOCAN."
)


def models(
    action: Annotated[
        Literal["verify"] | None, typer.Argument(help="verify: check the SHA-256 of every file of every model.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the complete model cards as JSON.")] = False,
) -> None:
    """List the models that can be loaded by name: size, scores and purpose.

    These are the models in the package, and those in the folders of the environment variable NADIE_MODELS.

    Examples:

        nadie models
        nadie models --json
        nadie models verify
    """
    from nadie.storage import checksum_of, named_models, read_model

    if action == "verify":
        _verify(named_models())
        return
    folders = [read_model(path, verify=False) for path in named_models().values()]
    if as_json:
        cards = [{"name": f.name, "system": f.system, "bytes": f.size, **f.card} for f in folders]
        sys.stdout.write(json.dumps(cards, ensure_ascii=False, indent=1) + "\n")
        return
    measured = json.loads((files("nadie.models") / "suite.json").read_text(encoding="utf-8"))
    name, size, suite, purpose = say("name | size | suite | for").split(" | ")
    sys.stdout.write(f"{name:<{_NAME}}{size:>8}{suite:>13}{'F1':>6}  {purpose}\n")
    for folder in sorted(folders, key=lambda folder: (folder.name not in _FIRST, folder.name)):
        first, *rest = textwrap.wrap(
            str(folder.card.get("purpose", "")), _PURPOSE, max_lines=2 if folder.name in _FIRST else 1, placeholder=" …"
        ) or [""]
        suite = _of_suite(measured.get(folder.name, {}), checksum_of(folder.path))
        scores = f"{suite:>13}{_score(folder.card):>6}"
        sys.stdout.write(f"{folder.name:<{_NAME}}{folder.size / 1e6:>5.1f} MB{scores}  {first}\n")
        sys.stdout.writelines(f"{'':<{_NAME + 29}}{line}\n" for line in rest)
    sys.stdout.write("\n" + textwrap.fill(say(_FIGURES), 80) + "\n")


def _of_suite(measured: Mapping[str, Any], checksum: str) -> str:
    """The figures of a model in the suite; a star if they are those of other files than the model has now."""
    if not measured:
        return ""
    star = "" if measured.get("sha256", "") == checksum else "*"
    return f"{measured['recall']:.1f} / {measured['precision']:.1f}{star}"


def _verify(paths: Mapping[str, Path]) -> None:
    """Print whether the files of each model match their checksums, and the SHA-256 of the list of these checksums."""
    from nadie.errors import ModelError
    from nadie.storage import read_model

    damaged = 0
    for name, path in sorted(paths.items()):
        try:
            read_model(path)
            seal = hashlib.sha256((path / "checksums.json").read_bytes()).hexdigest()
            sys.stdout.write(f"{name}\t{say('unchanged')}\t{seal}\n")
        except (ModelError, OSError):
            damaged += 1
            sys.stdout.write(f"{name}\t{say('damaged or changed')}\n")
    if damaged:
        raise typer.Exit(1)


def _score(card: Any) -> str:
    score = card.get("scores", {}).get("dev", {}).get("subtask1_f1")
    return "" if score is None else f"{100 * score:.2f}"
