"""Make notes as OCR gives them: each is rendered as a page, damaged and read by Tesseract; its spans are carried over.

    python scripts/scan_notes.py data/notes/train OUT.jsonl [--share 0.4] [--seed 1] [--language spa]

Needs Tesseract with the language (`tesseract-ocr-spa`), Pillow, rapidfuzz, and the fonts of Debian's packages
`fonts-dejavu`, `fonts-liberation`, `fonts-freefont-ttf`, `fonts-courier-prime` and `fonts-gnutypewriter`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import tempfile
from pathlib import Path
from random import Random

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont
from rapidfuzz.distance import Levenshtein

from nadie.augment.engine import seeded
from nadie.document import Document, Span
from nadie.files.annotated.jsonl import format_line
from nadie.files.annotated.reading import read_documents

_FONTS = (
    "dejavu/DejaVuSansMono",
    "dejavu/DejaVuSerif",
    "liberation/LiberationMono-Regular",
    "liberation/LiberationSans-Regular",
    "liberation/LiberationSerif-Regular",
    "freefont/FreeMono",
    "freefont/FreeSans",
    "liberation/LiberationSansNarrow-Regular",
    "courier-prime/Courier Prime Code.otf",
    "gnutypewriter/GNUTypewriter",
)
_COLUMNS = (72, 84, 96, 110)
_LEAST_READ = 0.75
"""Share of the characters of a note that must be read right: a page that is read worse teaches nothing."""
_MOST_LOST = 0.1
"""Share of the spans that may be unreadable."""


def wrapped(text: str, width: int, rng: Random) -> str:
    """Lines of at most `width` characters; where the note is of the hyphenating kind, words are broken at the ends."""
    hyphenates = rng.random() < 0.5
    lines: list[str] = []
    for line in text.split("\n"):
        while len(line) > width:
            cut = line.rfind(" ", 0, width)
            if cut <= width // 2:
                cut = width
            word_end = line.find(" ", cut + 1)
            room = width - cut - 2
            word = line[cut + 1 : word_end if word_end > 0 else len(line)]
            if hyphenates and room >= 3 and word.isalpha() and len(word) - room >= 3:
                lines.append(line[: cut + 1 + room] + "-")
                line = line[cut + 1 + room :]
            else:
                lines.append(line[:cut])
                line = line[cut:].lstrip(" ")
        lines.append(line)
    if len(lines) > 30 and rng.random() < 0.5:  # a page break with a running header
        at = rng.randrange(15, len(lines) - 8)
        header = rng.choice(
            ("Pág. 2 de 2", "HOJA DE EVOLUCIÓN        Pág. 2/3", "- 2 -", "Documento confidencial   hoja 2")
        )
        lines[at:at] = ["", header, ""]
    return "\n".join(lines)


def page_of(text: str, rng: Random) -> Image.Image:
    """The text printed on a page and damaged as copies, faxes and photographs are."""
    name = rng.choice(_FONTS)
    path = next(p for root in ("truetype", "opentype") for p in Path("/usr/share/fonts", root).glob(f"{name}*"))
    font = ImageFont.truetype(str(path), rng.choice((22, 24, 26, 28)))
    lines = wrapped(text, rng.choice(_COLUMNS), rng).split("\n")
    height = int(font.size * rng.choice((1.25, 1.4, 1.6)))
    width = int(max(font.getlength(line) for line in lines)) + 120
    page = Image.new("L", (width, height * len(lines) + 120), rng.choice((255, 255, 245, 225)))
    draw = ImageDraw.Draw(page)
    ink = rng.choice((0, 0, 40, 90))
    for number, line in enumerate(lines):
        draw.text((60, 60 + number * height), line, font=font, fill=ink)
    return damaged(page, rng)


def damaged(page: Image.Image, rng: Random) -> Image.Image:
    page = page.rotate(rng.gauss(0, 0.25), expand=True, fillcolor=255)
    level = rng.choice((0.3, 0.6, 0.8, 1.0))
    scale = 1 - 0.5 * level * rng.random()
    page = page.resize((int(page.width * scale), int(page.height * scale)), Image.Resampling.BILINEAR)
    page = page.filter(ImageFilter.GaussianBlur(level * rng.random() * 0.9))
    pixels = np.asarray(page, dtype=np.float32)
    noise = np.random.default_rng(rng.getrandbits(32))
    pixels = pixels + noise.normal(0, 30 * level * rng.random(), pixels.shape).astype(np.float32)
    if rng.random() < 0.4:  # a photocopy or fax: black and white
        pixels = np.where(pixels > rng.choice((120, 150, 180)), np.float32(255), np.float32(0))
        pixels[noise.random(pixels.shape) < 0.004 * level] = 0
    small = Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
    return small.resize((int(page.width / scale), int(page.height / scale)), Image.Resampling.BICUBIC)


def read(page: Image.Image, language: str) -> str:
    """What Tesseract reads, line by line, with the gaps between columns."""
    with tempfile.NamedTemporaryFile(suffix=".png") as file:
        page.save(file.name)
        command = [
            "tesseract",
            file.name,
            "-",
            "-l",
            language,
            "--psm",
            "6",
            "--dpi",
            "300",
            "-c",
            "preserve_interword_spaces=1",
        ]
        done = subprocess.run(  # noqa: S603
            command, capture_output=True, check=True, env={**os.environ, "OMP_THREAD_LIMIT": "1"}
        )
    return done.stdout.decode("utf-8").replace("\x0c", "").rstrip() + "\n"


def carried(document: Document, text: str) -> Document | None:
    """The document with another reading of its text; None if it was read too badly."""
    codes = Levenshtein.opcodes(document.text, text)
    same = sum(code.src_end - code.src_start for code in codes if code.tag == "equal")
    if same < _LEAST_READ * len(document.text):
        return None
    places = np.full(len(document.text), -1, dtype=np.int64)
    for code in codes:
        if code.tag in ("equal", "replace"):
            places[code.src_start : code.src_end] = np.arange(code.dest_start, code.dest_end)
    spans: list[Span] = []
    for span in document.spans:
        own = places[span.start : span.end]
        own = own[own >= 0]
        right = sum(
            text[place] == sign
            for place, sign in zip(places[span.start : span.end], document.text_of(span), strict=True)
            if place >= 0
        )
        if right * 2 < len(span):
            continue
        start, end = int(own[0]), int(own[-1]) + 1
        while start < end and not text[start].isalnum():
            start += 1
        while end > start and not text[end - 1].isalnum():
            end -= 1
        if end > start and (not spans or spans[-1].end <= start):
            spans.append(Span(start, end, span.label))
    if len(spans) < (1 - _MOST_LOST) * len(document.spans):
        return None
    return Document(f"{document.id}-scan", text, tuple(spans), {**document.meta, "traps": ""})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--share", type=float, default=0.4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", default="spa")
    given = parser.parse_args()
    documents = [d for d in read_documents(given.notes) if seeded(given.seed, d.id, 1).random() < given.share]
    with given.out.open("a", encoding="utf-8") as out:
        for document in documents:
            rng = seeded(given.seed, document.id, 0)
            done = carried(document, read(page_of(document.text, rng), given.language))
            if done is not None:
                out.write(format_line(done))
                out.flush()


if __name__ == "__main__":
    main()
