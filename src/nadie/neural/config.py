"""The groups of options that the configs of the neural systems are composed of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from nadie.config import setting
from nadie.tokens.codec import Scheme

Schedule = Literal["constant", "linear", "cosine"]
Storage = Literal["float32", "float16", "int8"]
Unit = Literal["window", "sentence", "line"]
TokenSource = Literal["nadie", "spacy"]


@dataclass(frozen=True)
class WindowSizes:
    """How a text is split into tokens, and into the sequences that a network reads."""

    window: int = setting(320, "tokens that are read at once")
    margin: int = setting(24, "tokens of a window, on either side, that only serve as context")
    train_window: int = setting(96, "tokens of a training window")
    unit: Unit = setting("window", "what is one sequence, in training and inference: window, sentence or line")
    tokens: TokenSource = setting("nadie", "the tokenizer and sentence splitter: nadie's, or spaCy's for Spanish")


@dataclass(frozen=True, kw_only=True)
class WordFeatures:
    """The features of a word. Without `vectors`, vectors are learned from the training notes."""

    word_embedding: int = setting(300, "dimensions of a word vector")
    vectors: str = setting("", "a folder written by `nadie vectors`; empty: random initial vectors", local=True)
    most_words: int = setting(16_000, "the most frequent words of `vectors` that are kept; 0: all")
    folded: bool = setting(True, "look up words without case and accents, and with every digit as 0")
    spacing_embedding: int = setting(8, "dimensions of the white space before a token; 0: not a feature")
    lexicon: bool = setting(True, "the word lists and Brown clusters of the package as features")
    cluster_embedding: int = setting(16, "dimensions of a Brown cluster")


@dataclass(frozen=True, kw_only=True)
class BiLSTMSizes:
    """The sizes of a character BiLSTM and of the word BiLSTM above it."""

    character_embedding: int = setting(25, "dimensions of a character")
    character_hidden: int = setting(25, "units of the character LSTM, in each direction")
    word_hidden: int = setting(256, "units of the word LSTM, in each direction")
    dropout: float = setting(0.5, "dropout before and after the word LSTM")


@dataclass(frozen=True, kw_only=True)
class Augmentation:
    """The training data besides the original notes."""

    word_dropout: float = setting(
        0.25, "a: a word seen n times is hidden with probability a / (a + n) (Kiperwasser and Goldberg 2016)"
    )
    variety: float = setting(
        0.15, "share of windows converted to capitals, to lower case, to text without accents, or to one line"
    )
    copies: int = setting(3, "augmented copies of every note")
    copies_at_once: int = setting(1, "copies of each note that an epoch uses, in addition to the note itself")
    kept_share: float = setting(0.6, "share of the sequences without any entity that each epoch uses, drawn at random")
    kept_of_copies: float = setting(0.25, "the same share for sequences of copies")


@dataclass(frozen=True, kw_only=True)
class Optimisation:
    """The options of the optimizer, Adam."""

    epochs: int = setting(25, "passes over the training notes")
    learning_rate: float = setting(0.001, "the highest learning rate")
    clip: float = setting(5.0, "the maximum norm of the gradient")
    schedule: Schedule = setting("linear", "how the learning rate falls: constant, linear or cosine")
    warmup: int = setting(50, "steps in which the learning rate rises")
    patience: int = setting(8, "epochs without a better dev F1 after which training stops; 0: never")
    precision: Literal["float32", "bfloat16"] = setting("bfloat16", "of matrix products during training")


@dataclass(frozen=True, kw_only=True)
class TaggerConfig:
    """The config shared by all neural taggers; each system adds its architecture."""

    scheme: Scheme = setting("BIOES", "the tags of a span's tokens: BIO or BIOES")
    reading: WindowSizes = WindowSizes()
    words: WordFeatures = WordFeatures()
    augmentation: Augmentation = Augmentation()
    optimisation: Optimisation = Optimisation()
    batch_tokens: int = setting(1280, "tokens of a batch, with padding")
    batch_sequences: int = setting(0, "sequences of a batch; 0: as many as `batch_tokens` allows")
    start: str = setting("", "the work folder of a training whose vocabulary and weights are the first", local=True)
    storage: Storage = setting("int8", "the numbers of the stored network: float32, float16 or int8")
