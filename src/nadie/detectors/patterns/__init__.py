"""Identifiers known by their shape, cue words or checksum."""

from __future__ import annotations

from nadie.detectors.patterns.detector import Patterns

__all__ = ["Patterns"]
