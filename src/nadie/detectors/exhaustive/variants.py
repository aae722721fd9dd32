"""The eight variants of paper 003, and the five runs that its authors submitted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import product
from typing import Literal

from nadie.errors import ConfigError

Boundary = Literal["base", "minus"]
Inside = Literal["average", "attention"]
Context = Literal["none", "context"]

_BOUNDARY: dict[Boundary, str] = {"base": "br", "minus": "lm"}
_INSIDE: dict[Inside, str] = {"average": "avg", "attention": "attn"}
_CONTEXTS: tuple[Context, Context] = ("none", "context")


def _check(name: str, value: str, known: Collection[str]) -> None:
    if value not in known:
        raise ConfigError(f"setting {name!r} must be one of: {', '.join(known)}")


@dataclass(frozen=True)
class Variant:
    """One way of representing a span: three switches of one network.

    `boundary`: the states at both ends (equation 1), or LSTM-minus (equation 7). `inside`: the mean (equation 2), or
    attention (equations 3 to 6). `context`: whether the states around the span are added (section 3.4).
    """

    boundary: Boundary = "base"
    inside: Inside = "attention"
    context: Context = "none"

    def __post_init__(self) -> None:
        _check("boundary", self.boundary, _BOUNDARY)
        _check("inside", self.inside, _INSIDE)
        _check("context", self.context, _CONTEXTS)

    @property
    def name(self) -> str:
        """As in the paper's tables, in lower case: `br-attn-none`."""
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
"""The rows of the paper's tables 1 and 3, each with the variants that it is made of."""


def variants_named(names: str) -> list[Variant]:
    """The variants of a comma-separated list of variants and runs, each once, in the order of `VARIANTS`."""
    wanted: set[str] = set()
    for name in filter(None, (part.strip().lower() for part in names.split(","))):
        if name not in RUNS and name not in VARIANTS:
            known = ", ".join({**RUNS, **VARIANTS})
            raise ConfigError(f"there is no variant {name[:60]!r}; there are: {known}")
        wanted.update(RUNS.get(name, (name,)))
    return [variant for name, variant in VARIANTS.items() if name in wanted]
