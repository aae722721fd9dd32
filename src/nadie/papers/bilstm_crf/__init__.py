"""BiLSTM-CRF: LSTMs over characters and words, and a conditional random field over tags.

V. Suárez-Paniagua: "VSP at MEDDOCAN 2019: De-Identification of Medical Documents in Spanish with Recurrent Neural
Networks", IberLEF 2019 (CEUR-WS 2421). Deviations are listed at `BiLSTMCRF`. `paper.toml` has the paper's own
configuration, for `nadie train bilstm_crf --preset paper`; docs/en/understand/papers.md compares it with the paper, and
docs/en/understand/systems/bilstm_crf.md has the improved system.
"""

from __future__ import annotations

from nadie.papers.bilstm_crf.model import BiLSTMCRF, BiLSTMCRFConfig

__all__ = ["BiLSTMCRF", "BiLSTMCRFConfig"]
