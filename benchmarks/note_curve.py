"""The effect of more notes: one fast system trained on MEDDOCAN plus an increasing number of notes of the corpus.

    python benchmarks/note_curve.py --meddocan meddocan/train/brat --meddocan-dev meddocan/dev/brat \\
        --set vectors=vectors --set gazetteer=gazetteer.tsv --out docs/images/note-curve

All trainings are the same except for the number of notes, which are drawn at random once, so that each set includes the
smaller ones. Figures are for the development notes, with 95 % intervals, and for MEDDOCAN's development set. Writes
OUT.json after every training, continues from its content, and draws OUT.png.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nadie.detector import Progress, TrainingRun
from nadie.detectors.convnet import ConvNet
from nadie.document import Document
from nadie.evaluation.evaluate import evaluate
from nadie.files.annotated.reading import read_documents

SIZES = (0, 150, 300, 600, 1200)


class Lines(Progress):
    """Progress as lines of text."""

    def start(self, task: str, total: int) -> None:
        self.done, self.total = 0, total

    def advance(self, done: int, **figures: float) -> None:
        self.done += done
        print(f"  {self.done} of {self.total}", {name: round(value, 4) for name, value in figures.items()}, flush=True)


def measured(model: ConvNet, documents: list[Document]) -> dict[str, Any]:
    bare = [document.with_spans(()) for document in documents]
    found = model.detect(bare)
    result = evaluate(documents, [document.with_spans(spans) for document, spans in zip(bare, found, strict=True)])
    names = {"f1": "subtask1.f1", "covered": "characters.recall"}
    intervals = {short: result.intervals.get(name) for short, name in names.items()}
    return {
        "f1": round(100 * result.subtask1.f1, 2),
        "covered": round(100 * result.characters.recall, 2),
        "precision": round(100 * result.characters.precision, 2),
        "nothing_missed": round(100 * result.safe_share, 1),
        "intervals": {
            short: [round(100 * interval.low, 2), round(100 * interval.high, 2)]
            for short, interval in intervals.items()
            if interval
        },
    }


def draw(points: list[dict[str, Any]], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 4.0), dpi=120, layout="constrained")
    places = range(len(points))
    for name, title in (
        ("covered", "characters covered"),
        ("precision", "precision by character"),
        ("f1", "F1 of spans"),
    ):
        axes.plot(places, [point["notes_dev"][name] for point in points], marker="o", label=title)
    axes.set_xticks(list(places), [str(point["notes"]) for point in points])
    axes.set_xlabel("notes of the corpus beside MEDDOCAN in training")
    axes.set_ylabel("per cent, on the development notes")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--meddocan", type=Path, required=True)
    parser.add_argument("--meddocan-dev", type=Path, required=True)
    parser.add_argument("--notes", type=Path, default=Path("data/notes/train"))
    parser.add_argument("--notes-dev", type=Path, default=Path("data/notes/dev"))
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--set", action="append", default=[], dest="settings")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    settings = {"epochs": 6, "copies": 2, **dict(item.split("=", 1) for item in given.settings)}
    meddocan, meddocan_dev, notes, notes_dev = (
        list(read_documents(path)) for path in (given.meddocan, given.meddocan_dev, given.notes, given.notes_dev)
    )
    random.Random(1).shuffle(notes)
    stored = given.out.with_suffix(".json")
    points: list[dict[str, Any]] = json.loads(stored.read_text()) if stored.is_file() else []
    for size in given.sizes:
        if size > len(notes) or any(point["notes"] == size for point in points):
            continue
        print(f"{size} notes", flush=True)
        with TemporaryDirectory() as work:
            run = TrainingRun([*meddocan, *notes[:size]], [], 1, Path(work), Lines())
            model = ConvNet.train(run, settings)
        point = {"notes": size, "notes_dev": measured(model, notes_dev), "meddocan_dev": measured(model, meddocan_dev)}
        print(json.dumps(point), flush=True)
        points = sorted([*points, point], key=lambda each: int(each["notes"]))
        stored.write_text(json.dumps(points, indent=1) + "\n")
    draw(points, given.out.with_suffix(".png"))


if __name__ == "__main__":
    main()
