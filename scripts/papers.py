"""Train the five published systems with their presets, evaluate them, and print the papers' tables beside ours.

    make papers                                 everything; run it again to continue where it stopped
    python scripts/papers.py --only recrf       one system
    python scripts/papers.py --seeds 1          one seed of each
    python scripts/papers.py --epochs 5         shorter trainings, whose figures the tables mark
    python scripts/papers.py --tables           print the tables of what is done

MEDDOCAN is the folder in NADIE_MEDDOCAN, ../shared/meddocan or a download. Models and results are in --out: a model
that is there is not trained again, and an interrupted training resumes. Nor is a run trained whose result is in
docs/results.json with the same settings and corpus, unless --again is given. Training uses the training set alone; the
development set chooses the epoch, as in the papers, and is what is measured.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import paper_cells
import paper_tables
from paper_candidates import candidate_figures

from nadie.config import Preset
from nadie.detector import DETECTORS
from nadie.document import Document
from nadie.evaluation.evaluate import Evaluation, evaluate
from nadie.evaluation.statistics import difference_intervals
from nadie.files.annotated.reading import read_documents
from nadie.papers.exhaustive import RUNS as SUBMITTED
from nadie.papers.exhaustive import VARIANTS
from nadie.papers.recrf.paper_features import GROUPS
from nadie.papers.tccnn import TCCNN
from nadie.storage import read_model

ROOT = Path(__file__).resolve().parent.parent
LICENCE = "CC BY 4.0: SPACCC_MEDDOCAN, Marimon et al., IberLEF 2019"
NOTHING: Mapping[str, Mapping[str, Any]] = {"": {}}
OVERLAPS: Mapping[str, Mapping[str, Any]] = {"": {}, "nested=true": {"nested": True}}


@dataclass(frozen=True)
class Run:
    """One preset to train, with changed settings if it is an ablation.

    `vectors` is the width of the word vectors to make for it, `readings` the settings to change after training, each of
    which is evaluated under its name.
    """

    name: str
    system: str
    changes: Mapping[str, str] = field(default_factory=dict)
    vectors: int = 0
    seeds: int = 1
    readings: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: NOTHING)

    def fingerprint(self, corpus: str, epochs: int | None) -> str:
        """The same for trainings with the same settings on the same corpus, wherever the files are."""
        options = {**Preset.beside(DETECTORS.get(self.system)).options, **self.changes, "corpus": corpus}
        options |= {"vectors": f"{self.vectors} wide"} if self.vectors else {}
        options |= {"epochs": epochs} if epochs else {}
        return hashlib.sha256(json.dumps(options, sort_keys=True).encode()).hexdigest()[:16]


def planned() -> list[Run]:
    """All runs, the cheapest first. L-BFGS has no random numbers, so one seed of ReCRF is enough."""
    overlaps = {
        f"{'filter' if used else 'no filter'}, {rule}": {"final_filter": used, "resolution": rule}
        for used in (True, False)
        for rule in ("left_most_longest", "surest")
    }
    return [
        Run("recrf-paper", "recrf", readings={"": {}, "rules alone": {"decision": "rules"}}),
        Run("tccnn-paper", "tccnn", {"texts": "{corpus}/background"}, seeds=3, readings=overlaps),
        *(Run(f"recrf-without-{name}", "recrf", {"groups": _groups(set(GROUPS) - {name})}) for name in GROUPS),
        # with all groups but the last one, "up to" is "without" the last
        *(
            Run(f"recrf-up-to-{name}", "recrf", {"groups": _groups(GROUPS[: i + 1])})
            for i, name in enumerate(GROUPS[:-2])
        ),
        Run("bilstm_crf-paper", "bilstm_crf"),
        Run("e2ej-paper", "e2ej", vectors=300, seeds=5),
        Run("e2ej-paper-single", "e2ej", {"joint": "false"}, vectors=300, seeds=5),
        Run("exhaustive-paper", "exhaustive", vectors=200, readings=OVERLAPS),
        *(
            Run(f"exhaustive-paper-{name}", "exhaustive", {"variants": name}, vectors=200)
            for name in SUBMITTED
            if name not in ("ensemble", "br-attn-none")
        ),
        Run("exhaustive-paper-vote", "exhaustive", {"variants": "ensemble"}, vectors=200, readings=_votes()),
        *differences(),
    ]


def differences() -> list[Run]:
    """Each preset with one or two of our choices instead of the paper's, to see what makes the difference."""
    main = {"": {"final_filter": True, "resolution": "left_most_longest"}}
    texts = {"texts": "{corpus}/background"}
    return [
        *(
            Run(f"tccnn-{name}={value}", "tccnn", {**texts, name: value}, readings=main)
            for name, value in (
                ("training_filter", "out_of_fold"),
                ("class_weights", "root"),
                ("unknown", "shape"),
                ("candidates", "relaxed"),
            )
        ),
        Run("bilstm_crf-tokens=nadie", "bilstm_crf", {"tokens": "nadie"}),
        Run("bilstm_crf-tokens=nadie,unit=window", "bilstm_crf", {"tokens": "nadie", "unit": "window"}),
        Run("e2ej-narrow=false", "e2ej", {"narrow": "false"}, vectors=300),
        Run("exhaustive-dropout=0.4", "exhaustive", {"dropout": "0.4"}, vectors=200),
        *(
            Run(f"exhaustive-sizes={n}", "exhaustive", {"sizes": str(n)}, vectors=200, readings=OVERLAPS)
            for n in (8, 7)
        ),
    ]


