"""The network of paper 003, in torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nadie.detectors.exhaustive.config import ExhaustiveConfig
from nadie.detectors.exhaustive.decoding import NO_ENTITY
from nadie.detectors.exhaustive.reading import SPANS
from nadie.detectors.exhaustive.variants import Variant
from nadie.detectors.neural.encoding import SPACINGS
from nadie.detectors.neural.vocabulary import Vocabulary
from nadie.nn.characters import CharacterBiLSTM
from nadie.nn.embedding import WordEmbedding
from nadie.nn.recurrent import BiLSTM
from nadie.nn.spans import SpanLayer
from nadie.nn.words import TokenRepresentation

_PRIOR = 8.0
"""The score of "no entity" to begin with: one span in three hundred is an entity, and the first steps need not go into
learning that."""


@dataclass(frozen=True)
class Sizes:
    """What the network must know of the data: the vocabulary, its vectors (words, width), how long spans may be, and
    how many classes there are, "no entity" among them."""

    vocabulary: Vocabulary
    vectors: Tensor
    sizes: int
    classes: int


class ExhaustiveNetwork(nn.Module):
    """[frozen word vector; character BiLSTM; lexicon; spacing] → BiLSTM → spans → ReLU → classes (figures 1 to 3).

    "We feed the representation of each segmented region to a rectified linear unit" is read as a layer of such units:
    a linear map to `span_hidden` (the paper's hidden size, 200), then ReLU.
    """

    def __init__(self, config: ExhaustiveConfig, variant: Variant, sizes: Sizes) -> None:
        super().__init__()
        known = sizes.vocabulary
        self.tokens = TokenRepresentation(
            WordEmbedding(known.word_count, sizes.vectors.shape[1], sizes.vectors, tuned=False),
            CharacterBiLSTM(known.character_count, config.character_embedding, config.character_hidden),
            (SPACINGS, config.spacing_embedding),
            (len(known.lists), known.cluster_count, config.cluster_embedding) if config.lexicon else None,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = BiLSTM(self.tokens.width, config.word_hidden)
        self.spans = SpanLayer(
            self.encoder.width,
            config.span_hidden,
            sizes.sizes,
            boundary=variant.boundary,
            inside=variant.inside,
            context=variant.context == "context",
        )
        self.classes = nn.Linear(config.span_hidden, sizes.classes)
        with torch.no_grad():
            self.classes.bias[NO_ENTITY] = _PRIOR

    def outputs(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """`spans` (B, T, S, K): the scores of every class for every span."""
        return {SPANS: self.classes(self._regions(inputs).relu())}

    def some(self, inputs: Mapping[str, Tensor], cells: Tensor) -> Tensor:
        """The scores (N, K) of some spans only; cells (N,) count through the grid (B, T, S).

        All spans of a sequence lose the same units to dropout: on a CPU, drawing for each of them apart takes as long
        as the span layer itself.
        """
        regions = self._regions(inputs)  # (B, T, S, H)
        rows, tokens, sizes, hidden = regions.shape
        kept = self.dropout(regions.new_ones(rows, hidden)).index_select(0, cells // (tokens * sizes))  # (N, H)
        some = regions.flatten(0, 2).index_select(0, cells)
        scores: Tensor = self.classes(some.relu() * kept)
        return scores

    def _regions(self, inputs: Mapping[str, Tensor]) -> Tensor:
        """(B, T, S, H): the hidden layer before its nonlinearity."""
        states = self.encoder(self.dropout(self.tokens(inputs)), inputs["lengths"])  # (B, T, 2H), zero on padding
        regions: Tensor = self.spans(self.dropout(states))
        return regions
