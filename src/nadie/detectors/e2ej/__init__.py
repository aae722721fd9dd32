"""E2EJ (paper 004): whether a token is sensitive and what type it is, learned together."""

from __future__ import annotations

from nadie.detectors.e2ej.model import E2EJ, E2EJConfig

__all__ = ["E2EJ", "E2EJConfig"]
