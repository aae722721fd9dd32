"""The token probabilities of a teacher, the training targets of a distilled model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nadie.detector import Model, Teacher
from nadie.errors import ConfigError
from nadie.training.examples import Examples, SeenDocument

_TAUGHT_AT_ONCE = 16
_TAUGHT = "teacher.npy"


def teacher_probabilities(teacher: str, examples: Examples, work: Path) -> dict[int, npt.NDArray[np.float16]]:
    """The teacher's token probabilities (T, K) for each silver document, by the `id()` of its example.

    They are cached in `work`, because computing them takes long.
    """
    silver = [example for example in examples.documents if example.document.is_silver]
    ends = np.cumsum([len(example.tags) for example in silver])
    shape = (int(ends[-1]) if len(ends) else 0, len(examples.tag_names))
    stored = work / _TAUGHT
    if not stored.is_file() or np.load(stored, mmap_mode="r").shape != shape:
        rows: list[npt.NDArray[np.float16]] = [np.zeros((0, shape[1]), dtype=np.float16)]
        for first in range(0, len(silver), _TAUGHT_AT_ONCE):
            rows += _probabilities(teacher, silver[first : first + _TAUGHT_AT_ONCE], examples.tag_names)
        np.save(stored, np.concatenate(rows), allow_pickle=False)
    parts = np.split(np.load(stored, mmap_mode="r", allow_pickle=False), ends[:-1])
    return {id(example): part for example, part in zip(silver, parts, strict=True)} if silver else {}


@lru_cache(maxsize=1)
def _teacher(name: str) -> Teacher:
    detector = Model.of(name).detector()
    if not isinstance(detector, Teacher):
        raise ConfigError(f"the model {name[:80]!r} cannot be a teacher: it gives no token probabilities")
    return detector.unbiased()


def _probabilities(
    teacher: str, examples: Sequence[SeenDocument], tags: Sequence[str]
) -> list[npt.NDArray[np.float16]]:
    """(T, K) for each example: the teacher's probabilities of `tags`, scaled to sum to 1."""
    column = {tag: number for number, tag in enumerate(tags)}
    found = []
    for given in _teacher(teacher).token_probabilities([example.document for example in examples]):
        values = np.zeros((len(given.tokens), len(tags)), dtype=np.float32)
        for number, tag in enumerate(given.tags):
            if tag in column:
                values[:, column[tag]] = given.values[:, number]
        found.append((values / values.sum(axis=1, keepdims=True)).astype(np.float16))
    return found
