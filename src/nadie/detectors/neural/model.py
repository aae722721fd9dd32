"""A trained network as a detector: learning, loading and saving, the same for every neural system."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

from nadie.detectors.base import TrainingRun
from nadie.detectors.config import flat_config, parse_config
from nadie.detectors.neural.confidence import Calibration
from nadie.errors import ConfigError, MissingExtraError, ModelError
from nadie.storage import ModelFolder, write_model

C = TypeVar("C")
NETWORK, VOCABULARY, TRAINED = "model.onnx", "vocab.json", "trained.json"
RECORDS = ("training.jsonl", "learning-curve.png")


Fit = Callable[[C, TrainingRun], dict[str, bytes]]
"""A training: from a config to the files of the model folder."""


class NetworkModel(ABC, Generic[C]):
    """What the neural systems have in common: a config, and the files of a model folder.

    A system names its `config_type`, the `required` files of its folder and the `records` that may be there, and the
    function that trains it.
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
        """The training of this system; its modules need the extra `train`, so that they are imported only here."""

    @classmethod
    def train(cls, run: TrainingRun, settings: Mapping[str, Any]) -> Self:
        config = parse_config(cls.config_type, settings)
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
            settings=flat_config(self.config),
            card=card,
            files=self._files,
            features=["words"],
        )

    @classmethod
    def _stored_config(cls, settings: Mapping[str, Any]) -> C:
        try:
            config: C = parse_config(cls.config_type, settings)
        except ConfigError as error:
            raise ModelError(f"a model of {cls.system} has settings that this nadie does not know: {error}") from error
        return config


def read_files(folder: ModelFolder, required: Sequence[str], records: Sequence[str]) -> dict[str, bytes]:
    """The required files, and those of the others that are there."""
    there = [name for name in records if (folder.path / name).is_file()]
    return {name: folder.file(name).read_bytes() for name in (*required, *there)}


def read_results(content: bytes) -> dict[str, Any]:
    """What a training found out, from `trained.json`."""
    try:
        results = json.loads(content)
        results["calibration"] = Calibration(**{name: float(value) for name, value in results["calibration"].items()})
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"{TRAINED} of the model cannot be read") from error
    return dict(results)


def write_results(calibration: Calibration, **results: Any) -> bytes:
    return json.dumps(results | {"calibration": asdict(calibration)}, ensure_ascii=False, indent=1).encode()


def processors(most: int) -> int:
    """How many threads to use: the processors that this process may use, and at most `most`."""
    return min(most, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)
