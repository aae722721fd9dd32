"""The groups of options that the configs of the neural systems are composed of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from nadie.config import LOCAL
from nadie.tokens.codec import Scheme

Schedule = Literal["constant", "linear", "cosine"]
Storage = Literal["float32", "float16", "int8"]


@dataclass(frozen=True)
class WindowSizes:
    """How a text is split: `window` tokens are read at once, of which `margin` on either side only serve as context;
    training reads `train_window` tokens at once.
    """

    window: int = 320
    margin: int = 24
    train_window: int = 96


@dataclass(frozen=True, kw_only=True)
class WordFeatures:
    """The features of a word.

    `vectors` is a folder written by `nadie vectors train`, of which at most `most_words` words are kept; without it,
    vectors of `word_embedding` dimensions are learned from the training notes. `lexicon` adds the word lists and Brown
    clusters of the package.
    """

    word_embedding: int = 300
    vectors: str = field(default="", metadata=LOCAL)
    most_words: int = 16_000
    spacing_embedding: int = 8
    lexicon: bool = True
    cluster_embedding: int = 16


@dataclass(frozen=True, kw_only=True)
class BiLSTMSizes:
    """The sizes of a character BiLSTM and of the word BiLSTM above it."""

    character_embedding: int = 25
    character_hidden: int = 25
    """Of the character BiLSTM, in each direction."""
    word_hidden: int = 256
    """Of the word BiLSTM, in each direction."""
    dropout: float = 0.5


@dataclass(frozen=True, kw_only=True)
class Augmentation:
    """The training data besides the original notes."""

    word_dropout: float = 0.25
    """a: a word seen n times is hidden with probability a / (a + n) (Kiperwasser and Goldberg 2016)."""
    variety: float = 0.15
    """The share of windows converted to capitals, to lower case, to text without accents, or to one line."""
    copies: int = 3
    """The number of augmented copies of every note."""
    copies_at_once: int = 1
    """The number of copies of each note that an epoch uses, in addition to the note itself."""
    kept_share: float = 0.6
    """The share of the windows without any entity that each epoch uses, drawn at random."""
    kept_of_copies: float = 0.25
    """The same share for windows of copies."""


@dataclass(frozen=True, kw_only=True)
class Optimisation:
    """The options of the optimizer."""

    epochs: int = 25
    learning_rate: float = 0.001
    clip: float = 5.0
    """The maximum norm of the gradient."""
    schedule: Schedule = "linear"
    warmup: int = 50
    """The number of steps in which the learning rate rises."""
    patience: int = 8
    """The number of epochs without a better dev F1 after which training stops; 0 never stops early."""
    precision: Literal["float32", "bfloat16"] = "bfloat16"


@dataclass(frozen=True, kw_only=True)
class TaggerConfig:
    """The config shared by all neural taggers; each system adds its architecture.

    `start` is the work folder of an earlier training, whose weights and vocabulary are the initial ones.
    """

    scheme: Scheme = "BIOES"
    reading: WindowSizes = WindowSizes()
    words: WordFeatures = WordFeatures()
    augmentation: Augmentation = Augmentation()
    optimisation: Optimisation = Optimisation()
    batch_tokens: int = 1280
    start: str = field(default="", metadata=LOCAL)
    storage: Storage = "int8"
