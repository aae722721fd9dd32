"""The exhaustive model: every span up to a given size is classified; eight variants, which can vote.

M. G. Sohrab, P. M. Thang, M. Miwa: "A Generic Neural Exhaustive Approach for Entity Recognition and Sensitive Span
Detection", IberLEF 2019 (CEUR-WS 2421). Deviations are listed at `ExhaustiveConfig`. `paper.toml` has the paper's own
configuration, for `nadie train exhaustive --preset paper`; docs/en/understand/papers.md compares it with the paper, and
docs/en/understand/systems/exhaustive.md has the improved system.
"""

from __future__ import annotations

from nadie.papers.exhaustive.config import RUNS, VARIANTS, ExhaustiveConfig, Variant
from nadie.papers.exhaustive.model import Exhaustive

__all__ = ["RUNS", "VARIANTS", "Exhaustive", "ExhaustiveConfig", "Variant"]
