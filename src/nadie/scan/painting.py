"""Covers boxes of an image, in its own pixel format, and writes replacements into them if wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from nadie.scan.geometry import Box, Image, mask_of

_SMALLEST = 8
_MARK = 24  # columns of paint that stay in a line that is read again


class Paint(NamedTuple):
    """A box to cover, and the text to write into it, if any."""

    box: Box
    text: str = ""


def painted(image: Pillow.Image, paints: Sequence[Paint], turns: int, *, with_text: bool) -> Pillow.Image:
    """A new image without metadata, with the boxes covered; they are in pixels of the image turned by `turns` quarters.

    Boxes are black, or white with their text.
    """
    pixels = np.rot90(np.array(image), turns)
    palette = image.getpalette() if image.mode == "P" else None
    dark, light = _colours(image, palette)
    is_written = [with_text and bool(paint.text) for paint in paints]
    pixels[mask_of([paint.box for paint in paints], pixels.shape) > 0] = dark
    written = [paint for paint, is_text in zip(paints, is_written, strict=True) if is_text]
    if written:
        pixels[mask_of([paint.box for paint in written], pixels.shape) > 0] = light
        pixels[_letters(written, pixels.shape)] = dark
    done = Pillow.fromarray(np.ascontiguousarray(np.rot90(pixels, -turns)))
    if image.mode in ("P", "CMYK"):
        done = Pillow.frombytes(image.mode, done.size, done.tobytes())
    if palette is not None:
        done.putpalette(palette)
    return done


def without_paint(crop: Image) -> Image:
    """A line with what is painted black narrowed to a mark, so that the rest of it can be read quickly."""
    inner = crop[crop.shape[0] // 8 : -crop.shape[0] // 8]  # the edges of paint are mixed with paper
    is_black = (inner == 0).reshape(len(inner), crop.shape[1], -1).all(axis=(0, 2))
    runs = np.arange(len(is_black)) - np.maximum.accumulate(np.where(is_black, -1, np.arange(len(is_black))))
    return np.ascontiguousarray(crop[:, runs <= _MARK])


def _colours(image: Pillow.Image, palette: Sequence[int] | None) -> tuple[object, object]:
    """Black and white in the format of the image; the darkest and the lightest entry of a palette."""
    if palette is not None:
        used = np.unique(np.array(image)).tolist()
        sums = {n: sum(palette[3 * n : 3 * n + 3]) for n in used}
        return min(sums, key=lambda n: (sums[n], n)), max(sums, key=lambda n: (sums[n], -n))
    if image.mode == "CMYK":
        return (0, 0, 0, 255), (0, 0, 0, 0)
    if image.mode in ("RGBA", "LA"):
        bands = len(image.getbands()) - 1
        return (*(0 for _ in range(bands)), 255), (*(255 for _ in range(bands)), 255)
    if image.mode == "1":
        return False, True
    return 0, 65535 if image.mode.startswith("I;16") else 255


def _letters(paints: Sequence[Paint], shape: tuple[int, ...]) -> npt.NDArray[np.bool_]:
    """Where the letters of the texts are, each condensed to fit its box."""
    page = Pillow.new("L", (shape[1], shape[0]))
    for box, text in paints:
        size = max(_SMALLEST, round(box.height * 0.62))
        font = ImageFont.load_default(size)
        left, top, right, bottom = font.getbbox(text)
        line = Pillow.new("L", (max(1, round(right - left)), max(1, round(bottom - top))))
        ImageDraw.Draw(line).text((-left, -top), text, font=font, fill=255)
        wide, high = min(line.width, max(1, round(box.length))), min(line.height, max(1, round(box.height)))
        line = line.resize((wide, high)).rotate(-np.degrees(box.angle), expand=True)
        start = box.part(0, wide)
        page.paste(255, (round(start.x - line.width / 2), round(start.y - line.height / 2)), line)
    return np.asarray(page) > 127
