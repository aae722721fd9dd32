"""A last layer over the tags of a model: softmax(log p · W + b), re-estimated in numpy.

It begins as the identity and is held near it (ridge), so that without evidence the model stays as it is. The bias of a
tag is a threshold of its label; the weights between tags undo confusions.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.errors import ModelError

_STEPS = 150
_RATE = 0.02
_LEAST = 1e-6
_CERTAIN = 1e-3

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Layer:
    """The layer of a model with these tags: `weights` (K, K) and `bias` (K,)."""

    tags: tuple[str, ...]
    weights: Floats
    bias: Floats

    @classmethod
    def identity(cls, tags: Sequence[str]) -> Layer:
        return cls(tuple(tags), np.eye(len(tags), dtype=np.float32), np.zeros(len(tags), dtype=np.float32))

    def apply(self, values: npt.NDArray[np.floating], toward_phi: float = 0.0) -> Floats:
        """Token probabilities (T, K) → (T, K); `toward_phi` is added to the log-odds of each token being PHI."""
        scores = np.log(np.maximum(values, _LEAST)).astype(np.float32) @ self.weights + self.bias
        scores[:, 0] -= np.float32(toward_phi)  # `O` is the first tag
        return _softmax(scores)

    def to_bytes(self) -> bytes:
        file = io.BytesIO()
        np.savez_compressed(file, tags=np.array(self.tags), weights=self.weights, bias=self.bias)
        return file.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> Layer:
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as stored:
                tags = tuple(str(tag) for tag in stored["tags"])
                weights, bias = stored["weights"].astype(np.float32), stored["bias"].astype(np.float32)
        except (ValueError, KeyError, OSError, zipfile.BadZipFile) as error:
            raise ModelError("the layer of the model cannot be read") from error
        if weights.shape != (len(tags), len(tags)) or bias.shape != (len(tags),):
            raise ModelError("the layer of the model does not match its tags")
        return cls(tags, weights, bias)


def fit_layer(tags: Sequence[str], values: Floats, targets: Floats, ridge: float) -> Layer:
    """The layer that makes the targets (T, K) likely, given the model's probabilities (T, K), by Adam.

    Tokens of which the model is certain, and right, are left out: they would change nothing.
    """
    is_wrong = np.abs(values - targets).max(axis=1) > _CERTAIN
    open_ones = is_wrong | (values.max(axis=1) < 1 - _CERTAIN)
    inputs = np.log(np.maximum(values[open_ones], _LEAST)).astype(np.float32)
    wanted = targets[open_ones].astype(np.float32)
    count = len(tags)
    held = np.concatenate([np.eye(count, dtype=np.float32), np.zeros((1, count), dtype=np.float32)])
    found, mean, square = held.copy(), np.zeros_like(held), np.zeros_like(held)
    rows = np.concatenate([inputs, np.ones((len(inputs), 1), dtype=np.float32)], axis=1)
    for step in range(1, _STEPS + 1 if len(rows) else 1):
        error = _softmax(rows @ found) - wanted
        gradient = (rows.T @ error + ridge * (found - held)) / len(rows)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        rate = _RATE * (1 - step / (_STEPS + 1))
        found -= rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
    return Layer(tuple(tags), found[:-1], found[-1])


def _softmax(scores: Floats) -> Floats:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Floats = (powers / powers.sum(axis=1, keepdims=True)).astype(np.float32)
    return shares
