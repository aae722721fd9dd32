"""PNG, JPEG and TIFF files: every page is read, and replaced by a painted copy of the same size and kind of pixels.

All pages are one text. The copy has no metadata but its resolution.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from typing import Any, BinaryIO

from PIL import Image as Pillow
from PIL import ImageOps, JpegImagePlugin, TiffImagePlugin, UnidentifiedImageError

from nadie.errors import FormatError
from nadie.files.container import SCAN, Account, Edits, OpenOptions, Uncovered, needed
from nadie.files.containers.image.pages import MOST_PIXELS, Painted, ScannedPage, give_edits, scanned
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.source import Source
from nadie.options import Images

MOST_PAGES = 2000
_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"II*\0", b"MM\0*")
_OTHER = "an image of another kind than PNG, JPEG and TIFF: convert it"
_FORMATS = ("PNG", "JPEG", "TIFF")
_MODES = frozenset({"1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "I;16"})
_PNG_LEVEL = 2  # a third of the time of level 6, for files that are a tenth larger
_COMPRESSIONS = frozenset({"group3", "group4", "packbits", "tiff_lzw", "tiff_adobe_deflate"})


class OpenedImage:
    """An open image. Its pages are decoded one by one, when they are read and again when they are painted."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source, self._options = source, options
        self._content = source.read()
        self._pages: list[ScannedPage] = []
        if options.images in (Images.REFUSE, Images.KEEP):
            raise FormatError("is an image (--images read reads and paints it)", where=source.where)
        builder: TextBuilder[Any] = TextBuilder()
        for number, page in enumerate(self._decoded() if options.images is Images.READ else (), start=1):
            read = scanned(page, source.where, keep_graphics=options.keep_graphics)
            read.review(options.boxes, number)
            read.add_to(builder)
            self._pages.append(read)
        self._text = builder.build(meta=SCAN)

    def texts(self) -> Iterator[MappedText[Any]]:
        if self._text.text:
            yield self._text

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        if self._text.text:
            give_edits(self._text, needed(next(edits)))
        copies = [self._copy(number, page) for number, page in enumerate(self._decoded())]
        out.write(copies[0] if len(copies) == 1 else _joined(copies))

    def shown_pages(self) -> Iterator[tuple[int, ScannedPage, Pillow.Image]]:
        """The pages that were read, with their numbers and images."""
        for number, (read, image) in enumerate(zip(self._pages, self._decoded(), strict=True), start=1):
            yield number, read, image

    def _copy(self, number: int, page: Pillow.Image) -> bytes:
        if self._options.images is Images.BLANK:
            self.account.uncovered.append(Uncovered(f"page {number + 1}", "could not be searched and was emptied"))
            return _encoded(Pillow.new(page.mode, page.size), page)
        done = self._pages[number].paint(page, self._source.where, with_text=self._options.write_in_boxes)
        report(self.account, f"page {number + 1}", done)
        return _encoded(done.image, page)

    def _decoded(self) -> Iterator[Pillow.Image]:
        """The pages, upright as a viewer shows them; an error for what cannot be decoded completely."""
        problem = ""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                with Pillow.open(io.BytesIO(self._content), formats=_FORMATS) as file:
                    count = getattr(file, "n_frames", 1)
                    if file.format == "PNG" and count > 1:
                        problem = "is an animated image, which is not supported"
                    elif count > MOST_PAGES:
                        problem = f"has more than {MOST_PAGES} pages"
                    for number in range(0 if problem else 1 if file.format == "JPEG" else count):
                        file.seek(number)
                        yield self._page(file)
            except UnidentifiedImageError:
                is_known = self._content.startswith(_STARTS)
                problem = f"is {'a damaged or truncated image' if is_known else _OTHER}"
        if problem:
            raise FormatError(problem, where=self._source.where)

    def _page(self, file: Any) -> Pillow.Image:
        if file.width * file.height > MOST_PIXELS:
            raise FormatError(f"has a page of more than {MOST_PIXELS} pixels", where=self._source.where)
        if file.mode not in _MODES:
            raise FormatError(f"has pixels of the kind {file.mode}, which is not supported", where=self._source.where)
        file.load()
        page = _on_paper(ImageOps.exif_transpose(file))
        page.format = file.format
        dpi = file.info.get("dpi")
        page.info = {key: value for key, value in file.info.items() if key == "compression"}
        page.info |= {"dpi": dpi} if dpi else {}
        if file.format == "JPEG":
            page.info |= {"qtables": file.quantization, "subsampling": JpegImagePlugin.get_sampling(file)}
        return page


def _on_paper(image: Pillow.Image) -> Pillow.Image:
    """The image as it is seen, and read, on white paper: transparency may show something else on another background."""
    is_opaque = image.mode not in ("RGBA", "LA") and "transparency" not in image.info
    if is_opaque or image.mode == "I;16":
        return image
    paper = Pillow.new("RGBA", image.size, "white")
    paper.alpha_composite(image.convert("RGBA"))
    return paper.convert("RGB" if image.mode == "P" else image.mode)


def report(account: Account, place: str, done: Painted) -> None:
    """Say what was painted on a page."""
    counts = (("spans", done.spans), ("graphics", done.graphics), ("lines that could not be read", done.unread))
    told = ", ".join(f"{count} {what}" for what, count in counts if count)
    account.remarks.append(f"{place}: painted {told}" if told else f"{place}: nothing painted")


def _encoded(image: Pillow.Image, original: Pillow.Image) -> bytes:
    """The image in the format, with the resolution and the compression of the original, and no other metadata."""
    out = io.BytesIO()
    options: dict[str, Any] = {"dpi": original.info["dpi"]} if "dpi" in original.info else {}
    if original.format == "JPEG":
        options |= {"qtables": original.info["qtables"]}
        if original.info["subsampling"] >= 0 and image.mode != "L":
            options |= {"subsampling": original.info["subsampling"]}
    if original.format == "PNG":
        options["compress_level"] = _PNG_LEVEL
    if original.format == "TIFF":
        given = str(original.info.get("compression", "raw"))
        options["compression"] = given if given in _COMPRESSIONS else "tiff_adobe_deflate" if given != "raw" else None
    image.save(out, original.format, **options)
    return out.getvalue()


def _joined(copies: list[bytes]) -> bytes:
    """One TIFF file of several pages, each given as a file."""
    out = io.BytesIO()
    with TiffImagePlugin.AppendingTiffWriter(out) as writer:
        for copy in copies:
            writer.write(copy)
            writer.newFrame()
    return out.getvalue()
