"""The detector TCCNN.

J. Porta-Zamorano: "Spanish Medical Document Anonymization with Three-channel Convolutional Neural Networks",
IberLEF 2019.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import ClassVar, Self

from nadie.document import Document, Span
from nadie.inference import processors
from nadie.neural.model import NETWORK, VOCABULARY, Fit, NetworkModel
from nadie.papers.tccnn.candidates import Generator
from nadie.papers.tccnn.classify import Classifier, onnx_network
from nadie.papers.tccnn.config import TCCNNConfig
from nadie.papers.tccnn.constraints import Constraints
from nadie.papers.tccnn.vocabulary import CandidateVocabulary

CANDIDATES = "candidates.json"


class TCCNN(NetworkModel[TCCNNConfig]):
    """N-grams that could be entities, a network that classifies each with its two contexts, and a final filter.

    Deviations (docs/en/understand/systems/tccnn.md measures those of the candidate filter): the candidate filter is
    relaxed according to the training notes; training candidates come from filters that were not trained on the same
    note; line ends are words of the context; rare words are replaced by their shapes; the three channels share one
    embedding.
    """

    system: ClassVar[str] = "tccnn"
    config_type = TCCNNConfig
    required = (NETWORK, VOCABULARY, CANDIDATES)

    def __init__(self, config: TCCNNConfig, files: Mapping[str, bytes], name: str = "") -> None:
        super().__init__(config, files, name)
        self.classifier = Classifier(
            onnx_network(files[NETWORK], processors(2)),
            Generator.parse(files[CANDIDATES]),
            CandidateVocabulary.parse(files[VOCABULARY]),
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
    def _fit(cls) -> Fit[TCCNNConfig]:
        from nadie.papers.tccnn.fitting import train_tccnn

        return train_tccnn
