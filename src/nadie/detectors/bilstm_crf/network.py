"""The network of paper 001, in torch."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from nadie.detectors.bilstm_crf.config import BiLSTMCRFConfig
from nadie.nn.characters import CharacterBiLSTM
from nadie.nn.crf import LinearChainCRF
from nadie.nn.embedding import WordEmbedding
from nadie.nn.recurrent import BiLSTM
from nadie.nn.words import TokenRepresentation
from nadie.training.assembly import Sizes


class BiLSTMCRFNetwork(nn.Module):
    """[word embedding; character BiLSTM; spacing] → dropout → BiLSTM → dropout → CRF (section 3)."""

    def __init__(self, config: BiLSTMCRFConfig, sizes: Sizes) -> None:
        super().__init__()
        tuned = config.tune_vectors or sizes.vectors is None
        self.tokens = TokenRepresentation(
            WordEmbedding(sizes.words, config.word_embedding, sizes.vectors, tuned=tuned),
            CharacterBiLSTM(sizes.characters, config.character_embedding, config.character_hidden),
            (sizes.spacings, config.spacing_embedding),
            (sizes.lists, sizes.clusters, config.cluster_embedding) if config.lexicon else None,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = BiLSTM(self.tokens.width, config.word_hidden)
        self.emission = nn.Linear(self.encoder.width, sizes.tags)
        self.crf = LinearChainCRF(sizes.tags, sizes.allowed)

    def outputs(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """`emissions` (B, T, K)."""
        seen = self.encoder(self.dropout(self.tokens(inputs)), inputs["lengths"])
        return {"emissions": self.emission(self.dropout(seen))}

    def loss(self, outputs: Mapping[str, Tensor], tags: Tensor, mask: Tensor) -> Tensor:
        """The mean negative log-likelihood of the sequences."""
        return -self.crf.log_likelihood(outputs["emissions"], tags, mask).mean()
