"""The detector TCCNN.

J. Porta-Zamorano: "Spanish Medical Document Anonymization with Three-channel Convolutional Neural Networks",
IberLEF 2019.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

from nadie.detectors.base import Progress
from nadie.detectors.tccnn.candidates import Generator
from nadie.detectors.tccnn.classify import Classifier, onnx_network
from nadie.detectors.tccnn.config import TCCNNConfig
from nadie.detectors.tccnn.constraints import Constraints
from nadie.detectors.tccnn.vocabulary import Vocabulary
from nadie.document import Document, Span
from nadie.errors import ConfigError, MissingExtraError, ModelError
from nadie.storage import ModelFolder, write_model

_FILES = ("model.onnx", "vocab.json", "candidates.json")
_RECORDS = ("training.jsonl", "learning-curve.png")


class TCCNN:
    """N-grams that could be entities, a network that sees each between its two contexts, and a final filter.

    Deviations, with what they are worth in docs/systems/tccnn.md: the candidate filter is relaxed by what the training
    notes show; candidates to learn from come from filters that did not see their note; line ends are words of the
    context; a rare word is known by its shape; the three channels share one embedding.
    """

    system: ClassVar[str] = "tccnn"

    def __init__(self, settings: Mapping[str, Any], files: Mapping[str, bytes], name: str = "tccnn") -> None:
        self.name = name
        self.settings = dict(settings)
        self._files = dict(files)
        try:
            config = TCCNNConfig(**self.settings)
        except (TypeError, ConfigError) as error:
            raise ModelError(f"model {name!r} has settings that this nadie does not know") from error
        threads = min(2, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)
        self.classifier = Classifier(
            onnx_network(files["model.onnx"], threads),
            Generator.parse(files["candidates.json"]),
            Vocabulary.parse(files["vocab.json"]),
            Constraints.shipped() if config.final_filter else None,
            config,
        )

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self.classifier.spans_of_all([document.text for document in documents], self.name)

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other.classifier = replace(self.classifier, bias=self.classifier.bias + bias)
        return other

    @classmethod
    def train(
        cls,
        train: Sequence[Document],
        dev: Sequence[Document],
        *,
        settings: Mapping[str, Any],
        seed: int,
        work: Path,
        progress: Progress,
    ) -> Self:
        try:
            from nadie.detectors.tccnn.fitting import settings_of, train_tccnn
            from nadie.training.config import configure
            from nadie.training.history import as_lines, learning_curve
        except ModuleNotFoundError as error:
            raise MissingExtraError("training tccnn", "train") from error
        config = configure(TCCNNConfig, settings)
        trained = train_tccnn(config, train, dev, seed, work, progress)
        records = (as_lines(trained.history), learning_curve(trained.history, cls.system))
        return cls(settings_of(config), {**trained.files, **dict(zip(_RECORDS, records, strict=True))})

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        files = {name: folder.file(name).read_bytes() for name in _FILES}
        files |= {name: (folder.path / name).read_bytes() for name in _RECORDS if (folder.path / name).is_file()}
        return cls(folder.config, files, folder.name)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        write_model(path, system=self.system, settings=self.settings, card=card, files=self._files, features=["words"])
