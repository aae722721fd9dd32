"""Learning curves of adapting: how much a model gains from 10, 25, 50, ... reviewed notes of a kind it has never seen.

For each kind (a country, a document type, a co-official language, notes damaged by OCR) a small network is trained on
other notes of the corpus, then adapted to reviewed notes of the kind by each way: its training continued, a last layer,
lists alone; notes drawn at random, and the notes of which the network is least sure. Measured are notes of the kind
that were not adapted to, and development notes of other kinds: what is forgotten. Since a model can trade precision for
coverage, coverage is also given with a bias at which it is as precise on its kind as the base.

    python benchmarks/adapting_curve.py --kind language --work curve/   # each step is stored, and done only once
    python benchmarks/adapting_curve.py --work curve/ --out docs/images/adapting-curve
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, cast

from nadie.detector import DETECTORS, Model, TrainingRun
from nadie.document import Document
from nadie.evaluation.evaluate import Evaluation, compare, evaluate
from nadie.files.annotated.reading import read_documents
from nadie.options import Mode
from nadie.risk.kinds import language_of
from nadie.risk.misses import only_in_recall_mode
from nadie.run.adapting import LAYER, LISTS, NETWORK, AdaptOptions, Savable, fitting
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline
from nadie.tokens.view import seen

KINDS: dict[str, Callable[[Document], bool]] = {
    "country": lambda note: note.meta["country"] == "AR",
    "type": lambda note: note.meta["type"] == "handover-list",
    "language": lambda note: language_of(note.text) == "eu",
    "damage": lambda note: note.meta["layout"] == "ocr" or note.meta.get("kind") == "damaged",
}
TITLES = {
    "country": "Country: Argentina",
    "type": "Type: handover lists",
    "language": "Language: Basque",
    "damage": "Damaged by OCR",
}
SIZES = (10, 25, 50, 100, 200)
ARMS = ((NETWORK, "random"), (NETWORK, "unsure"), (LAYER, "random"), (LISTS, "random"))
_UNSURE = (25, 50)
_TRAINED_ON, _MOST_HELD_OUT, _ELSEWHERE, _REPLAY, _LEAST_HELD_OUT = 1000, 70, 70, 180, 30
"""Of the replayed notes, a third is kept back to tell what bias may be spent: 120 are learned from."""
_SMALL = {
    "width": 96,
    "ngram_embedding": 48,
    "shape_embedding": 16,
    "dilations": "1,2,4,1",
    "expand": False,
    "memory_after": 2,
    "columns": True,
    "repeated_only": True,
    "summary": True,
    "tune_vectors": True,
    "kept_share": 1.0,
    "copies": 0,
    "copies_at_once": 0,
    "epochs": 5,
    "warmup": 50,
    "batch_tokens": 1920,
    "learning_rate": 0.004,
}
"""A small network on a short schedule, the same for all kinds."""
_BIASES, _HALVINGS = (-2.0, 6.0), 5
_SHOWN = ("characters.recall", "characters.precision", "subtask1.f1")


class Silent:
    """Progress that is not shown."""

    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


class Curve:
    """The notes of one kind and of the others, the network trained without the kind, and what is measured."""

    def __init__(self, kind: str, notes: Path, work: Path) -> None:
        self.kind, self.work = kind, work / kind
        is_own = KINDS[kind]
        train, dev, hard = (list(read_documents(notes / name)) for name in ("train", "dev", "dev-hard"))
        own = [note for note in (*train, *dev, *hard) if is_own(note)]
        Random(1).shuffle(own)
        self.sizes = [size for size in SIZES if size <= len(own) - _LEAST_HELD_OUT]
        self.pool = own[: self.sizes[-1]]
        self.held_out = own[self.sizes[-1] :][:_MOST_HELD_OUT]
        others = [note for note in train if not is_own(note)]
        self.mix = Random(2).sample(others, _TRAINED_ON)
        self.elsewhere = Random(3).sample([note for note in dev if not is_own(note)], _ELSEWHERE)

    def base(self) -> Path:
        """The network trained without the kind."""
        path = self.work / "base"
        if not path.exists():
            began = time.process_time()
            run = TrainingRun([seen(note) for note in self.mix], (), 1, self.work / "training", Silent())
            model = cast(Savable, DETECTORS.get("convnet").train(run, _SMALL))
            model.save(path, {"version": "1", "modes": {"recall": {"bias": 3.0}}})
            print(f"{self.kind}: trained in {time.process_time() - began:.0f} s", flush=True)
        return path

    def measure(self) -> None:
        """Adapt by each way to each number of notes, and store the figures of each."""
        name = str(self.base())
        file = self.work / "points.json"
        points: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else []
        known = {(each["method"], each["order"], each["notes"]) for each in points}
        base = Model.of(name).detector()
        before = [_evaluated(base, notes) for notes in (self.held_out, self.elsewhere)]
        orders = {"random": self.pool, "unsure": _least_sure_first(self.pool, name)}
        for size, (method, order) in ((size, arm) for arm in ARMS for size in (0, *self.sizes)):
            is_due = size in _UNSURE if order == "unsure" else size or (method, order) == ARMS[0]
            if not is_due or (method, order, size) in known:
                continue
            began, model = time.process_time(), base
            if size:
                options = AdaptOptions(name, method, self.mix[:_REPLAY])
                work = self.work / f"{method}-{order}-{size}"
                model = fitting(Model.of(name), options, Silent(), work)(orders[order][:size], "all")
            seconds = round(time.process_time() - began, 1)
            after = [_evaluated(model, notes) for notes in (self.held_out, self.elsewhere)]
            own, elsewhere = (_figures(*pair) for pair in zip(before, after, strict=True))
            own["as_precise"] = self._as_precise(model, before[0])
            points.append({"method": method, "order": order, "notes": size, "seconds": seconds})
            points[-1] |= {"own": own, "elsewhere": elsewhere, "held_out": len(self.held_out)}
            file.write_text(json.dumps(points, indent=1), encoding="utf-8")
            print(self.kind, method, order, size, seconds, own["characters.recall"]["value"], flush=True)

    def _as_precise(self, model: Any, base: Evaluation) -> dict[str, Any]:
        """The coverage of held-out notes with the highest bias at which the model is as precise as the base."""
        low, high = _BIASES
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            is_precise = (
                _evaluated(model.with_bias(middle), self.held_out).characters.precision >= base.characters.precision
            )
            low, high = (middle, high) if is_precise else (low, middle)
        chosen: dict[str, Any] = _figures(base, _evaluated(model.with_bias(low), self.held_out))["characters.recall"]
        return chosen


def _evaluated(detector: Any, notes: Sequence[Document]) -> Evaluation:
    return evaluate(notes, list(Pipeline(detector).annotate_all(note.with_spans(()) for note in notes)))


def _figures(before: Evaluation, after: Evaluation) -> dict[str, Any]:
    differences = compare(before, after)
    return {
        name: {
            "value": differences[name].other,
            "interval": after.intervals[name],
            "difference": differences[name].interval,
            "p": differences[name].p,
        }
        for name in _SHOWN
    }


def _least_sure_first(notes: Sequence[Document], base: str) -> list[Document]:
    texts = [note.with_spans(()) for note in notes]
    pairs = zip(load(base).annotate_all(texts), load(base, mode=Mode.RECALL).annotate_all(texts), strict=True)
    doubts = [len(only_in_recall_mode(one.spans, other.spans)) for one, other in pairs]
    return [notes[n] for n in sorted(range(len(notes)), key=lambda n: -doubts[n])]


def rows(points: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The lines of a table: own notes, with the coverage of a model as precise as the base, and notes elsewhere."""
    for each in points:
        cells = [_told(each["own"][name]) for name in (*_SHOWN[:2], "as_precise", _SHOWN[2])]
        cells += [_told(each["elsewhere"][name]) for name in _SHOWN]
        how = f"{each['method']}, {each['order']}" if each["notes"] else "base"
        yield f"| {each['notes']} | {how} | {' | '.join(cells)} |"


