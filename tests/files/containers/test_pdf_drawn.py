"""PDF pages that show text without text operators, images with metadata, and the second reader of every copy."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import reportlab
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont
from pikepdf import Array, Dictionary, Name
from PIL import Image
from reportlab.graphics.barcode import code39, code128, qr
from reportlab.graphics.shapes import Drawing
from reportlab.pdfgen.canvas import Canvas

from nadie.errors import FormatError
from nadie.files.container import OpenOptions
from nadie.files.containers.pdf import container
from nadie.options import Images

from . import pdfs
from .helpers import anonymized, opened, texts_of

_FONT = Path(reportlab.__file__).parent / "fonts" / "Vera.ttf"
TEXT = "BT /F1 12 Tf 50 700 Td (Informe de alta de la consulta externa) Tj ET "


def canvas_with(draw: Any, text: str = "Informe de alta") -> bytes:
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1)
    canvas.drawString(50, 700, text)
    draw(canvas)
    canvas.save()
    return file.getvalue()


def qr_code(canvas: Canvas) -> None:
    drawing = Drawing(80, 80)
    drawing.add(qr.QrCodeWidget("NHC 7654321 Ana"))
    drawing.drawOn(canvas, 50, 500)


def as_outlines(text: str, size: float = 12, x: float = 50, y: float = 600) -> str:
    """The operators that draw the letters of a text as filled paths."""
    font = TTFont(_FONT)
    glyphs, names, scale = font.getGlyphSet(), font.getBestCmap(), size / font["head"].unitsPerEm
    parts = []
    for letter in text:
        pen = DecomposingRecordingPen(glyphs)
        glyph = glyphs[names[ord(letter)]]
        glyph.draw(TransformPen(pen, (scale, 0, 0, scale, x, y)))
        for name, points in pen.value:
            told = " ".join(f"{number:.2f}" for point in points if point for number in point)
            if name == "qCurveTo":
                (a, b), (c, d) = points[0] or (0, 0), points[-1] or (0, 0)
                told = f"{a:.2f} {b:.2f} {c:.2f} {d:.2f}"
            parts.append({"moveTo": f"{told} m", "lineTo": f"{told} l", "qCurveTo": f"{told} v"}.get(name, "h"))
        parts.append("f")
        x += glyph.width * scale
    return " ".join(parts)


def is_refused(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        opened(content, "a.pdf", OpenOptions(images=Images.REFUSE))
    account = opened(content, "a.pdf", OpenOptions(images=Images.BLANK)).account
    assert "was emptied" in account.uncovered[0].reason


@pytest.mark.parametrize(
    "draw",
    [
        lambda canvas: code128.Code128("NHC7654321", barHeight=30).drawOn(canvas, 50, 500),
        lambda canvas: code39.Standard39("7654321", barHeight=30).drawOn(canvas, 50, 500),
        qr_code,
    ],
    ids=["Code 128", "Code 39", "QR"],
)
def test_a_page_with_a_bar_code_is_refused(draw: Any) -> None:
    is_refused(canvas_with(draw), "page 1 has a bar code")


def test_tables_and_charts_are_not_bar_codes() -> None:
    def lines(canvas: Canvas) -> None:
        canvas.grid([50 + 40 * n for n in range(8)], [300 + 20 * n for n in range(12)])
        for n, height in enumerate((20, 35, 50, 25, 60)):
            canvas.rect(100 + 20 * n, 100, 12, height, fill=1)

    assert opened(canvas_with(lines), "a.pdf").account.uncovered == []


def test_letters_drawn_as_outlines_are_listed_and_a_page_of_them_is_refused() -> None:
    account = opened(pdfs.of(TEXT + as_outlines("Ana Munoz")), "a.pdf").account
    assert account.uncovered == [("page 1", "letters drawn as shapes are not searched")]
    lines = " ".join(as_outlines("Ana Munoz vive en la calle", y=600 - 20 * n) for n in range(6))
    is_refused(pdfs.of(TEXT + lines), "text drawn as shapes")


def test_a_scan_painted_as_a_pattern_is_an_image() -> None:
    pdf = pdfs.new(TEXT + "/Pattern cs /P1 scn 0 0 595 842 re f")
    pattern = pdfs.form(pdf, "595 0 0 842 0 0 cm /I Do", PatternType=1, PaintType=1, TilingType=1, XStep=595, YStep=842)
    del pattern.Subtype
    pattern.Resources = Dictionary(XObject=Dictionary(I=pdfs.image(pdf)))
    pdf.pages[0].obj.Resources.Pattern = Dictionary(P1=pattern)
    is_refused(pdfs.saved(pdf), "an image of the page")


def test_metadata_of_images_are_removed() -> None:
    file = io.BytesIO()
    picture = Image.new("RGB", (16, 16), "red")
    exif = Image.Exif()
    exif[0x010E] = "Foto de Ana Munoz"
    picture.save(file, "JPEG", exif=exif, comment=b"De Ana Munoz")
    pdf = pdfs.new(TEXT + "q 20 0 0 20 50 500 cm /I Do Q")
    image = pdf.make_stream(file.getvalue())
    image.Type, image.Subtype, image.Width, image.Height = Name.XObject, Name.Image, 16, 16
    image.ColorSpace, image.BitsPerComponent, image.Filter = Name.DeviceRGB, 8, Name.DCTDecode
    pdf.pages[0].obj.Resources.XObject = Dictionary(I=image)
    copy, account = anonymized(pdfs.saved(pdf), "a.pdf", {})
    assert b"Munoz" not in copy
    assert "metadata of images" in account.remarks[0]
    made = pdfs.reopened(copy)
    again = made.pages[0].obj.Resources.XObject.I
    assert Image.open(io.BytesIO(again.read_raw_bytes())).size == (16, 16)


def test_images_with_a_table_of_colours_keep_their_colours() -> None:
    pdf = pdfs.new(TEXT + "q 20 0 0 20 50 500 cm /I Do Q")
    image = pdfs.image(pdf)
    image.ColorSpace = Array([Name.Indexed, Name.DeviceRGB, 1, pdf.make_stream(b"\xff\x00\x00\x00\xff\x00")])
    pdf.pages[0].obj.Resources.XObject = Dictionary(I=image)
    copy = pdfs.reopened(anonymized(pdfs.saved(pdf), "a.pdf", {})[0])
    assert copy.pages[0].obj.Resources.XObject.I.ColorSpace[3].read_bytes() == b"\xff\x00\x00\x00\xff\x00"


def test_long_pages_of_reportlab_are_read() -> None:
    def lines(canvas: Canvas) -> None:
        for n in range(9000):
            canvas.drawString(50 + n % 400 / 7, 20 + n / 12, f"Línea {n * 7919 % 100003} de Ana")

    content = canvas_with(lines)
    pdf = pdfs.reopened(content)
    assert len(pdf.pages[0].Contents.read_raw_bytes()) > 1 << 16
    assert "Línea 7919 de Ana" in texts_of(content, "a.pdf")[0]


def test_a_copy_in_which_a_second_reader_finds_a_replaced_word_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    content = pdfs.of("BT /F1 12 Tf 50 700 Td (Paciente Munoz) Tj ET")
    assert anonymized(content, "a.pdf", {"Munoz": "X"})[0]
    monkeypatch.setattr(container, "cuts_of", lambda *_: {})
    with pytest.raises(FormatError, match="page 1 of the copy still shows a word") as caught:
        anonymized(content, "a.pdf", {"Munoz": "X"})
    assert "Munoz" not in str(caught.value)
