"""A neural tagger as a detector: its model folder, and what it does with documents."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import Chain
from nadie.detectors.neural.confidence import Calibration
from nadie.detectors.neural.config import TaggerConfig
from nadie.detectors.neural.encoding import encode
from nadie.detectors.neural.tagger import Reading, Tagger, onnx_network
from nadie.detectors.neural.vocabulary import Vocabulary
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.storage import ModelFolder, write_model
from nadie.tokens.probabilities import TokenProbabilities

NETWORK, VOCABULARY, FIELD = "model.onnx", "vocab.json", "crf.json"
RECORDS = ("training.jsonl", "learning-curve.png")


class NeuralTagger:
    """What the neural taggers have in common once they are trained: loading, saving and detecting.

    `files` are the bytes of the model folder: the network, the vocabulary, the field's transitions, and where there
    are any the records of the training.
    """

    system: ClassVar[str]

    def __init__(self, settings: Mapping[str, Any], files: Mapping[str, bytes], name: str = "") -> None:
        self.name = name or self.system
        self.settings = dict(settings)
        self._files = dict(files)
        self.tagger = _tagger(self.settings, self._files)
        self.workers = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self.tagger.spans_of_all([document.text for document in documents], self.name, self.workers)

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """The marginals of every token."""
        encoded = [encode(document.text) for document in documents]
        known = posteriors([self.tagger.emissions(each) for each in encoded], self.tagger.chain)
        return [
            TokenProbabilities(each.tokens, self.tagger.tags, posterior.marginals).in_bio()
            for each, posterior in zip(encoded, known, strict=True)
        ]

    def unbiased(self) -> Self:
        """Itself: a neural tagger has no bias."""
        return self

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        needed = (NETWORK, VOCABULARY, FIELD)
        files = {name: folder.file(name).read_bytes() for name in needed}
        files |= {name: (folder.path / name).read_bytes() for name in RECORDS if (folder.path / name).is_file()}
        return cls(folder.config, files, folder.name)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        write_model(path, system=self.system, settings=self.settings, card=card, files=self._files, features=["words"])


def field_to_json(tags: Sequence[str], chain: Chain) -> bytes:
    content = {
        "tags": list(tags),
        "transitions": np.round(chain.between, 5).tolist(),
        "start": np.round(chain.start, 5).tolist(),
        "end": np.round(chain.end, 5).tolist(),
    }
    return json.dumps(content, separators=(",", ":")).encode()


def _tagger(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> Tagger:
    try:
        field = json.loads(files[FIELD])
        tags = tuple(map(str, field["tags"]))
        between, start, end = (np.asarray(field[n], dtype=np.float64) for n in ("transitions", "start", "end"))
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError("the transitions of the model cannot be read") from error
    if between.shape != (len(tags), len(tags)) or start.shape != (len(tags),) or end.shape != (len(tags),):
        raise ModelError("the transitions of the model do not fit its tags")
    known = TaggerConfig.__dataclass_fields__
    config = TaggerConfig(**{name: value for name, value in settings.items() if name in known})
    return Tagger(
        onnx_network(files[NETWORK]),
        Vocabulary.from_json(files[VOCABULARY]),
        tags,
        Chain(between, start, end),
        Reading(config.window, config.context),
        Calibration(config.calibration_slope, config.calibration_offset),
    )
