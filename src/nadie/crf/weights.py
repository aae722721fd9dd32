"""The weights learned by CRFsuite, and their file in a safe format: sparse, in half precision."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from nadie.errors import ModelError

Floats = npt.NDArray[np.float32]
_EPSILON = 1e-3  # smaller weights are dropped


class Weights:
    """A row of `rows` for each feature, a column for each tag, and the scores of the transitions from tag to tag.

    An additional last row of zeros is used for every feature without weights.
    """

    def __init__(self, tags: Sequence[str], names: Sequence[str], rows: Floats, transitions: Floats) -> None:
        self.tags = tuple(tags)
        self.names = tuple(names)
        self.rows = np.vstack([rows, np.zeros((1, len(tags)), dtype=np.float32)])
        self.transitions = transitions
        self.index = {name: i for i, name in enumerate(names)}

    @classmethod
    def from_crfsuite(cls, model: Path) -> Weights:
        """Read the weights from a CRFsuite model file."""
        import pycrfsuite

        tagger = pycrfsuite.Tagger()
        tagger.open(str(model))
        info, tags = tagger.info(), tagger.labels()
        tagger.close()
        column = {tag: i for i, tag in enumerate(tags)}
        names = sorted({name for (name, _), weight in info.state_features.items() if abs(weight) > _EPSILON})
        index = {name: i for i, name in enumerate(names)}
        rows = np.zeros((len(names), len(tags)), dtype=np.float32)
        for (name, tag), weight in info.state_features.items():
            if name in index:
                rows[index[name], column[tag]] = weight
        transitions = np.zeros((len(tags), len(tags)), dtype=np.float32)
        for (before, after), weight in info.transitions.items():
            transitions[column[before], column[after]] = weight
        return cls(tags, names, rows, transitions)

    def dump(self) -> bytes:
        """The names and the non-zero weights in one compressed file."""
        rows = self.rows[:-1]
        where = np.nonzero(np.abs(rows) > _EPSILON)
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            tags=_as_bytes("\n".join(self.tags)),
            names=_as_bytes("\n".join(self.names)),
            counts=np.bincount(where[0], minlength=len(rows)).astype(np.uint16),
            columns=where[1].astype(np.uint8),
            values=rows[where].astype(np.float16),
            transitions=self.transitions,
        )
        return buffer.getvalue()

    @classmethod
    def parse(cls, content: bytes) -> Weights:
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as stored:
                tags, names = (stored[key].tobytes().decode().split("\n") for key in ("tags", "names"))
                rows = np.zeros((len(names), len(tags)), dtype=np.float32)
                rows[np.repeat(np.arange(len(names)), stored["counts"]), stored["columns"]] = stored["values"]
                return cls(tags, names, rows, stored["transitions"])
        except (OSError, ValueError, KeyError, IndexError, EOFError, BadZipFile) as error:
            raise ModelError("the weights of the model cannot be read") from error


def _as_bytes(text: str) -> npt.NDArray[np.uint8]:
    return np.frombuffer(text.encode(), dtype=np.uint8)
