"""Batches, vectors, spelling, learning curves."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from nadie.document import Document
from nadie.errors import ConfigError, ModelError
from nadie.storage import write_model
from nadie.training.examples import VARIANTS, Examples, bucketed, of_similar_length
from nadie.training.records import learning_curve
from nadie.training.vectors import VectorPlan, WordVectors, load_vectors, quantise, save_vectors, train_vectors


@pytest.mark.parametrize("seed", [1, 2])
def test_every_sequence_is_in_one_batch_within_the_budget(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lengths = [int(n) for n in rng.integers(1, 60, size=500)] + [300]
    batches = bucketed(lengths, 200, rng)
    assert sorted(i for batch in batches for i in batch) == list(range(501))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= 200
    padded = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    assert padded < 1.2 * sum(lengths)
    assert bucketed([], 10, rng) == []


def test_batches_of_a_number_of_sequences_have_similar_lengths() -> None:
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 200, size=1005).tolist()
    batches = of_similar_length(lengths, 10, rng)
    assert sorted(i for batch in batches for i in batch) == list(range(1005))
    assert max(map(len, batches)) == 10
    assert np.mean([np.ptp([lengths[i] for i in batch]) for batch in batches]) < 10


def test_quantised_rows_are_near() -> None:
    dense = np.random.default_rng(1).normal(size=(20, 30)).astype(np.float32)
    dense[3] = 0
    table, scales = quantise(dense)
    assert table.dtype == np.int8
    assert np.abs(table * scales[:, None] - dense).max() <= np.abs(dense).max() / 250
    assert not (table[3] * scales[3]).any()


def test_vectors_there_and_back(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    notes = ["El paciente vive en Cuenca y la paciente vive en Soria."] * 30 + ["Fiebre y tos de 3 días."] * 30
    plan = VectorPlan(width=8, epochs=2, seed=3)
    vectors = train_vectors(notes, plan)
    assert "paciente" in vectors.words
    assert "dias" in vectors.words
    assert train_vectors(notes, plan).table.tolist() == vectors.table.tolist()
    save_vectors(vectors, tmp_path / "v", asdict(plan), {})
    again = load_vectors(tmp_path / "v")
    assert again.words == vectors.words
    np.testing.assert_array_equal(again.dense(), vectors.dense())
    assert len(again.nearest("CUENCA", 3)) == 3
    with pytest.raises(ConfigError):
        again.nearest("unseen")


def test_too_little_text_for_vectors() -> None:
    pytest.importorskip("gensim")
    with pytest.raises(ConfigError, match="too little"):
        train_vectors(["Hola."], VectorPlan())


def test_a_folder_of_something_else_is_not_vectors(tmp_path: Path) -> None:
    write_model(tmp_path / "m", system="recrf", config={}, card={}, files={})
    with pytest.raises(ModelError, match="not word vectors"):
        load_vectors(tmp_path / "m")


def test_nearest_words() -> None:
    dense = np.array([[1, 0], [0.9, 0.1], [0, 1]], dtype=np.float32)
    vectors = WordVectors(("calle", "avenida", "fiebre"), *quantise(dense))
    assert [word for word, _ in vectors.nearest("Calle")] == ["avenida", "fiebre"]


@pytest.mark.parametrize("word", ["José", "ÑANDÚ", "mcg", "Straße", "3", "ª"])
def test_variants_keep_a_word_one_word(word: str) -> None:
    for spell in VARIANTS:
        written = spell(word)
        assert written
        assert not any(c.isspace() for c in written)


def test_the_learning_curve_is_a_picture() -> None:
    pytest.importorskip("matplotlib")
    history = [{"epoch": 1, "loss": 3.0, "f1": 0.5}, {"epoch": 2, "loss": 1.0, "f1": 0.9}]
    picture = learning_curve(history, "test")
    assert picture.startswith(b"\x89PNG")
    assert picture != learning_curve(history[:1], "test")
    assert learning_curve([{"epoch": 1, "loss": 3.0}], "no dev set").startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("at_once", "seen_in_epochs"),
    [(1, ["a", "b", "c", "a"]), (2, ["ab", "ca", "bc", "ab"]), (5, ["abc", "cab", "bca", "abc"])],
)
def test_epochs_see_one_set_of_copies_after_the_other(at_once: int, seen_in_epochs: list[str]) -> None:
    sets = [[Document(name, f"Nota {name}.")] for name in "abc"]
    examples = Examples([Document("n", "Nota.")], "BIO", sets)
    for epoch, expected in enumerate(seen_in_epochs):
        names = [copy.document.id for copy in examples.copies_in(epoch, at_once)]
        assert sorted(names) == sorted(expected)
        assert len(set(names)) == len(names)
    assert Examples([Document("n", "Nota.")], "BIO").copies_in(3, at_once) == []
