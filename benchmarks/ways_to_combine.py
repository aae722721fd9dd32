"""Methods of combining the token probabilities of several detectors; `committee.py` compares them."""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt
import pycrfsuite

from nadie.detectors.committee.pool import with_bias
from nadie.document import Document, Span
from nadie.resolve.agreement import agree
from nadie.resolve.eponyms import protect
from nadie.resolve.overlaps import disjoint
from nadie.tokens.codec import ProbabilityDecoder, decode
from nadie.tokens.tokenizer import Token

Floats = npt.NDArray[np.float64]
_SURELY_NOTHING = 0.999


@dataclass(frozen=True)
class Case:
    """A note, the token probabilities of each member, and the gold tags."""

    document: Document
    tokens: Sequence[Token]
    tags: tuple[str, ...]
    probabilities: Floats  # (members, tokens, tags)
    right: npt.NDArray[np.intp]  # (tokens,)
    gold: tuple[Span, ...]

    @cached_property
    def stretches(self) -> list[tuple[int, int]]:
        """Ranges of tokens that not every member clearly tags as O."""
        doubted = np.flatnonzero((self.probabilities[:, :, 0] < _SURELY_NOTHING).any(axis=0))
        ends = np.flatnonzero(np.diff(doubted) > 1)
        if not len(doubted):
            return []
        firsts, lasts = doubted[np.r_[0, ends + 1]], doubted[np.r_[ends, -1]]
        return [(int(first), int(last) + 1) for first, last in zip(firsts, lasts, strict=True)]


def decoded(cases: Sequence[Case], means: Sequence[Floats], bias: float = 0.0) -> list[list[Span]]:
    """The most probable valid spans. Outside the ranges there are none, so only the ranges are decoded."""
    decoder = ProbabilityDecoder(cases[0].tags)
    found: dict[str, list[Span]] = {case.document.id: [] for case in cases}
    for case, mean in zip(cases, means, strict=True):
        for first, stop in case.stretches:
            for chunk, score in decoder.chunks(with_bias(mean[first:stop], bias)):
                start, end = case.tokens[first + chunk.first].start, case.tokens[first + chunk.stop - 1].end
                found[case.document.id].append(Span(start, end, chunk.label, score))
    return list(found.values())


def own_spans(cases: Sequence[Case]) -> list[list[list[Span]]]:
    """The spans of each member alone: members, notes, spans."""
    return [
        decoded(cases, [case.probabilities[member] for case in cases]) for member in range(len(cases[0].probabilities))
    ]


class Way(Protocol):
    """A method of combination with its parameters; if it `learns`, it must be fitted first."""

    @property
    def learns(self) -> bool: ...

    def fitted(self, cases: Sequence[Case]) -> Self: ...

    def spans(self, cases: Sequence[Case]) -> list[list[Span]]: ...


def finished(case: Case, spans: Sequence[Span], *, agreeing: bool = True, protecting: bool = True) -> tuple[Span, ...]:
    """The last steps, which all methods share."""
    found = agree(case.document, spans) if agreeing else tuple(spans)
    return disjoint(protect(case.document, found) if protecting else found)


@dataclass(frozen=True)
class SpanVote:
    """A span is kept if members with at least this share of the weight find it; of overlapping ones, the stronger."""

    weights: tuple[float, ...]
    share: float
    learns: bool = False

    def fitted(self, cases: Sequence[Case]) -> Self:
        return self

    def spans(self, cases: Sequence[Case]) -> list[list[Span]]:
        return [self._vote(said) for said in zip(*own_spans(cases), strict=True)]

    def _vote(self, said: Sequence[Sequence[Span]]) -> list[Span]:
        votes: dict[Span, float] = defaultdict(float)
        for weight, spans in zip(self.weights, said, strict=True):
            for span in spans:
                votes[span] += weight / sum(self.weights)
        kept: list[Span] = []
        for span in sorted(votes, key=lambda s: (-votes[s], -len(s), s)):
            if votes[span] >= self.share and not any(span.overlaps(other) for other in kept):
                kept.append(replace(span, score=min(1.0, votes[span])))
        return kept


@dataclass(frozen=True)
class Mean:
    """The weighted mean of the probabilities."""

    weights: tuple[float, ...]
    bias: float
    learns: bool = False

    def fitted(self, cases: Sequence[Case]) -> Self:
        return self

    def spans(self, cases: Sequence[Case]) -> list[list[Span]]:
        shares = np.array(self.weights) / sum(self.weights)
        return decoded(cases, [np.tensordot(shares, case.probabilities, axes=1) for case in cases], self.bias)