def _groups(names: Any) -> str:
    return ",".join(name for name in GROUPS if name in names)


def _votes() -> dict[str, dict[str, str]]:
    return {name: {"variants": name} for name in dict.fromkeys([*SUBMITTED, *VARIANTS])}


class Workshop:
    """The folder with everything that was made, the corpus, and `published`, the results that need not be made."""

    def __init__(self, out: Path, corpus: Path, published: Mapping[str, Any], epochs: int | None = None) -> None:
        self.out, self.corpus, self.published, self.epochs = out, corpus, published, epochs
        self._corpus_mark = corpus_mark(corpus)
        for name in ("models", "results"):
            (out / name).mkdir(parents=True, exist_ok=True)

    def make(self, run: Run, seed: int) -> None:
        """Train and evaluate, unless that was done."""
        name = f"{run.name}-{seed}" + (f"-epochs-{self.epochs}" if self.epochs else "")
        settings = run.fingerprint(self._corpus_mark, self.epochs)
        if self.published.get(name, {}).get("settings") == settings:
            print(f"{name}: its result is in docs/results.json", flush=True)
            return
        model, result = self.out / "models" / name, self.out / "results" / f"{name}.json"
        begun = time.monotonic()
        if not model.is_dir():
            changes = {key: value.format(corpus=self.corpus) for key, value in run.changes.items()}
            changes |= {"vectors": str(self._vectors(run.vectors))} if run.vectors else {}
            changes |= {"epochs": str(self.epochs)} if self.epochs else {}
            given = [part for key, value in changes.items() for part in ("--set", f"{key}={value}")]
            parts = ("--train", self.corpus / "train/brat", "--dev", self.corpus / "dev/brat", "--out", model)
            options = ("--seed", seed, "--licence", LICENCE, "--keep-work", *given)
            _nadie("train", run.system, "--preset", "paper", *parts, *options)
        if not result.is_file():
            found = dict(self._figures(model, run))
            written = {"run": run.name, "system": run.system, "seed": seed, "settings": settings, "figures": found}
            written |= {"epochs": self.epochs} if self.epochs else {}
            staged = result.with_suffix(".part")
            staged.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
            staged.replace(result)
        first = next(iter(json.loads(result.read_text(encoding="utf-8"))["figures"].values()))
        print(f"{name}: subtask 1 F1 {first['subtask1'][2]:.2f} ({time.monotonic() - begun:.0f} s)", flush=True)

    def _vectors(self, width: int) -> Path:
        place = self.out / f"vectors-{width}"
        if not place.is_dir():
            texts = [self.corpus / part for part in ("background", "train/brat", "dev/brat")]
            _nadie("vectors", "train", *texts, "--as-written", "--width", width, "--out", place)
        return place

    def _figures(self, model: Path, run: Run) -> Iterator[tuple[str, Any]]:
        dev = list(read_documents(self.corpus / "dev/brat"))
        counts = self.corpus / "sentence-counts.json"
        sentences = json.loads(counts.read_text(encoding="utf-8")) if counts.is_file() else None
        first: Evaluation | None = None
        for name, changes in run.readings.items():
            detector = DETECTORS.get(run.system).load(read_model(model).with_settings(changes))
            found = [document.with_spans(spans) for document, spans in zip(dev, detector.detect(dev), strict=True)]
            result = evaluate(dev, found, sentences=_of(dev, sentences))
            figures = figures_of(result) | ({"first_gains": gain_of(first, result)} if first else {})
            first = first or result
            if isinstance(detector, TCCNN) and name == paper_tables.MAIN["tccnn"]:
                figures["candidates"] = candidate_figures(detector.classifier, dev)
            yield name, figures

    def results(self) -> dict[str, Any]:
        """The results of all runs that are done, here or before."""
        own = sorted((self.out / "results").glob("*.json"))
        return {**self.published, **{path.stem: json.loads(path.read_text(encoding="utf-8")) for path in own}}


