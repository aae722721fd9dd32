"""The initial weights of a training: those of another training, or of a trained model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import torch
from torch import Tensor

from nadie.detectors.convnet.export import weights_of
from nadie.detectors.convnet.forms import FormVocabulary
from nadie.detectors.convnet.model import ConvNet
from nadie.detectors.convnet.network import ConvNetwork
from nadie.detectors.convnet.tables import FormTables, read_tables
from nadie.errors import ConfigError
from nadie.neural.model import NETWORK, TRAINED, read_files
from nadie.storage import find_model, read_model
from nadie.training.checkpoint import best_weights

_AUXILIARY = "auxiliary."


@dataclass(frozen=True)
class StartModel:
    """A trained model that a training continues: its words and lists, their tables, its tags, its network, and the
    calibration of its scores.
    """

    vocabulary: FormVocabulary
    tables: FormTables
    tags: tuple[str, ...]
    network: bytes
    results: bytes

    @classmethod
    def read(cls, name: str) -> Self | None:
        """The model of that name or in that folder; None if it is the work folder of a training."""
        if not name or not (path := find_model(name)).joinpath("config.json").is_file():
            return None
        folder = read_model(path)
        if folder.system != ConvNet.system:
            raise ConfigError(f"{name} is a model of {folder.system}, not of {ConvNet.system}")
        model = ConvNet.load(folder)
        files = read_files(folder, ConvNet.required, ())
        return cls(*read_tables(files), model.tags, files[NETWORK], files[TRAINED])

    @property
    def vectors(self) -> Tensor:
        return torch.from_numpy(self.tables.words.astype("float32") * self.tables.word_scale)

    def give(self, network: ConvNetwork, tags: tuple[str, ...]) -> None:
        """Set the weights of the network; layers and tags that the model does not have keep their initial weights."""
        try:
            self._give(network, tags)
        except RuntimeError as error:
            raise ConfigError("the model to start from has other sizes than this training") from error

    def _give(self, network: ConvNetwork, tags: tuple[str, ...]) -> None:
        known = weights_of(self.network, network.context, len(self.tags))
        own = network.context.state_dict()
        same = [(i, self.tags.index(tag)) for i, tag in enumerate(tags) if tag in self.tags]
        for name in ("exit.weight", "exit.bias"):
            own[name][[new for new, _ in same]] = known.pop(name)[[old for _, old in same]]
        known["entry.weight"] = torch.from_numpy(self.tables.entry.T.copy())
        known["entry.bias"] = torch.from_numpy(self.tables.entry_bias)
        network.context.load_state_dict({**own, **known})
        ngrams = self.tables.ngrams.astype("float32") * self.tables.ngram_scale
        for layer, rows in (("ngrams", ngrams), ("shapes", self.tables.shapes), ("lists", self.tables.lists)):
            getattr(network.forms, layer).weight.data.copy_(torch.from_numpy(rows))


def begin_with(network: ConvNetwork, work: Path) -> None:
    """Copy the weights of another training; its auxiliary tasks may differ."""
    shapes = {name: value.shape for name, value in network.state_dict().items()}
    known = {name: value for name, value in best_weights(work).items() if not name.startswith(_AUXILIARY)}
    if {name: value.shape for name, value in known.items()} != {
        name: shape for name, shape in shapes.items() if not name.startswith(_AUXILIARY)
    }:
        raise ConfigError(f"{work} has a training of another network: words, labels or sizes differ")
    network.load_state_dict(known, strict=False)
