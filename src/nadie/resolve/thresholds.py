"""Thresholds on the score, for each label, from a TOML file of the user.

    default = 0.5                       # for every label that is not listed; optional

    [labels]
    NOMBRE_SUJETO_ASISTENCIA = 0.15     # prefer false alarms to misses
    PROFESION = 0.8                     # only if nearly certain

A label with a threshold is accepted if its probability reaches the threshold. Spans with a lower score are dropped. If
the detector gives token probabilities, words that reach the threshold are found even if the detector itself did not
report them. Labels without a threshold are not affected.
"""

from __future__ import annotations

import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.labels import is_label
from nadie.tokens.codec import OUTSIDE
from nadie.tokens.probabilities import TokenProbabilities

SOURCE = "threshold"
_LARGEST = 1 << 20
_KEYS = ("default", "labels")


@dataclass(frozen=True)
class Thresholds:
    """The minimum probability for each label, above 0 and at most 1; None for labels without a threshold."""

    default: float | None = None
    labels: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.default is not None:
            _check("default", self.default)
        for label, value in self.labels.items():
            if not is_label(label):
                raise ConfigError(f"a threshold is given for {label[:40]!r}, which is not a label")
            _check(label, value)

    @classmethod
    def read(cls, path: Path | Iterable[tuple[str, float]]) -> Thresholds:
        """Read the thresholds from a TOML file, or take them from pairs of a label, or `default`, and a number."""
        if not isinstance(path, Path):
            given = dict(path)
            return cls(given.pop("default", None), given)
        content = _read_toml(path)
        for key in content:
            if key not in _KEYS:
                raise ConfigError(f"{path.name} has the key {key[:40]!r}; allowed keys: {', '.join(_KEYS)}")
        labels = content.get("labels", {})
        if not isinstance(labels, dict):
            raise ConfigError(f"{path.name}: [labels] must be a table")
        try:
            return cls(content.get("default"), labels)
        except ConfigError as error:
            raise ConfigError(f"{path.name}: {error}") from None

    def of(self, label: str) -> float | None:
        return self.labels.get(label, self.default)

    def apply(
        self, document: Document, spans: Iterable[Span], probabilities: TokenProbabilities | None = None
    ) -> tuple[Span, ...]:
        """The spans that reach their threshold, and additional ones from the token probabilities."""
        kept: list[Span] = []
        dropped: list[Span] = []
        for span in spans:
            threshold = self.of(span.label)
            (kept if threshold is None or span.score >= threshold else dropped).append(span)
        more = () if probabilities is None else self._appearing(document.text, probabilities, kept, dropped)
        return tuple(sorted([*kept, *more]))

    def _appearing(
        self, text: str, probabilities: TokenProbabilities, kept: list[Span], dropped: list[Span]
    ) -> Iterator[Span]:
        """Runs of words that reach the threshold of one label, outside the spans that are kept.

        If two labels reach their threshold, the more probable one is used. The words of a dropped span can only be
        found under another label.
        """
        every = sorted({tag[2:] for tag in probabilities.tags if tag != OUTSIDE})
        labels = [label for label in every if self.of(label) is not None]
        if not labels or not len(probabilities.tokens):
            return
        likely = np.stack([probabilities.of_label(label) for label in labels], axis=1)
        likely[likely < np.array([self.of(label) for label in labels], dtype=np.float32)] = 0.0
        for span in kept:
            likely[_inside(probabilities, span)] = 0.0
        for span in dropped:
            if span.label in labels:
                likely[_inside(probabilities, span), labels.index(span.label)] = 0.0
        chosen = likely.argmax(axis=1)
        confidence = likely.max(axis=1)
        begins = {label: probabilities.of_tag(f"B-{label}") > probabilities.of_tag(f"I-{label}") for label in labels}
        first: int | None = None
        for i in range(len(probabilities.tokens) + 1):
            found = i < len(probabilities.tokens) and confidence[i] > 0.0
            if first is not None and (
                not found
                or chosen[i] != chosen[first]
                or begins[labels[chosen[i]]][i]
                or "\n" in text[probabilities.tokens[i - 1].end : probabilities.tokens[i].start]
            ):
                score = min(1.0, float(confidence[first:i].min()))
                yield Span(
                    probabilities.tokens[first].start,
                    probabilities.tokens[i - 1].end,
                    labels[chosen[first]],
                    score,
                    SOURCE,
                )
                first = None
            if found and first is None:
                first = i


def _inside(probabilities: TokenProbabilities, span: Span) -> slice:
    """The words that overlap the span."""
    first = bisect_right(probabilities.tokens, span.start, key=lambda token: token.end)
    return slice(first, bisect_left(probabilities.tokens, span.end, key=lambda token: token.start))


def _check(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"the threshold of {name} must be a number")
    if not 0.0 < value <= 1.0:
        raise ConfigError(f"the threshold of {name} must be above 0 and at most 1")


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _LARGEST:
            raise ConfigError(f"{path.name} is larger than {_LARGEST >> 20} MiB")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(f"{path.name} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path.name} is not UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path.name} is not TOML: {error}") from None
