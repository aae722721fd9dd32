"""Beginning with what an earlier training has learned: other variants, or more notes, in far fewer epochs."""

from __future__ import annotations

from pathlib import Path

from nadie.detectors.exhaustive.folder import VOCABULARY
from nadie.detectors.exhaustive.network import ExhaustiveNetwork
from nadie.detectors.exhaustive.variants import VARIANTS, Variant
from nadie.detectors.neural.vocabulary import Vocabulary
from nadie.errors import ConfigError
from nadie.training.checkpoint import best_weights

_SHARED = ("tokens.", "encoder.")


def start_vocabulary(start: Path) -> Vocabulary:
    """The vocabulary of the training in the work folder `start`: its numbers are what the weights were learned for."""
    path = start / VOCABULARY
    if not path.is_file():
        raise ConfigError(f"{start} holds no training to start from")
    return Vocabulary.from_json(path.read_bytes())


def begin_with(network: ExhaustiveNetwork, variant: Variant, start: Path) -> None:
    """Give the network the weights that its variant had in the work folder `start`.

    A variant that was not trained there takes the layers below the spans from the first that was.
    """
    there = [name for name in VARIANTS if (start / name).is_dir()]
    if not there:
        raise ConfigError(f"{start} holds no training to start from")
    own = variant.name in there
    weights = best_weights(start / (variant.name if own else there[0]))
    taken = {name: value for name, value in weights.items() if own or name.startswith(_SHARED)}
    try:
        network.load_state_dict(network.state_dict() | taken)
    except RuntimeError as error:
        raise ConfigError(f"{start} holds a training of another network: its weights do not fit") from error
