"""Spans to tags and back, exactly."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.crf.viterbi import Chain
from nadie.document import Span
from nadie.tokens.codec import Chunk, Floats, Ints, ProbabilityDecoder, Scheme, allowed_steps, decode, encode, tag_set
from nadie.tokens.tokenizer import tokenize

TEXT = "Ana Pérez Soto, 70 años, Lugo Vigo"


@pytest.mark.parametrize(
    ("scheme", "expected"),
    [
        ("BIO", "B-N I-N I-N O B-E I-E O B-T B-T"),
        ("BIOES", "B-N I-N E-N O B-E E-E O S-T S-T"),
    ],
)
def test_tags(scheme: Scheme, expected: str) -> None:
    names = {"N": "NOMBRE_SUJETO_ASISTENCIA", "E": "EDAD_SUJETO_ASISTENCIA", "T": "TERRITORIO"}
    spans = [Span(0, 14, names["N"]), Span(16, 23, names["E"]), Span(25, 29, names["T"]), Span(30, 34, names["T"])]
    tags = encode(tokenize(TEXT), spans, scheme)
    assert tags == [tag if tag == "O" else tag[:2] + names[tag[2:]] for tag in expected.split()]
    assert [Span(tokenize(TEXT)[c.first].start, tokenize(TEXT)[c.stop - 1].end, c.label) for c in decode(tags)] == spans


def test_a_span_inside_a_token_takes_the_token_and_an_overlap_goes_to_the_first() -> None:
    tokens = tokenize("Pamplona Lugo")
    assert encode(tokens, [Span(2, 5, "PAIS")]) == ["B-PAIS", "O"]
    assert encode(tokens, [Span(0, 13, "PAIS"), Span(9, 13, "FECHAS")]) == ["B-PAIS", "I-PAIS"]
    assert encode(tokens, [Span(8, 9, "PAIS")]) == ["O", "O"]


@pytest.mark.parametrize(
    ("tags", "chunks"),
    [
        ("I-A I-A O", [Chunk(0, 2, "A")]),
        ("B-A I-B", [Chunk(0, 1, "A"), Chunk(1, 2, "B")]),
        ("E-A E-A", [Chunk(0, 1, "A"), Chunk(1, 2, "A")]),
        ("B-A S-A", [Chunk(0, 1, "A"), Chunk(1, 2, "A")]),
        ("O O", []),
        ("", []),
    ],
)
def test_ill_formed_tags_are_read_generously(tags: str, chunks: list[Chunk]) -> None:
    assert decode(tags.split()) == chunks


def test_the_tag_set_is_fixed() -> None:
    assert tag_set(["B", "A"]) == ["O", "B-A", "I-A", "B-B", "I-B"]
    assert tag_set(["A"], "BIOES") == ["O", "B-A", "I-A", "E-A", "S-A"]


@given(st.data())
def test_round_trip(data: st.DataObject) -> None:
    words = data.draw(st.lists(st.sampled_from(["Ana", "70", ",", "años"]), min_size=1, max_size=12))
    tokens = tokenize(" ".join(words))
    cuts = sorted(data.draw(st.sets(st.integers(0, len(tokens)), max_size=8)))
    spans = [
        Span(tokens[first].start, tokens[stop - 1].end, data.draw(st.sampled_from(["PAIS", "FECHAS"])))
        for first, stop in itertools.pairwise(cuts)
        if data.draw(st.booleans())
    ]
    for scheme in ("BIO", "BIOES"):
        found = [
            Span(tokens[c.first].start, tokens[c.stop - 1].end, c.label) for c in decode(encode(tokens, spans, scheme))
        ]
        assert found == spans


TAGS = tuple(tag_set({"FECHAS", "PAIS"}))  # O B-FECHAS I-FECHAS B-PAIS I-PAIS


def chunks(*rows: list[float]) -> list[tuple[int, int, str]]:
    found = ProbabilityDecoder(TAGS).chunks(np.array(rows, dtype=np.float32))
    return [(chunk.first, chunk.stop, chunk.label) for chunk, _ in found]


def test_likely_tags_that_make_spans_are_taken() -> None:
    assert chunks([0.1, 0.9, 0, 0, 0], [0.2, 0, 0.8, 0, 0], [0.9, 0.1, 0, 0, 0]) == [(0, 2, "FECHAS")]


def test_an_inside_tag_that_follows_nothing_is_mended() -> None:
    assert chunks([0.5, 0.4, 0.1, 0, 0], [0.1, 0.1, 0.8, 0, 0]) == [(0, 2, "FECHAS")]
    assert chunks([1, 0, 0, 0, 0], [0.1, 0.2, 0.7, 0, 0], [1, 0, 0, 0, 0]) == [(1, 2, "FECHAS")]
    assert chunks([0, 0.9, 0.1, 0, 0], [0, 0, 0.45, 0, 0.55]) == [(0, 2, "FECHAS")]


def test_the_confidence_is_that_of_the_least_probable_token() -> None:
    rows = np.array([[0.1, 0.8, 0.1, 0, 0], [0.4, 0.1, 0.5, 0, 0]], dtype=np.float32)
    ((_, confidence),) = ProbabilityDecoder(TAGS).chunks(rows)
    assert confidence == pytest.approx(0.6)


def doubtful(seed: int, size: int) -> Floats:
    """Random rows in which `O` is never clear, and inside tags often follow nothing."""
    rows = np.random.default_rng(seed).dirichlet(np.full(len(TAGS), 0.3), size).astype(np.float32)
    rows[:, 0] = np.minimum(rows[:, 0], 0.4)
    rows /= rows.sum(axis=1, keepdims=True)
    return rows


@pytest.mark.parametrize("seed", range(40))
def test_the_best_tags_of_a_stretch_are_those_of_one_search(seed: int) -> None:
    rows = doubtful(seed, 60)
    (whole,) = Chain.of_allowed(allowed_steps(TAGS)).best_paths([np.log(rows)])
    assert [chunk for chunk, _ in ProbabilityDecoder(TAGS).chunks(rows)] == decode([TAGS[tag] for tag in whole])


def test_a_long_doubtful_stretch_is_searched_where_tags_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.tile(np.array([[0.5, 0.4, 0.1, 0, 0]], dtype=np.float32), (500, 1))
    rows[250] = [0.1, 0.1, 0.8, 0, 0]
    searched: list[int] = []
    search = Chain.best_paths

    def best_paths(chain: Chain, parts: Sequence[Floats]) -> list[Ints]:
        searched.extend(map(len, parts))
        return search(chain, parts)

    monkeypatch.setattr(Chain, "best_paths", best_paths)
    assert chunks(*rows.tolist()) == [(249, 251, "FECHAS")]
    assert searched == [2]
