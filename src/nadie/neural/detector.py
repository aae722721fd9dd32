"""A neural tagger as a detector."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Self, TypeVar

import numpy as np

from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import Chain
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.inference import processors
from nadie.neural.config import TaggerConfig, WindowSizes
from nadie.neural.encoding import units_of
from nadie.neural.model import NETWORK, TRAINED, VOCABULARY, NetworkModel, read_results
from nadie.neural.tagger import SequenceTagger, onnx_network
from nadie.neural.vocabulary import Vocabulary
from nadie.tokens.probabilities import TokenProbabilities

C = TypeVar("C", bound=TaggerConfig)
FIELD = "crf.json"


class NeuralTagger(NetworkModel[C]):
    """The common part of the trained neural taggers: a network that gives emissions, and a CRF."""

    required = (NETWORK, VOCABULARY, FIELD, TRAINED)

    def __init__(self, config: C, files: Mapping[str, bytes], name: str = "") -> None:
        super().__init__(config, files, name)
        self.tagger = _tagger(config.reading, files)
        self.workers = processors(4)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self.tagger.spans_of_all([document.text for document in documents], self.name, self.workers)

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """The marginal probabilities of every token."""
        encoded = [self.tagger.encode(document.text) for document in documents]
        cuts = [units_of(each, self.tagger.reading) or [(0, 0)] for each in encoded]
        scores = [self.tagger.emissions(each) for each in encoded]
        parts = [one[a:b] for one, pieces in zip(scores, cuts, strict=True) for a, b in pieces]
        known = iter(posteriors(parts, self.tagger.chain))
        return [
            TokenProbabilities(
                each.tokens, self.tagger.tags, np.concatenate([next(known).marginals for _ in pieces])
            ).in_bio()
            for each, pieces in zip(encoded, cuts, strict=True)
        ]

    def unbiased(self) -> Self:
        """Itself: a neural tagger has no bias."""
        return self


def field_to_json(tags: Sequence[str], chain: Chain) -> bytes:
    content = {
        "tags": list(tags),
        "transitions": np.round(chain.between, 5).tolist(),
        "start": np.round(chain.start, 5).tolist(),
        "end": np.round(chain.end, 5).tolist(),
    }
    return json.dumps(content, separators=(",", ":")).encode()


def _tagger(reading: WindowSizes, files: Mapping[str, bytes]) -> SequenceTagger:
    try:
        field = json.loads(files[FIELD])
        tags = tuple(map(str, field["tags"]))
        between, start, end = (np.asarray(field[n], dtype=np.float64) for n in ("transitions", "start", "end"))
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError("the transitions of the model cannot be read") from error
    if between.shape != (len(tags), len(tags)) or start.shape != (len(tags),) or end.shape != (len(tags),):
        raise ModelError("the transitions of the model do not match its tags")
    return SequenceTagger(
        onnx_network(files[NETWORK]),
        Vocabulary.from_json(files[VOCABULARY]),
        tags,
        Chain(between, start, end),
        reading,
        read_results(files[TRAINED])["calibration"],
    )
