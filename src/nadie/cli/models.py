"""`nadie models`."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import Annotated, Any

import typer

_FIRST = ("best", "fast")  # those for users; the others are for comparison
_NAME, _PURPOSE = 18, 44  # columns: all of it fits into 80 × 24


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print the complete model cards as JSON.")] = False,
) -> None:
    """List the models that can be loaded by name: size, score and purpose.

    These are the models in the package, and those in the folders of the environment variable NADIE_MODELS.

    Examples:

        nadie models
        nadie models --json
    """
    from nadie.storage import named_models, read_model

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


def _score(card: Any) -> str:
    score = card.get("scores", {}).get("dev", {}).get("subtask1_f1")
    return "" if score is None else f"{100 * score:.2f}"
