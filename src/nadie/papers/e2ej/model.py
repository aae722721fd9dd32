"""The detector E2EJ, and its config."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from nadie.config import setting
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.neural.config import TaggerConfig
from nadie.neural.detector import NeuralTagger
from nadie.neural.model import Fit
from nadie.tokens.codec import Scheme
from nadie.tokens.tokenizer import Token


@dataclass(frozen=True, kw_only=True)
class E2EJArchitecture:
    """Table 1 and section 2.5 of Jabreel et al. (2019). Without `joint`, the ablation E2E: only types, no sensitivity
    branch.
    """

    joint: bool = setting(True, "train the sensitivity branch too; without it, the paper's ablation E2E")
    tune_vectors: bool = setting(False, "train the word vectors further")
    character_embedding: int = setting(50, "dimensions of a character")
    character_filters: int = setting(100, "filters of the convolution over characters")
    character_width: int = setting(3, "characters that a filter covers")
    narrow: bool = setting(False, "no padding of a word's characters, except up to the width of a filter")
    word_hidden: int = setting(256, "units of a word LSTM, in each direction")
    layers: int = setting(2, "word LSTM layers")
    context_filters: int = setting(200, "filters of the convolutions over tokens")
    context_width: int = setting(3, "tokens that a filter covers")
    sensitivity_hidden: int = setting(200, "units of the sensitivity branch's hidden layer")
    dropout: float = setting(0.3, "dropout of the embeddings and of the branches' outputs")


@dataclass(frozen=True, kw_only=True)
class E2EJConfig(TaggerConfig):
    """The tags and sizes of Jabreel et al. (2019), and the config shared by all neural taggers, whose defaults are not
    the paper's.
    """

    scheme: Scheme = setting("BIO", "the tags of a span's tokens: BIO or BIOES")
    architecture: E2EJArchitecture = E2EJArchitecture()


class E2EJ(NeuralTagger[E2EJConfig]):
    """Two BiLSTM layers; one branch predicts whether a token is sensitive, another its type (Jabreel et al. 2019).

    Deviations from the paper, with their reasons; the docs measure all of them together: vectors come from
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
        encoded = self.tagger.encode(document.text)
        if not encoded.tokens:
            return []
        logits = self.tagger.scores(encoded)["sensitivity"].astype(np.float64)
        return list(zip(encoded.tokens, (1.0 / (1.0 + np.exp(-logits))).tolist(), strict=True))
