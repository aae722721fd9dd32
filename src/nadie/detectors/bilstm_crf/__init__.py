"""BiLSTM-CRF (paper 001): characters and words through LSTMs, tags through a conditional random field."""

from __future__ import annotations

from nadie.detectors.bilstm_crf.model import BiLSTMCRF, BiLSTMCRFConfig

__all__ = ["BiLSTMCRF", "BiLSTMCRFConfig"]
