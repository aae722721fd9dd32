"""From a trained task to the files of a model folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from nadie.detectors.neural.confidence import Calibration, fit_calibration
from nadie.detectors.neural.detector import FIELD, NETWORK, RECORDS, VOCABULARY, field_to_json
from nadie.detectors.neural.tagger import Tagger, onnx_network
from nadie.training.assembly import Trained
from nadie.training.devset import DevSet
from nadie.training.history import as_lines, learning_curve
from nadie.training.onnx_graph import Storage

Export = Callable[[Any, Storage], bytes]


def pack(trained: Trained, export: Export, title: str) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The settings and files of the model folder. Where there was a dev set, confidence is calibrated on it."""
    task, config = trained.task, trained.task.config
    network = export(task.network.eval(), config.storage)
    tagger = task.tagger()
    calibration = calibrate(replace(tagger, network=onnx_network(network)), task.dev) or tagger.calibration
    settings = asdict(config) | {
        "vectors": Path(config.vectors).name,
        "start": Path(config.start).name,
        "calibration_slope": calibration.slope,
        "calibration_offset": calibration.offset,
    }
    log, picture = RECORDS
    files = {
        NETWORK: network,
        VOCABULARY: task.vocabulary.to_json(),
        FIELD: field_to_json(tagger.tags, tagger.chain),
        log: as_lines(trained.history),
        picture: learning_curve(trained.history, title),
    }
    return settings, files


def calibrate(tagger: Tagger, dev: DevSet) -> Calibration | None:
    """The calibration that suits this tagger's answers on `dev`; None without any."""
    probabilities: list[float] = []
    right: list[bool] = []
    plain = replace(tagger, calibration=Calibration())
    tagged = plain.tag(dev.emissions(tagger))
    for gold, encoded, chunks in zip(dev.documents, dev.encoded, tagged, strict=True):
        probabilities += [probability for _, probability in chunks]
        right += [span in gold.spans for span in plain.as_spans(encoded, chunks, "")]
    return fit_calibration(probabilities, right) if probabilities else None
