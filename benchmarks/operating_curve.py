"""Operating curve and reliability of the shipped models on annotated notes.

    python benchmarks/operating_curve.py [--models fast,best] [--notes data/notes/dev] [--out FILES]

For each bias: the share of PHI characters that are covered, the share of masked characters that are PHI, documents with
nothing missed, and F1. For the model as shipped: the share of spans with correct boundaries and label in each range of
scores. If scores are calibrated, 80 % of the spans with a score of 0.8 are correct. Writes FILES.json and FILES.png.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from nadie.detector import Biased
from nadie.document import Document
from nadie.evaluation.evaluate import Evaluation, evaluate
from nadie.files.annotated.reading import read_documents
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline

BIASES = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 3.4, 3.9, 4.4, 5.0)
BANDS = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0)


def evaluated(model: Pipeline, gold: list[Document]) -> Evaluation:
    return evaluate(gold, list(model.annotate_all(document.with_spans(()) for document in gold)))


def curve(model: Pipeline, gold: list[Document]) -> list[dict[str, float]]:
    points = []
    for bias in BIASES:
        if not isinstance(model.detector, Biased):
            raise SystemExit("the model has no bias")
        result = evaluated(replace(model, detector=model.detector.with_bias(bias)), gold)
        points.append(
            {
                "bias": bias,
                "covered": round(100 * result.characters.recall, 1),
                "precision": round(100 * result.characters.precision, 1),
                "nothing_missed": round(100 * result.safe_share, 1),
                "f1": round(100 * result.subtask1.f1, 1),
            }
        )
        print(points[-1], flush=True)
    return points


def reliability(result: Evaluation) -> dict[str, Any]:
    """Spans by score: their number, mean score and share of correct ones; and the expected calibration error."""
    answers = np.array([(span.score, span in pair.gold.spans) for pair in result.pairs for span in pair.found], float)
    bands = []
    for low, high in pairwise(BANDS):
        inside = answers[(answers[:, 0] >= low) & ((answers[:, 0] < high) | (high == BANDS[-1]))]
        if len(inside):
            score, right = inside.mean(axis=0)
            bands.append({"spans": len(inside), "score": round(float(score), 3), "right": round(float(right), 3)})
    error = sum(band["spans"] * abs(band["score"] - band["right"]) for band in bands) / len(answers)
    return {"bands": bands, "calibration_error": round(error, 3)}


def draw(found: dict[str, Any], path: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9.6, 4.0), dpi=120, layout="constrained")
    for name, figures in found.items():
        points = figures["curve"]
        left.plot([p["precision"] for p in points], [p["covered"] for p in points], marker="o", label=name)
        shipped = next(p for p in points if p["bias"] == 0)
        left.annotate("as shipped", (shipped["precision"], shipped["covered"]), fontsize=7)
        bands = figures["reliability"]["bands"]
        right.plot([b["score"] for b in bands], [b["right"] for b in bands], marker="o", label=name)
    left.set_xlabel("masked characters that are PHI, %")
    left.set_ylabel("PHI covered, %")
    right.plot([0, 1], [0, 1], color="grey", linewidth=0.8)
    right.set_xlabel("score")
    right.set_ylabel("share of spans that are right")
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend()
    figure.savefig(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="fast,best")
    parser.add_argument("--notes", type=Path, default=Path("data/notes/dev"))
    parser.add_argument("--out", type=Path, default=Path("docs/images/operating-curve"))
    options = parser.parse_args()
    gold = list(read_documents(options.notes))
    found = {}
    for name in options.models.split(","):
        print(name, flush=True)
        model = load(name)
        found[name] = {"curve": curve(model, gold), "reliability": reliability(evaluated(model, gold))}
    options.out.with_suffix(".json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    draw(found, options.out.with_suffix(".png"))


if __name__ == "__main__":
    main()
