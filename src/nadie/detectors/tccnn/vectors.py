"""Word vectors for TCCNN: continuous bag of words, as in the paper, over notes instead of newspapers."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nadie.detectors.tccnn.vocabulary import Vocabulary
from nadie.errors import MissingExtraError

_WINDOW = 5
_EPOCHS = 8
_NEGATIVE = 10
_SPREAD = 0.3  # the standard deviation of the numbers in the vectors as they are given to the network


def train_vectors(
    notes: Sequence[Sequence[str]], vocabulary: Vocabulary, width: int, seed: int
) -> npt.NDArray[np.float32]:
    """A row for each word of the vocabulary, row 0 for padding.

    Rare words are read as their shapes, so that shapes have vectors too: the paper gives unknown words zeros, but in
    clinical notes a capital or five digits say much. Words that the notes do not show stay at zero.
    """
    try:
        from gensim.models import Word2Vec
    except ModuleNotFoundError as error:
        raise MissingExtraError("training word vectors", "train") from error
    names = ("", *vocabulary.words)
    read = [[names[vocabulary.word_id(word)] for word in words] for words in notes]
    model = Word2Vec(
        read,
        sg=0,
        vector_size=width,
        window=_WINDOW,
        min_count=1,
        negative=_NEGATIVE,
        epochs=_EPOCHS,
        seed=seed,
        workers=1,
        hashfxn=lambda word: zlib.crc32(str(word).encode()),
    )
    rows = np.zeros((vocabulary.word_count, width), dtype=np.float32)
    for i, word in enumerate(vocabulary.words, 1):
        if word in model.wv:
            rows[i] = model.wv[word]
    spread = float(rows[rows.any(axis=1)].std()) if rows.any() else 1.0
    scaled: npt.NDArray[np.float32] = rows * np.float32(_SPREAD / spread)
    return scaled
