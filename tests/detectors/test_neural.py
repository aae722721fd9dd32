"""The common parts of the neural taggers: windows and their borders, vocabulary, calibration."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest

from nadie.crf.viterbi import Chain
from nadie.errors import ModelError
from nadie.neural.config import WindowSizes
from nadie.neural.encoding import (
    GLUED,
    NEW_LINE,
    NEW_PARAGRAPH,
    SPACED,
    Batch,
    collate,
    encode,
    reading_windows,
    training_windows,
)
from nadie.neural.model import Calibration, fit_calibration
from nadie.neural.tagger import SequenceTagger
from nadie.neural.vocabulary import Vocabulary, build_vocabulary, fold
from nadie.tokens.codec import allowed_steps, tag_set


@pytest.mark.parametrize(
    ("word", "folded"),
    [("JOSÉ", "jose"), ("ñandú", "ñandu"), ("Açaí", "açai"), ("28", "00"), ("3ª", "0ª"), ("mg", "mg"), ("İ", "i")],
)
def test_folding(word: str, folded: str) -> None:
    assert fold(word) == folded


def test_vocabulary() -> None:
    vocabulary = build_vocabulary(
        ["Madrid", "calle"], {"Madrid": 5, "calle": 5, "MADRID": 0, ".": 9, "\u00ff": 1}, lexicon=True
    )
    assert vocabulary.word_id("MADRID") == vocabulary.word_id("madrid") > 0
    assert vocabulary.word_id("Teruel") == 0
    forms = vocabulary.forms(["Madrid", "MADRID", "x\u4e00" * 50, "."])
    assert forms.words.tolist() == [2, 2, 0, 0]
    assert "." in vocabulary.characters
    assert "\u00ff" not in vocabulary.characters
    assert forms.lengths.tolist() == [6, 6, 40, 1]
    assert (forms.characters[2] == 1).all()
    assert (forms.lists[0] == forms.lists[1]).all()
    assert forms.lists[0].any()
    assert forms.clusters[0].tolist() == forms.clusters[1].tolist() != [0, 0]
    assert not forms.lists[3].any()
    assert Vocabulary.from_json(vocabulary.to_json()) == vocabulary


@pytest.mark.parametrize("content", [b"", b"[]", b'{"words": 3}', b"\xff"])
def test_a_damaged_vocabulary_is_a_model_error(content: bytes) -> None:
    with pytest.raises(ModelError):
        Vocabulary.from_json(content)


def test_encoding_tells_white_space_apart() -> None:
    encoded = encode("Edad:68 años\nSexo\n\n F")
    assert [t.text for t in encoded.tokens] == ["Edad", ":", "68", "años", "Sexo", "F"]
    assert encoded.spacing.tolist() == [NEW_PARAGRAPH, GLUED, GLUED, SPACED, NEW_LINE, NEW_PARAGRAPH]
    assert encode("").tokens == []


def test_collated_rows_point_at_their_forms() -> None:
    encoded = encode("a b a c c")
    vocabulary = Vocabulary(("a", "b", "c"), "abc")
    rows = [(encoded.kinds[:3], encoded.spacing[:3]), (encoded.kinds[3:], encoded.spacing[3:])]
    batch = collate(rows, vocabulary.forms(encoded.forms))
    assert batch.lengths.tolist() == [3, 2]
    assert batch.forms.words[batch.kinds[0]].tolist() == [1, 2, 1]
    assert batch.forms.words[batch.kinds[1, :2]].tolist() == [3, 3]


@pytest.mark.parametrize("tokens", [1, 7, 8, 9, 40, 333])
@pytest.mark.parametrize("breaks", [[0], [0, 3, 6, 20, 21, 300]])
def test_windows_judge_every_token_once(tokens: int, breaks: list[int]) -> None:
    windows = reading_windows(tokens, [b for b in breaks if b < tokens], 12, 2)
    assert [i for w in windows for i in range(w.begin, w.end)] == list(range(tokens))
    for w in windows:
        assert 0 <= w.first <= w.begin < w.end <= w.stop <= tokens
        assert w.stop - w.first <= 12
        assert w.first == max(0, w.begin - 2)
        assert w.stop == min(tokens, w.end + 2)


def test_windows_without_room_are_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        reading_windows(10, [0], 8, 4)


def test_training_windows_begin_only_where_nothing_is_cut() -> None:
    starts = [0, 4, 9, 30, 33]
    ranges = training_windows(starts, 40, 10, 5)
    assert [i for begin, end in ranges for i in range(begin, end)] == list(range(40))
    assert all(begin in starts for begin, _ in ranges)
    assert ranges[0] == (0, 4)


TAGS = tuple(tag_set(["CALLE"], "BIOES"))
CHAIN = Chain.of_allowed(allowed_steps(TAGS))


def _inside_brackets(batch: Batch) -> dict[str, np.ndarray]:
    """A network that puts a token into an entity when it, or a neighbour, is the word `dentro`."""
    inside = batch.forms.words[batch.kinds] == 1
    inside &= np.arange(batch.kinds.shape[1]) < batch.lengths[:, None]
    left = np.pad(inside, ((0, 0), (1, 0)))[:, :-1]
    right = np.pad(inside, ((0, 0), (0, 1)))[:, 1:]
    scores = np.full((*inside.shape, len(TAGS)), -9.0, dtype=np.float32)
    scores[..., TAGS.index("O")] = np.where(inside, -9, 9)
    scores[..., TAGS.index("B-CALLE")] = np.where(inside & ~left & right, 9, -9)
    scores[..., TAGS.index("I-CALLE")] = np.where(inside & left & right, 9, -9)
    scores[..., TAGS.index("E-CALLE")] = np.where(inside & left & ~right, 9, -9)
    scores[..., TAGS.index("S-CALLE")] = np.where(inside & ~left & ~right, 9, -9)
    return {"emissions": scores}


@pytest.mark.parametrize("length", [1, 2, 5, 25])
def test_no_seam_loses_an_entity(length: int) -> None:
    tagger = SequenceTagger(
        _inside_brackets, Vocabulary(("dentro",), "x"), TAGS, CHAIN, WindowSizes(16, 3), Calibration()
    )
    total = 60
    for first in range(total - length + 1):
        words = ["fuera"] * total
        words[first : first + length] = ["dentro"] * length
        text = " ".join(words)
        start = sum(len(word) + 1 for word in words[:first])
        found = tagger.spans(text, "test")
        assert [(s.start, s.end) for s in found] == [(start, start + 7 * length - 1)], first


def test_many_windows_and_nothing() -> None:
    tagger = SequenceTagger(
        _inside_brackets, Vocabulary(("dentro",), "x"), TAGS, CHAIN, WindowSizes(16, 3), Calibration()
    )
    assert tagger.spans("", "test") == ()
    assert tagger.spans(" \n ", "test") == ()
    text = "fuera dentro fuera " * 2000
    assert len(tagger.spans(text, "test")) == 2000


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """Expected calibration error: the mean gap between confidence and accuracy over bins of equal size."""
    if not confidences:
        return 0.0
    order = np.argsort(np.asarray(confidences), kind="stable")
    values = np.asarray(confidences, dtype=np.float64)[order]
    truth = np.asarray(right, dtype=np.float64)[order]
    parts = zip(np.array_split(values, bins), np.array_split(truth, bins), strict=True)
    gaps = [abs(v.mean() - t.mean()) * len(v) for v, t in parts if len(v)]
    return float(sum(gaps) / len(values))


def test_calibration_repairs_overconfidence() -> None:
    rng = np.random.default_rng(1)
    truth = rng.uniform(0.3, 0.95, size=4000)
    right = (rng.uniform(size=4000) < truth).tolist()
    logit = np.log(truth / (1 - truth))
    claimed = (1 / (1 + np.exp(-2.5 * logit - 0.5))).tolist()
    calibration = fit_calibration(claimed, right)
    repaired = [calibration(p) for p in claimed]
    assert calibration.slope == pytest.approx(0.4, abs=0.05)
    assert calibration_error(repaired, right) < 0.03 < 0.08 < calibration_error(claimed, right)


@pytest.mark.parametrize("right", [[True] * 5, [False] * 5, []])
def test_calibration_stays_finite(right: list[bool]) -> None:
    calibration = fit_calibration([0.999999999] * len(right), right)
    for probability in (0.0, 0.5, 1.0):
        assert 0.0 <= calibration(probability) <= 1.0


def test_working_needs_no_torch() -> None:
    code = (
        "import sys\n"
        "import nadie, nadie.papers.bilstm_crf, nadie.papers.e2ej, nadie.neural.tagger\n"
        "sys.exit('torch' in sys.modules or 'gensim' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
