"""Word vectors from unlabelled notes, stored with eight bits per value."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from nadie.errors import ConfigError, MissingExtraError, ModelError
from nadie.neural.vocabulary import fold
from nadie.storage import read_model, write_model
from nadie.tokens.tokenizer import tokenize
from nadie.tokens.view import view_of

SYSTEM = "vectors"
_TABLE, _WORDS = "vectors.safetensors", "words.json"


@dataclass(frozen=True)
class VectorPlan:
    """Skip-gram with negative sampling (Mikolov et al. 2013). One worker, so that a seed gives the same vectors.

    Words are `folded`, or as written.
    """

    width: int = 300
    window: int = 5
    rarest: int = 2
    negative: int = 10
    epochs: int = 10
    seed: int = 1
    folded: bool = True


@dataclass(frozen=True)
class WordVectors:
    """Words, folded or as written, the most frequent first, with one row each: `table[i] * scales[i]`."""

    words: tuple[str, ...]
    table: npt.NDArray[np.int8]  # (words, width)
    scales: npt.NDArray[np.float32]  # (words,)
    folded: bool = True

    def keyed(self, *, folded: bool) -> WordVectors:
        """The vectors of folded words; of forms that fold to the same word, the most frequent's. Or as written."""
        if folded == self.folded:
            return self
        if self.folded:
            raise ConfigError("these vectors are of folded words: train or import them with --as-written")
        first: dict[str, int] = {}
        for i, word in enumerate(self.words):
            first.setdefault(fold(word), i)
        rows = list(first.values())
        return WordVectors(tuple(first), self.table[rows], self.scales[rows])

    def dense(self) -> npt.NDArray[np.float32]:
        return (self.table * self.scales[:, None]).astype(np.float32)

    def nearest(self, word: str, count: int = 5) -> list[tuple[str, float]]:
        """The words whose vectors have the highest cosine similarity."""
        key = fold(word) if self.folded else word
        if key not in self.words:
            raise ConfigError("the word has no vector")
        dense = self.dense()
        unit = dense / np.maximum(np.linalg.norm(dense, axis=1, keepdims=True), 1e-9)
        here = self.words.index(key)
        likeness = unit @ unit[here]
        order = [int(i) for i in np.argsort(-likeness, kind="stable") if i != here]
        return [(self.words[i], float(likeness[i])) for i in order[:count]]


def quantise(
    dense: npt.NDArray[np.floating], highest: int = 127
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Rows of integers from -highest to highest, each with its own scale: dense ≈ table * scales[:, None]."""
    scales = (np.abs(dense).max(axis=1) / highest).astype(np.float32)
    safe = np.where(scales > 0, scales, 1.0).astype(np.float32)
    return np.clip(np.rint(dense / safe[:, None]), -highest, highest).astype(np.int8), safe


def word2vec(sentences: Sequence[Sequence[str]], plan: VectorPlan, *, skipgram: bool = True) -> Any:
    """gensim's vectors of the words in `sentences`; deterministic for a seed."""
    try:
        from gensim.models import Word2Vec
    except ModuleNotFoundError as error:
        raise MissingExtraError("training word vectors", "train") from error
    return Word2Vec(
        sentences,
        sg=int(skipgram),
        vector_size=plan.width,
        window=plan.window,
        min_count=plan.rarest,
        negative=plan.negative,
        epochs=plan.epochs,
        seed=plan.seed,
        workers=1,
        hashfxn=lambda word: zlib.crc32(str(word).encode()),
    ).wv


def train_vectors(texts: Iterable[str], plan: VectorPlan) -> WordVectors:
    """Vectors of the words in `texts`; each text is one context, across its lines."""
    written = ([token.text for token in tokenize(view_of(text).text)] for text in texts)
    notes = [[fold(word) for word in words] if plan.folded else words for words in written]
    if sum(map(len, notes)) < plan.width:
        raise ConfigError("there is too little text to train word vectors on")
    found = word2vec(notes, plan)
    return WordVectors(tuple(found.index_to_key), *quantise(np.asarray(found.vectors, dtype=np.float32)), plan.folded)


def save_vectors(vectors: WordVectors, path: Path, config: Mapping[str, Any], card: Mapping[str, Any]) -> None:
    from safetensors.numpy import save

    table = save({"table": vectors.table, "scales": vectors.scales})
    words = json.dumps(vectors.words, ensure_ascii=False, separators=(",", ":")).encode()
    stored = {**config, "folded": vectors.folded}
    write_model(path, system=SYSTEM, config=stored, card=card, files={_TABLE: table, _WORDS: words})


def load_vectors(path: Path) -> WordVectors:
    from safetensors.numpy import load

    folder = read_model(path)
    if folder.system != SYSTEM:
        raise ModelError(f"{path.name!r} is a model of {folder.system!r}, not word vectors")
    arrays = load(folder.file(_TABLE).read_bytes())
    words: Sequence[str] = json.loads(folder.file(_WORDS).read_text(encoding="utf-8"))
    if len(words) != len(arrays["table"]):
        raise ModelError(f"the word vectors {path.name!r} do not have one row for each word")
    folded = bool(folder.config.get("folded", True))
    return WordVectors(tuple(words), arrays["table"], arrays["scales"], folded)
