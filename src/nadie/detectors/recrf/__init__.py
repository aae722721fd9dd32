"""ReCRF (paper 002): rules learned from the notes, and a conditional random field that sees where they match."""

from __future__ import annotations

from nadie.detectors.recrf.model import ReCRF, ReCRFConfig

__all__ = ["ReCRF", "ReCRFConfig"]
