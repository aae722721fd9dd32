"""The settings of E2EJ: Table 1 and section 2.5 of paper 004."""

from __future__ import annotations

from dataclasses import dataclass

from nadie.detectors.neural.config import TaggerConfig
from nadie.tokens.codec import Scheme


@dataclass(frozen=True, kw_only=True)
class E2EJConfig(TaggerConfig):
    """Table 1 of the paper. `joint` off is its ablation E2E: no sensitivity branch, only types are learned."""

    scheme: Scheme = "BIO"
    tune_vectors: bool = False
    dropout: float = 0.3
    joint: bool = True
    character_embedding: int = 50
    character_filters: int = 100
    character_width: int = 3
    word_hidden: int = 256
    layers: int = 2
    context_filters: int = 200
    context_width: int = 3
    sensitivity_hidden: int = 200
