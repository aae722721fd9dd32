"""How scans are searched: by two networks, whose token probabilities are pooled.

A misread name is easily missed by one network. Two that differ, pooled and biased towards PHI, find more of it, and
take less of the rest for PHI, than one with a bias. Reading a page takes a hundred times as long as the second network.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from nadie.detector import Model, Teacher
from nadie.document import Document, Span
from nadie.options import Mode
from nadie.tokens.probabilities import TokenProbabilities

if TYPE_CHECKING:
    from nadie.detectors.committee.model import Committee

SECOND = "convnet-lstm"
BIASES = {Mode.BALANCED: 2.5, Mode.RECALL: 5.0}
"""The modes in which two networks are used, with the bias of their pool, which was set on the development notes."""


@dataclass(eq=False)
class TwoReaders:
    """A model beside the second network, which is loaded when the first text is searched."""

    name: str
    first: Teacher
    bias: float

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return self._pool.detect(documents)

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]:
        return self._pool.token_probabilities(documents)

    @cached_property
    def _pool(self) -> Committee:
        from nadie.detectors.committee.model import Committee  # on demand: most runs have no scan

        members = {self.name: self.first.unbiased(), SECOND: cast(Teacher, Model.of(SECOND).detector()).unbiased()}
        return Committee(members, dict.fromkeys(members, 1.0), self.name, bias=self.bias)
