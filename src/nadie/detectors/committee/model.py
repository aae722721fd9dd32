"""The committee: the token probabilities of its members are pooled, and the pool is decoded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from nadie.crf.viterbi import Chain
from nadie.detectors.base import DETECTORS, Probabilistic
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.resolve.agreement import agree
from nadie.storage import ModelFolder, find_model, read_model, write_model
from nadie.tokens.codec import OUTSIDE, Chunk, allowed_steps, decode, tag_set
from nadie.tokens.probabilities import TokenProbabilities

Floats = npt.NDArray[np.float64]
_LEAST = 1e-4
_TINY = 1e-9


class Committee:
    """Pools the token probabilities of its members and reads the best tag sequence off the pool.

    `members` are models by name with their weights; each must give token probabilities. `bias` is added to the
    log-odds of a token being protected, and `biases` has other values for some labels.
    """

    system: ClassVar[str] = "committee"

    def __init__(
        self,
        members: Mapping[str, Probabilistic],
        weights: Mapping[str, float],
        name: str = "committee",
        *,
        bias: float = 0.0,
        biases: Mapping[str, float] | None = None,
    ) -> None:
        self.name = name
        self.bias = bias
        self.biases = dict(biases or {})
        self._members = dict(members)
        self._weights = [weights[member] for member in self._members]

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other.bias = self.bias + bias
        other.biases = {label: own + bias for label, own in self.biases.items()}
        return other

    def unbiased(self) -> Self:
        other = copy(self)
        other.bias, other.biases = 0.0, {}
        return other

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        pools = self._pools(documents)
        found = []
        for document, pool, chunks in zip(documents, pools, best_chunks(pools), strict=True):
            spans = [
                Span(pool.tokens[chunk.first].start, pool.tokens[chunk.stop - 1].end, chunk.label, score, self.name)
                for chunk, score in chunks
            ]
            found.append(agree(document, spans))
        return found

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """The pooled probabilities, so that a committee can be a teacher or a member of another."""
        return [
            TokenProbabilities(pool.tokens, pool.tags, pool.values.astype(np.float32))
            for pool in self._pools(documents)
        ]

    def _pools(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        told = [member.token_probabilities(documents) for member in self._members.values()]
        tags = common_tags([of_member[0].tags for of_member in told if of_member])
        biases = [0.0 if tag == OUTSIDE else self.biases.get(tag[2:], self.bias) for tag in tags]
        return [
            TokenProbabilities(
                of_document[0].tokens, tags, with_biases(pooled(of_document, self._weights, tags), biases)
            )
            for of_document in zip(*told, strict=True)
        ]

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        weights = dict(folder.config["members"])
        members = {}
        for name in weights:
            member = read_model(find_model(name))
            detector = DETECTORS.get(member.system).load(member)
            if not isinstance(detector, Probabilistic):
                raise ModelError(f"the model {name!r} cannot sit on a committee: it gives no token probabilities")
            members[name] = detector
        bias, biases = folder.config.get("bias", 0.0), folder.config.get("biases", {})
        return cls(members, weights, folder.name, bias=float(bias), biases=biases)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        members = dict(zip(self._members, self._weights, strict=True))
        settings = {"members": members, "bias": self.bias, "biases": self.biases}
        write_model(path, system=self.system, settings=settings, card=card, files={})


def common_tags(tags: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The tags of all, in a fixed order, `O` first."""
    return tuple(tag_set({tag[2:] for some in tags for tag in some if tag != OUTSIDE}))


def pooled(told: Sequence[TokenProbabilities], weights: Sequence[float], tags: Sequence[str]) -> Floats:
    """The weighted geometric mean of the probabilities, (tokens, tags), scaled to sum to 1 at every token.

    No probability counts as less than `_LEAST`, so that no member forbids what all others see; so little is also what
    a member gives to a tag that it does not know.
    """
    column = {tag: i for i, tag in enumerate(tags)}
    total: Floats = np.zeros((len(told[0].tokens), len(tags)), dtype=np.float64)
    for of_member, weight in zip(told, weights, strict=True):
        values = np.full(total.shape, _LEAST)
        values[:, [column[tag] for tag in of_member.tags]] += of_member.values
        total += weight / sum(weights) * np.log(values)
    together: Floats = np.exp(total - total.max(axis=1, keepdims=True, initial=-np.inf))
    together /= together.sum(axis=1, keepdims=True)
    return together


def with_biases(pool: Floats, biases: Sequence[float]) -> Floats:
    """The pool with the odds of each tag multiplied by e to the power of its bias."""
    moved: Floats = pool * np.exp(biases)
    moved /= moved.sum(axis=1, keepdims=True)
    return moved


def best_chunks(pools: Sequence[TokenProbabilities]) -> list[list[tuple[Chunk, float]]]:
    """The chunks of each text's likeliest well-formed tag sequence, with their confidence; all have the same tags."""
    if not pools:
        return []
    tags = pools[0].tags
    chain = Chain.of_allowed(allowed_steps(tags))
    paths = chain.best_paths([np.log(np.maximum(pool.values, _TINY)) for pool in pools])
    found = []
    for pool, path in zip(pools, paths, strict=True):
        chunks = decode([tags[tag] for tag in path.tolist()])
        found.append([(chunk, pool.confidence(chunk)) for chunk in chunks])
    return found
