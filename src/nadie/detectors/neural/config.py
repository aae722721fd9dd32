"""Settings that every neural tagger has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nadie.tokens.codec import Scheme


@dataclass(frozen=True, kw_only=True)
class TaggerConfig:
    """How text is read and how the network is trained; each system adds its layers.

    `window` tokens are read at once, `context` of them on either side only looked at. `vectors` is a folder written by
    `nadie vectors train`, or empty for vectors that start at random; at most `most_words` of them are kept.
    `start` is the work folder of an earlier training, whose weights and vocabulary this one begins with.
    `lexicon` adds the word lists and Brown clusters of the package to what is known of a word. `word_dropout` a hides
    a word seen n times with probability a / (a + n) (Kiperwasser and Goldberg 2016). `variety` is the share of
    training windows shown in capitals, in lower case, without accents, or on one line. `copies` varied copies are made
    of every note, of which each epoch sees `copies_at_once` beside the note itself; of windows without any entity each
    epoch sees a random `kept_share`, and `kept_of_copies` where they belong to a copy.
    """

    scheme: Scheme = "BIOES"
    window: int = 320
    context: int = 24
    word_embedding: int = 300
    vectors: str = ""
    start: str = ""
    tune_vectors: bool = True
    most_words: int = 16_000
    word_dropout: float = 0.25
    variety: float = 0.15
    copies: int = 3
    copies_at_once: int = 1
    kept_share: float = 0.6
    kept_of_copies: float = 0.25
    dropout: float = 0.5
    spacing_embedding: int = 8
    lexicon: bool = True
    cluster_embedding: int = 16
    batch_tokens: int = 1280
    train_window: int = 96
    epochs: int = 25
    learning_rate: float = 0.001
    clip: float = 5.0
    schedule: Literal["constant", "linear", "cosine"] = "linear"
    warmup: int = 50
    patience: int = 8
    precision: Literal["float32", "bfloat16"] = "bfloat16"
    storage: Literal["float32", "float16", "int8"] = "int8"
    calibration_slope: float = 1.0
    calibration_offset: float = 0.0
