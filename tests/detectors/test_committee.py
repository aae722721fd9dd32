"""The committee: pooling token probabilities, and decoding valid spans from the pool."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from nadie.detector import DETECTORS, Teacher
from nadie.detectors.committee import Committee
from nadie.detectors.committee.pool import agreement, common_tags, pooled
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.neural.model import Calibration
from nadie.storage import read_model, write_model
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tokenizer import tokenize


def probabilities(text: str, tags: str, *rows: list[float]) -> TokenProbabilities:
    return TokenProbabilities(tokenize(text), tuple(tags.split()), np.array(rows, dtype=np.float32))


class Member:
    """Takes one word for a town, with the probability that it was given."""

    name = "member"

    def __init__(self, word: str, probability: float) -> None:
        self.word, self.probability = word, probability

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        found = []
        for document in documents:
            tokens = tokenize(document.text)
            rows = [[1 - s, s] for t in tokens for s in [self.probability if t.text == self.word else 0.05]]
            shape = np.array(rows, dtype=np.float32).reshape(len(tokens), 2)
            found.append(TokenProbabilities(tokens, ("O", "B-TERRITORIO"), shape))
        return found


def test_the_pool_knows_the_tags_of_all() -> None:
    one = probabilities("Lugo", "O B-PAIS", [0.4, 0.6])
    two = probabilities("Lugo", "B-TERRITORIO I-TERRITORIO O", [0.8, 0.0, 0.2])
    tags = common_tags([one.tags, two.tags])
    assert tags == ("O", "B-PAIS", "I-PAIS", "B-TERRITORIO", "I-TERRITORIO")
    least = 1e-4  # what a member gives to a tag that it does not know
    odds = np.array([0.4, 0.6, least, least, least]) ** 0.25 * np.array([0.2, least, least, 0.8, least]) ** 0.75
    assert pooled([one, two], [1.0, 3.0], tags)[0] == pytest.approx(odds / odds.sum(), rel=2e-3)


def test_a_sure_member_does_not_forbid_what_all_others_see() -> None:
    sure = probabilities("Lugo", "O B-TERRITORIO", [1.0, 0.0])
    others = [probabilities("Lugo", "O B-TERRITORIO", [0.001, 0.999])] * 3
    assert pooled([sure, *others], [1.0] * 4, ("O", "B-TERRITORIO"))[0, 1] > 0.9


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
    found = probabilities("Perú", "O B-PAIS I-PAIS E-PAIS S-PAIS", [0.1, 0.2, 0.3, 0.15, 0.25]).in_bio()
    assert found.tags == ("O", "B-PAIS", "I-PAIS")
    assert found.values[0] == pytest.approx([0.1, 0.45, 0.45])


def test_a_member_that_does_not_tell_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Mute:
        name = "mute"

        @classmethod
        def load(cls, folder: object) -> Mute:
            return cls()

        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            return [()] * len(documents)

    monkeypatch.setitem(DETECTORS._added, "mute", Mute)
    write_model(tmp_path / "mute", system="mute", config={}, card={}, files={})
    members = {str(tmp_path / "mute"): 1.0}
    write_model(tmp_path / "committee", system="committee", config={"members": members}, card={}, files={})
    with pytest.raises(ModelError, match="token probabilities"):
        Committee.load(read_model(tmp_path / "committee"))


def test_bias_finds_more_or_less() -> None:
    committee = Committee({"a": Member("Lugo", 0.4)}, {"a": 1.0})
    text = [Document("d", "de Lugo a Vigo")]
    assert committee.detect(text) == [()]
    assert committee.with_bias(1.0).detect(text) == [(Span(3, 7, "TERRITORIO"),)]
    assert committee.with_bias(1.0).with_bias(-1.0).detect(text) == [()]


def test_a_committee_teaches_without_bias() -> None:
    text = [Document("d", "de Lugo a Vigo")]
    biased = Committee({"a": Member("Lugo", 0.4)}, {"a": 1.0}, bias=1.0)
    assert isinstance(biased, Teacher)
    assert biased.unbiased().detect(text) == [()]
    assert biased.unbiased().token_probabilities(text)[0].values[1][0] == pytest.approx(0.6, abs=1e-3)
    assert biased.token_probabilities(text)[0].values[1][0] < 0.5  # thresholds see what the operating point says
    assert biased.detect(text) == [(Span(3, 7, "TERRITORIO"),)]


def test_documents_with_a_specialist_have_their_own_bias() -> None:
    members = {"all": Member("Lugo", 0.4), "one": Member("Lugo", 0.4)}
    text = [Document("d", "de Lugo a Vigo")]
    for probability, found in ((0.4, [()]), (0.9, [(Span(3, 7, "TERRITORIO"),)])):
        members["one"] = Member("Lugo", probability)
        weights, specialists = {"all": 1.0, "one": 0.001}, {"one": 0.8}
        committee = Committee(members, weights, bias=1.0, specialists=specialists, specialist_bias=0.0)
        assert committee.detect(text) == found, "the specialist agrees that there is nothing, or does not"
        assert committee.with_bias(1.0).detect(text) == [(Span(3, 7, "TERRITORIO"),)]


def test_scores_are_calibrated() -> None:
    committee = Committee({"a": Member("Lugo", 0.9)}, {"a": 1.0}, calibration=Calibration(1.0, -1.0))
    ((span,),) = committee.detect([Document("d", "de Lugo")])
    assert span.score == pytest.approx(9 / (9 + math.e), abs=1e-3)


def test_a_committee_gives_the_probabilities_of_its_members_together() -> None:
    members = {"a": Member("Lugo", 0.9), "b": Member("Lugo", 0.5)}
    committee = Committee(members, {"a": 3.0, "b": 1.0})
    (pool,) = committee.token_probabilities([Document("d", "de Lugo")])
    assert pool.tags == ("O", "B-TERRITORIO", "I-TERRITORIO")
    odds = 9**0.75  # of a, three times as heavy as b, whose odds are even
    assert pool.values[1] == pytest.approx([1 / (1 + odds), odds / (1 + odds), 0.0], abs=1e-3)
    assert committee.token_probabilities([]) == []
    outer = Committee({"inner": committee, "c": Member("Lugo", 0.0)}, {"inner": 1.0, "c": 0.1})
    assert outer.detect([Document("d", "de Lugo")]) == [(Span(3, 7, "TERRITORIO"),)]


def test_a_specialist_counts_only_where_it_agrees_with_the_others() -> None:
    members = {"all": Member("Lugo", 0.6), "one": Member("Lugo", 0.9), "other": Member("Vigo", 0.99)}
    weights = dict.fromkeys(members, 1.0)
    committee = Committee(members, weights, specialists={"one": 0.8, "other": 0.8})
    text = [Document("d", "de Lugo a Vigo"), Document("e", "sin lugares")]
    assert [[s.start for s in spans] for spans in committee.detect(text)] == [[3], []]
    assert committee.token_probabilities(text)[0].values[1][0] < 0.3, "surer than the first alone"
    assert agreement(members["all"].token_probabilities(text)[0], members["other"].token_probabilities(text)[0]) == 0.0
    with pytest.raises(ModelError, match="not a specialist"):
        Committee({"one": members["one"]}, weights, specialists={"one": 0.8})


class Recorder(Member):
    """Keeps the texts that it was given."""

    def __init__(self, word: str, probability: float) -> None:
        super().__init__(word, probability)
        self.texts: list[str] = []

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        self.texts += [document.text for document in documents if document.text]
        return super().token_probabilities(documents)


class Certain(Member):
    """Certain of every token but its word."""

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        found = super().token_probabilities(documents)
        for each in found:
            each.values[each.values[:, 1] < 0.1] = [0.98, 0.02]
        return found


def test_a_specialist_reads_only_passages_that_may_hold_something() -> None:
    long = "No hay nada aquí. Vive en Lugo desde niña. Tampoco hay nada en esta frase."
    text = [Document("d", long), Document("e", "Nada en absoluto.")]
    first, second = Recorder("Lugo", 0.9), Recorder("Lugo", 0.9)
    members = {"all": Certain("Lugo", 0.6), "first": first, "second": second}
    committee = Committee(members, dict.fromkeys(members, 1.0), specialists={"first": 0.8, "second": 0.8})
    assert [[s.start for s in spans] for spans in committee.detect(text)] == [[long.index("Lugo")], []]
    assert first.texts == second.texts == ["Vive en Lugo desde niña. "]
    pool = committee.token_probabilities(text)[0]
    assert next(row for row, token in zip(pool.values[:, 0], pool.tokens, strict=True) if token.text == "Lugo") < 0.25


def test_the_second_specialist_reads_only_passages_that_are_still_uncertain() -> None:
    second = Recorder("Lugo", 0.9)
    for probability, texts in ((0.9, ["Vive en Lugo."]), (0.999, [])):
        members = {"all": Certain("Lugo", probability), "first": Certain("Lugo", probability), "second": second}
        committee = Committee(members, dict.fromkeys(members, 1.0), specialists={"first": 0.8, "second": 0.8})
        second.texts = []
        assert committee.detect([Document("d", "Vive en Lugo.")])[0]
        assert second.texts == texts


def test_specialists_after_one_that_does_not_agree_are_not_run() -> None:
    first, second = Recorder("Vigo", 0.99), Recorder("Lugo", 0.9)
    members = {"all": Member("Lugo", 0.6), "first": first, "second": second}
    committee = Committee(members, dict.fromkeys(members, 1.0), specialists={"first": 0.8, "second": 0.8})
    assert committee.detect([Document("d", "de Lugo a Vigo")]) == [(Span(3, 7, "TERRITORIO"),)]
    assert (first.texts, second.texts) == (["de Lugo a Vigo"], [])


@pytest.mark.parametrize("own", ["Lugo", "Vigo"])
def test_a_specialist_that_does_not_agree_reads_only_the_beginning(own: str) -> None:
    text = "de Lugo a Vigo y vuelta " * 40
    specialist = Recorder(own, 0.99)
    members = {"all": Member("Lugo", 0.6), "own": specialist}
    committee = Committee(members, dict.fromkeys(members, 1.0), specialists={"own": 0.8})
    assert [len(spans) for spans in committee.detect([Document("d", text)])] == [40]
    sample, *others = specialist.texts
    assert 400 <= len(sample) < 410
    assert others == ([text] if own == "Lugo" else [])


def test_a_long_document_is_processed_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    line = "Nació en Vigo y vive en Lugo con su hermana desde niña.\n"
    text = line * 40 + "Lugo " * 60
    documents = [Document("short", line), Document("long", text), Document("empty", "")]
    recorder = Recorder("Lugo", 0.9)
    committee = Committee({"a": recorder}, {"a": 1.0})
    whole, rows = committee.detect(documents), committee.token_probabilities(documents)
    recorder.texts.clear()
    monkeypatch.setattr("nadie.detectors.committee.parts._LONG", 300)
    assert committee.detect(documents) == whole
    assert max(map(len, recorder.texts)) <= 300
    assert "".join(recorder.texts) == line + text
    for own, before in zip(committee.token_probabilities(documents), rows, strict=True):
        assert own.tokens == before.tokens
        assert (own.values == before.values).all()
