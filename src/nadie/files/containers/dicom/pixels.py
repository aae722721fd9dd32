"""Text that is burned into the pixels of DICOM files: every frame is read, and painted where it identifies somebody.

Pixels are painted as they are stored. If no frame is painted, the pixel data stay as they are, byte by byte. Painted
pixel data that were not compressed keep their syntax; others are compressed without loss (RLE).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from pydicom.pixels.processing import apply_color_lut, convert_color_space
from pydicom.pixels.utils import iter_pixels
from pydicom.uid import RLELossless

from nadie.errors import FormatError
from nadie.files.containers.image.pages import MOST_PIXELS, ScannedPage, scanned_pixels
from nadie.files.mapped import TextBuilder
from nadie.files.source import Source
from nadie.scan.geometry import Box, mask_of

_GREY = ("MONOCHROME1", "MONOCHROME2")
_COLOUR = ("RGB", "YBR_FULL", "YBR_FULL_422", "YBR_RCT", "YBR_ICT")
_PALETTE = "PALETTE COLOR"
_LEAST_SIDE = 1000  # pixels: smaller frames are enlarged to be read, as their letters are small
_MOST_SCALE = 3
_DARK = 128
Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class _Frame:
    number: int
    page: ScannedPage
    scale: int


class Pixels:
    """The frames of a data set in which text was read. Decoded pixels are not held: they are decoded again."""

    def __init__(self, dataset: Any, source: Source) -> None:
        self._dataset, self._where = dataset, source.where
        rows, columns, samples, frames, bits = (
            int(dataset.get(key, 1) or 1)
            for key in ("Rows", "Columns", "SamplesPerPixel", "NumberOfFrames", "BitsAllocated")
        )
        if rows * columns > MOST_PIXELS:
            raise FormatError(f"has a frame of more than {MOST_PIXELS} pixels", where=source.where)
        source.budget.spend(rows * columns * samples * frames * ((bits + 7) // 8), source.where)
        self.count = 0
        self.frames: list[_Frame] = []
        before: tuple[Array, ScannedPage, int] | None = None
        for number, stored in enumerate(self._decoded(), start=1):
            self.count = number
            if before is None or not np.array_equal(before[0], stored):
                shown, scale = self._shown(stored)
                before = stored, scanned_pixels(shown, has_graphics=False), scale
            page = replace(before[1], edits=[])
            if page.lines or page.unread:
                self.frames.append(_Frame(number, page, before[2]))

    def add_to(self, builder: TextBuilder[Any]) -> None:
        for frame in self.frames:
            builder.cut("\n\n")
            frame.page.add_to(builder)

    def paint(self) -> dict[int, list[Box]]:
        """Paint the frames, and return the boxes that were painted, in pixels of each frame."""
        frames = {frame.number: frame for frame in self.frames if frame.page.edits or frame.page.unread}
        if not frames:
            return {}
        done, boxes = [], {}
        for number, stored in enumerate(self._decoded(), start=1):
            if frame := frames.get(number):
                shown, _ = self._shown(stored)
                paints = frame.page.paints(shown, self._where)
                boxes[number] = [_reduced(each.box, frame.scale) for each in paints]
                stored = stored.copy()
                upright = np.rot90(stored, frame.page.turns)  # a view: painting it paints the frame
                upright[mask_of(boxes[number], upright.shape) > 0] = self._black(stored)
            done.append(stored)
        self._store(np.stack(done) if len(done) > 1 else done[0])
        return boxes

    def _decoded(self) -> Iterator[Array]:
        """The frames as they are stored; those of subsampled or transformed colours in plain colours."""
        dataset = self._dataset
        kind = str(dataset.get("PhotometricInterpretation", ""))
        samples = int(dataset.get("SamplesPerPixel", 1) or 1)
        if (kind in _GREY or kind == _PALETTE) != (samples == 1) or kind not in (*_GREY, *_COLOUR, _PALETTE):
            raise FormatError(f"has pixels of the kind {_code(kind)}, which are not supported", where=self._where)
        is_raw = samples == 1 or kind == "YBR_FULL"
        try:
            yield from iter_pixels(dataset, raw=is_raw)
        except Exception as error:  # each decoder raises its own errors, which may quote the file
            name = dataset.file_meta.TransferSyntaxUID.name
            reason = f"has pixel data that cannot be decoded ({name}; {type(error).__name__})"
            raise FormatError(reason, where=self._where) from None

    def _shown(self, stored: Array) -> tuple[npt.NDArray[np.uint8], int]:
        """A frame as it is seen, dark letters on a light ground, enlarged if it is small."""
        kind = str(self._dataset.PhotometricInterpretation)
        shown = stored
        if kind == _PALETTE:
            shown = apply_color_lut(stored, self._dataset)
        elif kind == "YBR_FULL":
            shown = convert_color_space(stored, "YBR_FULL", "RGB")
        if shown.dtype != np.uint8:
            low, high = np.percentile(shown, (0.1, 99.9))
            low, high = (low, high) if high > low else (float(shown.min()), float(shown.max()))
            shown = np.clip((shown.astype(np.float64) - low) * 255 / max(high - low, 1e-9), 0, 255).astype(np.uint8)
        if float(np.median(shown)) < _DARK:
            shown = 255 - shown
        scale = min(_MOST_SCALE, max(1, -(-_LEAST_SIDE // max(shown.shape[:2]))))
        if scale > 1:
            shown = cv2.resize(shown, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        return np.ascontiguousarray(shown, dtype=np.uint8), scale

    def _black(self, stored: Array) -> Any:
        """What is stored for black in a frame."""
        kind = str(self._dataset.PhotometricInterpretation)
        if kind == _PALETTE:
            colours = apply_color_lut(np.arange(int(stored.max()) + 1, dtype=stored.dtype)[None], self._dataset)
            return int(colours[0].astype(np.int64).sum(axis=1).argmin())
        if kind == "YBR_FULL":
            return (0, 128, 128)
        return stored.max() if kind == "MONOCHROME1" else stored.min() if kind == "MONOCHROME2" else 0

    def _store(self, pixels: Array) -> None:
        dataset = self._dataset
        kind = str(dataset.PhotometricInterpretation)
        if kind in _COLOUR and kind != "YBR_FULL":
            dataset.PhotometricInterpretation = "RGB"
        syntax = dataset.file_meta.TransferSyntaxUID
        if dataset.SamplesPerPixel > 1 and (syntax.is_compressed or int(dataset.get("PlanarConfiguration", 0)) == 0):
            dataset.PlanarConfiguration = 0
        elif dataset.SamplesPerPixel > 1:
            pixels = np.moveaxis(pixels, -1, -3)
        if syntax.is_compressed:
            dataset.compress(RLELossless, pixels, generate_instance_uid=False)
            return
        raw = pixels.astype(pixels.dtype.newbyteorder("<" if syntax.is_little_endian else ">")).tobytes()
        dataset["PixelData"].value = raw + b"\0" * (len(raw) % 2)


def _reduced(box: Box, scale: int) -> Box:
    """The box in pixels of a frame that was enlarged."""
    return Box(box.x / scale, box.y / scale, box.length / scale, box.height / scale, box.angle)


def _code(kind: str) -> str:
    return kind if kind.replace("_", "").replace(" ", "").isalnum() and len(kind) <= 16 else "unknown"
