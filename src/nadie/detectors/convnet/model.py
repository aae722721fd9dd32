"""The detector ConvNet, and its config."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import numpy as np

from nadie.config import LOCAL
from nadie.detectors.convnet.decoding import Decoding, Suspected
from nadie.detectors.convnet.tables import TABLES, Floats, FormVectors, read_tables
from nadie.detectors.convnet.words import NO_WORD, column_places, word_places
from nadie.document import Document, Span
from nadie.inference import onnx_session
from nadie.labels import NAMES
from nadie.neural.config import Augmentation, Optimisation
from nadie.neural.model import NETWORK, TRAINED, Fit, NetworkModel, read_results
from nadie.tokens.arrays import Ints, TokenArrays, token_arrays
from nadie.tokens.codec import ProbabilityDecoder
from nadie.tokens.columns import table_columns
from nadie.tokens.probabilities import TokenProbabilities

TAGS = "tags.json"
_OUTSIDE_WITH_BIAS = 0.5  # with a bias few tokens are clearly outside, and long stretches take time
_TOKENS_TOGETHER = 1 << 13
_CHARACTERS_TOGETHER = 1 << 18


@dataclass(frozen=True, kw_only=True)
class ConvArchitecture:
    """The sizes of the network.

    A `separable` block is a depthwise convolution and costs a fifth of a dense block, without `expand` a tenth.
    `dilations` has one step for each block. Before the block `memory_after` (0: none), the features of the other
    occurrences of a word are added to each occurrence, with `repeated_only` only if the word occurs more than once.
    With `summary`, the mean over all tokens of the window is added there to each token, so that a tag can depend on the
    type of document. With `columns`, the features of the other cells of its column (`tokens/columns.py`) are added
    there to each token of a table. `recurrent` is the number of hidden units, in each direction, of an LSTM over the
    output of the blocks; 0 omits it.
    """

    tune_vectors: bool = False
    ngram_embedding: int = 64
    shape_embedding: int = 32
    width: int = 128
    kernel: int = 5
    dilations: str = "1,2,4,8,1"
    separable: bool = True
    expand: bool = True
    memory_after: int = 3
    repeated_only: bool = False
    summary: bool = False
    columns: bool = False
    recurrent: int = 0
    dropout: float = 0.3

    @property
    def steps(self) -> list[int]:
        return [int(step) for step in self.dilations.split(",")]

    @property
    def reach(self) -> int:
        """The number of tokens on each side that a tag depends on, apart from a memory layer or an LSTM."""
        return sum(self.steps) * (self.kernel // 2) + (64 if self.recurrent else 0)


@dataclass(frozen=True, kw_only=True)
class FormKnowledge:
    """Word vectors (a folder written by `nadie vectors train`), of which `most_words` are kept; a table of words with
    the lists that contain them (`scripts/build_gazetteer.py`); and files of auxiliary tasks, comma-separated
    (`scripts/build_auxiliary_tasks.py`).
    """

    vectors: str = field(default="", metadata=LOCAL)
    most_words: int = 40_000
    gazetteer: str = field(default="", metadata=LOCAL)
    auxiliary: str = field(default="", metadata=LOCAL)

    @property
    def auxiliary_files(self) -> list[Path]:
        return [Path(name) for name in self.auxiliary.split(",") if name]


_AUGMENTATION = Augmentation(copies=6, kept_share=0.7, kept_of_copies=0.3)
_OPTIMISATION = Optimisation(
    epochs=12, learning_rate=0.003, clip=1.0, schedule="cosine", warmup=200, patience=0, precision="float32"
)


@dataclass(frozen=True, kw_only=True)
class ConvNetConfig:
    """The config of a ConvNet. A note is processed in windows of `window` tokens; training windows have `train_window`.

    With a `teacher`, the targets of silver documents (`nadie distil`) are its token probabilities. Each epoch uses a
    random `silver_share` of these documents, and `auxiliary_share` of the auxiliary tasks. The initial weights are from
    `start`: the work folder of a training, or a model, whose words and lists are then used as well. `bias` is added to
    the log-odds of each token being PHI.
    """

    architecture: ConvArchitecture = ConvArchitecture()
    knowledge: FormKnowledge = FormKnowledge()
    augmentation: Augmentation = _AUGMENTATION
    optimisation: Optimisation = _OPTIMISATION
    window: int = 2048
    train_window: int = 320
    batch_tokens: int = 3840
    smoothing: float = 0.02
    teacher: str = field(default="", metadata=LOCAL)
    silver_share: float = 0.5
    auxiliary_share: float = 0.25
    start: str = field(default="", metadata=LOCAL)
    bias: float = 0.0


class ConvNet(NetworkModel[ConvNetConfig]):
    """Convolutions over the vectors of written forms.

    The vector of a form comes from tables and is computed once; a note then takes only a few matrix products. The
    network uses no patterns and no shared lexicon: its words and lists are in its folder.
    """

    system: ClassVar[str] = "convnet"
    config_type = ConvNetConfig
    required = (NETWORK, TABLES, TAGS, TRAINED)

    def __init__(self, config: ConvNetConfig, files: Mapping[str, bytes], name: str = "") -> None:
        super().__init__(config, files, name)
        self.bias = config.bias
        self.tags = tuple(json.loads(files[TAGS]))
        self._forms = FormVectors(*read_tables(files))
        self._session = onnx_session(files[NETWORK], 1)
        self._decoder = ProbabilityDecoder(self.tags)
        self._biased_decoder = ProbabilityDecoder(self.tags, _OUTSIDE_WITH_BIAS)
        self._calibration = read_results(files[TRAINED])["calibration"]

    @classmethod
    def _fit(cls) -> Fit[ConvNetConfig]:
        from nadie.detectors.convnet.fitting import fit_convnet

        return fit_convnet

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other.bias = self.bias + bias
        other.config = replace(self.config, bias=other.bias)  # so that it is saved
        return other

    def unbiased(self) -> Self:
        return self.with_bias(-self.bias)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [tuple(spans) for texts in _together(documents) for spans in self._spans(texts, (0.0,))[0]]

    def detect_twice(
        self, documents: Sequence[Document], bias: float, least: float
    ) -> list[tuple[tuple[Span, ...], ...]]:
        found = (self._spans(texts, (0.0, bias), least) for texts in _together(documents))
        return [tuple(map(tuple, each)) for all_three in found for each in zip(*all_three, strict=True)]

    def _spans(
        self, texts: Sequence[str], biases: Sequence[float], least: float | None = None
    ) -> list[list[list[Span]]]:
        """The spans of each text, once for each additional bias, and the suspected words; the network runs once."""
        reading = token_arrays(texts)
        decodings: list[Decoding | Suspected] = [
            Decoding(
                *(self._biased_decoder if bias else self._decoder, reading),
                calibration=self._calibration,
                source=self.name,
                bias=bias,
            )
            for bias in biases
        ]
        if least is not None:
            decodings.append(Suspected(self.tags, reading, sorted(NAMES), least))
        for rows in self._probabilities(texts, reading):
            for decoding in decodings:
                decoding.add(rows)
        return [decoding.found for decoding in decodings]

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        found = []
        for texts in _together(documents):
            reading = token_arrays(texts)
            parts = [np.zeros((0, len(self.tags)), dtype=np.float32), *self._probabilities(texts, reading)]
            rows = np.concatenate(parts)
            tokens = reading.tokens
            for first, stop in pairwise(reading.bounds.tolist()):
                found.append(TokenProbabilities(tokens[first:stop], self.tags, rows[first:stop]))
        return found

    def _probabilities(self, texts: Sequence[str], reading: TokenArrays) -> Iterator[Floats]:
        """(T, K), some windows at a time."""
        tables = table_columns(texts, reading) if self.config.architecture.columns else None
        some: list[_Window] = []
        for window in self._windows(reading):
            some.append(window)
            if window.stop - some[0].first >= _TOKENS_TOGETHER:
                yield self._run(reading, tables, some)
                some = []
        if some:
            yield self._run(reading, tables, some)

    def _windows(self, reading: TokenArrays) -> Iterator[_Window]:
        size, reach = self.config.window, self.config.architecture.reach
        for first, stop in pairwise(reading.bounds.tolist()):
            for begin in range(first, stop, size):
                end = min(begin + size, stop)
                yield _Window(max(first, begin - reach), begin, end, min(stop, end + reach))

    def _run(self, reading: TokenArrays, tables: tuple[Ints, Ints] | None, windows: Sequence[_Window]) -> Floats:
        """(T, K) for the tokens of some windows. The network processes each window separately, so that its output does
        not depend on the others.
        """
        forms = list(chain.from_iterable(reading.forms[w.first : w.stop] for w in windows))
        numbers, vectors, words = self._forms(forms)
        starts = list(accumulate((w.stop - w.first for w in windows), initial=0))
        links = {"": word_places(words.take(numbers), starts, repeated_only=self.config.architecture.repeated_only)}
        if tables is not None:
            links["column_"] = column_places(*_joined(tables, windows, starts), starts)
        linked = [_linked(prefix, *link, starts) for prefix, link in links.items()]
        bias = np.zeros(len(self.tags), dtype=np.float32)
        bias[0] = -self.bias  # `O` is the first tag
        rows = []
        for window, (start, stop), *inputs in zip(windows, pairwise(starts), *linked, strict=True):
            given = {
                "vectors": vectors.take(numbers[start:stop], axis=0),
                "spacing": reading.spacing[window.first : window.stop],
                "bias": bias,
            }
            for some in inputs:
                given |= some
            found: Floats = self._session.run(None, given)[0]
            rows.append(found[window.begin - window.first : window.end - window.first])
        return np.concatenate(rows)


def _joined(tables: tuple[Ints, Ints], windows: Sequence[_Window], starts: Sequence[int]) -> tuple[Ints, Ints]:
    """Columns and first tokens of cells for the tokens of some windows; -1 where a cell begins before its window."""
    columns, firsts = tables
    own = [firsts[w.first : w.stop] - w.first for w in windows]
    moved = [np.where(each >= 0, each + start, -1) for each, start in zip(own, starts, strict=False)]
    return np.concatenate([columns[w.first : w.stop] for w in windows]), np.concatenate(moved)


def _linked(prefix: str, groups: Ints, places: Ints, starts: Sequence[int]) -> list[dict[str, Ints]]:
    """The inputs `groups` and `places` of each window, counted within it."""
    firsts = np.searchsorted(places[1:, 0], starts).tolist()
    return [
        {
            f"{prefix}groups": np.maximum(groups[start:stop] - low, NO_WORD),
            f"{prefix}places": places[1 + low : 1 + high] - start,
        }
        for (start, stop), (low, high) in zip(pairwise(starts), pairwise(firsts), strict=True)
    ]


class _Window(NamedTuple):
    """Tokens `begin` to `end`, and those from `first` to `stop` that the convolutions reach."""

    first: int
    begin: int
    end: int
    stop: int


def _together(documents: Iterable[Document]) -> Iterator[list[str]]:
    """The texts of the documents in lists of limited length."""
    texts: list[str] = []
    length = 0
    for document in documents:
        if texts and length + len(document.text) > _CHARACTERS_TOGETHER:
            yield texts
            texts, length = [], 0
        texts.append(document.text)
        length += len(document.text)
    if texts:
        yield texts
