"""`nadie evaluate --robust`: measure a model on documents unlike those it was trained on."""

from __future__ import annotations

import sys
from pathlib import Path

_WIDTH = 118  # of the tables if the output is not a terminal


def measure(model: str, corpus: Path | None, *, as_json: bool, seed: int = 0) -> None:
    """Print a model's scores on the hand-written notes and, if given, on a corpus and altered copies of it.

    Recall and precision count characters of protected health information, regardless of their label. Traps are eponyms,
    drugs, devices, organisms and values that look like an identifier but are not.
    """
    from nadie.augment import ALTERATIONS
    from nadie.cli.console import stderr
    from nadie.evaluation.reading import read_gold
    from nadie.evaluation.suite.runner import run_suite
    from nadie.run.documents import load

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

    from nadie.evaluation.terminal import suite_tables

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    for table in suite_tables(result):
        console.print(table)
