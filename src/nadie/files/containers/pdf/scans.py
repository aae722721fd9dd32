"""Pages of a PDF that are images: rendered, read, and replaced by their painted image with an invisible text layer."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

import pikepdf
import pypdfium2
from PIL import Image as Pillow

from nadie.errors import FormatError
from nadie.files.container import Account, Edits, OpenOptions
from nadie.files.containers.image.container import report
from nadie.files.containers.image.pages import MOST_PIXELS, ScannedPage, Word, give_edits, scanned
from nadie.files.containers.pdf.geometry import Matrix
from nadie.files.containers.pdf.object_types import is_dictionary
from nadie.files.containers.pdf.second_reader import LOCK
from nadie.files.containers.pdf.text_layer import FONT, layer
from nadie.files.mapped import MappedText

_LEAST_DPI, _MOST_DPI, _USUAL_DPI = 150, 600, 200
_POINTS = 72


class Scans:
    """The scanned pages of one file, by their numbers from 1."""

    def __init__(self, content: bytes, where: str, options: OpenOptions) -> None:
        self._content, self._where, self._options = content, where, options
        self._pages: dict[int, tuple[ScannedPage, int, str]] = {}

    def add(self, number: int, page: Any) -> ScannedPage:
        """Render and read a page; then remove its content, which `write` replaces."""
        dpi, mode = _resolution(page), _mode(page)
        image = self._rendered(number, dpi, mode)
        read = scanned(image, self._where, keep_graphics=self._options.keep_graphics)
        read.review(self._options.boxes, number)
        self._pages[number] = read, dpi, mode
        return read

    def write(self, pdf: Any, text: MappedText[Any], edits: Edits, account: Account) -> None:
        """Replace the pages by their painted images."""
        give_edits(text, edits)
        for number, (read, dpi, mode) in self._pages.items():
            done = read.paint(self._rendered(number, dpi, mode), self._where, with_text=self._options.write_in_boxes)
            report(account, f"page {number}", done)
            _put(pdf, pdf.pages[number - 1], done.image, read.words(done.paints))

    def shown_pages(self) -> Iterator[tuple[int, ScannedPage, Pillow.Image]]:
        """The pages that were read, with their numbers and images."""
        for number, (read, dpi, mode) in self._pages.items():
            yield number, read, self._rendered(number, dpi, mode)

    def _rendered(self, number: int, dpi: int, mode: str) -> Pillow.Image:
        with LOCK:
            pdf = pypdfium2.PdfDocument(self._content)
            try:
                page = pdf[number - 1]
                scale = dpi / _POINTS
                if page.get_width() * page.get_height() * scale**2 > MOST_PIXELS:
                    raise FormatError(f"page {number} has more than {MOST_PIXELS} pixels", where=self._where)
                bitmap = page.render(scale=scale, grayscale=mode != "RGB", may_draw_forms=True)
                image: Pillow.Image = bitmap.to_pil().copy()
                bitmap.close()
                page.close()
            finally:
                pdf.close()
        if mode == "1":
            return image.convert("L").point(lambda value: 255 if value > 127 else 0).convert("1")
        return image.convert(mode)


def _images_of(page: Any) -> Iterable[Any]:
    resources = page.obj.get("/Resources", None)
    shown = resources.get("/XObject", None) if is_dictionary(resources) else None
    for each in shown.values() if shown is not None and is_dictionary(shown) else ():
        if str(each.get("/Subtype", "")) == "/Image":
            yield each


def _resolution(page: Any) -> int:
    """The resolution of the page's largest image, as if it covered the page."""
    width = abs(float(page.mediabox[2]) - float(page.mediabox[0])) or 1.0
    widest = max((int(image.get("/Width", 0)) for image in _images_of(page)), default=0)
    dpi = round(widest * _POINTS / width) if widest else _USUAL_DPI
    return min(max(dpi, _LEAST_DPI), _MOST_DPI)


def _mode(page: Any) -> str:
    """The kind of pixels: that of the page's images, if it has nothing else in colour."""
    images = list(_images_of(page))
    if images and all(int(image.get("/BitsPerComponent", 1)) == 1 for image in images):
        return "1"
    is_grey = bool(images) and all(str(image.get("/ColorSpace", "")) == "/DeviceGray" for image in images)
    return "L" if is_grey else "RGB"


def _put(pdf: Any, page: Any, image: Pillow.Image, words: Iterable[Word]) -> None:
    """Let the page show only the image, with its words as invisible text."""
    packed = io.BytesIO()
    stream = pdf.make_stream(b"")
    if image.mode == "1":
        stream.write(image.tobytes())
    else:
        image.save(packed, "JPEG", quality=90)
        stream.write(packed.getvalue(), filter=pikepdf.Name.DCTDecode)
    stream["/Type"], stream["/Subtype"] = pikepdf.Name.XObject, pikepdf.Name.Image
    stream["/Width"], stream["/Height"] = image.width, image.height
    stream["/BitsPerComponent"] = 1 if image.mode == "1" else 8
    stream["/ColorSpace"] = pikepdf.Name.DeviceRGB if image.mode == "RGB" else pikepdf.Name.DeviceGray
    box = [float(each) for each in page.cropbox]
    wide, high = box[2] - box[0], box[3] - box[1]
    rotation = int(page.obj.get("/Rotate", 0) or 0) % 360
    place: Matrix = {
        0: (wide, 0, 0, high, box[0], box[1]),
        90: (0, high, -wide, 0, box[2], box[1]),
        180: (-wide, 0, 0, -high, box[2], box[3]),
        270: (0, -high, wide, 0, box[0], box[3]),
    }[rotation]
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica,
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )  # fmt: skip
    page.obj["/Resources"] = pikepdf.Dictionary(
        XObject=pikepdf.Dictionary({"/Scan": stream}), Font=pikepdf.Dictionary({FONT: font})
    )
    numbers = " ".join(f"{each:.4f}" for each in place)
    text = layer(words, image.size, place)
    page.obj["/Contents"] = pdf.make_stream(f"q {numbers} cm /Scan Do Q ".encode() + text)
