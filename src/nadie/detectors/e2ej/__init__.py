"""E2EJ (paper 004): the sensitivity and the type of each token, learned jointly."""

from __future__ import annotations

from nadie.detectors.e2ej.model import E2EJ, E2EJConfig

__all__ = ["E2EJ", "E2EJConfig"]
