"""The network of E2EJ as an ONNX file."""

from __future__ import annotations

from nadie.detectors.e2ej.network import E2EJNetwork
from nadie.training.onnx_graph import Graph, Storage
from nadie.training.onnx_layers import bilstm, context_convolution, linear, token_representation


def export(network: E2EJNetwork, storage: Storage) -> bytes:
    graph = Graph(storage)
    seen = bilstm(graph, network.encoder, token_representation(graph, network.tokens))
    types = context_convolution(graph, network.context, seen)
    branch = network.sensitivity
    if branch is not None:
        hidden = graph.node("Tanh", [linear(graph, branch.hidden, context_convolution(graph, branch.context, seen))])
        logits = graph.node("Squeeze", [linear(graph, branch.output, hidden), graph.integers(2)])
        graph.output(logits, "sensitivity", ["rows", "tokens"])
        types = graph.node("Concat", [types, hidden], axis=2)
    emissions = linear(graph, network.emission, types)
    graph.output(emissions, "emissions", ["rows", "tokens", network.crf.tags])
    return graph.to_bytes("e2ej")
