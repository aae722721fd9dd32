"""The detector ConvNet, and its config."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from nadie.detectors.config import LOCAL
from nadie.detectors.convnet.decoding import Decoder
from nadie.detectors.convnet.forms import Floats, FormTables, FormVocabulary
from nadie.detectors.convnet.reading import Reading, read
from nadie.detectors.neural.config import Augmentation, Optimisation
from nadie.detectors.neural.model import NETWORK, TRAINED, Fit, NetworkModel, read_results
from nadie.detectors.neural.tagger import onnx_session
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.tokens.probabilities import TokenProbabilities

WORDS, TABLES, TAGS = "words.txt", "tables.npz", "tags.json"
_CACHED = 1 << 16


@dataclass(frozen=True, kw_only=True)
class ConvArchitecture:
    """The sizes of the network.

    A `separable` block convolves each channel by itself and costs a fifth of a dense one. `dilations` has one step for
    each block. Before the block `memory_after`, each word sees the other places of the same word in the note; 0 leaves
    this out.
    """

    width: int = 128
    kernel: int = 5
    dilations: str = "1,2,4,8,1"
    separable: bool = True
    memory_after: int = 3
    ngram_embedding: int = 64
    shape_embedding: int = 32
    dropout: float = 0.3
    tune_vectors: bool = False

    @property
    def steps(self) -> list[int]:
        return [int(step) for step in self.dilations.split(",")]

    @property
    def reach(self) -> int:
        """How many tokens to either side a tag depends on, but for the memory."""
        return sum(self.steps) * (self.kernel // 2)


@dataclass(frozen=True, kw_only=True)
class FormKnowledge:
    """Word vectors (a folder written by `nadie vectors train`), of which `most_words` are kept, and a table of words
    with the lists that name them (`scripts/build_gazetteer.py`)."""

    vectors: str = field(default="", metadata=LOCAL)
    most_words: int = 40_000
    gazetteer: str = field(default="", metadata=LOCAL)


_AUGMENTATION = Augmentation(copies=6, kept_share=0.7, kept_of_copies=0.3)
_OPTIMISATION = Optimisation(
    epochs=12, learning_rate=0.003, clip=1.0, schedule="cosine", warmup=200, patience=0, precision="float32"
)


@dataclass(frozen=True, kw_only=True)
class ConvNetConfig:
    """What a ConvNet stores. A note is read in windows of `window` tokens; training windows have `train_window`.

    With a `teacher`, silver documents (`nadie distil`) are learned from its token probabilities, and each epoch sees a
    random `silver_share` of them. `start` is the work folder of an earlier training of the same architecture, whose
    weights this one begins with. `bias` is added to the log-odds of each token being protected.
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
    start: str = field(default="", metadata=LOCAL)
    bias: float = 0.0


class ConvNet(NetworkModel[ConvNetConfig]):
    """Convolutions over the vectors of written forms.

    The vector of a form comes from tables and is worked out once; a note then costs a few products of matrices. There
    are no patterns and no lexicon behind it: the words and lists it knows are in its folder.
    """

    system: ClassVar[str] = "convnet"
    config_type = ConvNetConfig
    required = (NETWORK, WORDS, TABLES, TAGS, TRAINED)

    def __init__(self, config: ConvNetConfig, files: Mapping[str, bytes], name: str = "") -> None:
        super().__init__(config, files, name)
        self.bias = config.bias
        self.tags = tuple(json.loads(files[TAGS]))
        self._forms = FormVectors(*read_tables(files))
        self._session = onnx_session(files[NETWORK], 1)
        self._decoder = Decoder(self.tags)
        self._calibration = read_results(files[TRAINED])["calibration"]

    @classmethod
    def _fit(cls) -> Fit[ConvNetConfig]:
        from nadie.detectors.convnet.fitting import fit_convnet

        return fit_convnet

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other.bias = self.bias + bias
        return other

    def unbiased(self) -> Self:
        return self.with_bias(-self.bias)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = []
        for document in documents:
            reading = read(document.text)
            chunks = self._decoder.chunks(self._probabilities(reading))
            found.append(
                tuple(
                    Span(
                        reading.tokens[chunk.first].start,
                        reading.tokens[chunk.stop - 1].end,
                        chunk.label,
                        self._calibration(probability),
                        self.name,
                    )
                    for chunk, probability in chunks
                )
            )
        return found

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        readings = [read(document.text) for document in documents]
        return [TokenProbabilities(each.tokens, self.tags, self._probabilities(each)) for each in readings]

    def _probabilities(self, reading: Reading) -> Floats:
        """(T, K), window by window; a window looks as far beyond its borders as the convolutions reach."""
        tokens, reach = len(reading.tokens), self.config.architecture.reach
        if not tokens:
            return np.zeros((0, len(self.tags)), dtype=np.float32)
        vectors = self._forms(reading.forms)
        parts = []
        for begin in range(0, tokens, self.config.window):
            end = min(begin + self.config.window, tokens)
            first, stop = max(0, begin - reach), min(tokens, end + reach)
            kinds, groups, own = reading.kinds[first:stop], reading.groups[first:stop], vectors
            if tokens > self.config.window:
                used, kinds = np.unique(kinds, return_inverse=True)
                own = vectors[used]
                _, groups = np.unique(np.concatenate([[0], groups]), return_inverse=True)
                groups = groups[1:]
            inputs = {"vectors": own, "kinds": kinds, "spacing": reading.spacing[first:stop], "groups": groups}
            parts.append(self._session.run(None, inputs)[0][begin - first : end - first])
        rows: Floats = np.concatenate(parts)
        return rows if not self.bias else _biased(rows, self.bias)


