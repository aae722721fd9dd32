"""The config of the exhaustive model (Sohrab et al. 2019, section 4.1), its eight variants, and the submitted runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Literal

from nadie.config import setting
from nadie.errors import ConfigError
from nadie.neural.config import Augmentation, BiLSTMSizes, Optimisation, Storage, WindowSizes, WordFeatures

Boundary = Literal["base", "minus"]
Inside = Literal["average", "attention"]
Context = Literal["none", "context"]

_BOUNDARY: dict[Boundary, str] = {"base": "br", "minus": "lm"}
_INSIDE: dict[Inside, str] = {"average": "avg", "attention": "attn"}
_CONTEXTS: tuple[Context, Context] = ("none", "context")


@dataclass(frozen=True)
class Variant:
    """A span representation, given by three switches of one network.

    `boundary`: the states at both ends (equation 1), or LSTM-minus (equation 7). `inside`: the mean (equation 2), or
    attention (equations 3 to 6). `context`: whether the states around the span are added (section 3.4).
    """

    boundary: Boundary = setting("base", "a span's ends: base, their states (equation 1), or minus (equation 7)")
    inside: Inside = setting(
        "attention", "a span's states: their average (equation 2), or attention (equations 3 to 6)"
    )
    context: Context = setting("none", "none, or context: the states around the span are added (section 3.4)")

    @property
    def name(self) -> str:
        """The name as in the paper's tables, in lower case: `br-attn-none`."""
        return f"{_BOUNDARY[self.boundary]}-{_INSIDE[self.inside]}-{self.context}"


VARIANTS: dict[str, Variant] = {
    variant.name: variant for variant in (Variant(*switches) for switches in product(_BOUNDARY, _INSIDE, _CONTEXTS))
}
RUNS: dict[str, tuple[str, ...]] = {
    "ensemble": tuple(VARIANTS),
    "br-attn-none": ("br-attn-none",),
    "lm-attn-context": ("lm-attn-context",),
    "br-avg-none": ("br-avg-none",),
    "lm-attn-none": ("lm-attn-none",),
}
"""The rows of the paper's tables 1 and 3, each with its variants."""


def variants_named(names: str) -> list[Variant]:
    """The variants of a comma-separated list of variants and runs, each once, in the order of `VARIANTS`."""
    wanted: set[str] = set()
    for name in filter(None, (part.strip().lower() for part in names.split(","))):
        if name not in RUNS and name not in VARIANTS:
            known = ", ".join({**RUNS, **VARIANTS})
            raise ConfigError(f"there is no variant {name[:60]!r}; there are: {known}")
        wanted.update(RUNS.get(name, (name,)))
    return [variant for name, variant in VARIANTS.items() if name in wanted]


@dataclass(frozen=True, kw_only=True)
class SpanCandidates:
    """Which spans are scored, and how entities are chosen from them."""

    sizes: int = setting(0, "tokens of the longest span; 0: as many as `coverage` needs")
    coverage: float = setting(0.998, "share of the training entities that the longest span must cover")
    nested: bool = setting(False, "allow an entity within another")
    bias: float = setting(0.0, "added to the log-odds of every span being an entity")

    def __post_init__(self) -> None:
        if not 0.0 < self.coverage <= 1.0:
            raise ConfigError("setting 'coverage' must be above 0 and at most 1")
        if self.sizes < 0:
            raise ConfigError("setting 'sizes' must not be negative")


@dataclass(frozen=True, kw_only=True)
class SpanArchitecture(BiLSTMSizes):
    """The layers of Sohrab et al. (2019). Variants whose vectors are not tuned share one table."""

    word_hidden: int = setting(200, "units of the word LSTM, in each direction")
    span_hidden: int = setting(200, "rectified linear units of a span")
    dropout: float = setting(0.4, "dropout of tokens, states and spans")
    tune_vectors: bool = setting(False, "train the word vectors further, for each variant")
    prior: float = setting(8.0, 'the first score of "no entity": one span in three hundred is an entity')


@dataclass(frozen=True, kw_only=True)
class SpanSampling:
    """Which spans and windows enter the loss."""

    negatives: float = setting(
        0.25, "share of the spans apart from entities that enters the loss, weighted to keep its expectation"
    )
    rare_limit: int = setting(100, "a label with fewer training entities is rare")
    rare_repeats: int = setting(0, "times that an epoch repeats a sequence with an entity of a rare label")

    def __post_init__(self) -> None:
        if not 0.0 < self.negatives <= 1.0:
            raise ConfigError("setting 'negatives' must be above 0 and at most 1")
        if self.rare_repeats < 0:
            raise ConfigError("setting 'rare_repeats' must not be negative")


@dataclass(frozen=True, kw_only=True)
class ExhaustiveConfig:
    """The config of the exhaustive model.

    Deviations: the paper processes single sentences, but a line of a note is ambiguous without the lines around it, and
    0.4 % of the entities run over a sentence break; a lexicon is added; for speed, batches have `batch_tokens` tokens
    rather than 10 sentences; at most 12,000 of the paper's 77,559 words have a vector; dropout is 0.4, where the
    paper names none; the learning rate is doubled, rises during a warm-up and then decreases; products are in bfloat16;
    a share of the windows without an entity is left out of each epoch.
    """

    variant: Variant = Variant()
    variants: str = setting("", "names of variants or of a submitted run, which then vote; empty: the one above")
    spans: SpanCandidates = SpanCandidates()
    reading: WindowSizes = field(default=WindowSizes(window=160))
    words: WordFeatures = field(default=WordFeatures(word_embedding=200, most_words=12_000))
    architecture: SpanArchitecture = SpanArchitecture()
    augmentation: Augmentation = field(default=Augmentation())
    sampling: SpanSampling = SpanSampling()
    optimisation: Optimisation = field(default=Optimisation(epochs=12, learning_rate=0.002, patience=0))
    batch_tokens: int = setting(1280, "tokens of a batch, with padding")
    batch_sequences: int = setting(0, "sequences of a batch; 0: as many as `batch_tokens` allows")
    start: str = setting("", "the work folder of a training whose vocabulary and weights are the first", local=True)
    storage: Storage = setting("int8", "the numbers of the stored networks: float32, float16 or int8")

    def __post_init__(self) -> None:
        self.chosen()

    def chosen(self) -> list[Variant]:
        """The variants to train: those in `variants`, or `variant`."""
        return variants_named(self.variants) or [self.variant]
