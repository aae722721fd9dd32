"""The exhaustive model (paper 003): every span up to a size is classified; eight variants, and their vote."""

from __future__ import annotations

from nadie.detectors.exhaustive.config import ExhaustiveConfig
from nadie.detectors.exhaustive.model import Exhaustive
from nadie.detectors.exhaustive.variants import RUNS, VARIANTS, Variant

__all__ = ["RUNS", "VARIANTS", "Exhaustive", "ExhaustiveConfig", "Variant"]
