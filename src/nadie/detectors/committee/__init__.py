"""A detector made of detectors: their beliefs of each token are averaged, and the best sequence of the average is taken."""

from __future__ import annotations

from nadie.detectors.committee.model import Committee

__all__ = ["Committee"]
