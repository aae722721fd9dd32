"""The scanned pages of an uploaded file as images, with the places of their words and graphics. Runs in a worker."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterable
from typing import Any

from nadie.files.container import OpenOptions
from nadie.files.mapped import MappedText
from nadie.files.recognition import open_as
from nadie.files.source import Source
from nadie.service.problems import ProblemError
from nadie.service.schemas import FileBody
from nadie.service.workers.jobs import ShownPage, ShownPages
from nadie.service.workers.uploads import WHERE, decoded, format_of_upload, is_container

_WIDEST = 1400  # pixels
_QUALITY = 80
_WORD = re.compile(r"\S+")
_Edges = tuple[float, float, float, float]
_Word = tuple[int, int, float, float, float, float]


def shown_pages(file: FileBody) -> ShownPages:
    source = Source(file.name, WHERE, content=decoded(file.content))
    file_format = format_of_upload(source)
    opened: Any = open_as(file_format, source, OpenOptions()) if is_container(file_format) else None
    if not hasattr(opened, "shown_pages"):
        raise ProblemError("unprocessable", "the file has no scanned pages")
    texts = list(opened.texts())
    words = _words(texts[0]) if texts else {}
    pages = [_page(number, page, image, words.get(id(page), ())) for number, page, image in opened.shown_pages()]
    if not pages:
        raise ProblemError("unprocessable", "the file has no scanned pages")
    return ShownPages(tuple(pages))


def _words(text: MappedText[Any]) -> dict[int, list[_Word]]:
    """For each page, where the words of the text are: from and to in the text, left, top, right, bottom."""
    from nadie.files.containers.image.pages import ScanPiece  # needs the extra `scan`

    found: dict[int, list[_Word]] = {}
    for segment in text.segments:
        piece = segment.address[0] if isinstance(segment.address, tuple) else None
        if isinstance(piece, ScanPiece) and not piece.is_other:
            for match in _WORD.finditer(segment.text):
                place = piece.line.place(piece.first + match.start(), piece.first + match.end())
                start, end = (segment.start + at for at in match.span())
                found.setdefault(id(piece.page), []).append((start, end, *_rounded(piece.page.as_shown(place))))
    return found


def _rounded(edges: _Edges) -> _Edges:
    left, top, right, bottom = (round(min(1.0, max(0.0, each)), 5) for each in edges)
    return left, top, right, bottom


def _page(number: int, page: Any, image: Any, words: Iterable[_Word]) -> ShownPage:
    shown = image.convert("RGB")
    shown.thumbnail((_WIDEST, 2 * _WIDEST))
    packed = io.BytesIO()
    shown.save(packed, "JPEG", quality=_QUALITY)
    graphics = [_rounded(page.as_shown(box)) for box in (*page.graphics, *page.unread)]
    return ShownPage(number, base64.b64encode(packed.getvalue()).decode("ascii"), tuple(words), tuple(graphics))
