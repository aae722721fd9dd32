"""The weights of the tagger, and the file they live in: no pickle, sparse, in half precision."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from nadie.errors import ModelError
from nadie.tokens.tagger.features import OFFSETS, OWN, WINDOW

_EPSILON = 1e-3

Floats = npt.NDArray[np.float32]


class Weights:
    """A row for each feature, a column for each tag, and the scores of the steps from tag to tag.

    `names` are full names: an offset in the window or `own`, a colon, and the feature. For looking up, `near_index`
    and `own_index` tell the rows of `near` (N, offsets, K) and of `own` (M, K) by the feature's name alone.
    """

    def __init__(self, tags: Sequence[str], names: Sequence[str], rows: Floats, steps: Floats) -> None:
        self.tags = tuple(tags)
        self.names = tuple(names)
        self.rows = rows
        self.steps = steps
        self.near_index: dict[str, int] = {}
        self.own_index: dict[str, int] = {}
        parts = [name.partition(":") for name in names]
        for place, _, name in parts:
            index = self.own_index if place == OWN else self.near_index
            index.setdefault(name, len(index))
        self.near = np.zeros((len(self.near_index), len(OFFSETS), len(self.tags)), dtype=np.float32)
        self.own = np.zeros((len(self.own_index), len(self.tags)), dtype=np.float32)
        for (place, _, name), row in zip(parts, rows, strict=True):
            if place == OWN:
                self.own[self.own_index[name]] = row
            else:
                self.near[self.near_index[name], int(place) + WINDOW] = row

    @classmethod
    def collect(
        cls, states: Mapping[tuple[str, str], float], steps: Mapping[tuple[str, str], float], tags: Sequence[str]
    ) -> Weights:
        """From weights by (feature, tag) and by (tag, next tag); those next to nothing are dropped."""
        column = {tag: i for i, tag in enumerate(tags)}
        names = sorted({name for (name, _), weight in states.items() if abs(weight) > _EPSILON})
        row = {name: i for i, name in enumerate(names)}
        rows = np.zeros((len(names), len(tags)), dtype=np.float32)
        for (name, tag), weight in states.items():
            if name in row:
                rows[row[name], column[tag]] = weight
        square = np.zeros((len(tags), len(tags)), dtype=np.float32)
        for (before, after), weight in steps.items():
            square[column[before], column[after]] = weight
        return cls(tags, names, rows, square)

    def dump(self) -> bytes:
        """Names and what is not zero, in one compressed file."""
        where = np.nonzero(np.abs(self.rows) > _EPSILON)
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            tags=_as_bytes("\n".join(self.tags)),
            names=_as_bytes("\n".join(self.names)),
            counts=np.bincount(where[0], minlength=len(self.rows)).astype(np.uint8),
            columns=where[1].astype(np.uint8),
            values=self.rows[where].astype(np.float16),
            steps=self.steps,
        )
        return buffer.getvalue()

    @classmethod
    def parse(cls, content: bytes) -> Weights:
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as stored:
                arrays = {name: stored[name] for name in ("tags", "names", "counts", "columns", "values", "steps")}
            tags, names = (arrays[key].tobytes().decode().split("\n") for key in ("tags", "names"))
            rows = np.zeros((len(names), len(tags)), dtype=np.float32)
            rows[np.repeat(np.arange(len(names)), arrays["counts"]), arrays["columns"]] = arrays["values"]
        except (OSError, ValueError, KeyError, IndexError, EOFError) as error:
            raise ModelError("the weights of the part-of-speech tagger cannot be read") from error
        return cls(tags, names, rows, arrays["steps"])


def _as_bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)
