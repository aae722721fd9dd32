"""The settings of the exhaustive model: section 4.1 of paper 003, and how text is read and learned from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nadie.detectors.exhaustive.variants import Boundary, Context, Inside, Variant, variants_named
from nadie.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class ExhaustiveConfig:
    """The paper's sizes as defaults; what it leaves open is told here.

    Which spans: `boundary`, `inside` and `context` are the three switches of one variant; `variants` names several
    (or one of the submitted runs), which then vote. `sizes` is the size of the longest span in tokens; 0 takes the
    smallest that covers `coverage` of the training entities. `nested` lets an entity stand within another. `bias` is
    added to the log-odds of every span being an entity.

    Words: `vectors` is a folder written by `nadie vectors train`; without it, vectors of `word_embedding` numbers are
    trained on the training notes. At most `most_words` of them are kept. They are not tuned, so that all variants
    share one table. `lexicon` adds the package's word lists and Brown clusters, which the paper did not have.

    Reading: `window` tokens at once, `margin` of them on either side only looked at. Deviation: the paper reads single
    sentences, but a line of a note says little without the lines around it, and 0.4 % of the entities run over a
    sentence break.

    Learning: `start` is the work folder of an earlier training, with whose vocabulary and weights this one begins. Of
    the spans that touch no entity, a random share `negatives` enters the loss, with the weight that keeps
    its expectation. Windows with an entity of a rare type (fewer than `rare_limit` in the training notes) are seen
    `rare_repeats` more times in every epoch. An epoch has each note and `copies_at_once` of its `copies`.
    `word_dropout`, `variety`, `kept_share` and `kept_of_copies` are those of the neural taggers. Deviation: batches of
    `batch_tokens` tokens rather than of 10 sentences, and a falling learning rate, for speed. Confidence is calibrated
    on the dev notes; without any, as the two settings say.
    """

    boundary: Boundary = "base"
    inside: Inside = "attention"
    context: Context = "none"
    variants: str = ""
    sizes: int = 0
    coverage: float = 0.998
    nested: bool = False
    bias: float = 0.0

    word_embedding: int = 200
    character_embedding: int = 25
    character_hidden: int = 25
    word_hidden: int = 200
    span_hidden: int = 200
    spacing_embedding: int = 8
    lexicon: bool = True
    cluster_embedding: int = 16
    vectors: str = ""
    most_words: int = 12_000
    window: int = 160
    margin: int = 24

    dropout: float = 0.4
    word_dropout: float = 0.25
    variety: float = 0.15
    copies: int = 3
    copies_at_once: int = 1
    kept_share: float = 0.6
    kept_of_copies: float = 0.25
    negatives: float = 0.25
    rare_limit: int = 100
    rare_repeats: int = 0
    batch_tokens: int = 1280
    train_window: int = 96
    epochs: int = 12
    learning_rate: float = 0.002
    clip: float = 5.0
    start: str = ""
    schedule: Literal["constant", "linear", "cosine"] = "linear"
    warmup: int = 50
    patience: int = 0
    precision: Literal["float32", "bfloat16"] = "bfloat16"
    storage: Literal["float32", "float16", "int8"] = "int8"
    calibration_slope: float = 1.0
    calibration_offset: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 < self.negatives <= 1.0:
            raise ConfigError("setting 'negatives' must be above 0 and at most 1")
        if not 0.0 < self.coverage <= 1.0:
            raise ConfigError("setting 'coverage' must be above 0 and at most 1")
        if self.sizes < 0 or self.rare_repeats < 0:
            raise ConfigError("settings 'sizes' and 'rare_repeats' must not be negative")
        self.chosen()

    def chosen(self) -> list[Variant]:
        """The variants to train: those named, or the one that the switches say."""
        return variants_named(self.variants) or [Variant(self.boundary, self.inside, self.context)]
