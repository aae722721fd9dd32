"""The committee: members that are told apart only by their beliefs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from nadie import registry
from nadie.detectors.base import Belief, Believing
from nadie.detectors.committee.pooling import Floats, best_chunks, common_tags, leaned, pooled
from nadie.document import Document, Span
from nadie.errors import ModelError
from nadie.resolve.agreement import agree
from nadie.storage import ModelFolder, find_model, read_model, write_model
from nadie.tokens.codec import OUTSIDE
from nadie.tokens.tokenizer import Token


class Committee:
    """Pools the token probabilities of its members and reads the best tag sequence off the pool.

    `members` are models by name with their weights; each must be able to tell its beliefs. `lean` moves the odds of a
    token being protected, as in `leaning`, and `leans` has other values for some labels.
    """

    system: ClassVar[str] = "committee"

    def __init__(
        self,
        members: Mapping[str, Believing],
        weights: Mapping[str, float],
        name: str = "committee",
        *,
        lean: float = 0.0,
        leans: Mapping[str, float] | None = None,
    ) -> None:
        self.name = name
        self.lean = lean
        self.leans = dict(leans or {})
        self._members = dict(members)
        self._weights = [weights[member] for member in self._members]

    def leaning(self, towards: float) -> Self:
        other = copy(self)
        other.lean = self.lean + towards
        other.leans = {label: lean + towards for label, lean in self.leans.items()}
        return other

    def upright(self) -> Self:
        """The same committee without any lean: to teach, it must not call doubtful what it only leans towards."""
        other = copy(self)
        other.lean, other.leans = 0.0, {}
        return other

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        tags, told = self._pools(documents)
        found = []
        for document, (tokens, _), chunks in zip(documents, told, best_chunks([m for _, m in told], tags), strict=True):
            spans = [
                Span(tokens[chunk.first].start, tokens[chunk.stop - 1].end, chunk.label, sureness, self.name)
                for chunk, sureness in chunks
            ]
            found.append(agree(document, spans))
        return found

    def beliefs(self, documents: Sequence[Document]) -> list[Belief]:
        """What the members believe together, so that a committee can teach, or sit on another."""
        tags, told = self._pools(documents)
        return [Belief(tokens, tags, pool.astype(np.float32)) for tokens, pool in told]

    def _pools(self, documents: Sequence[Document]) -> tuple[tuple[str, ...], list[tuple[Sequence[Token], Floats]]]:
        """The tags of all members, and for each document its tokens and what is believed of them together."""
        told = [member.beliefs(documents) for member in self._members.values()]
        tags = common_tags([belief for beliefs in told for belief in beliefs[:1]])
        towards = [0.0 if tag == OUTSIDE else self.leans.get(tag[2:], self.lean) for tag in tags]
        pools = []
        for beliefs in zip(*told, strict=True):
            pools.append((beliefs[0].tokens, leaned(pooled(beliefs, self._weights, tags), towards)))
        return tags, pools

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        weights = dict(folder.config["members"])
        members = {}
        for name in weights:
            member = read_model(find_model(name))
            detector = registry.detectors.get(member.system).load(member)
            if not isinstance(detector, Believing):
                raise ModelError(f"the model {name!r} cannot sit on a committee: it does not tell its beliefs")
            members[name] = detector
        lean, leans = folder.config.get("lean", 0.0), folder.config.get("leans", {})
        return cls(members, weights, folder.name, lean=float(lean), leans=leans)

    def save(self, path: Path, card: Mapping[str, Any]) -> None:
        members = dict(zip(self._members, self._weights, strict=True))
        settings = {"members": members, "lean": self.lean, "leans": self.leans}
        write_model(path, system=self.system, settings=settings, card=card, files={})
