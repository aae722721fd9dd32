"""The records of a training besides weights: dev figures, a log of the epochs, a learning curve, and results."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from nadie.document import Document, Span
from nadie.evaluation.official import Counts, subtask1
from nadie.evaluation.pairing import Pair
from nadie.neural.model import RECORDS, TRAINED, Calibration, fit_calibration, read_results, write_results

_LOG = RECORDS[0]


def dev_figures(found: Iterable[tuple[Document, Sequence[Span]]]) -> dict[str, float]:
    """The scores of subtask 1 on dev documents and the spans found in them; empty if there are none."""
    counts = Counts()
    for gold, spans in found:
        counts += subtask1(Pair(gold, Document(gold.id, gold.text, tuple(spans))))
    if counts == Counts():
        return {}
    return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}


def append_epoch(work: Path, entry: Mapping[str, float], epoch: int) -> None:
    """Add the line of `epoch` to `training.jsonl`; lines of later epochs from an interrupted run are dropped."""
    path = work / _LOG
    kept = path.read_text(encoding="utf-8").splitlines()[: epoch - 1] if path.is_file() else []
    path.write_text("\n".join([*kept, json.dumps(dict(entry))]) + "\n", encoding="utf-8")


def record_files(
    history: Sequence[Mapping[str, float]], title: str, names: tuple[str, str] = RECORDS
) -> dict[str, bytes]:
    """The log and the learning curve, as files of a model folder."""
    lines = "".join(json.dumps(dict(entry)) + "\n" for entry in history).encode()
    return dict(zip(names, (lines, learning_curve(history, title)), strict=True))


def result_file(answers: Sequence[tuple[float, bool]], start: str, work: Path, **results: Any) -> bytes:
    """`trained.json`, which is also kept in `work`, for a training that starts from this one.

    Confidence is calibrated on dev `answers` (probability, correct or not). Without any, the calibration of the
    training in `start`, if any, is kept.
    """
    earlier = Path(start) / TRAINED
    calibration = Calibration()
    if answers:
        calibration = fit_calibration([p for p, _ in answers], [right for _, right in answers])
    elif start and earlier.is_file():
        calibration = read_results(earlier.read_bytes())["calibration"]
    content = write_results(calibration, **results)
    (work / TRAINED).write_bytes(content)
    return content


def learning_curve(history: Sequence[Mapping[str, float]], title: str) -> bytes:
    """Loss and dev F1 over the epochs, as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.5), dpi=100)
    FigureCanvasAgg(figure)
    epochs = [entry["epoch"] for entry in history]
    left = figure.add_subplot()
    left.plot(epochs, [entry["loss"] for entry in history], color="tab:gray", label="loss")
    left.set_xlabel("epoch")
    left.set_ylabel("training loss")
    left.set_title(title)
    scored = [entry for entry in history if "f1" in entry]
    if scored:
        right = left.twinx()
        right.plot([e["epoch"] for e in scored], [100 * e["f1"] for e in scored], color="tab:blue", label="dev F1")
        right.set_ylabel("dev F1, subtask 1")
    figure.tight_layout()
    content = io.BytesIO()
    figure.savefig(content, format="png", metadata={"Software": None})
    return content.getvalue()
