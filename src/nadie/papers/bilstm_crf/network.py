"""The network of Suárez-Paniagua (2019), in torch and in ONNX."""

from __future__ import annotations

from collections.abc import Mapping

from torch import Tensor, nn

from nadie.nn.crf import LinearChainCRF
from nadie.nn.recurrent import BiLSTM
from nadie.nn.words import CharacterBiLSTM
from nadie.papers.bilstm_crf.model import BiLSTMCRFConfig
from nadie.training.fitting import TaggerSizes, token_layer
from nadie.training.onnx_graph import Graph
from nadie.training.onnx_layers import bilstm, linear, token_representation


class BiLSTMCRFNetwork(nn.Module):
    """[word embedding; character BiLSTM; spacing] → dropout → BiLSTM → dropout → CRF (section 3)."""

    def __init__(self, config: BiLSTMCRFConfig, sizes: TaggerSizes) -> None:
        super().__init__()
        own = config.architecture
        characters = CharacterBiLSTM(sizes.vocabulary.character_count, own.character_embedding, own.character_hidden)
        self.tokens = token_layer(config.words, sizes, characters, tuned=own.tune_vectors)
        self.dropout = nn.Dropout(own.dropout)
        self.encoder = BiLSTM(self.tokens.width, own.word_hidden)
        self.emission = nn.Linear(self.encoder.width, len(sizes.tags))
        self.crf = LinearChainCRF(len(sizes.tags), sizes.allowed())

    def outputs(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """`emissions` (B, T, K)."""
        seen = self.encoder(self.dropout(self.tokens(inputs)), inputs["lengths"])
        return {"emissions": self.emission(self.dropout(seen))}

    def loss(self, outputs: Mapping[str, Tensor], tags: Tensor, mask: Tensor) -> Tensor:
        """The mean negative log-likelihood of the sequences."""
        return -self.crf.log_likelihood(outputs["emissions"], tags, mask).mean()

    def to_graph(self, graph: Graph) -> None:
        """Write `outputs` into an ONNX graph."""
        seen = bilstm(graph, self.encoder, token_representation(graph, self.tokens))
        graph.output(linear(graph, self.emission, seen), "emissions", ["rows", "tokens", self.crf.tags])
