"""`nadie evaluate --robust`: how a model does on documents unlike those it was trained on."""

from __future__ import annotations

import sys
from pathlib import Path

_WIDTH = 118  # of the tables where the output is no terminal


def measure(model: str, corpus: Path | None, *, as_json: bool, seed: int = 0) -> None:
    """Print what a model does on hand-written notes from many countries and, given a corpus, on it and altered copies.

    Recall and precision count characters of protected health information, whatever their label. Traps are eponyms,
    drugs, devices, organisms and values that look like an identifier and are none.
    """
    from nadie.augment import ALTERATIONS
    from nadie.cli.console import stderr
    from nadie.evaluation.reading import read_gold
    from nadie.evaluation.suite.runner import run_suite
    from nadie.run import load

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
