"""The tables of figures, each made from the content of docs/results.json."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import blind_tables
import paper_cells
import paper_tables
from blind_tables import ALTERATIONS, GENERAL
from result_writer import TASKS, Writer

PUBLISHED = ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive")
SYSTEMS = ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive-single", "exhaustive", "fast", "best")


def papers(results: Any, to: Writer) -> str:
    """Each published system three times: the paper, its preset, and the improved model; three F1 each."""
    runs = paper_cells.reproduced(results.get("reproduced", {}).values())
    rows, measured = [], list[str]()
    for name in PUBLISHED:
        seeds = runs.get((f"{name}-paper", paper_tables.MAIN.get(name, "")), ())
        means = {task: statistics.mean(each[task][2] for each in seeds) for task in TASKS} if seeds else None
        improved = "exhaustive-single" if name == "exhaustive" else name
        own = [results["development"]["systems"][improved], results["blind"]["systems"][improved]["test"]]
        figure = results["papers"]["figures"][paper_tables.FIGURE.get(name, name)]
        shortened = " †" * bool(seeds and "epochs" in seeds[0])
        preset = to.published(means) + shortened if means else to.word("not trained")
        short = results["papers"]["sources"][figure["paper"]]["short"]
        rows.append([f"`{improved}`: {short}", to.published(figure), preset, *map(to.published, own)])
        measured.append(improved)
    table = to.table(["system", "paper, test", "as in the paper, dev", "improved, dev", "improved, test"], rows)
    names = ", ".join(to.blind_name(name, results["blind"]) for name in measured)
    return f"{table}\n{to.word('Last column')}: {names}. {to.measured(results['blind'], measured)}\n"


def cards(results: Any, to: Writer) -> str:
    """What the models for general use find in the suite."""
    columns = {"PHI covered": "recall", "masked text that is PHI": "precision"}
    rows = []
    for name in GENERAL:
        each = results["suite"]["systems"][name]
        traps = [sum(pair) for pair in zip(each["terms_masked"], each["figures_masked"], strict=True)]
        shares = [to.share(each[key]) for key in (*columns.values(), "documents_nothing_missed")]
        rows.append([f"`{name}`", *shares, to.part(traps)])
    return to.table(["system", *columns, "documents with nothing missed", "traps masked"], rows)


def cards_labels(results: Any, to: Writer) -> str:
    """The same by label."""
    labels = results["suite"]["by_label"].items()
    rows = [[label, str(each["characters"]), *(to.share(each[name]) for name in GENERAL)] for label, each in labels]
    return to.table(["label", "characters", *(f"`{name}`" for name in GENERAL)], rows)


def cards_groups(results: Any, to: Writer) -> str:
    """Names found to the last letter, by their origin and sex."""
    columns = [(name, people) for name in GENERAL for people in ("women", "men")]
    rows = [
        [to.word(title), *(to.interval(models[name][people]) for name, people in columns)]
        for title, models in results["groups"]["names"].items()
    ]
    return to.table(["names", *(f"`{name}`: {to.word(people)}" for name, people in columns)], rows)


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
        [f"`{name}`", f"{each['notes_per_second']:.0f}", f"{each['times_presidio']:.1f}", f"{sizes[name]:g} MB"]
        for name, each in results["speed"]["systems"].items()
    ]
    headings = ("system", "notes per second of processor time", "times as fast as Presidio", "size of the model")
    return to.table(headings, rows)


def speed_peers(results: Any, to: Writer) -> str:
    """Detection and whole runs of `fast` and of other tools; stella has no detection of its own."""
    rows = [
        [*each["system"], f"{each['notes_per_second']:.0f}", f"{each['times_presidio']:.1f}", to.share(each["covered"])]
        for each in results["speed"]["peers"]["systems"]
    ]
    headings = ("", "system", "notes per second of processor time", "times as fast as Presidio", "PHI covered")
    return to.table(headings, rows)


def sizing(results: Any, to: Writer) -> str:
    """Hours and memory for a million and a hundred million notes; without a measured rate there are no hours."""
    given = results["sizing"]
    rates, peak = given["notes_per_second"], given["peak_mb_one_process"]
    arrangements = [
        ("one core", 1, 0, rates.get("one_core")),
        ("one machine with 16 cores, `--workers 16`", 16, 0, _of_each(rates.get("two_workers"))),
        ("Spark, 4 machines with 16 cores", 64, 4, _of_each(rates.get("spark_cluster"))),
        ("Spark, 40 machines with 16 cores", 640, 40, _of_each(rates.get("spark_cluster"))),
    ]
    rows = [
        [
            name,
            *(_hours(count, rate, cores) for count in (10**6, 10**8)),
            f"{(cores * peak + machines * 4096) / 1024:.1f} GB",
        ]
        for name, cores, machines, rate in arrangements
    ]
    return to.table(["", "10^6 notes", "10^8 notes", "memory in all"], rows)


def sizing_rates(results: Any, to: Writer) -> str:
    names = {
        "one_core": "one core, by processor time",
        "two_workers": "two worker processes",
        "spark_local": "Spark, `local[2]`",
        "spark_cluster": "Spark, a cluster of two workers with one core each",
        "spark_cluster_worker_killed": "the same, one worker killed in mid-job",
    }
    rates = results["sizing"]["notes_per_second"]
    pair = rates.get("two_workers")
    rows = [
        [
            title,
            to.number(rates.get(name), 1) if rates.get(name) else "not measured yet",
            f"{100 * rates[name] / pair:.0f} %" if pair and name.startswith("spark") and rates.get(name) else "",
        ]
        for name, title in names.items()
    ]
    length = results["sizing"]["characters_a_note"]
    return to.table([f"notes of {length:,} characters", "notes per second", "of two workers"], rows)


def _of_each(pair: float | None) -> float | None:
    return None if pair is None else pair / 2


def _hours(count: int, rate: float | None, cores: int) -> str:
    if rate is None:
        return "not measured yet"
    hours = count / (rate * cores) / 3600
    if hours < 1 / 60:
        return "under 1 min"
    return f"{hours * 60:.0f} min" if hours < 2 else f"{hours:.0f} h" if hours < 72 else f"{hours / 24:.0f} days"


def of_papers(make: Callable[[Any, paper_cells.Runs], str]) -> Callable[[Any, Writer], str]:
    """A table of `paper_tables`, in English only."""
    return lambda results, to: make(results["papers"], paper_cells.reproduced(results.get("reproduced", {}).values()))


TABLES: dict[str, Callable[[Any, Writer], str]] = {
    **blind_tables.TABLES,
    **{name: of_papers(make) for name, make in paper_tables.TABLES.items()},
    "paper-spacy-tokens": lambda results, to: paper_tables.spacy_tokens(results),
    "papers": papers,
    "cards": cards,
    "cards-labels": cards_labels,
    "cards-groups": cards_groups,
    "development": development,
    "development-labels": development_labels,
    "development-altered": development_altered,
    "suite": suite,
    "suite-labels": suite_labels,
    "speed": speed,
    "speed-peers": speed_peers,
    "sizing": sizing,
    "sizing-rates": sizing_rates,
}
