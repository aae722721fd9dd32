"""The network of paper 004, in torch."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from nadie.detectors.e2ej.config import E2EJConfig
from nadie.nn.characters import CharacterCNN
from nadie.nn.context import ContextConvolution
from nadie.nn.crf import LinearChainCRF
from nadie.nn.embedding import WordEmbedding
from nadie.nn.recurrent import BiLSTM
from nadie.nn.words import TokenRepresentation
from nadie.training.assembly import Sizes


class SensitivityBranch(nn.Module):
    """Conv1D and a perceptron with one hidden layer (section 2.3, equations 7 to 9).

    inputs (B, T, width) → the hidden layer (B, T, hidden), and the logit of "this token is sensitive" (B, T).
    """

    def __init__(self, width: int, config: E2EJConfig) -> None:
        super().__init__()
        self.context = ContextConvolution(width, config.context_filters, config.context_width)
        self.hidden = nn.Linear(config.context_filters, config.sensitivity_hidden)
        nn.init.xavier_uniform_(self.hidden.weight, gain=5 / 3)
        self.output = nn.Linear(config.sensitivity_hidden, 1)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.hidden(self.dropout(self.context(inputs))).tanh()
        return hidden, self.output(hidden).squeeze(2)


class E2EJNetwork(nn.Module):
    """[frozen word vectors; character CNN; spacing] → two BiLSTM layers → sensitivity → types (figure 1)."""

    def __init__(self, config: E2EJConfig, sizes: Sizes) -> None:
        super().__init__()
        tuned = config.tune_vectors or sizes.vectors is None
        self.tokens = TokenRepresentation(
            WordEmbedding(sizes.words, config.word_embedding, sizes.vectors, tuned=tuned),
            CharacterCNN(
                sizes.characters, config.character_embedding, config.character_filters, config.character_width
            ),
            (sizes.spacings, config.spacing_embedding),
            (sizes.lists, sizes.clusters, config.cluster_embedding) if config.lexicon else None,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = BiLSTM(self.tokens.width, config.word_hidden, config.layers, config.dropout)
        self.sensitivity = SensitivityBranch(self.encoder.width, config) if config.joint else None
        self.context = ContextConvolution(self.encoder.width, config.context_filters, config.context_width)
        joined = config.context_filters + (config.sensitivity_hidden if config.joint else 0)
        self.emission = nn.Linear(joined, sizes.tags)
        self.crf = LinearChainCRF(sizes.tags, sizes.allowed)

    def outputs(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """`emissions` (B, T, K) and, with the joint branch, `sensitivity` (B, T) as logits."""
        seen = self.encoder(self.dropout(self.tokens(inputs)), inputs["lengths"])  # (B, T, 2H), zero on padding
        types = self.context(seen)
        if self.sensitivity is None:
            return {"emissions": self.emission(self.dropout(types))}
        hidden, logits = self.sensitivity(seen)
        joined = torch.cat([types, hidden], dim=2)
        return {"emissions": self.emission(self.dropout(joined)), "sensitivity": logits}

    def loss(self, outputs: Mapping[str, Tensor], tags: Tensor, mask: Tensor) -> Tensor:
        """J = Js + Jt (equations 10 to 12), the mean over sequences. Tag 0 is `O`, every other is sensitive."""
        types = -self.crf.log_likelihood(outputs["emissions"], tags, mask).mean()
        if "sensitivity" not in outputs:
            return types
        sensitive = (tags > 0).to(outputs["sensitivity"].dtype)
        entropy = nn.functional.binary_cross_entropy_with_logits(outputs["sensitivity"], sensitive, reduction="none")
        return types + (entropy * mask).sum(dim=1).mean()
