"""The detector E2EJ, and its config."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from nadie.document import Document
from nadie.errors import ConfigError
from nadie.neural.config import TaggerConfig
from nadie.neural.detector import NeuralTagger
from nadie.neural.encoding import encode
from nadie.neural.model import Fit
from nadie.tokens.codec import Scheme
from nadie.tokens.tokenizer import Token


@dataclass(frozen=True, kw_only=True)
class E2EJArchitecture:
    """Table 1 and section 2.5 of the paper. Without `joint`, the ablation E2E: only types, no sensitivity branch."""

    joint: bool = True
    tune_vectors: bool = False
    character_embedding: int = 50
    character_filters: int = 100
    character_width: int = 3
    word_hidden: int = 256
    layers: int = 2
    context_filters: int = 200
    context_width: int = 3
    sensitivity_hidden: int = 200
    dropout: float = 0.3


@dataclass(frozen=True, kw_only=True)
class E2EJConfig(TaggerConfig):
    """The paper's tags and sizes, and the config shared by all neural taggers."""

    scheme: Scheme = "BIO"
    architecture: E2EJArchitecture = E2EJArchitecture()


class E2EJ(NeuralTagger[E2EJConfig]):
    """Two BiLSTM layers; one branch predicts whether a token is sensitive, another its type (Jabreel et al. 2019).

    Deviations from the paper, each an option, with its reason; the docs measure all of them together: vectors come from
    unlabelled clinical notes instead of GloVe, which has few of their words; the rest is as in BiLSTM-CRF: white space
    and lexicon features for each token, windows of several sentences, larger batches, augmented copies of the notes.
    """

    system: ClassVar[str] = "e2ej"
    config_type = E2EJConfig

    @classmethod
    def _fit(cls) -> Fit[E2EJConfig]:
        from nadie.papers.e2ej.network import E2EJNetwork
        from nadie.training.fitting import fit_tagger

        return partial(fit_tagger, E2EJNetwork)

    def sensitivity(self, document: Document) -> list[tuple[Token, float]]:
        """Each token of the text with the probability that it is sensitive, regardless of its type.

        It is an additional signal for recall: it may be high where no span was found. The tokens are those of
        `view_of(text)`, so their offsets refer to `view_of(text).text`.
        """
        if not self.config.architecture.joint:
            raise ConfigError("this model was trained without the sensitivity branch (joint=False)")
        encoded = encode(document.text)
        if not encoded.tokens:
            return []
        logits = self.tagger.scores(encoded)["sensitivity"].astype(np.float64)
        return list(zip(encoded.tokens, (1.0 / (1.0 + np.exp(-logits))).tolist(), strict=True))
