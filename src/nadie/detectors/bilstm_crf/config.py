"""The settings of BiLSTM-CRF: Table 1 of paper 001."""

from __future__ import annotations

from dataclasses import dataclass

from nadie.detectors.neural.config import TaggerConfig


@dataclass(frozen=True, kw_only=True)
class BiLSTMCRFConfig(TaggerConfig):
    """Table 1 of the paper, and what the shared base adds to it."""

    character_embedding: int = 25
    character_hidden: int = 25
    word_hidden: int = 256
