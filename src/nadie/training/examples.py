"""Annotated documents as arrays to learn from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nadie.detectors.neural.encoding import NEW_LINE, SPACED, Encoded, Ints, encode
from nadie.document import Document
from nadie.spanish.folding import without_accents
from nadie.tokens.codec import Scheme, tag_set
from nadie.tokens.codec import encode as encode_tags
from nadie.tokens.view import seen

# Other ways of typing the same word: a tagger must not live on capitals and accents. Each keeps a word one word.
VARIANTS = (str.lower, str.upper, without_accents)


@dataclass(frozen=True)
class SeenDocument:
    """A document as detectors see it. `kinds` count over the forms of the whole corpus, `starts` are the places
    where a training window may begin."""

    document: Document
    encoded: Encoded
    kinds: Ints
    spacing: Ints
    tags: Ints
    starts: list[int]


class Examples:
    """Documents to learn from and sets of varied copies of them, over one list of written forms.

    Each form has its count, and its number when written in another way.
    """

    def __init__(
        self, documents: Sequence[Document], scheme: Scheme, copies: Sequence[Sequence[Document]] = ()
    ) -> None:
        shown = [seen(document) for document in documents]
        varied = [[seen(document) for document in some] for some in copies]
        labels = {span.label for some in (shown, *varied) for document in some for span in document.spans}
        self.tag_names: tuple[str, ...] = tuple(tag_set(labels, scheme))
        self.scheme = scheme
        self._numbers: dict[str, int] = {}
        self._tag_ids = {tag: i for i, tag in enumerate(self.tag_names)}
        self.documents = [self._prepare(document) for document in shown]
        self.copies = [[self._prepare(document) for document in some] for some in varied]
        written = list(self._numbers)
        self._variants = [
            np.array([self._number(spell(form)) for form in written], dtype=np.int64) for spell in VARIANTS
        ]
        self.forms: list[str] = list(self._numbers)
        everything = (self.documents, *self.copies)
        counts = Counter(int(kind) for some in everything for example in some for kind in example.kinds)
        self.counts = np.array([counts[i] for i in range(len(self.forms))], dtype=np.int64)

    def _number(self, form: str) -> int:
        return self._numbers.setdefault(form, len(self._numbers))

    def _prepare(self, document: Document) -> SeenDocument:
        encoded = encode(document.text)
        numbers = np.array([self._number(form) for form in encoded.forms], dtype=np.int64)
        names = encode_tags(encoded.tokens, document.spans, self.scheme)
        tags = np.array([self._tag_ids[name] for name in names], dtype=np.int64)
        starts = [i for i in encoded.breaks if names[i][:2] not in ("I-", "E-")]
        kinds = numbers[encoded.kinds] if len(numbers) else encoded.kinds
        return SeenDocument(document, encoded, kinds, encoded.spacing, tags, starts)

    def copies_in(self, epoch: int, at_once: int) -> list[SeenDocument]:
        """The copies that an epoch sees: `at_once` sets of them, others in every epoch until all have been seen."""
        sets = range(epoch * at_once, epoch * at_once + min(at_once, len(self.copies)))
        return [copy for i in sets for copy in self.copies[i % len(self.copies)]]

    def varied(self, kinds: Ints, spacing: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """The same window as another writer would have typed it."""
        choice = int(rng.integers(len(self._variants) + 1))
        if choice == len(self._variants):
            return kinds, np.where(spacing >= NEW_LINE, SPACED, spacing)
        return self._variants[choice][kinds], spacing