def _biased(rows: Floats, bias: float) -> Floats:
    """The probabilities with `bias` added to the log-odds of each token being protected; `O` is the first tag."""
    moved: Floats = rows * np.exp(np.float32(bias))
    moved[:, 0] = rows[:, 0]
    moved /= moved.sum(axis=1, keepdims=True)
    return moved


class FormVectors:
    """The vectors of written forms. Those met before are kept, some tens of thousands of them; safe in threads."""

    def __init__(self, vocabulary: FormVocabulary, tables: FormTables) -> None:
        self._vocabulary = vocabulary
        self._tables = tables
        self._lock = threading.Lock()
        self._clear()

    def _clear(self) -> None:
        self._rows: dict[str, int] = {}
        self._table = np.zeros((1024, self._tables.width), dtype=np.float32)

    def __call__(self, forms: Sequence[str]) -> Floats:
        """(forms, width)."""
        with self._lock:
            new = [form for form in forms if form not in self._rows]
            if new:
                if len(self._rows) + len(new) > _CACHED:
                    self._clear()
                    new = list(forms)
                self._add(new)
            rows = [self._rows[form] for form in forms]
            found: Floats = self._table[rows]
            return found

    def _add(self, new: Sequence[str]) -> None:
        known, total = len(self._rows), len(self._rows) + len(new)
        if total > len(self._table):
            grown = np.zeros((max(total, 2 * len(self._table)), self._tables.width), dtype=np.float32)
            grown[:known] = self._table[:known]
            self._table = grown
        self._table[known:total] = self._tables.vectors(self._vocabulary.describe(new))
        self._rows.update(zip(new, range(known, total), strict=True))


def write_tables(vocabulary: FormVocabulary, tables: FormTables) -> dict[str, bytes]:
    file = io.BytesIO()
    np.savez(
        file,
        words=tables.words,
        ngrams=tables.ngrams,
        shapes=tables.shapes.astype(np.float16),
        lists=tables.lists.astype(np.float16),
        scales=np.array([tables.word_scale, tables.ngram_scale], dtype=np.float64),
        masks=vocabulary.masks,
        list_names=np.array(vocabulary.lists),
    )
    return {WORDS: "\n".join(vocabulary.words).encode(), TABLES: file.getvalue()}


def read_tables(files: Mapping[str, bytes]) -> tuple[FormVocabulary, FormTables]:
    try:
        words = files[WORDS].decode("utf-8").split("\n")
        with np.load(io.BytesIO(files[TABLES]), allow_pickle=False) as stored:
            arrays: dict[str, Any] = dict(stored)
        tables = FormTables(
            arrays["words"],
            arrays["ngrams"],
            arrays["shapes"].astype(np.float32),
            arrays["lists"].astype(np.float32),
            float(arrays["scales"][0]),
            float(arrays["scales"][1]),
        )
        names = [str(name) for name in arrays["list_names"]]
        return FormVocabulary(words, len(tables.words) - 1, arrays["masks"], names), tables
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ModelError("the tables of the model cannot be read") from error
