"""The tables of the figures that were measured on data kept from the developers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from result_writer import TASKS, Writer

GENERAL = ("fast", "best")
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
NOTE_SETS = {
    "notes_spain": "45 of Spain",
    "notes_americas": "45 of the Americas",
    "notes_other": "16 others",
    "notes_spain_later": "40 later ones of Spain, half of them hard",
    "notes_americas_later": "40 later ones of the Americas, half of them hard",
    "notes_spain_ordinary": "30 ordinary ones of Spain",
    "notes_spain_wards": "30 of Spain: wards and other languages",
    "notes_americas_ordinary": "40 ordinary ones of the Americas",
}


def blind_test(results: Any, to: Writer) -> str:
    """The official test set, with the figures of the papers for it."""
    headings = ("system", "subtask 1 F1", "strict F1", "merged F1", "PHI covered", "documents with nothing missed")
    rows = []
    for name, sets in results["blind"]["systems"].items():
        test = sets["test"]
        paper = results["papers"]["figures"].get(name)
        rows.append(
            [
                to.blind_name(name, results["blind"]),
                *(to.number(test.get(task), 2) for task in TASKS),
                to.share(test["characters_covered"]),
                to.share(test.get("documents_nothing_missed")),
                to.published(paper) if paper else "",
            ]
        )
    table = to.table([*headings, "its paper: subtask 1 / strict / merged"], rows)
    return f"{table}\n{to.hashes(results['blind'], results['blind']['systems'])}"


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
            rows.append([to.blind_name(name, results["blind"]), *cells])
    table = to.table(["Spain / Americas", *columns], rows)
    return f"{table}\n{to.hashes(results['blind'], results['blind']['systems'])}"


def blind_sets(results: Any, to: Writer) -> str:
    """All sets of notes, the three systems in one cell."""
    systems = [results["blind"]["systems"][name] for name in (*GENERAL, "presidio")]
    return _of_sets(results, to, systems, "`fast` / `best` / Presidio")


def blind_recall(results: Any, to: Writer) -> str:
    """The same in recall mode."""
    return _of_sets(results, to, [results["blind"]["recall"][name] for name in GENERAL], "`fast` / `best`")


def _of_sets(results: Any, to: Writer, systems: Sequence[Any], heading: str) -> str:
    columns = {
        "PHI covered": "characters_covered",
        "masked text that is PHI": "precision_characters",
        "direct identifiers found whole": "direct_identifiers_whole",
        "documents with nothing missed": "documents_nothing_missed",
    }
    rows = [
        [title, *(" / ".join(to.share(sets[key][column]) for sets in systems) for column in columns.values())]
        for key, title in NOTE_SETS.items()
    ]
    table = to.table([heading, *columns], rows)
    names = ", ".join(to.blind_name(name, results["blind"]) for name in GENERAL)
    return f"{table}\n{names}. {to.hashes(results['blind'], GENERAL)}"


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
    names = ", ".join(to.blind_name(name, results["blind"]) for name in chosen)
    return f"{to.table(['test set', *headings], rows)}\n{names}. {to.hashes(results['blind'], chosen)}"


def general(results: Any, to: Writer) -> str:
    """The models for general use beside Presidio: what they find and how fast."""
    systems, speed = results["blind"]["systems"], results["speed"]["systems"]
    shares = ("characters_covered", "precision_characters", "direct_identifiers_whole")
    rows = []
    for name in (*GENERAL, "presidio"):
        sets = [systems[name][key] for key in ("notes_spain", "notes_americas")]
        fast = speed["fast"]  # measured beside Presidio in the same rounds
        peer = {"notes_per_second": fast["notes_per_second"] / fast["times_presidio"], "times_presidio": 1.0}
        rate = speed.get(name, peer)
        seconds, times = to.number(rate["notes_per_second"], 0), f"{to.number(rate['times_presidio'], 1)} ×"
        cells = [" / ".join(to.share(each[key]) for each in sets) for key in shares]
        later = [systems[name][key]["characters_covered"] for key in ("notes_spain_later", "notes_americas_later")]
        cells.insert(1, " / ".join(map(to.share, later)))
        rows.append([to.blind_name(name, results["blind"]), *cells, seconds, times])
    columns = ("PHI covered", "PHI covered, later notes", "masked text that is PHI", "direct identifiers found whole")
    table = to.table(["system", *columns, "notes per second of one core", "Presidio's speed"], rows)
    return f"{table}\n{to.hashes(results['blind'], GENERAL)}"


TABLES: dict[str, Callable[[Any, Writer], str]] = {
    "blind-test": blind_test,
    "blind-notes": blind_notes,
    "blind-sets": blind_sets,
    "blind-recall": blind_recall,
    "blind-altered": blind_altered,
    "general": general,
}
