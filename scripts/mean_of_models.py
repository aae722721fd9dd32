"""Write a convnet model whose weights are the mean of those of others, which continue the same model.

    python scripts/mean_of_models.py OUT MODEL MODEL...

Words, lists, tags and options are those of the last model, whose card is copied. All need the same sizes and tags.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch import Tensor

from nadie.detectors.convnet.export import to_onnx
from nadie.detectors.convnet.model import TAGS, ConvNet
from nadie.detectors.convnet.network import ConvNetwork
from nadie.detectors.convnet.starting import StartModel
from nadie.detectors.convnet.tables import write_tables
from nadie.neural.model import NETWORK, TRAINED
from nadie.storage import find_model, read_model


def network_of(name: str, start: StartModel) -> ConvNetwork:
    """The network of a model in torch, with its weights."""
    architecture = ConvNet.load(read_model(find_model(name))).config.architecture
    network = ConvNetwork(architecture, start.vectors, len(start.vocabulary.lists), len(start.tags))
    start.give(network, start.tags)
    return network


def mean_weights(networks: list[ConvNetwork]) -> dict[str, Tensor]:
    states = [network.state_dict() for network in networks]
    return {name: torch.stack([state[name] for state in states]).mean(dim=0) for name in states[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("models", nargs="+")
    given = parser.parse_args()
    starts = {name: StartModel.read(name) for name in given.models}
    known = {name: start for name, start in starts.items() if start is not None}
    if len(known) != len(given.models):
        raise SystemExit("each must be the name or the folder of another model")
    networks = [network_of(name, start) for name, start in known.items()]
    last, start = networks[-1], known[given.models[-1]]
    last.load_state_dict(mean_weights(networks))
    folder = read_model(find_model(given.models[-1]))
    files = {
        NETWORK: to_onnx(last.context),
        TAGS: json.dumps(start.tags).encode(),
        TRAINED: start.results,
        **write_tables(start.vocabulary, last.forms.tables(last.context.entry)),
    }
    ConvNet(ConvNet.load(folder).config, files, given.out.name).save(given.out, folder.card)


if __name__ == "__main__":
    main()
