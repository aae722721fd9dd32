"""Marginals in BIOES → beliefs in BIO, which all detectors share."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

_SAME = {"S": "B", "E": "I"}


def in_bio(marginals: npt.NDArray[np.floating], tags: Sequence[str]) -> tuple[tuple[str, ...], npt.NDArray[np.float32]]:
    """The BIO tags and their probabilities, (T, K'): a single token begins, an ending one is inside."""
    names = [_SAME.get(tag[0], tag[0]) + tag[1:] for tag in tags]
    kept = tuple(dict.fromkeys(names))
    column = {name: i for i, name in enumerate(kept)}
    found = np.zeros((len(marginals), len(kept)), dtype=np.float32)
    for i, name in enumerate(names):
        found[:, column[name]] += marginals[:, i]
    return kept, found
