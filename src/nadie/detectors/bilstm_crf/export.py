"""The network of BiLSTM-CRF as an ONNX file."""

from __future__ import annotations

from nadie.detectors.bilstm_crf.network import BiLSTMCRFNetwork
from nadie.training.onnx_graph import Graph, Storage
from nadie.training.onnx_layers import bilstm, linear, token_representation


def export(network: BiLSTMCRFNetwork, storage: Storage) -> bytes:
    graph = Graph(storage)
    seen = bilstm(graph, network.encoder, token_representation(graph, network.tokens))
    emissions = linear(graph, network.emission, seen)
    graph.output(emissions, "emissions", ["rows", "tokens", network.crf.tags])
    return graph.to_bytes("bilstm_crf")
