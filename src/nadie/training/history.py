"""What happened during a training: a line for each epoch, and a picture."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

_LOG = "training.jsonl"


def append_epoch(work: Path, entry: Mapping[str, float], epoch: int) -> None:
    """Add the line of `epoch` to `training.jsonl`; lines of a run that got further and was lost are dropped."""
    path = work / _LOG
    kept = path.read_text(encoding="utf-8").splitlines()[: epoch - 1] if path.is_file() else []
    path.write_text("\n".join([*kept, json.dumps(dict(entry))]) + "\n", encoding="utf-8")


def as_lines(history: Sequence[Mapping[str, float]]) -> bytes:
    return "".join(json.dumps(dict(entry)) + "\n" for entry in history).encode()


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
