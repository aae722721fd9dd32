"""PDF files whose pages are scans: the pages are read, painted and replaced by their images."""

from __future__ import annotations

import io

import numpy as np
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from nadie.errors import FormatError
from nadie.files.container import OpenOptions
from nadie.files.recognition import open_as
from nadie.files.source import Source
from nadie.options import Images
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline
from nadie.run.rewriting import edits_of

from .test_image import HIDDEN, NOTE, check, page, read


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load("fast")


def scan(*images: Image.Image, layer: str = "") -> bytes:
    """A PDF of images, with an invisible text layer if given."""
    out = io.BytesIO()
    images[0].save(out, "PDF", save_all=True, append_images=images[1:], resolution=120, title="Remedios Iturralde")
    if not layer:
        return out.getvalue()
    pdf = pikepdf.open(io.BytesIO(out.getvalue()))
    first = pdf.pages[0]
    first.Resources.Font = pikepdf.Dictionary(
        F=pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    )
    first.contents_add(f"BT /F 10 Tf 3 Tr 40 100 Td ({layer}) Tj ET".encode())
    again = io.BytesIO()
    pdf.save(again)
    return again.getvalue()


def anonymized(content: bytes, pipeline: Pipeline, options: OpenOptions | None = None) -> bytes:
    opened = open_as("pdf", Source("a.pdf", "a.pdf", None, content), options or OpenOptions())
    results = list(pipeline.anonymize_all(text.document("a.pdf") for text in opened.texts()))
    out = io.BytesIO()
    opened.write(iter([edits_of(result) for result in results]), out)
    return out.getvalue()


def shown(content: bytes, number: int = 0) -> Image.Image:
    pdf = pypdfium2.PdfDocument(content)
    image: Image.Image = pdf[number].render(scale=120 / 72).to_pil().copy()
    pdf.close()
    return image


@pytest.mark.parametrize("mode", ["1", "L", "RGB"])
def test_scanned_page(mode: str, pipeline: Pipeline) -> None:
    original = scan(page(mode=mode))
    copy = anonymized(original, pipeline)
    check(shown(copy))
    assert b"Remedios" not in copy
    before, after = pikepdf.open(io.BytesIO(original)), pikepdf.open(io.BytesIO(copy))
    assert list(before.pages[0].mediabox) == list(after.pages[0].mediabox)
    (image,) = after.pages[0].Resources.XObject.values()
    assert int(image.BitsPerComponent) == (1 if mode == "1" else 8)


def test_searchable_layer_is_gone(pipeline: Pipeline) -> None:
    copy = anonymized(scan(page(), layer="Remedios Iturralde 4471903"), pipeline)
    pdf = pypdfium2.PdfDocument(copy)
    text = pdf[0].get_textpage().get_text_range()
    pdf.close()
    assert "Remedios" not in text
    assert "4471903" not in text
    check(shown(copy))


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("is_declared", [True, False])
def test_words_that_stay_are_invisible_text(turn: int, is_declared: bool, pipeline: Pipeline) -> None:
    """The text is where the word is seen, whether the page is turned by the file or lies on its side."""
    pdf = pikepdf.open(io.BytesIO(scan(page().rotate(turn, expand=True))))
    pdf.pages[0].Rotate = turn if is_declared else 0
    out = io.BytesIO()
    pdf.save(out)
    copy = anonymized(out.getvalue(), pipeline)
    document = pypdfium2.PdfDocument(copy)
    shows = document[0].get_textpage()
    text = shows.get_text_range()
    assert "amoxicilina" in text
    assert "[NOMBRE_SUJETO_ASISTENCIA]" in text
    assert not [value for value in HIDDEN if value in text]
    found = shows.search("amoxicilina").get_next()
    assert found
    left, low, right, high = shows.get_charbox(found[0])
    wide, tall = document[0].get_width(), document[0].get_height()
    if turn and is_declared:  # boxes of characters are in the space of the page before it is turned
        wide, tall = (tall, wide) if turn != 180 else (wide, tall)
    across, up = (left + right) / 2 / wide, (low + high) / 2 / tall
    expected = 0.23, 1 - 275 / 420  # the first letter of the word on the page as it was drawn
    turned = {0: expected, 90: (1 - expected[1], expected[0]), 180: (1 - expected[0], 1 - expected[1])}
    turned[270] = expected[1], 1 - expected[0]
    assert (across, up) == pytest.approx(turned[turn], abs=0.05)
    document.close()
    if is_declared:
        check(shown(copy))


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_page(turn: int, pipeline: Pipeline) -> None:
    pdf = pikepdf.open(io.BytesIO(scan(page().rotate(turn, expand=True))))
    pdf.pages[0].Rotate = turn
    out = io.BytesIO()
    pdf.save(out)
    copy = anonymized(out.getvalue(), pipeline)
    check(shown(copy))


def test_name_of_one_page_is_known_on_another(pipeline: Pipeline) -> None:
    copy = anonymized(scan(page(), page(("Comentado con Iturralde.", "No alergias conocidas."))), pipeline)
    text = read(shown(copy, 1))
    assert "Iturralde" not in text
    assert "alergias" in text


def test_refused_blanked_and_kept(pipeline: Pipeline) -> None:
    with pytest.raises(FormatError, match="an image of the page"):
        anonymized(scan(page(NOTE)), pipeline, OpenOptions(images=Images.REFUSE))
    blank = shown(anonymized(scan(page(NOTE)), pipeline, OpenOptions(images=Images.BLANK)))
    assert (np.array(blank) == 255).all()
