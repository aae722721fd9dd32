"""The committee: the token probabilities of its members are pooled, and the pool is decoded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from nadie.detector import Model, Probabilistic, Teacher
from nadie.detectors.committee.excerpt import Excerpt, excerpt, may_be_phi, uncertain
from nadie.detectors.committee.parts import Part, parts_of, together
from nadie.detectors.committee.pool import agreement, common_tags, pooled, with_bias
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.neural.model import Calibration
from nadie.resolve.agreement import agree
from nadie.storage import ModelFolder, write_model
from nadie.tokens.codec import Chunk, ProbabilityDecoder
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tokenizer import Token


class Committee:
    """Pools the token probabilities of its members and decodes well-formed tags from the pool.

    `members` are models by name with their weights; each must give token probabilities, and loaded ones give them
    without their own bias. `bias` is added to the log-odds of a token being PHI. `calibration` turns the probability of
    a span into its score.

    `specialists` are members that work well on one type of document and badly on others. The first is run on the
    passages in which the other members are not certain that no token is PHI, and included only in documents where it
    agrees with them on at least the given share of the tokens that either of them labels: in the beginning of these
    passages and then in all of them. The next is run on the documents that include the one before it, in the passages
    with a token whose tag is still uncertain, and must agree with the pool there. Documents that include a specialist
    have the bias `specialist_bias` instead: they are of a type that the members know well.
    """

    system: ClassVar[str] = "committee"

    def __init__(
        self,
        members: Mapping[str, Probabilistic],
        weights: Mapping[str, float],
        name: str = "committee",
        *,
        bias: float = 0.0,
        specialists: Mapping[str, float] | None = None,
        specialist_bias: float | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self.name = name
        self.bias = bias
        self.specialist_bias = bias if specialist_bias is None else specialist_bias
        self._calibration = calibration or Calibration()
        self._members = dict(members)
        self._weights = {member: weights[member] for member in self._members}
        self._specialists = dict(specialists or {})
        if not set(self._members) - set(self._specialists):
            raise ModelError("a committee needs at least one member that is not a specialist")

    def with_bias(self, bias: float) -> Self:
        other = copy(self)
        other.bias, other.specialist_bias = self.bias + bias, self.specialist_bias + bias
        return other

    def unbiased(self) -> Self:
        other = copy(self)
        other.bias = other.specialist_bias = 0.0
        return other

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found: list[list[Span]] = [[] for _ in documents]
        for part, pool in self._parts(documents):
            found[part.number] += (
                self._span(pool.tokens, part.start, *pair) for pair in self._decoder.chunks(pool.values)
            )
        return [agree(document, spans) for document, spans in zip(documents, found, strict=True)]

    def _span(self, tokens: Sequence[Token], offset: int, chunk: Chunk, probability: float) -> Span:
        start, end = offset + tokens[chunk.first].start, offset + tokens[chunk.stop - 1].end
        return Span(start, end, chunk.label, self._calibration(probability), self.name)

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        """The pooled probabilities, so that a committee can be a teacher or a member of another committee."""
        found: list[list[tuple[Part, TokenProbabilities]]] = [[] for _ in documents]
        for part, pool in self._parts(documents):
            found[part.number].append((part, replace(pool, values=pool.values.astype(np.float32))))
        return [together(parts) for parts in found]

    def _parts(self, documents: Sequence[Document]) -> Iterator[tuple[Part, TokenProbabilities]]:
        """The pool of every part of the documents. A specialist is included or not in each part of a long document."""
        for parts in parts_of(documents):
            yield from zip(parts, self._pools([part.document for part in parts]), strict=True)

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tags of all members, in a fixed order."""
        empty = [Document("", "")]
        return common_tags([member.token_probabilities(empty)[0].tags for member in self._members.values()])

    @cached_property
    def _decoder(self) -> ProbabilityDecoder:
        return ProbabilityDecoder(self.tags)

    def _pools(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        general = [name for name in self._members if name not in self._specialists]
        weights = [self._weights[name] for name in general]
        given = zip(*(self._members[name].token_probabilities(documents) for name in general), strict=True)
        pools = [TokenProbabilities(each[0].tokens, self.tags, pooled(each, weights, self.tags)) for each in given]
        well_known = self._add_specialists(documents, pools, sum(weights)) if self._specialists else set()
        return [
            replace(pool, values=with_bias(pool.values, self.specialist_bias if i in well_known else self.bias))
            for i, pool in enumerate(pools)
        ]

    def _add_specialists(
        self, documents: Sequence[Document], pools: list[TokenProbabilities], weight: float
    ) -> set[int]:
        """Add each specialist to the pools it agrees with; the next is run only on their documents.

        Returns the indices of the documents that include a specialist.
        """
        included: set[int] = set()
        fitting = list(range(len(documents)))
        for name, least in self._specialists.items():
            doubtful = uncertain if included else may_be_phi
            excerpts = {i: excerpt(documents[i], pools[i], doubtful(pools[i])) for i in fitting}
            excerpts = {i: part for i, part in excerpts.items() if len(part.rows)}
            compare = self._agreeing if included else self._agreeing_from_the_beginning
            agreeing = compare(name, least, excerpts, pools)
            for i, own in agreeing.items():
                rows = excerpts[i].rows
                common = TokenProbabilities(own.tokens, self.tags, pools[i].values[rows])
                pools[i].values[rows] = pooled([common, own], [weight, self._weights[name]], self.tags)
            weight += self._weights[name]
            fitting = list(agreeing)
            included.update(agreeing)
        return included

    def _agreeing_from_the_beginning(
        self, name: str, least: float, excerpts: Mapping[int, Excerpt], pools: Sequence[TokenProbabilities]
    ) -> dict[int, TokenProbabilities]:
        """The same as `_agreeing`, but a long excerpt is processed only if the specialist agrees in its sample."""
        samples = {i: part.sample() for i, part in excerpts.items()}
        likely = self._agreeing(name, least, samples, pools)
        longer = {i: excerpts[i] for i in likely if samples[i] is not excerpts[i]}
        short = {i: own for i, own in likely.items() if i not in longer}
        return short | self._agreeing(name, least, longer, pools)

    def _agreeing(
        self, name: str, least: float, excerpts: Mapping[int, Excerpt], pools: Sequence[TokenProbabilities]
    ) -> dict[int, TokenProbabilities]:
        """The token probabilities of a specialist for the excerpts in which it agrees with the pools."""
        found = self._members[name].token_probabilities([part.document for part in excerpts.values()])
        agreeing = {}
        for (i, part), own in zip(excerpts.items(), found, strict=True):
            if agreement(TokenProbabilities(own.tokens, self.tags, pools[i].values[part.rows]), own) >= least:
                agreeing[i] = own
        return agreeing

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        weights = dict(folder.config["members"])
        members = {}
        for name in weights:
            detector = Model.of(name).detector()
            if not isinstance(detector, Probabilistic):
                raise ModelError(
                    f"the model {name!r} cannot be a member of a committee: it gives no token probabilities"
                )
            members[name] = detector.unbiased() if isinstance(detector, Teacher) else detector
        bias = float(folder.config.get("bias", 0.0))
        return cls(
            members,
            weights,
            folder.name,
            bias=bias,
            specialists=folder.config.get("specialists", {}),
            specialist_bias=float(folder.config.get("specialist_bias", bias)),
            calibration=Calibration(**folder.config.get("calibration", {})),
        )

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        config = {
            "members": self._weights,
            "bias": self.bias,
            "specialists": self._specialists,
            "specialist_bias": self.specialist_bias,
            "calibration": asdict(self._calibration),
        }
        write_model(path, system=self.system, config=config, card=card, files={})
