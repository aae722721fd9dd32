"""Annotated documents as training arrays, and the batches of each epoch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nadie.document import Document
from nadie.neural.config import Augmentation, WindowSizes
from nadie.neural.encoding import (
    NEW_LINE,
    SPACED,
    Batch,
    EncodedText,
    Ints,
    collate,
    encode,
    training_windows,
    units_of,
)
from nadie.neural.vocabulary import UNKNOWN_WORD, Vocabulary
from nadie.spanish.folding import without_accents
from nadie.tokens.codec import Scheme, tag_set
from nadie.tokens.codec import encode as encode_tags
from nadie.tokens.view import seen

_POOL = 50
# Other spellings of the same word, so that a tagger does not rely on capitals and accents. None of them splits a word.
VARIANTS = (str.lower, str.upper, without_accents)


@dataclass(frozen=True)
class SeenDocument:
    """A document as detectors see it. `kinds` are indices into the forms of the whole corpus, `starts` the positions at
    which a training window may begin, or at which every sentence or line begins if these are the sequences.
    """

    document: Document
    encoded: EncodedText
    kinds: Ints
    spacing: Ints
    tags: Ints
    starts: list[int]


class Examples:
    """Training documents and sets of augmented copies of them, with one list of written forms.

    Each form has its count and the number of each of its other spellings. The tags are those of the documents, and
    `tags` that a model has already.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        scheme: Scheme,
        copies: Sequence[Sequence[Document]] = (),
        tags: Sequence[str] = (),
        reading: WindowSizes = WindowSizes(),  # noqa: B008
    ) -> None:
        self.reading = reading
        shown = [seen(document) for document in documents]
        varied = [[seen(document) for document in some] for some in copies]
        labels = {span.label for some in (shown, *varied) for document in some for span in document.spans}
        labels |= {tag[2:] for tag in tags if tag[2:]}
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
        encoded = encode(document.text, self.reading.tokens)
        numbers = np.array([self._number(form) for form in encoded.forms], dtype=np.int64)
        units = units_of(encoded, self.reading)
        names = [tag for a, b in units for tag in encode_tags(encoded.tokens[a:b], document.spans, self.scheme)]
        tags = np.array([self._tag_ids[name] for name in names], dtype=np.int64)
        starts = [first for first, _ in units]
        if self.reading.unit == "window":
            starts = [i for i in encoded.breaks if names[i][:2] not in ("I-", "E-")]
        kinds = numbers[encoded.kinds] if len(numbers) else encoded.kinds
        return SeenDocument(document, encoded, kinds, encoded.spacing, tags, starts)

    def copies_in(self, epoch: int, at_once: int) -> list[SeenDocument]:
        """The copies that an epoch uses: `at_once` sets, different ones in every epoch until all have been used."""
        sets = range(epoch * at_once, epoch * at_once + min(at_once, len(self.copies)))
        return [copy for i in sets for copy in self.copies[i % len(self.copies)]]

    def varied(self, kinds: Ints, spacing: Ints, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """The same window in another spelling."""
        choice = int(rng.integers(len(self._variants) + 1))
        if choice == len(self._variants):
            return kinds, np.where(spacing >= NEW_LINE, SPACED, spacing)
        return self._variants[choice][kinds], spacing


@dataclass(frozen=True)
class TrainingWindow:
    """Tokens `begin` to `end` (exclusive) of a document."""

    example: SeenDocument
    begin: int
    end: int


@dataclass(frozen=True)
class BatchSizes:
    """A batch has `sequences` of them or, if that is 0, as many as fit into `tokens` with padding."""

    tokens: int
    sequences: int = 0


class WindowBatches:
    """New windows for every epoch: all windows with an entity, and a share of the others."""

    def __init__(
        self,
        examples: Examples,
        vocabulary: Vocabulary,
        augmentation: Augmentation,
        sizes: BatchSizes,
        seed: int,
    ) -> None:
        self.examples = examples
        self._forms = vocabulary.forms(examples.forms)
        self._augmentation = augmentation
        self._sizes = sizes
        self._seed = seed
        hide = augmentation.word_dropout
        self._hidden = hide / (hide + np.maximum(1, examples.counts)) if hide else np.zeros(len(examples.counts))

    def of_epoch(
        self, epoch: int, times: Callable[[TrainingWindow], int] = lambda window: 1
    ) -> list[tuple[list[TrainingWindow], Batch]]:
        """The batches, each with the windows of its rows; a window is repeated `times` times in the epoch."""
        rng = np.random.default_rng([self._seed, epoch])
        windows = self._windows(self.examples.documents, self._augmentation.kept_share, rng)
        copies = self.examples.copies_in(epoch, self._augmentation.copies_at_once)
        windows += self._windows(copies, self._augmentation.kept_of_copies, rng)
        windows = [window for window in windows for _ in range(times(window))]
        lengths = [window.end - window.begin for window in windows]
        if self._sizes.sequences:
            groups = of_similar_length(lengths, self._sizes.sequences, rng)
        else:
            groups = bucketed(lengths, self._sizes.tokens, rng)
        return [(some, self._batch(some, rng)) for some in ([windows[i] for i in group] for group in groups)]

    def _windows(
        self, documents: Sequence[SeenDocument], kept: float, rng: np.random.Generator
    ) -> list[TrainingWindow]:
        found = []
        for example in documents:
            for begin, end in self._ranges(example, rng):
                if rng.random() < kept or example.tags[begin:end].any():
                    found.append(TrainingWindow(example, begin, end))
        return found

    def _ranges(self, example: SeenDocument, rng: np.random.Generator) -> list[tuple[int, int]]:
        reading, tokens = self.examples.reading, len(example.tags)
        if reading.unit != "window":
            return list(zip(example.starts, [*example.starts[1:], tokens], strict=True)) if tokens else []
        size = reading.train_window
        return training_windows(example.starts, tokens, size, int(rng.integers(size // 4, size + 1)))

    def _batch(self, windows: Sequence[TrainingWindow], rng: np.random.Generator) -> Batch:
        """The rows in their own or another spelling, with some rare words made unknown."""
        rows = []
        for window in windows:
            part = slice(window.begin, window.end)
            row = (window.example.kinds[part], window.example.spacing[part])
            rows.append(self.examples.varied(*row, rng) if rng.random() < self._augmentation.variety else row)
        words = self._forms.words
        hidden = rng.random(len(words)) < self._hidden
        return collate(rows, replace(self._forms, words=np.where(hidden, UNKNOWN_WORD, words)))


def of_similar_length(lengths: Sequence[int], size: int, rng: np.random.Generator) -> list[list[int]]:
    """Indices in random order, `size` to a batch; sorted by length within pools of fifty batches, as in `bucketed`."""
    order = rng.permutation(len(lengths)).tolist()
    pools = [order[begin : begin + _POOL * size] for begin in range(0, len(order), _POOL * size)]
    batches = [
        ordered[begin : begin + size]
        for ordered in (sorted(pool, key=lengths.__getitem__) for pool in pools)
        for begin in range(0, len(ordered), size)
    ]
    return [batches[i] for i in rng.permutation(len(batches)).tolist()]


def bucketed(lengths: Sequence[int], budget: int, rng: np.random.Generator) -> list[list[int]]:
    """Indices in batches of at most `budget` tokens including padding; a longer sequence is a separate batch.

    The order is random. Sequences are sorted by length only within pools of some fifty batches, which limits padding
    while every epoch has different batches.
    """
    order = rng.permutation(len(lengths))
    mean = max(1.0, float(np.mean(lengths))) if len(lengths) else 1.0
    pool = max(1, int(_POOL * budget / mean))
    batches: list[list[int]] = []
    for begin in range(0, len(order), pool):
        batch: list[int] = []
        for i in sorted((int(i) for i in order[begin : begin + pool]), key=lambda i: lengths[i]):
            if batch and lengths[i] * (len(batch) + 1) > budget:
                batches.append(batch)
                batch = []
            batch.append(i)
        if batch:
            batches.append(batch)
    return [batches[int(i)] for i in rng.permutation(len(batches))]
