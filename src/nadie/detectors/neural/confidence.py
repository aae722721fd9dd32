"""From the probability of a chunk to a confidence that means what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_EDGE = 1e-6
_RIDGE = 1e-2


@dataclass(frozen=True)
class Calibration:
    """Platt's scaling: confidence = sigmoid(slope * logit(probability) + offset)."""

    slope: float = 1.0
    offset: float = 0.0

    def __call__(self, probability: float) -> float:
        inside = min(max(probability, _EDGE), 1.0 - _EDGE)
        logit = np.log(inside) - np.log1p(-inside)
        return float(1.0 / (1.0 + np.exp(-(self.slope * logit + self.offset))))


def fit_calibration(probabilities: Sequence[float], right: Sequence[bool]) -> Calibration:
    """The scaling under which the answers of `right` are likeliest, by Newton's method.

    A light pull towards the identity keeps it finite when every answer was right.
    """
    if not probabilities:
        return Calibration()
    inside = np.clip(np.asarray(probabilities, dtype=np.float64), _EDGE, 1.0 - _EDGE)
    features = np.stack([np.log(inside) - np.log1p(-inside), np.ones_like(inside)], axis=1)  # (N, 2)
    truth = np.asarray(right, dtype=np.float64)
    identity = np.array([1.0, 0.0])
    weights = identity.copy()
    for _ in range(100):
        predicted = 1.0 / (1.0 + np.exp(-features @ weights))
        gradient = features.T @ (predicted - truth) + _RIDGE * (weights - identity)
        curvature = (features * (predicted * (1.0 - predicted))[:, None]).T @ features + _RIDGE * np.eye(2)
        step = np.linalg.solve(curvature, gradient)
        weights -= np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-9:
            break
    return Calibration(float(weights[0]), float(weights[1]))


def calibration_error(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """Expected calibration error: the mean gap between confidence and accuracy over bins of equal size."""
    if not confidences:
        return 0.0
    order = np.argsort(np.asarray(confidences), kind="stable")
    values: npt.NDArray[np.float64] = np.asarray(confidences, dtype=np.float64)[order]
    truth = np.asarray(right, dtype=np.float64)[order]
    parts = zip(np.array_split(values, bins), np.array_split(truth, bins), strict=True)
    gaps = [abs(v.mean() - t.mean()) * len(v) for v, t in parts if len(v)]
    return float(sum(gaps) / len(values))
