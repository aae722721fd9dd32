"""TCCNN: candidates from a part-of-speech filter, a three-channel convolutional network, and a final filter.

J. Porta-Zamorano: "Spanish Medical Document Anonymization with Three-channel Convolutional Neural Networks", IberLEF
2019 (CEUR-WS 2421). Deviations are listed at `TCCNN`. Train and score it with `nadie train tccnn` and `nadie evaluate`;
docs/systems/tccnn.md has the commands.
"""

from __future__ import annotations

from nadie.papers.tccnn.config import TCCNNConfig
from nadie.papers.tccnn.model import TCCNN

__all__ = ["TCCNN", "TCCNNConfig"]
