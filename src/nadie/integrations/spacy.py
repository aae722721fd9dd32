"""spaCy: `nlp.add_pipe("nadie")` finds PHI and adds it to `doc.ents` or a span group.

spaCy finds the component by an entry point, so that nothing has to be imported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, cast

import numpy
from spacy.language import Language
from spacy.tokens import Doc, SpanGroup
from spacy.util import filter_spans, raise_error

from nadie.document import Document
from nadie.errors import Failure
from nadie.options import DetectionArguments, DetectionOptions
from nadie.run.documents import RunOptions, handled
from nadie.run.pipeline import Pipeline, batches

EXACT = "nadie"
"""The field of `doc.user_data` with the exact spans, which may begin or end inside a spaCy token."""

OnError = Callable[[str, "Nadie", list[Doc], Exception], None]


@Language.factory(
    "nadie",
    default_config={"model": "fast", "detection": {}, "into": "ents", "spans_key": "nadie"},
    assigns=["doc.ents", "doc.spans"],
)
def make(
    nlp: Language, name: str, model: str, detection: dict[str, Any], into: Literal["ents", "spans"], spans_key: str
) -> Nadie:
    """Create the component from the pipeline's config; `detection` has the names and values of `nadie.load`."""
    return Nadie(name, model, DetectionOptions.of(**cast(DetectionArguments, detection)), into, spans_key)


@dataclass
class Nadie:
    """A component that stores only options: each process loads the model at its first document.

    `doc.ents` keeps entities of other components that do not overlap PHI. `doc.user_data["nadie"]` has the exact spans
    as `[start, end, label, score]`; those in `doc.ents` and in the span group cover whole tokens.
    """

    name: str
    model: str
    detection: DetectionOptions
    into: Literal["ents", "spans"]
    spans_key: str
    on_error: OnError = field(default=cast(OnError, raise_error), repr=False)

    def __call__(self, doc: Doc) -> Doc:
        return next(self.pipe([doc]), doc)

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 16) -> Iterator[Doc]:
        """Every document with its spans. A document that fails goes to spaCy's error handler and is left out."""
        model = _loaded(self.model, self.detection, os.getpid())
        for docs in batches(stream):
            found = handled([Document("", doc.text) for doc in docs], model.annotate_all)
            for doc, result in zip(docs, found, strict=True):
                if isinstance(result, Failure):
                    self.on_error(self.name, self, [doc], result.cause)
                    continue
                self._set(doc, result)
                yield doc

    def set_error_handler(self, handler: OnError) -> None:
        """Called by spaCy for `nlp.set_error_handler`."""
        self.on_error = handler

    def _set(self, doc: Doc, found: Document) -> None:
        doc.user_data[EXACT] = [[s.start, s.end, str(s.label), round(s.score, 4)] for s in found.spans]
        spans: list[Any] = [
            doc.char_span(span.start, span.end, span.label, alignment_mode="expand") for span in found.spans
        ]
        if self.into == "spans":
            scores = numpy.array([span.score for span in found.spans], dtype="float32")
            doc.spans[self.spans_key] = SpanGroup(doc, name=self.spans_key, spans=spans, attrs={"scores": scores})
            return
        own = filter_spans(spans)
        covered = {token.i for span in own for token in span}
        doc.set_ents([*own, *(ent for ent in doc.ents if covered.isdisjoint(token.i for token in ent))])


@lru_cache(maxsize=2)
def _loaded(model: str, detection: DetectionOptions, process: int) -> Pipeline:
    """The model, once per process: a model loaded by a parent process is not used after a fork."""
    return RunOptions(model, detection).pipeline()
