"""TCCNN (paper 000): candidates from a part-of-speech filter, a three-channel network, and a final filter."""

from __future__ import annotations

from nadie.detectors.tccnn.config import TCCNNConfig
from nadie.detectors.tccnn.model import TCCNN

__all__ = ["TCCNN", "TCCNNConfig"]
