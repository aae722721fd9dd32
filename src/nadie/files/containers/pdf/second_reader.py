"""PDFium as a second reader: bar codes on a page as it is shown, and words that should be gone from a copy."""

from __future__ import annotations

import re
from collections.abc import Iterable
from threading import Lock
from typing import Any

import pypdfium2
import zxingcpp

LOCK = Lock()  # PDFium is not thread-safe: hold it for every call
_SCALES = (2.0, 4.0)  # pixels a point: small codes need the second
_MAX_PIXELS = 40_000_000
_SHORTEST = 4
_WORD = re.compile(r"\w{4,}")
_FORMATS = zxingcpp.barcode_formats_from_str(
    "QRCode,MicroQRCode,DataMatrix,PDF417,Aztec,Code128,Code39,Code93,EAN13,ITF,Codabar"
)


class Rendering:
    """The pages of a file as they are shown; the file is opened when the first page is needed."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._pdf: Any = None

    def has_code(self, page_number: int) -> bool:
        """Whether a bar code or a QR code can be read on the page, which is counted from 1."""
        with LOCK:
            if self._pdf is None:
                self._pdf = pypdfium2.PdfDocument(self._content)
            page = self._pdf[page_number - 1]
            try:
                return any(_has_code(page, scale) for scale in _SCALES)
            finally:
                page.close()

    def close(self) -> None:
        with LOCK:
            if self._pdf is not None:
                self._pdf.close()
            self._pdf = None


def words(texts: Iterable[str]) -> set[str]:
    """The folded words of some texts that are long enough to be recognised."""
    return {word for text in texts for word in _WORD.findall(text.casefold())}


def pages_in(content: bytes) -> int:
    """The number of pages that the second reader finds; 0 if it cannot open the file."""
    with LOCK:
        try:
            pdf = pypdfium2.PdfDocument(content)
        except pypdfium2.PdfiumError:
            return 0
        try:
            return len(pdf)
        finally:
            pdf.close()


def page_with(content: bytes, gone: set[str]) -> int:
    """The first page on which a second reader finds a word that should be gone; 0 if there is none."""
    if not gone:
        return 0
    with LOCK:
        pdf = pypdfium2.PdfDocument(content)
        try:
            for number, page in enumerate(pdf, start=1):
                text = page.get_textpage()
                shown = text.get_text_range()
                text.close()
                page.close()
                if words([shown]) & gone:
                    return number
        finally:
            pdf.close()
    return 0


def _has_code(page: Any, scale: float) -> bool:
    if page.get_width() * page.get_height() * scale**2 > _MAX_PIXELS:
        return False
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        pixels = bitmap.to_numpy()
        found = zxingcpp.read_barcodes(pixels.reshape(pixels.shape[:2]), formats=_FORMATS)
    finally:
        bitmap.close()
    return any(len(code.text) >= _SHORTEST for code in found)
