"""What paper, copiers, fax machines and cameras do to a sheet; the same geometry is applied to its map of ink."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from scan_sheets import TALL, WIDE, Pixels, Sheet


def _noise(shape: tuple[int, ...], deviation: float, seed: int, blur: float = 0.0) -> npt.NDArray[np.float32]:
    noise = np.random.default_rng(seed).normal(0, deviation, shape).astype(np.float32)
    if blur:
        noise = np.asarray(cv2.GaussianBlur(noise, (0, 0), blur))
        noise *= deviation / (noise.std() + 1e-6)
    return noise


def _turned(sheet: Sheet, degrees: float, border: int) -> None:
    matrix = cv2.getRotationMatrix2D((WIDE / 2, TALL / 2), degrees, 1)
    sheet.image = np.asarray(
        cv2.warpAffine(sheet.image, matrix, (WIDE, TALL), flags=cv2.INTER_LINEAR, borderValue=(border,) * 3), np.uint8
    )
    ink = cv2.warpAffine(sheet.ink.astype(np.float32), matrix, (WIDE, TALL), flags=cv2.INTER_NEAREST)
    sheet.ink = ink.astype(np.int32)


def _grey(sheet: Sheet) -> npt.NDArray[Any]:
    return np.asarray(cv2.cvtColor(sheet.image, cv2.COLOR_RGB2GRAY)).astype(np.float32)


def _jpeg(image: Pixels, quality: int) -> Pixels:
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_UNCHANGED),
        np.uint8,
    )


def _office(sheet: Sheet, seed: int) -> Pixels:
    _turned(sheet, sheet.rng.uniform(-0.7, 0.7), 255)
    image = np.asarray(cv2.GaussianBlur(sheet.image, (0, 0), 0.6)).astype(np.float32)
    return _jpeg(np.clip(image * 0.93 + 8 + _noise(image.shape, 3, seed), 0, 255).astype(np.uint8), 70)


def _photocopy(sheet: Sheet, seed: int) -> Pixels:
    _turned(sheet, sheet.rng.uniform(-1.5, 1.5), 255)
    grey = _grey(sheet)
    for n in range(2):
        grey = np.asarray(cv2.GaussianBlur(grey, (0, 0), 0.8))
        grey = 255 / (1 + np.exp(-(grey - 150 + _noise(grey.shape, 9, seed + n, 1.0)) / 16))
    specks = np.random.default_rng(seed).random(grey.shape) < 0.0007
    grey[specks] = 30
    grey[:, :14] = 20
    return np.asarray(np.clip(grey, 0, 255), dtype=np.uint8)


def _fax(sheet: Sheet, seed: int) -> Pixels:
    _turned(sheet, sheet.rng.uniform(-0.6, 0.6), 255)
    grey = np.asarray(cv2.GaussianBlur(_grey(sheet), (0, 0), 0.8))
    coarse = np.asarray(cv2.resize(grey, (WIDE, TALL // 2 + 400), interpolation=cv2.INTER_AREA))
    bits = ((coarse + _noise(coarse.shape, 22, seed)) > 140).astype(np.uint8) * 255
    return np.asarray(cv2.resize(bits, (WIDE, TALL), interpolation=cv2.INTER_NEAREST), np.uint8)


def _photo(sheet: Sheet, seed: int) -> Pixels:
    rng = sheet.rng
    corners = np.array([(0, 0), (WIDE, 0), (WIDE, TALL), (0, TALL)], dtype=np.float32)
    moved = corners + np.array([(rng.uniform(10, 70), rng.uniform(10, 60)) for _ in range(4)]) * np.array(
        [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    )
    matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    image = cv2.warpPerspective(sheet.image, matrix, (WIDE, TALL), borderValue=(70, 60, 50))
    sheet.ink = cv2.warpPerspective(sheet.ink.astype(np.float32), matrix, (WIDE, TALL), flags=cv2.INTER_NEAREST).astype(
        np.int32
    )
    ys, xs = np.mgrid[0:TALL, 0:WIDE].astype(np.float32)
    light = 0.62 + 0.3 * np.exp(
        -(((xs - rng.uniform(300, 1300)) / 1100) ** 2 + ((ys - rng.uniform(400, 1900)) / 1300) ** 2)
    )
    image = (
        np.asarray(cv2.GaussianBlur(image, (0, 0), 1.0)).astype(np.float32)
        * light[..., None]
        * np.array([1.0, 0.97, 0.9])
    )
    return _jpeg(np.clip(image + _noise(image.shape, 5, seed), 0, 255).astype(np.uint8), 60)


def _old_paper(sheet: Sheet, seed: int) -> Pixels:
    _turned(sheet, sheet.rng.uniform(-1, 1), 240)
    image = sheet.image.astype(np.float32) / 255
    paper = (
        np.array([222, 203, 160], dtype=np.float32)
        + _noise((TALL, WIDE), 14, seed, 25)[..., None]
        + _noise((TALL, WIDE), 5, seed + 1)[..., None]
    )
    faded = 0.42 + 0.58 * image + 0.12 * np.clip(_noise((TALL, WIDE), 1, seed + 2, 30), -1, 1)[..., None] * (1 - image)
    return _jpeg(np.clip(paper * faded, 0, 255).astype(np.uint8), 75)


def _upside_down(sheet: Sheet, seed: int) -> Pixels:
    image = _office(sheet, seed)
    sheet.ink = np.ascontiguousarray(np.rot90(sheet.ink, 2))
    return np.ascontiguousarray(np.rot90(image, 2))


def _sideways(sheet: Sheet, seed: int) -> Pixels:
    image = _office(sheet, seed)
    turns = 1 if seed % 2 else 3
    sheet.ink = np.ascontiguousarray(np.rot90(sheet.ink, turns))
    return np.ascontiguousarray(np.rot90(image, turns))


KINDS: dict[str, Callable[[Sheet, int], Pixels]] = {
    "office": _office, "photocopy": _photocopy, "fax": _fax, "typewriter": _office, "dot matrix": _office,
    "photo": _photo, "old paper": _old_paper, "upside down": _upside_down, "form": _office, "columns": _photocopy,
    "sideways": _sideways,
}  # fmt: skip
