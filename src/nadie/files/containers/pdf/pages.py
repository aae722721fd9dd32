"""The pages of a PDF: which have readable text, which are images, and how the latter are handled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pikepdf

from nadie.errors import FormatError
from nadie.files.container import Account, OpenOptions, Uncovered
from nadie.files.containers.pdf.content import ContentReader
from nadie.files.containers.pdf.geometry import IDENTITY, matrix, number, onto
from nadie.files.containers.pdf.object_types import is_array, is_dictionary, is_stream, listed
from nadie.files.containers.pdf.pieces import Block
from nadie.files.containers.pdf.second_reader import Rendering
from nadie.files.containers.pdf.shapes import letters_in
from nadie.files.source import Source
from nadie.options import Images

if TYPE_CHECKING:
    from nadie.files.containers.pdf.scans import Scans

_IMAGE_SHARE = 0.5  # of the page: a scan, even if it has a line of text or a text layer
_MAX_UNREADABLE = 3  # bullets, arrows, ticks: so few signs of a font cannot form a name
_IMAGE = "an image of the page: its text cannot be searched"
_CODE = "a bar code, which may identify somebody"
_DRAWN = "text drawn as shapes, which cannot be searched"
_FEWEST_LINES = 20  # of a bar code
_MANY_LETTERS = 100  # more than a logo has
_NO_TEXT = "no text, but drawings or images that may show some"


class Pages:
    """Reads all pages; those that cannot be searched are refused or, with an option, emptied, or kept and listed."""

    def __init__(self, pdf: Any, reader: ContentReader, source: Source, options: OpenOptions) -> None:
        self._pdf, self._reader, self._where = pdf, reader, source.where
        self.scans = scans_of(source, options)
        self._rendering = Rendering(source.read())
        self.blocks: list[Block] = []
        self._emptied: list[int] = []
        self._kept: list[int] = []
        self._with_images: list[int] = []
        self._with_letters: list[int] = []
        try:
            for page_number, page in enumerate(pdf.pages, start=1):
                self._read(page_number, page, options.images)
        finally:
            self._rendering.close()

    def other_contents(self, contents: Iterable[tuple[Any, Any]]) -> Iterator[Block]:
        """Content that no page draws with `Do`: patterns, Type 3 glyphs, states of buttons, unused forms."""
        done = {target.content.objgen for block in self.blocks for target in block.targets}
        for stream, resources in contents:
            if stream.objgen not in done:
                block = Block()
                self._reader.read(block, stream, resources)
                if _unreadable_font(block):
                    raise FormatError(f"has {_problem(block)} in a form that no page shows", where=self._where)
                done.update(target.content.objgen for target in block.targets)
                yield block

    def report(self, account: Account) -> None:
        """List the pages that were not, or not completely, searched."""
        if self._emptied:
            account.uncovered.append(Uncovered(_listed(self._emptied), "could not be searched and was emptied"))
        if self._kept:
            account.uncovered.append(Uncovered(_listed(self._kept), "not searched, not changed"))
        if self._with_images:
            account.uncovered.append(Uncovered(_listed(self._with_images), "images are not searched"))
        if self._with_letters:
            account.uncovered.append(Uncovered(_listed(self._with_letters), "letters drawn as shapes are not searched"))

    def _read(self, page_number: int, page: Any, images: Images) -> None:
        block = Block()
        resources = page.obj.get("/Resources", None)
        if resources is None and (inherited := page.resources) is not None:
            resources = page.obj["/Resources"] = inherited
        try:
            self._reader.read(block, page.obj, resources)
            for annotation in listed(page.obj.get("/Annots", None)):
                self._read_appearance(block, annotation, resources)
        except (AttributeError, IndexError, LookupError, TypeError, ValueError, pikepdf.PdfError):
            block = Block(is_damaged=True)
        box = [number(each) for each in page.mediabox]
        area = abs((box[2] - box[0]) * (box[3] - box[1])) or 1.0
        is_image = block.image_area > _IMAGE_SHARE * area
        has_text = any(piece.text.strip() for piece in block.pieces)
        has_nothing_readable = not has_text and (block.images or block.curves)
        letters = letters_in(block.shapes)
        problem = _problem(block) or (_IMAGE if is_image else _NO_TEXT if has_nothing_readable else "")
        if not problem and letters and letters >= min(_MANY_LETTERS, sum(len(piece.text) for piece in block.pieces)):
            problem = _DRAWN
        if not problem and (block.images or block.lines >= _FEWEST_LINES or block.has_type3):
            problem = _CODE if self._rendering.has_code(page_number) else ""
        if problem and self.scans is not None:
            self.blocks.append(Block(scan=self.scans.add(page_number, page)))
            self._empty(page)
            return
        if problem and images is Images.BLANK:
            self._empty(page)
            self._emptied.append(page_number)
            return
        if problem and (images is not Images.KEEP or _problem(block)):
            advice = "nadie[scan] reads such pages, " if images is Images.READ else ""
            advice += "--images blank empties them"
            advice += "" if _problem(block) else ", --images keep keeps them"
            raise FormatError(f"page {page_number} has {problem} ({advice})", where=self._where)
        if problem:
            self._kept.append(page_number)
        elif block.images:
            self._with_images.append(page_number)
        if letters and not problem:
            self._with_letters.append(page_number)
        self.blocks.append(block)

    def _read_appearance(self, block: Block, annotation: Any, resources: Any) -> None:
        """Read the appearance of an annotation at its position, so that the value of a field follows its name."""
        shown: Any = annotation.get("/AP", {}).get("/N", None) if is_dictionary(annotation) else None
        states: list[Any] = list(shown.values()) if is_dictionary(shown) else [shown]
        for state in states:
            if not is_stream(state):
                continue
            inner = matrix(state.get("/Matrix", IDENTITY))
            box, target = state.get("/BBox", None), annotation.get("/Rect", None)
            place = IDENTITY
            if is_array(box) and is_array(target) and len(box) == len(target) == 4:
                place = onto([number(each) for each in box], inner, [number(each) for each in target])
            self._reader.read(block, state, resources, place)

    def _empty(self, page: Any) -> None:
        page.obj["/Contents"] = self._pdf.make_stream(b"")
        page.obj["/Resources"] = pikepdf.Dictionary()
        for key in ("/Annots", "/Thumb"):
            if key in page.obj:
                del page.obj[key]


def scans_of(source: Source, options: OpenOptions) -> Scans | None:
    """The reader of scanned pages, if they are to be read and its dependencies are installed."""
    if options.images is not Images.READ:
        return None
    try:
        from nadie.files.containers.pdf.scans import Scans
    except ModuleNotFoundError:
        return None
    return Scans(source.read(), source.where, options)


def _unreadable_font(block: Block) -> str:
    """The name of a font that the page uses and whose text is unknown."""
    for name, codes in block.unreadable.items():
        if block.has_unreadable_word or len(codes) > _MAX_UNREADABLE:
            return name
    return ""


def _problem(block: Block) -> str:
    if block.is_damaged:
        return "operators that cannot be interpreted"
    font = _unreadable_font(block)
    return f"letters of the font {font[:60]!r}, whose text is not specified" if font else ""


def _listed(numbers: list[int]) -> str:
    """`page 3` or `pages 1, 3-7`."""
    ranges: list[list[int]] = []
    for each in numbers:
        if ranges and ranges[-1][1] == each - 1:
            ranges[-1][1] = each
        else:
            ranges.append([each, each])
    listed = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
    return f"page {listed}" if len(numbers) == 1 else f"pages {listed}"
