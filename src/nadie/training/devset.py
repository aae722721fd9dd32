"""The development set, read many times over: its windows are batched across documents, which is much faster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nadie.detectors.neural.encoding import collate, encode, reading_windows
from nadie.detectors.neural.tagger import Scores, Tagger
from nadie.document import Document
from nadie.tokens.codec import decode
from nadie.tokens.view import seen

_ROWS = 48


class DevSet:
    """Annotated documents to measure a tagger on."""

    def __init__(self, documents: Sequence[Document]) -> None:
        self.documents = [seen(document) for document in documents]
        self.encoded = [encode(document.text) for document in self.documents]
        numbers: dict[str, int] = {}
        self._kinds = []
        for encoded in self.encoded:
            own = np.array([numbers.setdefault(form, len(numbers)) for form in encoded.forms], dtype=np.int64)
            self._kinds.append(own[encoded.kinds] if len(own) else encoded.kinds)
        self._forms = list(numbers)

    def emissions(self, tagger: Tagger) -> list[Scores]:
        """(T, K) for every document."""
        found = [np.empty((len(e.tokens), len(tagger.tags)), dtype=np.float32) for e in self.encoded]
        forms = tagger.vocabulary.forms(self._forms)
        windows = [
            (i, window)
            for i, e in enumerate(self.encoded)
            for window in reading_windows(len(e.tokens), e.breaks, tagger.reading.size, tagger.reading.context)
        ]
        windows.sort(key=lambda item: item[1].stop - item[1].first)
        for begin in range(0, len(windows), _ROWS):
            some = windows[begin : begin + _ROWS]
            rows = [(self._kinds[i][w.first : w.stop], self.encoded[i].spacing[w.first : w.stop]) for i, w in some]
            scores = tagger.network(collate(rows, forms))["emissions"]
            for row, (i, w) in enumerate(some):
                found[i][w.begin : w.end] = scores[row, w.begin - w.first : w.end - w.first]
        return found

    def tagged(self, tagger: Tagger) -> Iterator[tuple[Document, Document]]:
        """Every document as annotated, and as the tagger would annotate it."""
        if not self.documents:
            return
        paths = tagger.chain.best_paths(self.emissions(tagger))
        for gold, encoded, path in zip(self.documents, self.encoded, paths, strict=True):
            chunks = [(chunk, 1.0) for chunk in decode([tagger.tags[tag] for tag in path])]
            yield gold, Document(gold.id, gold.text, tagger.as_spans(encoded, chunks, ""))
