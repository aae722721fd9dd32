"""`nadie evaluate --robust`: measure a model on documents unlike those it was trained on."""

from __future__ import annotations

import sys
from pathlib import Path


def measure(model: str, corpus: Path | None, *, as_json: bool) -> None:
    """Print a model's scores on the hand-written notes and, if given, on a corpus and altered copies of it.

    Recall and precision count characters of protected health information, regardless of their label. Traps are eponyms,
    drugs, devices, organisms and values that look like an identifier but are not.
    """
    from nadie.augment import ALTERATIONS
    from nadie.cli.console import stderr, table_console
    from nadie.cli.language import say
    from nadie.evaluation.reading import read_gold
    from nadie.evaluation.suite.runner import run_suite
    from nadie.run.documents import load

    pipeline = load(model)
    with stderr().status(say("Reading")) as status:
        gold = read_gold(corpus) if corpus else None
        result = run_suite(
            pipeline, gold, alterations=ALTERATIONS, seed=0, watch=lambda part: status.update(say(f"Measuring: {part}"))
        )
    if as_json:
        import json

        sys.stdout.write(json.dumps({"model": model, **result.summary()}, ensure_ascii=False, indent=1) + "\n")
        return
    from nadie.cli.evaluation_tables import suite_tables

    console = table_console()
    for table in suite_tables(result):
        console.print(table)
