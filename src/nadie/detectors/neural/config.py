"""The parts that the configs of the neural systems are composed of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from nadie.detectors.config import LOCAL
from nadie.tokens.codec import Scheme

Schedule = Literal["constant", "linear", "cosine"]
Storage = Literal["float32", "float16", "int8"]


@dataclass(frozen=True)
class WindowSizes:
    """How a text is cut: `window` tokens are read at once, `margin` of them on either side only looked at; training
    reads `train_window` tokens at once."""

    window: int = 320
    margin: int = 24
    train_window: int = 96


@dataclass(frozen=True, kw_only=True)
class WordFeatures:
    """What is known of a word.

    `vectors` is a folder written by `nadie vectors train`, of which at most `most_words` words are kept; without it,
    vectors of `word_embedding` numbers are learned from the training notes. `lexicon` adds the word lists and Brown
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
    """What training sees besides the notes as they are."""

    word_dropout: float = 0.25
    """a: a word seen n times is hidden with probability a / (a + n) (Kiperwasser and Goldberg 2016)."""
    variety: float = 0.15
    """The share of windows shown in capitals, in lower case, without accents, or on one line."""
    copies: int = 3
    """How many varied copies are made of every note."""
    copies_at_once: int = 1
    """How many of the copies each epoch sees beside the note itself."""
    kept_share: float = 0.6
    """The share of the windows without any entity that each epoch sees, drawn at random."""
    kept_of_copies: float = 0.25
    """The same for windows of copies."""


@dataclass(frozen=True, kw_only=True)
class Optimisation:
    """How weights are learned."""

    epochs: int = 25
    learning_rate: float = 0.001
    clip: float = 5.0
    """The largest norm of the gradient."""
    schedule: Schedule = "linear"
    warmup: int = 50
    """Steps in which the learning rate rises."""
    patience: int = 8
    """Training stops after so many epochs without a better dev F1; 0 never stops early."""
    precision: Literal["float32", "bfloat16"] = "bfloat16"


@dataclass(frozen=True, kw_only=True)
class TaggerConfig:
    """What every neural tagger stores; each system adds its architecture.

    `start` is the work folder of an earlier training, whose weights and vocabulary this one begins with.
    """

    scheme: Scheme = "BIOES"
    reading: WindowSizes = WindowSizes()
    words: WordFeatures = WordFeatures()
    augmentation: Augmentation = Augmentation()
    optimisation: Optimisation = Optimisation()
    batch_tokens: int = 1280
    start: str = field(default="", metadata=LOCAL)
    storage: Storage = "int8"
