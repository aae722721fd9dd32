"""The config of TCCNN: the hyperparameters of the paper (section 3), those it leaves open, and its future work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from nadie.config import setting
from nadie.errors import ConfigError
from nadie.neural.config import Optimisation

ClassWeights = Literal["inverse", "root", "none"]
Resolution = Literal["left_most_longest", "surest"]
Unknown = Literal["shape", "zero"]
CandidateRules = Literal["relaxed", "literal"]
TrainingFilter = Literal["out_of_fold", "same"]


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise ConfigError(f"setting {name!r} must be at least {least}")


@dataclass(frozen=True, kw_only=True)
class TCCNNArchitecture:
    """The paper's three word channels; `tags` and `characters` add three each, as proposed in its future work."""

    words: int = setting(15, "words of a channel")
    embedding: int = setting(100, "dimensions of a word vector")
    filters: int = setting(32, "filters of a channel")
    kernel: int = setting(2, "words that a filter covers")
    pool: int = setting(2, "outputs of a filter that are pooled")
    dense: int = setting(200, "units of the dense layer")
    dropout: float = setting(0.005, "dropout of the filters' outputs")
    tune_vectors: bool = setting(True, "train the word vectors further")
    shared_table: bool = setting(True, "one table of word vectors for the three channels")
    tags: bool = setting(False, "three more channels of parts of speech")
    tag_embedding: int = setting(16, "dimensions of a part of speech")
    characters: bool = setting(False, "three more channels of characters")
    character_embedding: int = setting(24, "dimensions of a character")
    character_filters: int = setting(48, "filters of a channel of characters")
    character_kernel: int = setting(4, "characters that a filter covers")
    character_pool: int = setting(4, "outputs of a filter over characters that are pooled")

    def __post_init__(self) -> None:
        _at_least("words", self.words, self.kernel + self.pool)


@dataclass(frozen=True, kw_only=True)
class CandidateSampling:
    """The candidates and their weights in each epoch."""

    batch: int = setting(156, "candidates of a batch")
    l2: float = setting(0.001, "L2 regularisation of the dense layer")
    class_weights: ClassWeights = setting("inverse", "inverse: n/n_i, root: its square root, or none")
    refused: float = setting(1.0, "share of the non-entity candidates in each epoch, weighted to compensate")
    word_dropout: float = setting(0.0, "a word seen n times is replaced by its shape with probability d / (d + n)")
    copies: int = setting(0, "augmented copies of each training note")

    def __post_init__(self) -> None:
        _at_least("batch", self.batch, 1)
        if not 0.0 < self.refused <= 1.0:
            raise ConfigError("setting 'refused' must be above 0 and at most 1")


@dataclass(frozen=True, kw_only=True)
class TCCNNConfig:
    """The config of TCCNN. docs/en/understand/systems/tccnn.md measures the effect of the final filter, the resolution
    of overlaps, the class weights and the additional channels on the development set, and lists the config of the
    shipped model.

    `final_filter` and `resolution` can be changed after training: they are not part of the network.
    """

    architecture: TCCNNArchitecture = TCCNNArchitecture()
    sampling: CandidateSampling = CandidateSampling()
    optimisation: Optimisation = field(
        default=Optimisation(epochs=15, schedule="constant", warmup=0, patience=0, precision="float32")
    )
    texts: str = setting("", "folders of additional notes for the word vectors", local=True)
    vectors: str = setting("", "a folder written by `nadie vectors`; empty: vectors are trained", local=True)
    rarest: int = setting(3, "a word with fewer occurrences is unknown")
    unknown: Unknown = setting("shape", "the vector of an unknown word: of its shape, or zero")
    candidates: CandidateRules = setting("relaxed", "the candidate filter: literal as in the paper, or relaxed by data")
    training_filter: TrainingFilter = setting(
        "out_of_fold", "the filter of training candidates: the same as for new notes, or learned from other notes"
    )
    final_filter: bool = setting(True, "drop spans whose text is impossible for their label")
    resolution: Resolution = setting("left_most_longest", "which overlapping candidate is kept: this, or the surest")

    def __post_init__(self) -> None:
        _at_least("epochs", self.optimisation.epochs, 1)
        _at_least("rarest", self.rarest, 1)
