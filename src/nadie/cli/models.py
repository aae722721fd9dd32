"""`nadie models`."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer


def models(
    as_json: Annotated[bool, typer.Option("--json", help="Print the complete model cards as JSON.")] = False,
) -> None:
    """List the installed models: size, scores, purpose, licence of the data.

    Examples:

        nadie models
        nadie models --json
    """
    from nadie.storage import read_model, shipped_models

    folders = [read_model(path, verify=False) for path in shipped_models().values()]
    if as_json:
        cards = [{"name": f.name, "system": f.system, "bytes": f.size, **f.card} for f in folders]
        sys.stdout.write(json.dumps(cards, ensure_ascii=False, indent=1) + "\n")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Models")
    for heading in ("name", "size", "F1 on dev"):
        table.add_column(heading, justify="left" if heading == "name" else "right", no_wrap=True)
    table.add_column("for")
    table.add_column("trained on")
    for folder in folders:
        card = folder.card
        size = f"{folder.size / 1e6:.1f} MB"
        table.add_row(folder.name, size, _score(card), str(card.get("purpose", "")), str(card.get("trained_on", "")))
    console = Console(highlight=False)
    console.print(table)
    for licence in sorted({str(folder.card.get("data_licence", "")) for folder in folders} - {""}):
        console.print(f"Licence of the data: {licence}")


def _score(card: Any) -> str:
    score = card.get("scores", {}).get("dev", {}).get("subtask1_f1")
    return "" if score is None else f"{100 * score:.2f}"
