"""Write the tables of figures in the README and the docs from docs/results.json, the only place figures are kept.

    python scripts/build_results.py                   write every table
    python scripts/build_results.py --check           exit with 1 if a table is not up to date
    python scripts/build_results.py --suite recrf=recrf.json peer.json      take new figures of the suite first

A table stands between `<!-- table: NAME -->` and `<!-- end -->`. Pages that end in `.es.md` get Spanish headings and a
decimal comma. The files of --suite are what `nadie evaluate --robust --json` printed for one system, named before the
`=`, or what `benchmarks/robust_peer.py --json` printed for several.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "docs" / "results.json"
_MARKED = re.compile(r"(<!-- table: ([a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
SYSTEMS = ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive-single", "exhaustive", "fast", "best")

SPANISH = {
    "system": "sistema",
    "subtask 1 F1": "F1 subtarea 1",
    "strict F1": "F1 estricta",
    "merged F1": "F1 fusionada",
    "PHI covered": "ISP cubierta",
    "documents with nothing missed": "documentos sin fugas",
    "its paper: subtask 1 / strict / merged": "su artículo: subtarea 1 / estricta / fusionada",
    "Spain / Americas": "España / América",
    "masked text that is PHI": "texto ocultado que es ISP",
    "traps masked": "trampas ocultadas",
    "of": "de",
}
ALTERATIONS = {
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
    "unseen-names": "other names",
}


class Writer:
    """Numbers, words and tables in one of the two languages."""

    def __init__(self, spanish: bool) -> None:
        self._spanish = spanish

    def word(self, english: str) -> str:
        return SPANISH[english] if self._spanish else english

    def number(self, value: float | None, digits: int) -> str:
        written = "–" if value is None else f"{value:.{digits}f}"
        return written.replace(".", ",") if self._spanish else written

    def share(self, value: float | None) -> str:
        return "–" if value is None else f"{self.number(value, 1)} %"

    def part(self, counts: Sequence[int] | None) -> str:
        if counts is None:
            return "–"
        masked, whole = (str(each) if self._spanish else f"{each:,}" for each in counts)
        return f"{masked} {self.word('of')} {whole}"

    def f1s(self, values: Iterable[float | None]) -> str:
        return " / ".join(self.number(value, 2) for value in values)

    def table(self, headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
        words = [heading if heading.startswith("`") else self.word(heading) for heading in headings]
        lines = (words, ["---"] * len(words), *rows)
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def blind_test(results: Any, to: Writer) -> str:
    """The official test set, beside what the papers report on it."""
    headings = ("system", "subtask 1 F1", "strict F1", "merged F1", "PHI covered", "documents with nothing missed")
    rows = []
    for name, sets in results["blind"]["systems"].items():
        test = sets["test"]
        paper = results["papers"]["systems"].get(name)
        rows.append(
            [
                f"`{name}`" if name != "presidio" else "Presidio",
                *(to.number(test.get(task), 2) for task in ("subtask1", "strict", "merged")),
                to.share(test["characters_covered"]),
                to.share(test.get("documents_nothing_missed")),
                to.f1s(paper) if paper else "",
            ]
        )
    return to.table([*headings, "its paper: subtask 1 / strict / merged"], rows)


def blind_notes(results: Any, to: Writer) -> str:
    """The notes of Spain and of the Americas, both in one cell."""
    columns: dict[str, tuple[str, Callable[[Any], str]]] = {
        "PHI covered": ("characters_covered", to.share),
        "masked text that is PHI": ("precision_characters", to.share),
        "documents with nothing missed": ("documents_nothing_missed", to.share),
        "traps masked": ("traps_masked", to.part),
        "subtask 1 F1": ("subtask1", lambda value: to.number(value, 2)),
    }
    rows = []
    for name, sets in results["blind"]["systems"].items():
        if spain := sets.get("notes_spain"):
            americas = sets.get("notes_americas", {})
            cells = [f"{write(spain.get(key))} / {write(americas.get(key))}" for key, write in columns.values()]
            rows.append([f"`{name}`" if name != "presidio" else "Presidio", *cells])
    return to.table(["Spain / Americas", *columns], rows)


def blind_altered(results: Any, to: Writer) -> str:
    """Altered copies of the test set."""
    chosen = {name: results["blind"]["systems"][name] for name in ("fast", "best")}
    rows = [
        [
            title,
            *(to.share(sets[key]["characters_covered"]) for sets in chosen.values()),
            *(to.number(sets[key]["subtask1"], 2) for sets in chosen.values()),
        ]
        for title, key in [("as it is", "test"), *((ALTERATIONS[key], key) for key in ALTERATIONS if key != "plain")]
    ]
    headings = [f"`{name}`: {column}" for column in ("PHI covered", "subtask 1 F1") for name in chosen]
    return to.table(["test set", *headings], rows)


def development(results: Any, to: Writer) -> str:
    systems = results["development"]["systems"]
    rows = [
        [
            f"`{name}`",
            f"{to.number(each['subtask1'], 2)} [{'; '.join(to.number(end, 1) for end in each['interval'])}]",
            *(to.number(each[task], 2) for task in ("strict", "merged")),
            to.share(each["characters_covered"]),
            f"{to.number(each['documents_nothing_missed'], 0)} %",
        ]
        for name, each in systems.items()
    ]
    headings = ("system", "subtask 1 F1", "strict F1", "merged F1", "PHI covered", "documents with nothing missed")
    return to.table(headings, rows)


def development_labels(results: Any, to: Writer) -> str:
    labels = results["development"]["by_label"]
    systems = [name for name in SYSTEMS if name in next(iter(labels.values()))]
    rows = [
        [label, str(each["spans"]), *(to.number(each[name], 1) for name in systems)] for label, each in labels.items()
    ]
    return to.table(["label", "spans", *(f"`{name}`" for name in systems)], rows)


def development_altered(results: Any, to: Writer) -> str:
    altered = results["development"]["altered"]
    systems = list(altered["plain"])
    rows = [[ALTERATIONS[key], *(to.share(each.get(name)) for name in systems)] for key, each in altered.items()]
    return to.table(["development set", *(f"`{name}`" for name in systems)], rows)


def suite(results: Any, to: Writer) -> str:
    rows = [
        [
            f"`{name}`",
            *(to.share(each[key]) for key in ("recall", "precision", "overmasked")),
            *(to.part(each[key]) for key in ("terms_masked", "figures_masked")),
            to.share(each["documents_nothing_missed"]),
            to.number(each["subtask1"], 1),
        ]
        for name, each in results["suite"]["systems"].items()
    ]
    masked = ("over-masked", "terms masked", "figures masked")
    return to.table(("system", "recall", "precision", *masked, "nothing missed", "F1"), rows)


def suite_labels(results: Any, to: Writer) -> str:
    labels = results["suite"]["by_label"]
    systems = [name for name in results["suite"]["systems"] if name in next(iter(labels.values()))]
    rows = [
        [label, f"{each['characters']:,}", *(to.share(each.get(name)) for name in systems)]
        for label, each in labels.items()
    ]
    return to.table(["label", "characters", *(f"`{name}`" for name in systems)], rows)


def speed(results: Any, to: Writer) -> str:
    sizes = results["speed"]["size_mb"]
    rows = [
        [f"`{each['system']}`", f"{each['warm']:g}", str(each["cores"]), f"{sizes[each['system']]:g} MB"]
        for each in results["speed"]["rows"]
    ]
    return to.table(["system", "documents a second, warm cache", "cores", "size of the model"], rows)


TABLES: dict[str, Callable[[Any, Writer], str]] = {
    "blind-test": blind_test,
    "blind-notes": blind_notes,
    "blind-altered": blind_altered,
    "development": development,
    "development-labels": development_labels,
    "development-altered": development_altered,
    "suite": suite,
    "suite-labels": suite_labels,
    "speed": speed,
}


def pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "README.es.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(page: Path, results: Any) -> str:
    """The content of the page with every table as the results have it."""
    writer = Writer(spanish=page.name.endswith(".es.md"))
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
        }
        for label, each in content["by_label"].items():
            row = results["suite"]["by_label"].setdefault(label, {"characters": each["characters"]})
            row[name] = _per_cent(each["recall"])
        for key, each in content["corpus"].items():
            results["development"]["altered"].setdefault(key, {})[name] = _per_cent(each["character_recall"])


def _per_cent(share: float) -> float:
    return round(100 * share, 1)


def dump(value: Any, indent: int = 0) -> str:
    """JSON with one line for each innermost object, so that a changed figure is a small difference."""
    if isinstance(value, dict) and any(isinstance(each, dict) for each in value.values()):
        inner = ",\n".join(f"{' ' * (indent + 1)}{json.dumps(k)}: {dump(v, indent + 1)}" for k, v in value.items())
        return f"{{\n{inner}\n{' ' * indent}}}"
    return json.dumps(value, ensure_ascii=False)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, exit with 1 if a table is stale")
    parser.add_argument("--suite", nargs="+", default=[], metavar="NAME=FILE", help="figures of the robustness suite")
    options = parser.parse_args()
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    if options.suite:
        take_suite(results, options.suite)
        RESULTS.write_text(dump(results) + "\n", encoding="utf-8")
    stale = [page for page in pages() if page.read_text(encoding="utf-8") != filled(page, results)]
    for page in stale:
        print(f"{page.relative_to(ROOT)}: {'is not up to date' if options.check else 'written'}", file=sys.stderr)
        if not options.check:
            page.write_text(filled(page, results), encoding="utf-8")
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
