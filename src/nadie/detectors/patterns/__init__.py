"""Identifiers with a form of their own, one file each: pattern, cue words, checksum."""

from __future__ import annotations

from nadie.detectors.patterns.detector import Patterns

__all__ = ["Patterns"]
