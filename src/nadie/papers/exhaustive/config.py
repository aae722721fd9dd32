"""The config of the exhaustive model (Sohrab et al. 2019, section 4.1), its eight variants, and the submitted runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import Literal

from nadie.config import LOCAL
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

    boundary: Boundary = "base"
    inside: Inside = "attention"
    context: Context = "none"

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
    """Which spans are scored, and how entities are chosen from them.

    `sizes` is the size of the longest span in tokens; 0 means the smallest size that covers `coverage` of the training
    entities. `nested` allows an entity within another. `bias` is added to the log-odds of every span being an
    entity.
    """

    sizes: int = 0
    coverage: float = 0.998
    nested: bool = False
    bias: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 < self.coverage <= 1.0:
            raise ConfigError("setting 'coverage' must be above 0 and at most 1")
        if self.sizes < 0:
            raise ConfigError("setting 'sizes' must not be negative")


@dataclass(frozen=True, kw_only=True)
class SpanArchitecture(BiLSTMSizes):
    """The paper's sizes. Word vectors are not tuned, so that all variants can share one table."""

    word_hidden: int = 200
    span_hidden: int = 200
    dropout: float = 0.4


@dataclass(frozen=True, kw_only=True)
class SpanSampling:
    """Of the spans that do not overlap an entity, a random share `negatives` enters the loss, weighted so that the
    expected loss stays the same. Windows with an entity of a rare type (fewer than `rare_limit` in the training notes)
    are repeated `rare_repeats` times in every epoch.
    """

    negatives: float = 0.25
    rare_limit: int = 100
    rare_repeats: int = 0

    def __post_init__(self) -> None:
        if not 0.0 < self.negatives <= 1.0:
            raise ConfigError("setting 'negatives' must be above 0 and at most 1")
        if self.rare_repeats < 0:
            raise ConfigError("setting 'rare_repeats' must not be negative")


@dataclass(frozen=True, kw_only=True)
class ExhaustiveConfig:
    """The config of the exhaustive model.

    `variant` is one span representation; `variants` names several (or one of the submitted runs), which then vote.
    `start` is the work folder of an earlier training, whose vocabulary and weights are the initial ones.

    Deviations: the paper processes single sentences, but a line of a note is ambiguous without the lines around it, and
    0.4 % of the entities run over a sentence break; a lexicon is added; for speed, batches have `batch_tokens` tokens
    rather than 10 sentences, and the learning rate decreases.
    """

    variant: Variant = Variant()
    variants: str = ""
    spans: SpanCandidates = SpanCandidates()
    reading: WindowSizes = field(default=WindowSizes(window=160))
    words: WordFeatures = field(default=WordFeatures(word_embedding=200, most_words=12_000))
    architecture: SpanArchitecture = SpanArchitecture()
    augmentation: Augmentation = field(default=Augmentation())
    sampling: SpanSampling = SpanSampling()
    optimisation: Optimisation = field(default=Optimisation(epochs=12, learning_rate=0.002, patience=0))
    batch_tokens: int = 1280
    start: str = field(default="", metadata=LOCAL)
    storage: Storage = "int8"

    def __post_init__(self) -> None:
        self.chosen()

    def chosen(self) -> list[Variant]:
        """The variants to train: those in `variants`, or `variant`."""
        return variants_named(self.variants) or [self.variant]
