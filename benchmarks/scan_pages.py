"""Corpus notes rendered as scans look, with the ink of every character known.

A page is drawn clean, with the number of the character stored for each pixel of its ink; then paper, copier, fax or
camera change the image, and the same geometry is applied to the numbers. Needs the Debian packages fonts-dejavu,
fonts-liberation, fonts-gnutypewriter, fonts-courier-prime, fonts-dkg-handwriting and fonts-breip.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import zxingcpp
from PIL import Image, ImageDraw, ImageFont

from nadie.document import Document

Pixels = npt.NDArray[Any]
WIDE, TALL, MARGIN = 1654, 2339, 130  # A4 at 200 dpi
_FONTS = {
    "sans": "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "serif": "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf",
    "mono": "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
    "dejavu": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "typewriter": "/usr/share/fonts/truetype/gnutypewriter/GNUTypewriter.ttf",
    "courier": "/usr/share/fonts/opentype/courier-prime/Courier Prime.otf",
    "hand": "/usr/share/fonts/truetype/fifthhorseman/dkg.ttf",
    "hand2": "/usr/share/fonts/truetype/breip/Breip.ttf",
}
_FONT_OF_KIND = {
    "typewriter": "typewriter",
    "dot matrix": "mono",
    "old paper": "courier",
    "fax": "sans",
    "form": "dejavu",
}


@dataclass(frozen=True)
class Letter:
    """A character of the page: its number in the map of ink is its index + 1. `span` is the number of its span."""

    character: str
    word: int
    span: int = -1


@dataclass
class Page:
    """A rendered page. `ink` has the number of the letter or, negative, of the graphic for each pixel of ink."""

    name: str
    image: Pixels
    ink: npt.NDArray[np.int32]
    letters: list[Letter]
    words: list[str]
    labels: dict[int, str]
    graphics: list[str] = field(default_factory=list)
    dpi: int = 200


class Sheet:
    """A clean page on which letters and graphics are drawn."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.image = np.full((TALL, WIDE, 3), 255, dtype=np.uint8)
        self.ink = np.zeros((TALL, WIDE), dtype=np.int32)
        self.letters: list[Letter] = []
        self.words: list[str] = []
        self.labels: dict[int, str] = {}
        self.graphics: list[str] = []

    def stamp_ink(self, mask: Pixels, left: int, top: int, number: int, colour: tuple[int, int, int]) -> None:
        """Draw a mask (255 is ink) in a colour, and store the number of its ink."""
        high, wide = mask.shape
        x0, y0, x1, y1 = max(0, left), max(0, top), min(WIDE, left + wide), min(TALL, top + high)
        if x1 <= x0 or y1 <= y0:
            return
        part = mask[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32)[..., None] / 255
        area = self.image[y0:y1, x0:x1]
        area[:] = (area * (1 - part) + np.array(colour, dtype=np.float32) * part).astype(np.uint8)
        self.ink[y0:y1, x0:x1][part[..., 0] > 0.4] = number

    def graphic(self, name: str, mask: Pixels, left: int, top: int, colour: tuple[int, int, int] = (0, 0, 0)) -> None:
        self.graphics.append(name)
        self.stamp_ink(mask, left, top, -len(self.graphics), colour)


def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS[name], size)


def _letter_mask(character: str, font: ImageFont.FreeTypeFont) -> tuple[Pixels, int, int]:
    left, top, right, bottom = font.getbbox(character)
    image = Image.new("L", (max(1, round(right - left) + 2), max(1, round(bottom - top) + 2)))
    ImageDraw.Draw(image).text((1 - left, 1 - top), character, font=font, fill=255)
    return np.asarray(image), round(left) - 1, round(top) - 1


