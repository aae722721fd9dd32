"""The exhaustive model (paper 003): every span up to a given size is classified; eight variants, which can vote."""

from __future__ import annotations

from nadie.detectors.exhaustive.config import RUNS, VARIANTS, ExhaustiveConfig, Variant
from nadie.detectors.exhaustive.model import Exhaustive

__all__ = ["RUNS", "VARIANTS", "Exhaustive", "ExhaustiveConfig", "Variant"]
