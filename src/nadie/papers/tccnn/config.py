"""The config of TCCNN: the hyperparameters of the paper (section 3), those it leaves open, and its future work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from nadie.config import LOCAL
from nadie.errors import ConfigError
from nadie.neural.config import Optimisation

ClassWeights = Literal["inverse", "root", "none"]
Resolution = Literal["left_most_longest", "surest"]


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise ConfigError(f"setting {name!r} must be at least {least}")


@dataclass(frozen=True, kw_only=True)
class TCCNNArchitecture:
    """The paper's three word channels; `tags` and `characters` add three each, as proposed in its future work."""

    words: int = 15  # length of each channel
    embedding: int = 100
    filters: int = 32
    kernel: int = 2
    pool: int = 2
    dense: int = 200
    dropout: float = 0.005
    tune_vectors: bool = True
    tags: bool = False
    tag_embedding: int = 16
    characters: bool = False
    character_embedding: int = 24
    character_filters: int = 48
    character_kernel: int = 4
    character_pool: int = 4

    def __post_init__(self) -> None:
        _at_least("words", self.words, self.kernel + self.pool)


@dataclass(frozen=True, kw_only=True)
class CandidateSampling:
    """The candidates and their weights in each epoch. `class_weights`: n/n_i as in the paper (inverse), its square
    root, or none.
    """

    batch: int = 156
    l2: float = 0.001
    class_weights: ClassWeights = "inverse"
    refused: float = 1.0  # share of the non-entity candidates in each epoch, weighted to compensate
    word_dropout: float = 0.0  # a word seen n times is replaced by its shape with probability d / (d + n)
    copies: int = 0  # augmented copies of each training note

    def __post_init__(self) -> None:
        _at_least("batch", self.batch, 1)
        if not 0.0 < self.refused <= 1.0:
            raise ConfigError("setting 'refused' must be above 0 and at most 1")


@dataclass(frozen=True, kw_only=True)
class TCCNNConfig:
    """The config of TCCNN. docs/systems/tccnn.md measures the effect of each option on the development set, and lists
    the config of the shipped model.

    `resolution`: of overlapping candidates the left-most longest is kept, as in the paper, or the one with the highest
    probability.
    """

    architecture: TCCNNArchitecture = TCCNNArchitecture()
    sampling: CandidateSampling = CandidateSampling()
    optimisation: Optimisation = field(
        default=Optimisation(epochs=15, schedule="constant", warmup=0, patience=0, precision="float32")
    )
    texts: str = field(default="", metadata=LOCAL)  # folders of additional notes for the word vectors
    rarest: int = 3  # a word with fewer occurrences is replaced by its shape
    final_filter: bool = True
    resolution: Resolution = "left_most_longest"

    def __post_init__(self) -> None:
        _at_least("epochs", self.optimisation.epochs, 1)
        _at_least("rarest", self.rarest, 1)
