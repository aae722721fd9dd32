"""The detector E2EJ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from nadie.detectors.base import Progress
from nadie.detectors.e2ej.config import E2EJConfig
from nadie.detectors.neural.detector import NeuralTagger
from nadie.detectors.neural.encoding import encode
from nadie.document import Document
from nadie.errors import ConfigError, MissingExtraError
from nadie.tokens.tokenizer import Token


class E2EJ(NeuralTagger):
    """Two BiLSTM layers; one branch says whether a token is sensitive, another its type (Jabreel et al. 2019).

    Deviations from the paper, each a setting, with its reason; all of them together are measured in the docs: vectors
    come from unlabelled clinical notes instead of GloVe, which has few of their words; the rest is as in BiLSTM-CRF:
    white space and lexicon beside each token, windows of several sentences, larger batches, varied copies of the notes.
    """

    system: ClassVar[str] = "e2ej"

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
            from nadie.detectors.e2ej.export import export
            from nadie.detectors.e2ej.network import E2EJNetwork
            from nadie.training.assembly import train_tagger
            from nadie.training.config import configure
            from nadie.training.packing import pack
        except ModuleNotFoundError as error:
            raise MissingExtraError("training e2ej", "train") from error
        config = configure(E2EJConfig, settings)
        trained = train_tagger(E2EJNetwork, config, train, dev, seed=seed, work=work, progress=progress)
        return cls(*pack(trained, export, cls.system))

    def sensitivity(self, document: Document) -> list[tuple[Token, float]]:
        """Each token of the text with the probability that it is sensitive, whatever its type.

        A signal for recall: it may speak where no span was found. The text is taken as a detector sees it, so the
        tokens' places are those of `view_of(text).text`.
        """
        if not self.settings.get("joint", True):
            raise ConfigError("this model was trained without the sensitivity branch (joint=False)")
        encoded = encode(document.text)
        if not encoded.tokens:
            return []
        logits = self.tagger.scores(encoded)["sensitivity"].astype(np.float64)
        return list(zip(encoded.tokens, (1.0 / (1.0 + np.exp(-logits))).tolist(), strict=True))
