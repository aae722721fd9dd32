"""The learning rate over time."""

from __future__ import annotations

import math
from typing import Literal

from nadie.errors import ConfigError

Schedule = Literal["constant", "linear", "cosine"]


def learning_rate(schedule: Schedule, peak: float, step: int, total: int, warmup: int = 0) -> float:
    """The rate at `step` of `total`: up to `peak` in a line over `warmup` steps, then along the schedule to 0."""
    if step < warmup:
        return peak * (step + 1) / warmup
    left = max(0.0, 1.0 - (step - warmup) / max(1, total - warmup))
    if schedule == "constant":
        return peak
    if schedule == "linear":
        return peak * left
    if schedule == "cosine":
        return peak * 0.5 * (1.0 - math.cos(math.pi * left))
    raise ConfigError(f"there is no schedule {schedule!r}: constant, linear or cosine")