class Typist:
    """Writes a document on sheets, line by line, in one or two columns."""

    def __init__(self, document: Document, kind: str, rng: random.Random) -> None:
        self.document, self.kind, self.rng = document, kind, rng
        size = rng.choice((26, 28, 30, 32)) if kind not in ("typewriter", "dot matrix", "old paper") else 30
        default = rng.choice(("sans", "serif", "dejavu"))
        is_grid = sum("|" in line or "   " in line for line in document.text.splitlines()) > 3
        name = "mono" if is_grid and kind not in _FONT_OF_KIND else _FONT_OF_KIND.get(kind, default)
        self.font, self.pitch = _font(name, size), round(size * 1.35)
        self.span_at = [-1] * (len(document.text) + 1)
        for number, span in enumerate(document.spans):
            for at in range(span.start, span.end):
                self.span_at[at] = number

    def sheets(self, most: int) -> list[Sheet]:
        columns = 2 if self.kind == "columns" else 1
        gap = 70
        width = (WIDE - 2 * MARGIN - gap * (columns - 1)) / columns
        lines = self._wrapped(width)
        rows = (TALL - 2 * MARGIN) // self.pitch
        done: list[Sheet] = []
        for begin in range(0, len(lines), rows * columns):
            if len(done) == most:
                break
            sheet = Sheet(self.rng)
            sheet.labels = {n: span.label for n, span in enumerate(self.document.spans)}
            some = lines[begin : begin + rows * columns]
            depth = min(rows, -(-len(some) // columns))
            for n, line in enumerate(some):
                column, row = divmod(n, depth)
                self._write(sheet, line, MARGIN + column * (width + gap), MARGIN + row * self.pitch)
            if self.kind == "form":
                self._rules(sheet, depth)
            done.append(sheet)
        return done

    def _wrapped(self, width: float) -> list[tuple[int, int]]:
        """The ranges of the text that are lines."""
        text, lines, start = self.document.text, [], 0
        for line in text.split("\n"):
            begin, end = start, start + len(line)
            while begin < end:
                stop = end
                while self.font.getlength(text[begin:stop]) > width:
                    cut = text.rfind(" ", begin + 1, stop - 1)
                    over = self.font.getlength(text[begin:stop]) > 3 * width
                    stop = begin + (stop - begin) // 2 if over else cut if cut > begin else stop - 1
                lines.append((begin, stop))
                begin = stop
                while begin < end and text[begin] == " ":
                    begin += 1
            if start == end:
                lines.append((start, start))
            start = end + 1
        return lines

    def _write(self, sheet: Sheet, line: tuple[int, int], left: float, top: float) -> None:
        text = self.document.text
        x, is_new = left, True
        for at in range(*line):
            character = text[at]
            if character.isspace():
                is_new = True
            else:
                if is_new:
                    sheet.words.append("")
                is_new = False
                sheet.words[-1] += character
                sheet.letters.append(Letter(character, len(sheet.words) - 1, self.span_at[at]))
                self._strike(sheet, character, x, top)
            x += self.font.getlength(character) if character != "\t" else self.font.getlength("    ")

    def _strike(self, sheet: Sheet, character: str, x: float, top: float) -> None:
        mask, dx, dy = _letter_mask(character, self.font)
        rng, colour = self.rng, (0, 0, 0)
        if self.kind == "typewriter":
            top += rng.choice((-1, 0, 0, 1, 2))
            colour = (rng.randint(20, 110),) * 3
        if self.kind == "dot matrix":
            grid = np.zeros_like(mask)
            grid[::3, ::3] = 255
            mask = np.minimum(mask, cv2.dilate(grid, np.ones((2, 2), np.uint8)))
            colour = (70, 70, 90)
        sheet.stamp_ink(mask, round(x) + dx, round(top) + dy, len(sheet.letters), colour)

    def _rules(self, sheet: Sheet, depth: int) -> None:
        for row in range(0, depth + 1, 2):
            y = MARGIN + row * self.pitch - 3
            cv2.line(sheet.image, (MARGIN - 15, y), (WIDE - MARGIN + 15, y), (60, 60, 60), 2)
        for x in (MARGIN - 15, WIDE - MARGIN + 15):
            cv2.line(sheet.image, (x, MARGIN - 3), (x, MARGIN + depth * self.pitch), (60, 60, 60), 2)


# --- graphics ---------------------------------------------------------------------------------------------------------
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
    letters = _font(font, size)
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
    font = _font("sans", 28)
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
                mask, dx, dy = _letter_mask(character, font)
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


# --- what paper, copiers and cameras do -------------------------------------------------------------------------------
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


def render(document: Document, kind: str, seed: int, most_pages: int = 2) -> list[Page]:
    """The pages of a note as a scan of that kind, most of them with a graphic."""
    rng = random.Random(seed)
    pages = []
    for number, sheet in enumerate(Typist(document, kind, rng).sheets(most_pages)):
        if number == 0 and kind != "dot matrix":
            GRAPHICS[seed % len(GRAPHICS)](sheet)
        image = KINDS[kind](sheet, seed * 10 + number)
        pages.append(
            Page(
                f"{document.id} {kind} {number + 1}",
                image,
                sheet.ink,
                sheet.letters,
                sheet.words,
                sheet.labels,
                sheet.graphics,
            )
        )
    return pages
