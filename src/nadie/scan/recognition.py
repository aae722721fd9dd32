"""Reads lines of text, and tells where in the line each character is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

from nadie.scan.geometry import Image
from nadie.scan.networks import characters, network

HEIGHT = 48
"""The height of the lines that the networks see."""
_STEP = 8
_LEAST_WIDTH = 32
_MOST_WIDTH = 6400
_PIXELS = 48 * 4800  # in one batch
_SPACE = " "
_LEAST_SPACE = 8.0  # columns
_MAYBE_SPACE = 0.02  # the least probability of a space that the network missed


@dataclass(frozen=True, eq=False, slots=True)
class Reading:
    """The text of a line. `edges` has one more item than `text`: the borders of the characters, from 0 to 1."""

    text: str
    scores: tuple[float, ...]
    edges: tuple[float, ...]

    @property
    def score(self) -> float:
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


NOTHING = Reading("", (), (0.0,))


def read(crops: Sequence[Image], name: str) -> list[Reading]:
    """The readings of lines that are cut out with the height `HEIGHT`, with the recogniser `tiny` or `small`."""
    crops = [each if each.shape[1] <= _MOST_WIDTH else _squeezed(each) for each in crops]
    done: list[Reading] = [NOTHING] * len(crops)
    for n, probabilities, step in _outputs(crops, name):
        done[n] = _decoded(probabilities, crops[n], step)
    return done


def read_quickly(crops: Sequence[Image], name: str) -> list[tuple[str, float]]:
    """The texts of lines with their scores, without the places of characters and the spaces that a network missed."""
    crops = [each if each.shape[1] <= _MOST_WIDTH else _squeezed(each) for each in crops]
    done = [("", 0.0)] * len(crops)
    for n, probabilities, _ in _outputs(crops, name):
        text, scores, *_ = _characters(probabilities)
        done[n] = text, sum(scores) / len(scores) if scores else 0.0
    return done


def _outputs(crops: Sequence[Image], name: str) -> Iterator[tuple[int, npt.NDArray[np.float32], float]]:
    """For each line, in no order, the probabilities of the characters at each step, and the width of a step."""
    order = sorted(range(len(crops)), key=lambda n: (crops[n].shape[1], n))
    while order:
        some = _batch([crops[n].shape[1] for n in order])
        rows, order = order[:some], order[some:]
        width = max(_LEAST_WIDTH, *(crops[n].shape[1] for n in rows))
        values = np.zeros((len(rows), 3, HEIGHT, width), dtype=np.float32)
        for row, n in enumerate(rows):
            values[row, :, :, : crops[n].shape[1]] = _network_input(crops[n])
        probabilities = network(name).run(None, {"x": values})[0]
        for row, n in enumerate(rows):
            steps = max(1, -(-crops[n].shape[1] // _STEP))
            yield n, probabilities[row][:steps], width / probabilities.shape[1]


def _batch(widths: Sequence[int]) -> int:
    """How many lines, from narrow to wide, go into a batch: not too many pixels, and of similar width."""
    count = 0
    for width in widths:
        if count and ((count + 1) * width * HEIGHT > _PIXELS or width > 1.3 * widths[0] + 32):
            break
        count += 1
    return count


def _squeezed(crop: Image) -> Image:
    return np.asarray(cv2.resize(crop, (_MOST_WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _network_input(crop: Image) -> npt.NDArray[np.float32]:
    values = crop.astype(np.float32) / 127.5 - 1.0
    return np.broadcast_to(values, (3, *values.shape)) if values.ndim == 2 else values[..., ::-1].transpose(2, 0, 1)


def _characters(probabilities: npt.NDArray[np.float32]) -> tuple[str, list[float], list[int], list[int]]:
    """The best characters, their scores and steps: repeated ones are one, and the first output means none."""
    best = probabilities.argmax(axis=1)
    changes = np.flatnonzero(np.diff(best, prepend=-1))
    runs = zip(changes.tolist(), [*changes[1:].tolist(), len(best)], strict=True)
    begins, ends = [], []
    for begin, end in runs:
        if best[begin] > 0:
            begins.append(begin)
            ends.append(end)
    known = characters()
    text = "".join(known[best[b] - 1] for b in begins)
    scores = [float(probabilities[b:e, best[b]].max()) for b, e in zip(begins, ends, strict=True)]
    return text, scores, begins, ends


def _decoded(probabilities: npt.NDArray[np.float32], crop: Image, step: float) -> Reading:
    text, scores, begins, ends = _characters(probabilities)
    first = len(text) - len(text.lstrip(_SPACE))
    last = len(text.rstrip(_SPACE))
    if first >= last:
        return NOTHING
    centres = [(b + e) / 2 * step for b, e in zip(begins[first:last], ends[first:last], strict=True)]
    ink = _ink(crop)
    of_space = probabilities[:, characters().index(_SPACE) + 1]
    maybe = [float(of_space[int(a / step) : int(b / step) + 1].max()) >= _MAYBE_SPACE for a, b in pairwise(centres)]
    text, scores, centres = _spaced(text[first:last], scores[first:last], centres, ink, maybe)
    return Reading(text, tuple(scores), _edges(text, centres, ink))


def _ink(crop: Image) -> npt.NDArray[np.float32]:
    """How much ink each column of a line has, whether it is dark on light or light on dark."""
    grey = crop if crop.ndim == 2 else crop.mean(axis=2)
    inner = grey[HEIGHT // 8 : -HEIGHT // 8].astype(np.float32)
    ink: npt.NDArray[np.float32] = np.abs(inner - np.median(inner)).sum(axis=0)
    return ink


def _spaced(
    text: str, scores: list[float], centres: list[float], ink: npt.NDArray[np.float32], maybe: Sequence[bool]
) -> tuple[str, list[float], list[float]]:
    """The text with spaces where the line has gaps as wide as its spaces: the networks miss some.

    `maybe` tells after which characters the network gives a space at least a small probability.
    """
    if not any(may_be and _may_be_apart(*pair) for may_be, pair in zip(maybe, pairwise(text), strict=True)):
        return text, scores, centres
    low, high = np.percentile(ink, (5, 90))
    inked = np.flatnonzero(ink >= low + 0.2 * (high - low))
    gaps = [_width(_widest(inked, *pair)) for pair in pairwise(centres)]
    spaces = [n for n in range(1, len(text) - 1) if text[n] == _SPACE]
    wide = _least_space(text, gaps, [_width(_widest(inked, centres[n - 1], centres[n + 1])) for n in spaces])
    kept, new_scores, new_centres = [text[0]], [scores[0]], [centres[0]]
    for n in range(1, len(text)):
        if maybe[n - 1] and gaps[n - 1] >= wide and _may_be_apart(text[n - 1], text[n]):
            kept.append(_SPACE)
            new_scores.append(1.0)
            new_centres.append((centres[n - 1] + centres[n]) / 2)
        kept.append(text[n])
        new_scores.append(scores[n])
        new_centres.append(centres[n])
    return "".join(kept), new_scores, new_centres


def _may_be_apart(before: str, after: str) -> bool:
    """Whether a space between two characters is likely to have been missed; figures are often set wide."""
    if before.isdigit() and after.isdigit():
        return False
    return after.isalnum() and (before.isalnum() or before in ",;:.)]")


def _width(place: tuple[float, float]) -> float:
    return place[1] - place[0]


def _least_space(text: str, gaps: Sequence[float], spaces: Sequence[float]) -> float:
    """The width from which a gap is a space: between the gaps in words and the known spaces, if these are wider."""
    inside = [gap for gap, pair in zip(gaps, pairwise(text), strict=True) if _SPACE not in pair]
    if len(inside) < 4:
        return math.inf
    usual = float(np.percentile(inside, 85))
    space = float(np.median(spaces)) if len(spaces) > 1 else 2.5 * usual
    return max(_LEAST_SPACE, (usual + 2 * space) / 3) if space > 1.7 * usual else math.inf


def _edges(text: str, centres: Sequence[float], ink: npt.NDArray[np.float32]) -> tuple[float, ...]:
    """The borders between characters: where there is least ink, near the middle between two centres.

    The networks do not tell well where a space is: its borders are inside the widest gap between its neighbours.
    """
    low, high = np.percentile(ink, (5, 90))
    inked = np.flatnonzero(ink >= low + 0.2 * (high - low))
    edges = [0.0]
    for n, (before, after) in enumerate(pairwise(centres)):
        if _SPACE in text[n : n + 2]:
            first, last = (n - 1, n + 1) if text[n] == _SPACE else (n, min(n + 2, len(text) - 1))
            begin, end = _widest(inked, centres[max(0, first)], centres[last])
            edges.append(begin + (end - begin) * (0.6 if text[n] == _SPACE else 0.4))
        else:
            edges.append(_least_ink(ink, before, after))
    placed = np.maximum.accumulate(np.clip(np.array(edges) / len(ink), 0.0, 1.0))
    return (*placed.tolist(), 1.0)


def _least_ink(ink: npt.NDArray[np.float32], before: float, after: float) -> float:
    middle, reach = (before + after) / 2, (after - before) * 0.35
    low = min(max(0, int(middle - reach)), len(ink) - 1)
    part = ink[low : max(low + 1, int(middle + reach) + 1)]
    far = np.abs(np.arange(low, low + len(part)) + 0.5 - middle)
    return low + int(np.argmin(part + far * (part.max() - part.min() + 1e-3) / (4 * reach + 1))) + 0.5


def _widest(inked: npt.NDArray[np.intp], start: float, end: float) -> tuple[float, float]:
    """The widest gap between columns with ink from one place to another."""
    inside = np.concatenate(([start], inked[np.searchsorted(inked, start) : np.searchsorted(inked, end)], [end]))
    at = int(np.diff(inside).argmax())
    return float(inside[at]), float(inside[at + 1])
