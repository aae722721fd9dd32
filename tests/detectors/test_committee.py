"""The committee: pooling beliefs, and reading well-formed spans off the pool."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from nadie import registry
from nadie.detectors.base import Belief
from nadie.detectors.committee import Committee
from nadie.detectors.committee.pooling import best_chunks, common_tags, pooled
from nadie.detectors.neural.beliefs import in_bio
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.storage import read_model, write_model
from nadie.tokens.codec import Chunk
from nadie.tokens.tokenizer import tokenize


def belief(text: str, tags: str, *rows: list[float]) -> Belief:
    return Belief(tokenize(text), tuple(tags.split()), np.array(rows, dtype=np.float32))


class Member:
    """Believes one word to be a town, as surely as it was told."""

    name = "member"

    def __init__(self, word: str, sureness: float) -> None:
        self.word, self.sureness = word, sureness

    def beliefs(self, documents: Sequence[Document]) -> list[Belief]:
        found = []
        for document in documents:
            tokens = tokenize(document.text)
            rows = [[1 - s, s] for t in tokens for s in [self.sureness if t.text == self.word else 0.05]]
            shape = np.array(rows, dtype=np.float32).reshape(len(tokens), 2)
            found.append(Belief(tokens, ("O", "B-TERRITORIO"), shape))
        return found


def test_the_pool_knows_the_tags_of_all() -> None:
    one = belief("Lugo", "O B-PAIS", [0.4, 0.6])
    two = belief("Lugo", "B-TERRITORIO I-TERRITORIO O", [0.8, 0.0, 0.2])
    tags = common_tags([one, two])
    assert tags == ("O", "B-PAIS", "I-PAIS", "B-TERRITORIO", "I-TERRITORIO")
    least = 1e-4  # what a member gives to a tag that it does not know
    odds = np.array([0.4, 0.6, least, least, least]) ** 0.25 * np.array([0.2, least, least, 0.8, least]) ** 0.75
    assert pooled([one, two], [1.0, 3.0], tags)[0] == pytest.approx(odds / odds.sum(), rel=2e-3)


def test_a_sure_member_does_not_forbid_what_all_others_see() -> None:
    sure = belief("Lugo", "O B-TERRITORIO", [1.0, 0.0])
    others = [belief("Lugo", "O B-TERRITORIO", [0.001, 0.999])] * 3
    assert pooled([sure, *others], [1.0] * 4, ("O", "B-TERRITORIO"))[0, 1] > 0.9


def test_sequences_are_well_formed() -> None:
    """The likeliest tag of the second token cannot follow the likeliest of the first."""
    tags = ("O", "B-PAIS", "I-PAIS")
    (chunks,) = best_chunks([np.array([[0.6, 0.4, 0.0], [0.1, 0.0, 0.9]])], tags)
    assert [chunk for chunk, _ in chunks] == [Chunk(0, 2, "PAIS")]
    assert chunks[0][1] == pytest.approx(0.4)


def test_two_sure_members_outvote_one() -> None:
    text = [Document("d", "de Lugo a Vigo")]
    members = {"a": Member("Lugo", 0.9), "b": Member("Lugo", 0.8), "c": Member("Vigo", 0.9)}
    (spans,) = Committee(members, {"a": 1.0, "b": 1.0, "c": 1.0}).detect(text)
    assert spans == (Span(3, 7, "TERRITORIO"),)
    (spans,) = Committee(members, {"a": 1.0, "b": 1.0, "c": 9.0}).detect(text)
    assert spans == (Span(10, 14, "TERRITORIO"),)


def test_no_documents_and_empty_ones() -> None:
    committee = Committee({"a": Member("Lugo", 0.9)}, {"a": 1.0})
    assert committee.detect([]) == []
    assert committee.detect([Document("e", ""), Document("d", "Lugo")]) == [(), (Span(0, 4, "TERRITORIO"),)]


def test_single_and_ending_tokens_in_bio() -> None:
    tags, found = in_bio(np.array([[0.1, 0.2, 0.3, 0.15, 0.25]]), ["O", "B-PAIS", "I-PAIS", "E-PAIS", "S-PAIS"])
    assert tags == ("O", "B-PAIS", "I-PAIS")
    assert found[0] == pytest.approx([0.1, 0.45, 0.45])


def test_a_member_that_does_not_tell_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Mute:
        name = "mute"

        @classmethod
        def load(cls, folder: object) -> Mute:
            return cls()

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            return [()] * len(documents)

    monkeypatch.setitem(registry.detectors._added, "mute", Mute)
    write_model(tmp_path / "mute", system="mute", settings={}, card={}, files={})
    members = {str(tmp_path / "mute"): 1.0}
    write_model(tmp_path / "committee", system="committee", settings={"members": members}, card={}, files={})
    with pytest.raises(ModelError, match="beliefs"):
        Committee.load(read_model(tmp_path / "committee"))


def test_leaning_finds_more_or_less() -> None:
    committee = Committee({"a": Member("Lugo", 0.4)}, {"a": 1.0})
    text = [Document("d", "de Lugo a Vigo")]
    assert committee.detect(text) == [()]
    assert committee.leaning(1.0).detect(text) == [(Span(3, 7, "TERRITORIO"),)]
    assert committee.leaning(1.0).leaning(-1.0).detect(text) == [()]


def test_upright_is_without_any_lean() -> None:
    text = [Document("d", "de Lugo a Vigo")]
    leaning = Committee({"a": Member("Lugo", 0.4)}, {"a": 1.0}, lean=1.0, leans={"TERRITORIO": 2.0})
    assert leaning.upright().detect(text) == [()]
    assert leaning.upright().beliefs(text)[0].probabilities[1][0] == pytest.approx(0.6, abs=1e-3)
    assert leaning.beliefs(text)[0].probabilities[1][0] < 0.5  # thresholds see what the operating point says
    assert leaning.detect(text) == [(Span(3, 7, "TERRITORIO"),)]


def test_a_label_may_have_a_lean_of_its_own() -> None:
    text = [Document("d", "de Lugo a Vigo")]
    towns = Committee({"a": Member("Lugo", 0.4)}, {"a": 1.0}, leans={"TERRITORIO": 1.0})
    assert towns.detect(text) == [(Span(3, 7, "TERRITORIO"),)]
    assert towns.leaning(-1.0).detect(text) == [()]
    others = Committee({"a": Member("Lugo", 0.4)}, {"a": 1.0}, lean=1.0, leans={"TERRITORIO": 0.0})
    assert others.detect(text) == [()]


def test_a_committee_tells_what_its_members_believe_together() -> None:
    members = {"a": Member("Lugo", 0.9), "b": Member("Lugo", 0.5)}
    committee = Committee(members, {"a": 3.0, "b": 1.0})
    (told,) = committee.beliefs([Document("d", "de Lugo")])
    assert told.tags == ("O", "B-TERRITORIO", "I-TERRITORIO")
    odds = 9**0.75  # of a, three times as heavy as b, whose odds are even
    assert told.probabilities[1] == pytest.approx([1 / (1 + odds), odds / (1 + odds), 0.0], abs=1e-3)
    assert committee.beliefs([]) == []
    outer = Committee({"inner": committee, "c": Member("Lugo", 0.0)}, {"inner": 1.0, "c": 0.1})
    assert outer.detect([Document("d", "de Lugo")]) == [(Span(3, 7, "TERRITORIO"),)]
