"""The network of Jabreel et al. (2019), in torch and in ONNX."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from nadie.nn.convolution import ContextConvolution
from nadie.nn.crf import LinearChainCRF
from nadie.nn.recurrent import BiLSTM
from nadie.nn.words import CharacterCNN
from nadie.papers.e2ej.model import E2EJArchitecture, E2EJConfig
from nadie.training.fitting import TaggerSizes, token_layer
from nadie.training.onnx_graph import Graph
from nadie.training.onnx_layers import bilstm, context_convolution, linear, token_representation


class SensitivityBranch(nn.Module):
    """Conv1D and a perceptron with one hidden layer (section 2.3, equations 7 to 9).

    inputs (B, T, width) → the hidden layer (B, T, hidden), and the logit of "this token is sensitive" (B, T).
    """

    def __init__(self, width: int, own: E2EJArchitecture) -> None:
        super().__init__()
        self.context = ContextConvolution(width, own.context_filters, own.context_width)
        self.hidden = nn.Linear(own.context_filters, own.sensitivity_hidden)
        nn.init.xavier_uniform_(self.hidden.weight, gain=5 / 3)
        self.output = nn.Linear(own.sensitivity_hidden, 1)
        self.dropout = nn.Dropout(own.dropout)

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        hidden = self.hidden(self.dropout(self.context(inputs))).tanh()
        return hidden, self.output(hidden).squeeze(2)


class E2EJNetwork(nn.Module):
    """[frozen word vectors; character CNN; spacing] → two BiLSTM layers → sensitivity → types (figure 1)."""

    def __init__(self, config: E2EJConfig, sizes: TaggerSizes) -> None:
        super().__init__()
        own = config.architecture
        characters = CharacterCNN(
            sizes.vocabulary.character_count,
            own.character_embedding,
            own.character_filters,
            own.character_width,
            narrow=own.narrow,
        )
        self.tokens = token_layer(config.words, sizes, characters, tuned=own.tune_vectors)
        self.dropout = nn.Dropout(own.dropout)
        self.encoder = BiLSTM(self.tokens.width, own.word_hidden, own.layers, own.dropout)
        self.sensitivity = SensitivityBranch(self.encoder.width, own) if own.joint else None
        self.context = ContextConvolution(self.encoder.width, own.context_filters, own.context_width)
        joined = own.context_filters + (own.sensitivity_hidden if own.joint else 0)
        self.emission = nn.Linear(joined, len(sizes.tags))
        self.crf = LinearChainCRF(len(sizes.tags), sizes.allowed())

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
        """J = Js + Jt (equations 10 to 12), the mean over sequences. Tag 0 is `O`; all other tags are sensitive."""
        types = -self.crf.log_likelihood(outputs["emissions"], tags, mask).mean()
        if "sensitivity" not in outputs:
            return types
        sensitive = (tags > 0).to(outputs["sensitivity"].dtype)
        entropy = nn.functional.binary_cross_entropy_with_logits(outputs["sensitivity"], sensitive, reduction="none")
        return types + (entropy * mask).sum(dim=1).mean()

    def to_graph(self, graph: Graph) -> None:
        """Write `outputs` into an ONNX graph."""
        seen = bilstm(graph, self.encoder, token_representation(graph, self.tokens))
        types = context_convolution(graph, self.context, seen)
        branch = self.sensitivity
        if branch is not None:
            near = context_convolution(graph, branch.context, seen)
            hidden = graph.node("Tanh", [linear(graph, branch.hidden, near)])
            logits = graph.node("Squeeze", [linear(graph, branch.output, hidden), graph.integers(2)])
            graph.output(logits, "sensitivity", ["rows", "tokens"])
            types = graph.node("Concat", [types, hidden], axis=2)
        graph.output(linear(graph, self.emission, types), "emissions", ["rows", "tokens", self.crf.tags])
