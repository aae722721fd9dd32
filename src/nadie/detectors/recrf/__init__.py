"""ReCRF (paper 002): rules learned from the notes, whose matches are features of a conditional random field."""

from __future__ import annotations

from nadie.detectors.recrf.model import ReCRF, ReCRFConfig

__all__ = ["ReCRF", "ReCRFConfig"]
