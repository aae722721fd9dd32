"""Weights and the emissions they give: against features summed one by one, from any thread, in any order."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from nadie.crf.emissions import Emissions, windowed
from nadie.crf.weights import Weights
from nadie.errors import ModelError

TAGS = ("O", "B-PAIS", "I-PAIS")
WORDS = "el paciente vive en Perú desde que nació en Lima hace diez años".split()


def features(word: str) -> list[list[str]]:
    """Three places; the middle one has more features of the word, and the last none of a short one."""
    return [[f"-1:{word}"], [f"0:{word}", f"length={len(word)}"], [f"1:{word}"] if len(word) > 2 else []]


@pytest.fixture
def weights() -> Weights:
    names = sorted({name for word in ["", *WORDS[::2]] for names in features(word) for name in names})
    dice = np.random.default_rng(5)
    rows = dice.normal(size=(len(names), len(TAGS))).astype(np.float16).astype(np.float32)
    return Weights(TAGS, names, rows, dice.normal(size=(len(TAGS), len(TAGS))).astype(np.float32))


def summed(weights: Weights, names: Sequence[Sequence[str]]) -> list[list[float]]:
    rows = [[weights.rows[weights.index[n]] for n in found if n in weights.index] for found in names]
    return [np.sum(found, axis=0).tolist() if found else [0.0] * len(TAGS) for found in rows]


def test_words_and_features_are_summed(weights: Weights) -> None:
    emissions = Emissions(weights, features)
    for words in (WORDS, WORDS[::-1], WORDS[:1], []):
        expected = summed(weights, windowed(words, features, {}))
        assert emissions.of_words(words).tolist() == [pytest.approx(row, abs=1e-5) for row in expected]
    names = [["0:el", "unheard of", "length=4"], [], ["length=2"]]
    assert emissions.of_features(names).tolist() == [pytest.approx(row, abs=1e-5) for row in summed(weights, names)]
    assert emissions.of_features([]).shape == (0, len(TAGS))


def test_more_words_than_the_table_holds(weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Emissions(weights, features).of_words(WORDS)
    monkeypatch.setattr("nadie.crf.emissions._ROOM", 4 * 36)
    small = Emissions(weights, features)
    for first in (0, 3, 0, 5):
        assert np.array_equal(small.of_words(WORDS[first:])[1:], whole[first + 1 :])


def test_threads_share_a_table(weights: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nadie.crf.emissions._ROOM", 8 * 36)
    shared = Emissions(weights, features)
    sentences = [WORDS[i % 7 : i % 7 + 5] for i in range(400)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(shared.of_words, sentences))
    for words, emissions in zip(sentences, found, strict=True):
        assert np.array_equal(emissions, Emissions(weights, features).of_words(words))


def test_weights_survive_their_file(weights: Weights) -> None:
    again = Weights.parse(weights.dump())
    assert (again.tags, again.names) == (weights.tags, weights.names)
    assert np.array_equal(again.transitions, weights.transitions)
    kept = np.abs(weights.rows) > 1e-3
    assert np.array_equal(again.rows, np.where(kept, weights.rows, 0.0))


@pytest.mark.parametrize("content", [b"", b"not an archive", b"PK\x05\x06" + b"\0" * 18, b"PK\x03\x04"])
def test_damaged_weights_are_refused(content: bytes) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        Weights.parse(content)
