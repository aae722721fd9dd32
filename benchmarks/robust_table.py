"""The tables of docs/robustness.md, out of what the robustness suite printed as JSON.

    nadie evaluate --robust --model recrf --corpus meddocan/dev/brat --json > recrf.json
    python benchmarks/robust_peer.py --peer peer/bin/python --corpus meddocan/dev/brat --json > peer.json
    python benchmarks/robust_table.py recrf=recrf.json peer.json --page docs/robustness.md

A file of `nadie evaluate` holds one system, which is named before the `=`; a file of `robust_peer.py` holds several
under their own names. Without --page the tables are printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"
SETS = {
    "plain": "as it is",
    "labels-removed": "field labels removed",
    "relabelled": "other field labels",
    "one-line": "on one line",
    "upper": "upper case",
    "lower": "lower case",
    "no-accents": "without accents",
    "typos": "with typing errors",
    "nfd": "accents decomposed (NFD)",
    "crlf": "CRLF line ends",
    "unseen-names": "names of other peoples",
}

Results = dict[str, dict[str, Any]]


def read(files: list[str]) -> Results:
    """Every system's figures by its name, in the order given."""
    results: Results = {}
    for given in files:
        name, sign, path = given.rpartition("=")
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        results |= {name: content} if sign else content
    return results


def tables(results: Results) -> str:
    return "\n\n".join([_notes(results), _corpus(results), _labels(results)])


def _notes(results: Results) -> str:
    head = "hand-written notes | recall | precision | over-masked | terms masked | figures masked | nothing missed | F1"
    rows = []
    for name, result in results.items():
        notes, traps = result["notes"], result["notes"]["traps"]
        rows.append(
            f"`{name}` | {_share(notes['character_recall'])} | {_share(notes['character_precision'])} | "
            f"{_share(notes['overmasked_share'])} | {traps['terms_masked']} of {traps['terms']} | "
            f"{traps['figures_masked']} of {traps['figures']} | {_share(notes['safe_share'])} | "
            f"{100 * notes['subtask1_f1']:.1f}"
        )
    return _table(head, rows)


def _corpus(results: Results) -> str:
    measured = {name: result["corpus"] for name, result in results.items() if result.get("corpus")}
    if not measured:
        return "The altered corpus was not measured."
    names = list(dict.fromkeys(part for corpus in measured.values() for part in corpus))
    rows = [
        f"{SETS.get(part, part)} | "
        + " | ".join(_share(c[part]["character_recall"]) if part in c else "" for c in measured.values())
        for part in names
    ]
    return _table("recall on the development set | " + " | ".join(f"`{name}`" for name in measured), rows)


def _labels(results: Results) -> str:
    counts = {label: each["characters"] for result in results.values() for label, each in result["by_label"].items()}
    rows = [
        f"{label} | {counts[label]} | "
        + " | ".join(_share(r["by_label"].get(label, {"recall": 0.0})["recall"]) for r in results.values())
        for label in sorted(counts, key=lambda label: -counts[label])
    ]
    return _table("hand-written notes, recall by type | characters | " + " | ".join(f"`{n}`" for n in results), rows)


def _share(value: float) -> str:
    return f"{100 * value:.1f} %"


def _table(head: str, rows: list[str]) -> str:
    line = " | ".join(["---"] * (head.count(" | ") + 1))
    return "\n".join(f"| {row} |" for row in (head, line, *rows))


def fill(page: Path, text: str) -> None:
    """Put the tables between the two marks of the page."""
    content = page.read_text(encoding="utf-8")
    before, begin, rest = content.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{page} has no place for the tables: {BEGIN} ... {END}")
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="The tables of the robustness page.")
    parser.add_argument("files", nargs="+", help="NAME=FILE.json of one system, or FILE.json of several")
    parser.add_argument("--page", type=Path, help="the page to fill instead of printing")
    arguments = parser.parse_args()
    made = tables(read(arguments.files))
    if arguments.page:
        fill(arguments.page, made)
    else:
        print(made)
