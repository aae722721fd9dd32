"""TCCNN: candidates from a part-of-speech filter, a three-channel convolutional network, and a final filter.

J. Porta-Zamorano: "Spanish Medical Document Anonymization with Three-channel Convolutional Neural Networks", IberLEF
2019 (CEUR-WS 2421). Deviations are listed at `TCCNN`. `paper.toml` has
the paper's own configuration, for `nadie train tccnn --preset paper`; docs/en/understand/papers.md compares it with the
paper, and docs/en/understand/systems/tccnn.md has the improved system.
"""

from __future__ import annotations

from nadie.papers.tccnn.config import TCCNNConfig
from nadie.papers.tccnn.model import TCCNN

__all__ = ["TCCNN", "TCCNNConfig"]
