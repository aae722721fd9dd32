"""A trained network as a detector: training, loading, saving, running and calibrating, for every neural system."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np

from nadie.config import flat_config, parse_config
from nadie.detector import TrainingRun
from nadie.errors import ConfigError, MissingExtraError, ModelError
from nadie.storage import ModelFolder, write_model

C = TypeVar("C")
NETWORK, VOCABULARY, TRAINED = "model.onnx", "vocab.json", "trained.json"
RECORDS = ("training.jsonl", "learning-curve.png")
_EDGE = 1e-6
_RIDGE = 1e-2

Fit = Callable[[C, TrainingRun], dict[str, bytes]]
"""A training: from a config to the files of the model folder."""


class NetworkModel(ABC, Generic[C]):
    """The common part of the neural systems: a config, and the files of a model folder.

    A system defines its `config_type`, the `required` files of its folder, the optional `records`, and the function
    that trains it.
    """

    system: ClassVar[str]
    config_type: ClassVar[type[Any]]
    required: ClassVar[tuple[str, ...]]
    records: ClassVar[tuple[str, ...]] = RECORDS

    def __init__(self, config: C, files: Mapping[str, bytes], name: str = "") -> None:
        self.name = name or self.system
        self.config = config
        self._files = dict(files)

    @classmethod
    @abstractmethod
    def _fit(cls) -> Fit[C]:
        """The training function. Imported on demand, because its modules need the extra `train`."""

    @classmethod
    def train(cls, run: TrainingRun, options: Mapping[str, Any]) -> Self:
        config = parse_config(cls.config_type, options)
        if not any(document.spans for document in run.train):
            raise ConfigError("there are no annotated documents to train on")
        try:
            fit = cls._fit()
        except ModuleNotFoundError as error:
            raise MissingExtraError(f"training {cls.system}", "train") from error
        run.work.mkdir(parents=True, exist_ok=True)
        return cls(config, fit(config, run))

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        return cls(cls._stored_config(folder.config), read_files(folder, cls.required, cls.records), folder.name)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        write_model(
            path,
            system=self.system,
            config=flat_config(self.config),
            card=card,
            files=self._files,
            features=["words"],
        )

    @classmethod
    def _stored_config(cls, stored: Mapping[str, Any]) -> C:
        try:
            config: C = parse_config(cls.config_type, stored)
        except ConfigError as error:
            raise ModelError(f"a model of {cls.system} has options that are not supported: {error}") from error
        return config


@dataclass(frozen=True)
class Calibration:
    """Platt scaling: confidence = sigmoid(slope * logit(probability) + offset)."""

    slope: float = 1.0
    offset: float = 0.0

    def __call__(self, probability: float) -> float:
        inside = min(max(probability, _EDGE), 1.0 - _EDGE)
        logit = math.log(inside) - math.log1p(-inside)
        return 1.0 / (1.0 + math.exp(-(self.slope * logit + self.offset)))


def read_files(folder: ModelFolder, required: Sequence[str], records: Sequence[str]) -> dict[str, bytes]:
    """The required files, and the optional ones that exist."""
    there = [name for name in records if (folder.path / name).is_file()]
    return {name: folder.file(name).read_bytes() for name in (*required, *there)}


def read_results(content: bytes) -> dict[str, Any]:
    """The results of a training, from `trained.json`."""
    try:
        results = json.loads(content)
        results["calibration"] = Calibration(**{name: float(value) for name, value in results["calibration"].items()})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{TRAINED} of the model cannot be read") from error
    return dict(results)


def write_results(calibration: Calibration, **results: Any) -> bytes:
    return json.dumps(results | {"calibration": asdict(calibration)}, ensure_ascii=False, indent=1).encode()


def fit_calibration(probabilities: Sequence[float], right: Sequence[bool]) -> Calibration:
    """The scaling that maximises the likelihood of `right`, by Newton's method.

    A small ridge penalty towards the identity keeps it finite if every prediction was correct.
    """
    if not probabilities:
        return Calibration()
    inside = np.clip(np.asarray(probabilities, dtype=np.float64), _EDGE, 1.0 - _EDGE)
    features = np.stack([np.log(inside) - np.log1p(-inside), np.ones_like(inside)], axis=1)  # (N, 2)
    truth = np.asarray(right, dtype=np.float64)
    identity = np.array([1.0, 0.0])
    weights = identity.copy()
    for _ in range(100):
        predicted = 1.0 / (1.0 + np.exp(-features @ weights))
        gradient = features.T @ (predicted - truth) + _RIDGE * (weights - identity)
        curvature = (features * (predicted * (1.0 - predicted))[:, None]).T @ features + _RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        weights -= np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-9:
            break
    return Calibration(float(weights[0]), float(weights[1]))
