"""What a page has besides typed text: bar codes, stamps, signatures, handwriting, photos, stickers."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import zxingcpp
from PIL import Image, ImageDraw
from scan_sheets import MARGIN, TALL, WIDE, Letter, Pixels, Sheet, font_of, letter_mask


def _free_place(sheet: Sheet, wide: int, high: int) -> tuple[int, int]:
    """A place with little text, by trying some."""
    best, place = math.inf, (MARGIN, MARGIN)
    for _ in range(60):
        x = sheet.rng.randint(40, WIDE - wide - 40)
        y = sheet.rng.randint(40, TALL - high - 40)
        taken = float((sheet.ink[y : y + high, x : x + wide] != 0).sum())
        if taken < best:
            best, place = taken, (x, y)
    return place


def _text_mask(text: str, font: str, size: int) -> Pixels:
    letters = font_of(font, size)
    left, top, right, bottom = ImageDraw.Draw(Image.new("L", (1, 1))).multiline_textbbox((0, 0), text, font=letters)
    image = Image.new("L", (round(right - left) + 12, round(bottom - top) + 12))
    ImageDraw.Draw(image).multiline_text((6 - left, 6 - top), text, font=letters, fill=255)
    return np.asarray(image)


def add_bar_code(sheet: Sheet, form: str = "Code128") -> None:
    number = str(sheet.rng.randint(10**9, 10**10))
    code = zxingcpp.create_barcode(number, getattr(zxingcpp.BarcodeFormat, form))
    pixels = np.asarray(zxingcpp.write_barcode_to_image(code, scale=5 if form == "QRCode" else 3))
    mask = 255 - (
        pixels if form == "QRCode" else cv2.resize(pixels, (pixels.shape[1], 90), interpolation=cv2.INTER_NEAREST)
    )
    place = _free_place(sheet, mask.shape[1], mask.shape[0])
    sheet.graphic("QR code" if form == "QRCode" else "bar code", mask.astype(np.uint8), *place)


def add_stamp(sheet: Sheet, is_round: bool = True) -> None:
    mask = np.zeros((340, 340), dtype=np.uint8)
    lines = "\n".join(("HOSPITAL SAN LUCAS", "Dra. M. Albornoz", f"Col. {sheet.rng.randint(10000, 99999)}"))
    words = _text_mask(lines, "sans", 24)
    high, wide = words.shape
    mask[170 - high // 2 : 170 - high // 2 + high, 170 - wide // 2 : 170 - wide // 2 + wide] = words
    if is_round:
        cv2.circle(mask, (170, 170), 160, 255, 5)
        cv2.circle(mask, (170, 170), 140, 255, 2)
    else:
        cv2.rectangle(mask, (20, 100), (320, 240), 255, 4)
    turn = cv2.getRotationMatrix2D((170, 170), sheet.rng.uniform(5, 25) * sheet.rng.choice((-1, 1)), 1)
    mask = np.asarray(cv2.warpAffine(mask, turn, (340, 340)), dtype=np.uint8)
    sheet.graphic(
        "stamp", mask, *_free_place(sheet, 340, 340), sheet.rng.choice(((40, 50, 160), (150, 30, 60), (30, 30, 30)))
    )


def add_signature(sheet: Sheet) -> None:
    mask = np.zeros((150, 380), dtype=np.uint8)
    t = np.linspace(0, 1, 300)
    rng = sheet.rng
    waves = [(rng.uniform(3, 14), rng.uniform(10, 35), rng.uniform(0, 6)) for _ in range(3)]
    x = 20 + 330 * t + sum(0.5 * b * np.cos(a * 2.3 * t * math.pi + c) for a, b, c in waves)
    y = 75 + np.sum([b * np.sin(a * 2 * t * math.pi + c) for a, b, c in waves], axis=0)
    points = np.stack([x, y.clip(6, 144)], axis=1).round().astype(np.int32)
    cv2.polylines(mask, [points.reshape(-1, 1, 2)], False, 255, 4, cv2.LINE_AA)
    sheet.graphic("signature", mask, *_free_place(sheet, 380, 150), rng.choice(((25, 35, 140), (20, 20, 20))))


def add_handwriting(sheet: Sheet) -> None:
    rng = sheet.rng
    text = rng.choice(
        (
            "Avisar a su hija Begoña\n611 204 877",
            "Pte. revisar Dr. Quiroga\nmartes 14",
            "Llamar a Marisa Cué\nsin falta",
        )
    )
    mask = _text_mask(text, rng.choice(("hand", "hand2")), rng.choice((44, 52)))
    turn = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), rng.uniform(-3, 3), 1)
    mask = np.asarray(cv2.warpAffine(mask, turn, (mask.shape[1], mask.shape[0])), dtype=np.uint8)
    place = _free_place(sheet, mask.shape[1], mask.shape[0])
    sheet.graphic("handwriting", mask, *place, rng.choice(((25, 35, 140), (30, 30, 30))))


def add_photo(sheet: Sheet) -> None:
    rng = sheet.rng
    side_x, side_y = 260, 320
    x0, y0 = _free_place(sheet, side_x, side_y)
    ys, xs = np.mgrid[0:side_y, 0:side_x].astype(np.float32)
    face = np.exp(-(((xs - 130) / 70) ** 2 + ((ys - 150) / 95) ** 2))
    grey = 90 + 40 * np.sin(xs / 37 + ys / 51) + 90 * face
    for x, y, size, depth in ((100, 130, 12, 110), (160, 130, 12, 110), (130, 205, 22, 70)):
        grey -= depth * np.exp(-(((xs - x) / size) ** 2 + ((ys - y) / (size / 2)) ** 2))
    noise = cv2.GaussianBlur(
        np.random.default_rng(rng.randint(0, 999)).normal(0, 30, grey.shape).astype(np.float32), (0, 0), 2
    )
    picture = np.clip(grey + noise, 10, 235).astype(np.uint8)
    tint = np.array([1.0, 0.85, 0.72]) if rng.random() < 0.5 else np.ones(3)
    sheet.image[y0 : y0 + side_y, x0 : x0 + side_x] = (picture[..., None] * tint).astype(np.uint8)
    sheet.graphics.append("photo")
    sheet.ink[y0 : y0 + side_y, x0 : x0 + side_x] = -len(sheet.graphics)


def add_sticker(sheet: Sheet) -> None:
    """A printed label of the patient: a bar code in a frame with the name and a number, which are spans."""
    wide, high = 520, 210
    x0, y0 = _free_place(sheet, wide, high)
    sheet.image[y0 : y0 + high, x0 : x0 + wide] = 255
    sheet.ink[y0 : y0 + high, x0 : x0 + wide] = 0
    cv2.rectangle(sheet.image, (x0, y0), (x0 + wide, y0 + high), (90, 90, 90), 2)
    names = [("NHC: ", str(sheet.rng.randint(100000, 999999)), "ID_SUJETO_ASISTENCIA")]
    names.append(
        ("", sheet.rng.choice(("CASADO PRIETO, ELVIRA", "OYARZÚN REBOLLEDO, TOMÁS")), "NOMBRE_SUJETO_ASISTENCIA")
    )
    font = font_of("sans", 28)
    for row, (caption, value, label) in enumerate(names):
        span = len(sheet.labels) + 1000
        sheet.labels[span] = label
        x = float(x0 + 20)
        is_new = True
        for at, character in enumerate(caption + value):
            if character == " ":
                is_new = True
            else:
                if is_new:
                    sheet.words.append("")
                is_new = False
                sheet.words[-1] += character
                sheet.letters.append(Letter(character, len(sheet.words) - 1, span if at >= len(caption) else -1))
                mask, dx, dy = letter_mask(character, font)
                sheet.stamp_ink(mask, round(x) + dx, y0 + 15 + row * 40 + dy, len(sheet.letters), (0, 0, 0))
            x += font.getlength(character)
    code = zxingcpp.create_barcode(names[0][1], zxingcpp.BarcodeFormat.Code39)
    bars = np.asarray(zxingcpp.write_barcode_to_image(code, scale=2))
    bars = cv2.resize(bars, (min(bars.shape[1], wide - 60), 80), interpolation=cv2.INTER_NEAREST)
    sheet.graphic("bar code", (255 - bars).astype(np.uint8), x0 + 20, y0 + 110)


GRAPHICS: tuple[Callable[[Sheet], None], ...] = (
    add_bar_code, lambda sheet: add_bar_code(sheet, "QRCode"), add_stamp, lambda sheet: add_stamp(sheet, False),
    add_signature, add_handwriting, add_photo, add_sticker,
)  # fmt: skip