def _told(figure: dict[str, Any]) -> str:
    low, high = figure["interval"]
    return f"{100 * figure['value']:.1f} ({100 * low:.1f}–{100 * high:.1f})"


def _line(points: Sequence[dict[str, Any]], method: str, order: str) -> list[dict[str, Any]]:
    """The points of one way to adapt, from the base on, if there are any."""
    base = [each for each in points if not each["notes"]]
    some = [each for each in points if each["notes"] and (each["method"], each["order"]) == (method, order)]
    return sorted((*base, *some), key=lambda each: each["notes"]) if some else []


def draw(curves: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """A column for each kind: coverage and precision on its notes, and coverage on others."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot
    from PIL import Image

    lines = (
        ("own", _SHOWN[0], "coverage, own"),
        ("own", _SHOWN[1], "precision, own"),
        ("own", "as_precise", "coverage, own, as precise"),
        ("elsewhere", _SHOWN[0], "coverage, elsewhere"),
    )
    figure, grid = pyplot.subplots(4, len(curves), figsize=(3.3 * len(curves), 9.6), sharex=True, squeeze=False)
    for column, (kind, points) in enumerate(curves.items()):
        grid[0][column].set_title(TITLES[kind], fontsize=10)
        for row, (where, name, title) in enumerate(lines):
            axes = grid[row][column]
            for place, (method, order) in enumerate(ARMS):
                some = _line(points, method, order)
                values = [100 * each[where][name]["value"] for each in some]
                spread = [
                    [abs(100 * each[where][name]["interval"][n] - v) for each, v in zip(some, values, strict=True)]
                    for n in (0, 1)
                ]
                at = [each["notes"] + place - 1.5 for each in some]
                label = f"{method}, {order} notes" if method == NETWORK else method
                style = {"fmt": "os^D"[place] + ("--" if order == "unsure" else "-"), "markersize": 4, "capsize": 2}
                axes.errorbar(at, values, spread, linewidth=1, label=label, **style)
            axes.grid(visible=True, alpha=0.3)
            if not column:
                axes.set_ylabel(f"{title} (%)")
        grid[-1][column].set_xlabel("reviewed notes")
    figure.legend(*grid[0][0].get_legend_handles_labels(), loc="lower center", ncols=len(ARMS), frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    drawn = BytesIO()
    figure.savefig(drawn, dpi=110)
    Image.open(drawn).convert("RGB").quantize(64).save(path.with_suffix(".png"), optimize=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kind", choices=tuple(KINDS))
    parser.add_argument("--notes", type=Path, default=Path("data/notes"))
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if given.kind:
        Curve(given.kind, given.notes, given.work).measure()
    files = {kind: given.work / kind / "points.json" for kind in KINDS}
    curves = {kind: json.loads(file.read_text(encoding="utf-8")) for kind, file in files.items() if file.exists()}
    for kind, points in curves.items():
        print(f"\n{TITLES[kind]}: {points[0]['held_out']} notes held out", *rows(points), sep="\n")
    if given.out:
        draw(curves, given.out)


if __name__ == "__main__":
    main()
