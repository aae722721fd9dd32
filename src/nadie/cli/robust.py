"""`nadie evaluate --robust`: how a model stands up to notes that look nothing like those it learnt from."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

_WIDTH = 118  # of the tables where the output is no terminal


def robust(
    model: Annotated[str, typer.Option(help="A model's name (see `nadie models`) or folder.")] = "recrf",
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Annotated documents to alter and measure too, such as MEDDOCAN's dev/brat."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON instead of tables.")] = False,
    seed: Annotated[int, typer.Option(help="The seed of the alterations.")] = 0,
) -> None:
    """Measure a model on the robustness suite: hand-written notes from many countries, and an altered corpus.

    Recall and precision count characters of protected health information, whatever their type. Traps are eponyms,
    drugs, devices, organisms and values that look like an identifier and are none.

    Examples:

        nadie evaluate --robust

        nadie evaluate --robust --model recrf --corpus meddocan/dev/brat

        nadie evaluate --robust --json > robust.json
    """
    from nadie.augment import ALTERATIONS
    from nadie.cli.console import stderr
    from nadie.evaluation.reading import read_gold
    from nadie.evaluation.suite.runner import run_suite
    from nadie.pipeline import load

    pipeline = load(model)
    with stderr().status("Reading") as status:
        gold = read_gold(corpus) if corpus else None
        result = run_suite(
            pipeline,
            gold,
            alterations=ALTERATIONS,
            seed=seed,
            watch=lambda part: status.update(f"Measuring: {part}"),
        )
    if as_json:
        import json

        sys.stdout.write(json.dumps({"model": model, **result.summary()}, ensure_ascii=False, indent=1) + "\n")
        return
    from rich.console import Console

    from nadie.evaluation.suite.tables import tables

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    for table in tables(result):
        console.print(table)
