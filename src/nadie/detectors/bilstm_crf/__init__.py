"""BiLSTM-CRF (paper 001): LSTMs over characters and words, and a conditional random field over tags."""

from __future__ import annotations

from nadie.detectors.bilstm_crf.model import BiLSTMCRF, BiLSTMCRFConfig

__all__ = ["BiLSTMCRF", "BiLSTMCRFConfig"]