@dataclass(frozen=True)
class Pool:
    """The weighted product of the probabilities, to each of which `floor` is added: what the committee does."""

    weights: tuple[float, ...]
    bias: float
    floor: float = 1e-4
    learns: bool = False

    def fitted(self, cases: Sequence[Case]) -> Self:
        return self

    def spans(self, cases: Sequence[Case]) -> list[list[Span]]:
        return decoded(cases, [self._pooled(case) for case in cases], self.bias)

    def _pooled(self, case: Case) -> Floats:
        shares = np.array(self.weights) / sum(self.weights)
        product: Floats = np.exp(np.tensordot(shares, np.log(case.probabilities + self.floor), axes=1))
        product /= product.sum(axis=1, keepdims=True)
        return product


@dataclass(frozen=True)
class LabelTrust:
    """The mean, in which a member's weight for a label is a power of its F1 for the label."""

    power: float
    bias: float
    trust: Floats | None = None  # (members, tags)
    learns: bool = True

    def fitted(self, cases: Sequence[Case]) -> Self:
        members, tags = len(cases[0].probabilities), cases[0].tags
        right: list[Counter[str]] = [Counter() for _ in range(members)]
        said: list[Counter[str]] = [Counter() for _ in range(members)]
        for member, notes in enumerate(own_spans(cases)):
            for case, spans in zip(cases, notes, strict=True):
                right[member].update(span.label for span in set(case.gold) & set(spans))
                said[member].update(span.label for span in [*spans, *case.gold])
        trust = np.ones((members, len(tags)))
        for member in range(members):
            overall = 2 * right[member].total() / max(1, said[member].total())
            for i, tag in enumerate(tags):
                count = said[member][tag[2:]]
                own = 2 * right[member][tag[2:]] if count else 0.0
                trust[member, i] = ((own + 10 * overall) / (count + 10)) ** self.power
            trust[member, 0] = overall**self.power
        return replace(self, trust=trust)

    def spans(self, cases: Sequence[Case]) -> list[list[Span]]:
        assert self.trust is not None
        shares = self.trust / self.trust.sum(axis=0)
        means = [(shares[:, None, :] * case.probabilities).sum(axis=0) for case in cases]
        return decoded(cases, [mean / mean.sum(axis=1, keepdims=True) for mean in means], self.bias)


@dataclass(frozen=True)
class Arbiter:
    """A CRF whose features are the members' tags of a token and its neighbours, with their probabilities."""

    c2: float
    model: bytes = b""
    learns: bool = True

    def fitted(self, cases: Sequence[Case]) -> Self:
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
        trainer.set_params({"c1": 0.05, "c2": self.c2, "max_iterations": 60})
        for case in cases:
            for first, stop in case.stretches:
                trainer.append(_said(case, first, stop), [case.tags[i] for i in case.right[first:stop]])
        with tempfile.NamedTemporaryFile() as file:
            trainer.train(file.name)
            return replace(self, model=file.read())

    def spans(self, cases: Sequence[Case]) -> list[list[Span]]:
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(self.model)
        return [list(self._decided(case, tagger)) for case in cases]

    def _decided(self, case: Case, tagger: pycrfsuite.Tagger) -> Iterator[Span]:
        for first, stop in case.stretches:
            for chunk in decode(tagger.tag(_said(case, first, stop))):
                start, end = case.tokens[first + chunk.first].start, case.tokens[first + chunk.stop - 1].end
                yield Span(start, end, chunk.label, _score(case, first + chunk.first, first + chunk.stop, chunk.label))


def _score(case: Case, first: int, stop: int, label: str) -> float:
    """The mean probability, over the members, that the least certain token has this label."""
    columns = [i for i, tag in enumerate(case.tags) if tag[2:] == label]
    return float(min(1.0, case.probabilities[:, first:stop][:, :, columns].mean(axis=0).sum(axis=1).min()))


def _said(case: Case, first: int, stop: int) -> list[list[str]]:
    """The features of a range of tokens."""
    mean = case.probabilities.mean(axis=0)
    likeliest = case.probabilities.argmax(axis=2)
    features = []
    for i in range(first, stop):
        found = ["says=" + "|".join(case.tags[tag] for tag in likeliest[:, i])]
        for member, tags in enumerate(likeliest):
            sure = int(10 * case.probabilities[member, i, tags[i]])
            found += [f"{member}={case.tags[tags[i]]}", f"{member}={case.tags[tags[i]]}@{sure}"]
        for step in (-1, 0, 1):
            if 0 <= i + step < len(mean):
                top = int(mean[i + step].argmax())
                found.append(f"{step}:{case.tags[top]}@{int(5 * mean[i + step, top])}")
        features.append(found)
    return features