def corpus_mark(corpus: Path) -> str:
    """A fingerprint of the training and development notes and their annotations."""
    found = hashlib.sha256()
    for part in ("train", "dev"):
        for path in sorted((corpus / part / "brat").glob("*.[at][nx][nt]")):
            found.update(f"{part}/{path.name}\n".encode())
            found.update(path.read_bytes())
    return found.hexdigest()


def spans_of(corpus: Path) -> dict[str, dict[str, int]]:
    """The spans of each label in the training and the development set."""
    parts = {part: read_documents(corpus / part / "brat") for part in ("train", "dev")}
    return {
        part: dict(sorted(Counter(str(span.label) for document in documents for span in document.spans).items()))
        for part, documents in parts.items()
    }


def _of(documents: Sequence[Document], sentences: Mapping[str, int] | None) -> dict[str, int] | None:
    known = sentences or {}
    return (
        {document.id: known[document.id] for document in documents} if all(d.id in known for d in documents) else None
    )


def figures_of(result: Evaluation) -> dict[str, Any]:
    """What the papers' tables show, in per cent: precision, recall and F1; the leak score is a number per sentence."""
    interval = result.intervals["subtask1.f1"]
    cells = sorted(result.confusion.cells.items(), key=lambda cell: (str(cell[0][0]), str(cell[0][1])))
    return {
        **{name: _three(getattr(result, name)) for name in ("subtask1", "strict", "merged")},
        "interval": [round(100 * end, 2) for end in interval] if interval else None,
        "leak": round(result.leak, 4),
        "labels": {label: [*_three(counts), counts.tp + counts.fn] for label, counts in sorted(result.labels.items())},
        "counts": {label: [counts.tp, counts.fn, counts.fp] for label, counts in sorted(result.labels.items())},
        "confusion": [[gold or "", system or "", count] for (gold, system), count in cells],
    }


def gain_of(one: Evaluation, other: Evaluation) -> list[float]:
    """F1 of subtask 1 in per cent: what `one` has more than `other`, with the interval over the same documents."""
    interval = difference_intervals(other.measures, one.measures)["subtask1.f1"]
    gain = one.subtask1.f1 - other.subtask1.f1
    return [round(100 * value, 2) for value in (gain, *(interval or (gain, gain)))]


def _three(counts: Any) -> list[float]:
    return [round(100 * value, 2) for value in (counts.precision, counts.recall, counts.f1)]


def _nadie(*arguments: object) -> None:
    print("nadie", *arguments, flush=True)
    subprocess.run([sys.executable, "-m", "nadie", *map(str, arguments)], check=True)  # noqa: S603


def corpus_folder(out: Path) -> Path:
    """MEDDOCAN, downloaded if it is nowhere."""
    named = os.environ.get("NADIE_MEDDOCAN")
    for place in (*([Path(named)] if named else []), ROOT.parent / "shared" / "meddocan", out / "corpus"):
        if (place / "train" / "brat").is_dir():
            return place.resolve()
    _nadie("corpus", "download", "meddocan", "--to", out / "corpus")
    return (out / "corpus").resolve()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=ROOT / "out" / "papers", help="models and results")
    parser.add_argument("--only", metavar="SYSTEM", help="the runs of one system, or one run by its name")
    parser.add_argument("--seeds", type=int, metavar="N", help="at most so many seeds of a run")
    parser.add_argument("--epochs", type=int, metavar="N", help="train at most so many epochs")
    parser.add_argument("--again", action="store_true", help="train also what docs/results.json has")
    parser.add_argument("--tables", action="store_true", help="train nothing, print the tables of what is done")
    options = parser.parse_args()
    runs = [run for run in planned() if options.only in (None, run.system, run.name)]
    if not runs:
        parser.error(f"there is no system or run {options.only!r}; there are: {', '.join(r.name for r in planned())}")
    known = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))
    corpus = Path() if options.tables else corpus_folder(options.out)
    before = {} if options.again else known["reproduced"]
    workshop = Workshop(options.out.resolve(), corpus, before, options.epochs)
    jobs = [(run, seed) for run in runs for seed in range(1, min(run.seeds, options.seeds or run.seeds) + 1)]
    for number, (run, seed) in enumerate(() if options.tables else jobs, 1):
        print(f"[{number} of {len(jobs)}] {run.name}, seed {seed}", flush=True)
        workshop.make(run, seed)
    published = known["papers"] if options.tables else {**known["papers"], "corpus": spans_of(corpus)}
    done = {"runs": workshop.results(), "corpus": published["corpus"]}
    (workshop.out / "papers.json").write_text(json.dumps(done, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for title, table in paper_tables.all_tables(published, paper_cells.reproduced(done["runs"].values())):
        print(f"\n{title}\n\n{table}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
