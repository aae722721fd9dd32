"""The parts of the exhaustive model that need no network: variants, sizes, targets, votes, decoding."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nadie.config import parse_config
from nadie.document import Span
from nadie.errors import ConfigError, ModelError
from nadie.neural.config import WindowSizes
from nadie.papers.exhaustive import RUNS, VARIANTS, ExhaustiveConfig, Variant
from nadie.papers.exhaustive.config import variants_named
from nadie.papers.exhaustive.decoding import Candidate, flat, nested, vote
from nadie.papers.exhaustive.reading import SharedVectors, wide_enough
from nadie.papers.exhaustive.targets import Sampling, choose_sizes, chunks_of, coverage_of, targets_of
from nadie.tokens.codec import Chunk
from nadie.tokens.tokenizer import tokenize


def test_the_papers_sizes_are_the_defaults() -> None:
    config = ExhaustiveConfig()
    own = config.architecture
    assert (config.words.word_embedding, own.character_embedding) == (200, 25)
    assert (own.word_hidden, own.span_hidden, config.optimisation.clip) == (200, 200, 5.0)
    assert not config.spans.nested


def test_eight_variants_and_five_runs() -> None:
    assert list(VARIANTS) == [
        "br-avg-none",
        "br-avg-context",
        "br-attn-none",
        "br-attn-context",
        "lm-avg-none",
        "lm-avg-context",
        "lm-attn-none",
        "lm-attn-context",
    ]
    assert VARIANTS["lm-avg-context"] == Variant("minus", "average", "context")
    assert len(RUNS) == 5
    assert RUNS["ensemble"] == tuple(VARIANTS)
    assert all(ExhaustiveConfig(variants=run).chosen() == [VARIANTS[v] for v in RUNS[run]] for run in RUNS)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, ["br-attn-none"]),
        ({"boundary": "minus", "inside": "average"}, ["lm-avg-none"]),
        ({"context": "context"}, ["br-attn-context"]),
        ({"variants": "LM-Attn-None, br-avg-none"}, ["br-avg-none", "lm-attn-none"]),
        ({"variants": "ensemble,br-avg-none", "boundary": "minus"}, list(VARIANTS)),
    ],
)
def test_settings_choose_variants(settings: dict[str, str], names: list[str]) -> None:
    assert [variant.name for variant in parse_config(ExhaustiveConfig, settings).chosen()] == names


@pytest.mark.parametrize(
    "settings",
    [
        {"boundary": "plus"},
        {"inside": "mean"},
        {"context": "yes"},
        {"variants": "br-avg"},
        {"negatives": 0.0},
        {"negatives": 1.5},
        {"coverage": 0.0},
        {"sizes": -1},
        {"rare_repeats": -1},
    ],
)
def test_settings_that_cannot_be(settings: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        parse_config(ExhaustiveConfig, settings)


@pytest.mark.parametrize(
    ("text", "places", "chunks"),
    [
        ("Ana vive en Soria", [(0, 3)], [(0, 1)]),
        ("Hospital de Soria", [(0, 17), (12, 17)], [(0, 3), (2, 3)]),
        ("Edad:68", [(5, 7)], [(2, 3)]),
        ("abcdef gh", [(2, 8)], [(0, 2)]),
        ("a   b", [(1, 3)], []),
        ("", [], []),
    ],
)
def test_spans_become_tokens(text: str, places: list[tuple[int, int]], chunks: list[tuple[int, int]]) -> None:
    spans = [Span(start, end, "HOSPITAL") for start, end in places]
    assert [(c.first, c.stop) for c in chunks_of(tokenize(text), spans)] == chunks


@pytest.mark.parametrize(
    ("sizes", "wanted", "chosen", "share"),
    [
        ([1] * 9 + [5], 0.9, 1, 0.9),
        ([1] * 9 + [5], 0.91, 5, 1.0),
        ([1] * 996 + [3] * 2 + [40] * 2, 0.998, 3, 0.998),
        ([7], 1.0, 7, 1.0),
        ([], 0.998, 1, 1.0),
    ],
)
def test_the_longest_span_comes_from_the_data(sizes: list[int], wanted: float, chosen: int, share: float) -> None:
    chunks = [Chunk(3, 3 + size, "FECHAS") for size in sizes]
    assert choose_sizes(chunks, wanted) == coverage_of(chunks, chosen)
    assert choose_sizes(chunks, wanted).sizes == chosen
    assert choose_sizes(chunks, wanted).share == pytest.approx(share)


ROWS = [[Chunk(1, 3, "HOSPITAL"), Chunk(2, 3, "TERRITORIO")], []]
LENGTHS = np.array([5, 2])
KINDS = {"HOSPITAL": 1, "TERRITORIO": 2}


def test_without_sampling_every_span_is_learned_from_once() -> None:
    targets = targets_of(ROWS, LENGTHS, KINDS, Sampling(3, 1.0), np.random.default_rng(1))
    expected = {}
    for row, length in enumerate(LENGTHS.tolist()):
        for i in range(length):
            for size in range(1, 4):
                if i + size <= length:
                    expected[(row * 5 + i) * 3 + size - 1] = 0
    expected[1 * 3 + 1] = 1
    expected[2 * 3 + 0] = 2
    assert dict(zip(targets.cells.tolist(), targets.kinds.tolist(), strict=True)) == expected
    assert set(targets.weights.tolist()) == {1.0}


def test_sampling_spares_entities_and_their_neighbours() -> None:
    everything = targets_of(ROWS, LENGTHS, KINDS, Sampling(3, 1.0), np.random.default_rng(1))
    always: set[int] = set(everything.cells.tolist())
    weight = 0.0
    for seed in range(400):
        targets = targets_of(ROWS, LENGTHS, KINDS, Sampling(3, 0.25), np.random.default_rng(seed))
        always &= set(targets.cells.tolist())
        weight += float(targets.weights.sum())
        assert set(targets.weights.tolist()) <= {1.0, 4.0}
    touching = {(i * 3) + s for i in range(5) for s in range(3) if i + s < 5 and i < 3 and i + s >= 1}
    assert always == touching
    assert weight / 400 == pytest.approx(len(everything.cells), rel=0.05)


def test_an_entity_too_long_is_no_target_and_yet_kept_apart() -> None:
    targets = targets_of([[Chunk(0, 4, "HOSPITAL")]], np.array([4]), KINDS, Sampling(2, 0.5), np.random.default_rng(1))
    assert targets.kinds.tolist() == [0] * 7
    assert set(targets.weights.tolist()) == {1.0}


def _scores(tokens: int, sizes: int, classes: int, said: dict[tuple[int, int], list[float]]) -> np.ndarray:
    """Probabilities of some spans as scores; every other span is no entity."""
    scores = np.full((tokens, sizes, classes), -9.0, dtype=np.float32)
    scores[:, :, 0] = 9.0
    for (first, stop), probabilities in said.items():
        scores[first, stop - first - 1] = np.log(np.maximum(probabilities, 1e-9))
    return scores


@pytest.mark.parametrize(
    ("voters", "expected"),
    [
        ([[0.1, 0.9, 0.0]], (1, 0.9)),
        ([[0.6, 0.4, 0.0]], None),
        # two of three vote for class 1, though class 2 has a higher probability in the third
        ([[0.4, 0.6, 0.0], [0.4, 0.6, 0.0], [0.0, 0.0, 1.0]], (1, 0.4)),
        # "no entity" has a vote as well
        ([[0.6, 0.4, 0.0], [0.6, 0.4, 0.0], [0.0, 1.0, 0.0]], None),
        # a tie goes to the higher sum of probabilities: 1.3 against 0.7, 0.9 against 1.1
        ([[0.4, 0.6, 0.0], [0.0, 0.1, 0.9]], (2, 0.45)),
        ([[0.6, 0.4, 0.0], [0.1, 0.9, 0.0]], (1, 0.65)),
        ([[0.9, 0.1, 0.0], [0.4, 0.6, 0.0]], None),
    ],
)
def test_votes(voters: list[list[float]], expected: tuple[int, float] | None) -> None:
    found = vote([_scores(4, 2, 3, {(1, 3): voter}) for voter in voters])
    assert len(found) == (expected is not None)
    if expected is not None:
        assert (found[0].first, found[0].stop, found[0].kind) == (1, 3, expected[0])
        assert found[0].score == pytest.approx(expected[1], abs=1e-4)


def test_spans_past_the_end_have_no_vote() -> None:
    scores = np.zeros((2, 3, 2), dtype=np.float32)
    scores[:, :, 1] = 5.0
    assert {(c.first, c.stop) for c in vote([scores])} == {(0, 1), (0, 2), (1, 2)}
    assert {(c.first, c.stop) for c in vote([scores], 3)} == {(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)}


CASES = {
    "apart": ([(0, 2, 0.9), (2, 4, 0.8)], {(0, 2), (2, 4)}, {(0, 2), (2, 4)}),
    "inner": ([(0, 4, 0.9), (2, 4, 0.8)], {(0, 4)}, {(0, 4), (2, 4)}),
    "inner surer": ([(0, 4, 0.8), (2, 4, 0.9)], {(2, 4)}, {(0, 4), (2, 4)}),
    "crossing": ([(0, 3, 0.8), (2, 5, 0.9)], {(2, 5)}, {(2, 5)}),
    "three deep": ([(0, 5, 0.7), (1, 4, 0.8), (2, 3, 0.9)], {(2, 3)}, {(0, 5), (1, 4), (2, 3)}),
    "a loser excludes nothing": ([(0, 3, 0.9), (2, 5, 0.8), (4, 6, 0.7)], {(0, 3), (4, 6)}, {(0, 3), (4, 6)}),
    "equally sure": ([(0, 2, 0.9), (1, 4, 0.9)], {(1, 4)}, {(1, 4)}),
    "nothing": ([], set(), set()),
}


@pytest.mark.parametrize("case", CASES)
def test_what_may_stand_together(case: str) -> None:
    given, as_flat, as_nested = CASES[case]
    for order in (given, given[::-1]):
        candidates = [Candidate(first, stop, 1, score) for first, stop, score in order]
        assert {(c.first, c.stop) for c in flat(candidates)} == as_flat
        assert {(c.first, c.stop) for c in nested(candidates)} == as_nested


def test_the_margin_holds_the_longest_span() -> None:
    assert wide_enough(WindowSizes(window=20, margin=4), 12) == WindowSizes(window=36, margin=12)
    assert wide_enough(WindowSizes(window=160, margin=24), 12) == WindowSizes(window=160, margin=24)


def test_vectors_keep_their_bytes() -> None:
    vectors = SharedVectors(np.array([[0, 0], [127, -64]], dtype=np.int8), np.array([1.0, 0.5], dtype=np.float32))
    again = SharedVectors.from_bytes(vectors.to_bytes())
    assert again.rows(np.array([1, 0])).tolist() == [[63.5, -32.0], [0.0, 0.0]]
    assert again.to_bytes() == vectors.to_bytes()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"not an archive", b"\x80\x04\x95"])
def test_vectors_that_cannot_be_read(content: bytes) -> None:
    with pytest.raises(ModelError):
        SharedVectors.from_bytes(content)


def test_names_that_mean_nothing() -> None:
    assert variants_named("") == variants_named(" , ") == []
    with pytest.raises(ConfigError):
        variants_named("best")


@pytest.mark.corpus
@pytest.mark.parametrize(("part", "least"), [("train", 0.998), ("dev", 0.998)])
def test_twelve_tokens_cover_the_corpus(meddocan: Path, part: str, least: float) -> None:
    from nadie.files.annotated.reading import read_documents
    from nadie.tokens.view import seen

    covered = total = 0
    for document in map(seen, read_documents(meddocan / part / "brat")):
        tokens = tokenize(document.text)
        starts, ends = {t.start: i for i, t in enumerate(tokens)}, {t.end: i for i, t in enumerate(tokens)}
        for span in document.spans:
            total += 1
            covered += span.start in starts and span.end in ends and ends[span.end] - starts[span.start] < 12
    assert covered / total >= least
