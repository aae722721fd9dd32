"""A detector made of detectors: what they believe of each token is pooled, and the pool is decoded."""

from __future__ import annotations

from nadie.detectors.committee.model import Committee

__all__ = ["Committee"]
