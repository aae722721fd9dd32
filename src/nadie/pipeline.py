"""The flow from text to anonymized text: the one place that knows every stage."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from nadie import registry
from nadie.anonymize.engine import Engine, Operator
from nadie.anonymize.engine import anonymize as replace_spans
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.detectors.base import Detector
from nadie.document import Document, Span
from nadie.resolve.overlaps import disjoint
from nadie.storage import find_model, read_model
from nadie.tokens.view import view_of

_BATCH = 16


@dataclass(frozen=True)
class Pipeline:
    """A detector with all that comes before and after it.

    >>> model = load("recrf")                                        # doctest: +SKIP
    >>> model.anonymize("Paciente de 70 años, natural de Cuenca.")   # doctest: +SKIP
    'Paciente de [EDAD_SUJETO_ASISTENCIA], natural de [TERRITORIO].'
    """

    detector: Detector
    operator: Operator
    engine: Engine | None = None

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
            for document, view, spans in zip(batch, views, self.detector.detect(seen), strict=True):
                yield document.with_spans(disjoint(_visible(view.span_to_original(s), document.text) for s in spans))

    def anonymize(self, text: str | Document) -> str:
        """The text with everything found in it replaced."""
        document = self.annotate(text)
        return self.engine.anonymize(document) if self.engine else replace_spans(document, self.operator)


def load(
    model: str | os.PathLike[str] = "recrf",
    *,
    operator: str = "label",
    policy: str | os.PathLike[str] | None = None,
    secret: Secret | None = None,
) -> Pipeline:
    """The model of that name or in that folder, ready to work.

    It replaces by one operator for all labels, or by a policy (see `nadie.anonymize.policy`); with a secret, invented
    values are the same in every run.
    """
    folder = read_model(find_model(model))
    detector = registry.detectors.get(folder.system).load(folder)
    key = secret.key() if secret else None
    engine = Engine(read_policy(os.fspath(policy)), key) if policy is not None else None
    return Pipeline(detector, registry.operators.get(operator)(), engine)


def _visible(span: Span, text: str) -> Span:
    """The span without white space at its ends, which a view may have put there."""
    start, end = span.start, span.end
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end, span.label, span.score, span.source)
