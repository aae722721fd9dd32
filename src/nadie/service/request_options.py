"""The detection options of a single request, in addition to those of the service."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

from nadie.detector import Biased, Detector
from nadie.detectors.known import Identity, Known, column_names
from nadie.document import Document, Span
from nadie.errors import ConfigError, FormatError
from nadie.labels import LABELS
from nadie.resolve.lists import Lists
from nadie.resolve.own_patterns import OwnPatterns
from nadie.resolve.terms import has_words
from nadie.resolve.thresholds import Thresholds
from nadie.run.pipeline import Pipeline
from nadie.service.problems import ProblemError
from nadie.service.schemas import DetectionBody


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """Options that can be compared, so that documents with the same ones go to a worker together."""

    threshold: float | None = None
    thresholds: tuple[tuple[str, float], ...] = ()
    labels: tuple[str, ...] | None = None
    allow: tuple[str, ...] = ()
    deny: tuple[tuple[str, str], ...] = ()
    known: tuple[tuple[tuple[str, str], ...], ...] = ()
    bias: float = 0.0
    patterns: tuple[str, ...] = ()
    """Each as JSON, with the settings of a pattern in a TOML file."""

    def applied(self, pipeline: Pipeline) -> Pipeline:
        """The service's pipeline with these options."""
        if self == NO_OPTIONS:
            return pipeline
        return replace(
            pipeline,
            detector=self._detector(pipeline.detector),
            thresholds=self._thresholds(pipeline.thresholds),
            labels=None if self.labels is None else frozenset(self.labels),
            lists=replace(Lists.of(self.allow, self.deny), base=pipeline.lists),
            known=self._known(pipeline.known),
            patterns=self._patterns(pipeline.patterns),
        )

    def _detector(self, base: Detector) -> Detector:
        if not self.bias:
            return base
        if not isinstance(base, Biased):
            raise ConfigError("this model does not support a bias")
        return cast(Detector, base.with_bias(self.bias))

    def _thresholds(self, base: Thresholds | None) -> Thresholds | None:
        """A threshold for all labels replaces the service's; a threshold for one label replaces only that one."""
        thresholds = base or Thresholds()
        if self.threshold is not None:
            thresholds = Thresholds(self.threshold)
        labels = {**thresholds.labels, **dict(self.thresholds)}
        return Thresholds(thresholds.default, labels) if labels or thresholds.default is not None else None

    def _patterns(self, base: OwnPatterns | None) -> OwnPatterns | None:
        if not self.patterns:
            return base
        own = OwnPatterns.of(map(json.loads, self.patterns))
        return OwnPatterns((*base.patterns, *own.patterns)) if base else own

    def _known(self, base: Detector | None) -> Detector | None:
        if not self.known:
            return base
        own = Known(Identity.of(dict(fields)) for fields in self.known)
        both: Detector = _Together((base, own)) if base is not None else own
        return both


NO_OPTIONS = RequestOptions()


@dataclass
class _Together:
    """The combined spans of several detectors."""

    detectors: tuple[Detector, ...]
    name: str = "known"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = zip(*(detector.detect(documents) for detector in self.detectors), strict=True)
        return [tuple(sorted({span for part in parts for span in part})) for parts in found]


def request_options(body: DetectionBody) -> RequestOptions:
    """The options of a request, validated; errors never repeat values of the request."""
    for term in (*body.allow, *(denied.term for denied in body.deny)):
        if not has_words(term):
            raise ProblemError("invalid", "a term of `allow` or `deny` needs a letter or a digit")
    try:
        for fields in body.known:
            Identity.of(fields)
    except FormatError:
        columns = ", ".join(column_names())
        raise ProblemError("invalid", f"a field of `known` has no known name; there are: {columns}") from None
    labels = None
    if body.labels is not None or body.leave:
        wanted = LABELS if body.labels is None else {label.value for label in body.labels}
        labels = tuple(sorted(set(wanted) - {label.value for label in body.leave}))
    return RequestOptions(
        body.threshold,
        tuple(sorted((label.value, value) for label, value in body.thresholds.items())),
        labels,
        tuple(body.allow),
        tuple((denied.term, denied.label.value) for denied in body.deny),
        tuple(tuple(fields.items()) for fields in body.known),
        body.bias,
        tuple(json.dumps(pattern.model_dump(exclude_defaults=True)) for pattern in body.patterns),
    )
