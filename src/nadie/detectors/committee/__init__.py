"""A detector that combines other detectors: their token probabilities are pooled, and the pool is decoded."""

from __future__ import annotations

from nadie.detectors.committee.model import Committee

__all__ = ["Committee"]
