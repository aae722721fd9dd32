"""A model adapted to one's own notes without PyTorch: another model, a layer over its tags, and lists of its centre."""

from __future__ import annotations

from nadie.detectors.adapted.model import Adapted

__all__ = ["Adapted"]
