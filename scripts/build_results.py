"""Write the tables of figures in the README and the docs from docs/results.json, the only source of the figures.

    python scripts/build_results.py                   write every table
    python scripts/build_results.py --check           exit with 1 if a table is not up to date
    python scripts/build_results.py --suite recrf=recrf.json peer.json      take new figures of the suite first

A table is between `<!-- table: NAME -->` and `<!-- end -->`. Pages that end in `.es.md` get Spanish headings and a
decimal comma. The files of --suite are the output of `nadie evaluate --robust --json` for one system, named before the
`=`, or of `benchmarks/robust_peer.py --json` for several.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import paper_cells
from result_tables import TABLES
from result_writer import MODELS, Writer, checksum_of_shipped

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results.json"
_MARKED = re.compile(r"(<!-- table: ([a-z0-9-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    markdown = sorted((ROOT / "docs").rglob("*.md"))
    return [ROOT / "README.md", ROOT / "README.es.md", MODELS / "suite.json", *markdown]


def filled(page: Path, results: Any) -> str:
    """The content of the page with every table up to date, or that of the file that `nadie models` shows."""
    if page.suffix == ".json":
        return dump({name: each for name, each in results["suite"]["systems"].items() if name != "presidio"}) + "\n"
    writer = Writer(spanish=page.name.endswith(".es.md") or page.is_relative_to(ROOT / "docs" / "es"))
    content = page.read_text(encoding="utf-8")
    return _MARKED.sub(lambda found: f"{found[1]}\n{TABLES[found[2]](results, writer)}\n{found[3]}", content)


def take_suite(results: Any, given: Sequence[str]) -> None:
    """Replace the figures of the systems in the given files of the robustness suite."""
    systems: dict[str, Any] = {}
    for each in given:
        name, sign, path = each.rpartition("=")
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        systems |= {name: content} if sign else content
    for name, content in systems.items():
        notes, traps = content["notes"], content["notes"]["traps"]
        results["suite"]["systems"][name] = {
            "recall": _per_cent(notes["character_recall"]),
            "precision": _per_cent(notes["character_precision"]),
            "overmasked": _per_cent(notes["overmasked_share"]),
            "terms_masked": [traps["terms_masked"], traps["terms"]],
            "figures_masked": [traps["figures_masked"], traps["figures"]],
            "documents_nothing_missed": _per_cent(notes["safe_share"]),
            "subtask1": _per_cent(notes["subtask1_f1"]),
            **({"sha256": checksum_of_shipped(name)} if (MODELS / name).is_dir() else {}),
        }
        for label, each in content["by_label"].items():
            row = results["suite"]["by_label"].setdefault(label, {})
            row |= {"characters": each["characters"], name: _per_cent(each["recall"])}
        for key, each in content["corpus"].items():
            results["development"]["altered"].setdefault(key, {})[name] = _per_cent(each["character_recall"])


def _per_cent(share: float) -> float:
    return round(100 * share, 1)


def dump(value: Any, indent: int = 0) -> str:
    """JSON with one line for each innermost object, so that a changed figure gives a small diff."""
    if isinstance(value, dict) and any(isinstance(each, dict) for each in value.values()):
        inner = ",\n".join(f"{' ' * (indent + 1)}{json.dumps(k)}: {dump(v, indent + 1)}" for k, v in value.items())
        return f"{{\n{inner}\n{' ' * indent}}}"
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, exit with 1 if a table is stale")
    parser.add_argument("--suite", nargs="+", default=[], metavar="NAME=FILE", help="figures of the robustness suite")
    parser.add_argument("--sizing", type=Path, metavar="FILE", help="figures of benchmarks/spark.py")
    parser.add_argument("--groups", type=Path, metavar="FILE", help="figures of benchmarks/groups.py")
    parser.add_argument("--papers", type=Path, metavar="FILE", help="papers.json, which scripts/papers.py writes")
    options = parser.parse_args()
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    if options.suite:
        take_suite(results, options.suite)
    if options.papers:
        made = json.loads(options.papers.read_text(encoding="utf-8"))
        results["reproduced"] = paper_cells.small(made["runs"])
        results["papers"]["corpus"] = made["corpus"]
    if options.sizing:
        results["sizing"] |= json.loads(options.sizing.read_text(encoding="utf-8"))
    if options.groups:
        results["groups"]["names"] = json.loads(options.groups.read_text(encoding="utf-8"))
    if options.suite or options.sizing or options.papers or options.groups:
        RESULTS.write_text(dump(results) + "\n", encoding="utf-8")
    stale = [page for page in pages() if page.read_text(encoding="utf-8") != filled(page, results)]
    for page in stale:
        print(f"{page.relative_to(ROOT)}: {'is not up to date' if options.check else 'written'}", file=sys.stderr)
        if not options.check:
            page.write_text(filled(page, results), encoding="utf-8")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
