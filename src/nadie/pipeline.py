"""The flow from text to anonymized text: the one place that knows every stage."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import cast

from nadie import registry
from nadie.anonymize.engine import Engine, Operator
from nadie.anonymize.engine import anonymize as replace_spans
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.detectors.base import Biased, Detector, Probabilistic
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.finding import Finding, Mode
from nadie.resolve.eponyms import protect
from nadie.resolve.lists import Lists
from nadie.resolve.overlaps import disjoint
from nadie.resolve.thresholds import Thresholds
from nadie.storage import ModelFolder, find_model, read_model
from nadie.tokens.view import view_of

_BATCH = 16


@dataclass(frozen=True)
class Pipeline:
    """A detector with all that comes before and after it.

    >>> model = load("fast")                                         # doctest: +SKIP
    >>> model.anonymize("Paciente de 70 años, natural de Cuenca.")   # doctest: +SKIP
    'Paciente de [EDAD_SUJETO_ASISTENCIA], natural de [TERRITORIO].'
    """

    detector: Detector
    operator: Operator
    engine: Engine | None = None
    known: Detector | None = None
    lists: Lists | None = None
    thresholds: Thresholds | None = None

    def annotate(self, text: str | Document) -> Document:
        """The document with the spans found in it: disjoint, in order, in the original's own offsets."""
        document = text if isinstance(text, Document) else Document("", text)
        return next(self.annotate_all([document]))

    def annotate_all(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The same for many documents, lazily and in order; some are in memory at a time, never all."""
        waiting = iter(documents)
        while batch := list(islice(waiting, _BATCH)):
            views = [view_of(document.text) for document in batch]
            seen = [Document(d.id, view.text, (), d.meta) for d, view in zip(batch, views, strict=True)]
            for document, view, spans in zip(batch, views, self._found(seen), strict=True):
                yield document.with_spans(disjoint(_visible(view.span_to_original(s), document.text) for s in spans))

    def _found(self, seen: Sequence[Document]) -> list[tuple[Span, ...]]:
        """What was detected, less eponyms and other medicine, with known identities, and as the lists have it."""
        found = [protect(each, spans) for each, spans in zip(seen, self._sure_enough(seen), strict=True)]
        if self.known:
            found = [(*spans, *more) for spans, more in zip(found, self.known.detect(seen), strict=True)]
        if self.lists:
            found = [self.lists.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        return found

    def _sure_enough(self, seen: Sequence[Document]) -> list[tuple[Span, ...]]:
        """What the detector finds, at the thresholds where there are any."""
        found = self.detector.detect(seen)
        if self.thresholds is None:
            return found
        if not isinstance(self.detector, Probabilistic):
            return [self.thresholds.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        told = self.detector.token_probabilities(seen)
        return [self.thresholds.apply(*each) for each in zip(seen, found, told, strict=True)]

    def anonymize(self, text: str | Document) -> str:
        """The text with everything found in it replaced."""
        document = self.annotate(text)
        return self.engine.anonymize(document) if self.engine else replace_spans(document, self.operator)


def load(
    model: str | os.PathLike[str] = "fast",
    *,
    operator: str = "label",
    policy: str | os.PathLike[str] | None = None,
    secret: Secret | None = None,
    finding: Finding | None = None,
) -> Pipeline:
    """The model of that name or in that folder, ready to work.

    It replaces by one operator for all labels, or by a policy (see `nadie.anonymize.policy`); with a secret, invented
    values are the same in every run.
    """
    folder = read_model(find_model(model))
    finding = finding or Finding()
    detector = _at(finding.mode, registry.detectors.get(folder.system).load(folder), folder)
    known = registry.detectors.get("known").read(finding.known) if finding.known else None
    lists = Lists.read(finding.allow, finding.deny) if finding.allow or finding.deny else None
    thresholds = Thresholds.read(finding.thresholds) if finding.thresholds else None
    key = secret.key() if secret else None
    engine = Engine(read_policy(os.fspath(policy)), key) if policy is not None else None
    return Pipeline(detector, registry.operators.get(operator)(), engine, known, lists, thresholds)


def _at(mode: Mode, detector: Detector, folder: ModelFolder) -> Detector:
    """The detector at an operating point, which the model's card has from its development set."""
    if mode is Mode.BALANCED:
        return detector
    point = folder.card.get("modes", {}).get(mode.value)
    if point is None or not isinstance(detector, Biased):
        raise ConfigError(f"the model {folder.name!r} has no mode {mode.value!r}, only balanced")
    return cast(Detector, detector.with_bias(float(point["bias"])))


def _visible(span: Span, text: str) -> Span:
    """The span without white space at its ends, which a view may have put there."""
    start, end = span.start, span.end
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end, span.label, span.score, span.source)
