"""The settings of TCCNN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nadie.errors import ConfigError

ClassWeights = Literal["inverse", "root", "none"]
Resolution = Literal["left_most_longest", "surest"]


@dataclass(frozen=True, kw_only=True)
class TCCNNConfig:
    """The hyperparameters that the paper prints, then what it leaves open, then its future work.

    `class_weights`: n/n_i as in the paper (inverse), its square root, or none. `resolution`: of candidates that overlap
    the left-most longest stays, as in the paper, or the one of which the network is surest. docs/systems/tccnn.md has
    what each is worth on the development set, and which settings the shipped model has.
    """

    # The paper's, section 3.
    words: int = 15  # of each channel
    embedding: int = 100
    filters: int = 32
    kernel: int = 2
    pool: int = 2
    dense: int = 200
    l2: float = 0.001
    dropout: float = 0.005
    learning_rate: float = 0.001
    batch: int = 156
    class_weights: ClassWeights = "inverse"
    final_filter: bool = True
    resolution: Resolution = "left_most_longest"

    # Not printed there.
    epochs: int = 15
    schedule: Literal["constant", "linear", "cosine"] = "constant"
    texts: str = ""  # folders of notes for the word vectors besides the training notes, separated by commas
    rarest: int = 3  # occurrences of a word that has a vector of its own; a rarer one is known by its shape
    tune_vectors: bool = True
    word_dropout: float = 0.0  # a word seen n times is known by its shape alone with chance d / (d + n)
    refused: float = 1.0  # share of the candidates without an entity in each epoch; each then counts for all its kind
    copies: int = 0  # varied copies of each training note to learn from as well

    # Its future work.
    tags: bool = False  # three channels of parts of speech
    tag_embedding: int = 16
    characters: bool = False  # three channels of characters
    character_embedding: int = 24
    character_filters: int = 48
    character_kernel: int = 4
    character_pool: int = 4

    def __post_init__(self) -> None:
        if self.class_weights not in ("inverse", "root", "none"):
            raise ConfigError("class_weights must be inverse, root or none")
        if self.resolution not in ("left_most_longest", "surest"):
            raise ConfigError("resolution must be left_most_longest or surest")
        smallest = {"words": self.kernel + self.pool, "batch": 1, "epochs": 1, "rarest": 1}
        for name, least in smallest.items():
            if getattr(self, name) < least:
                raise ConfigError(f"setting {name!r} must be at least {least}")
        if not 0.0 < self.refused <= 1.0:
            raise ConfigError("setting 'refused' must lie above 0 and not above 1")
