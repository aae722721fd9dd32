"""Images of pages: what identifies somebody is painted over, everything else stays as it was."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import zxingcpp
from PIL import Image, ImageDraw, ImageFont

from command_line import run_command
from nadie.errors import FormatError
from nadie.files.container import OpenOptions
from nadie.files.mapped import Edit
from nadie.files.recognition import open_as
from nadie.files.source import Source
from nadie.options import Images
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline
from nadie.run.rewriting import edits_of
from nadie.scan.reading import read_page, turned

NOTE = (
    "Hospital Clínico San Lucas",
    "Paciente: Remedios Iturralde Pacheco",
    "NHC: 4471903   Tel: 611 204 877",
    "Ingresa por neumonía adquirida en la comunidad.",
    "Se pauta amoxicilina 1 g cada 8 horas.",
    "Fdo.: Dr. Baltasar Quiroga Menchaca",
)
HIDDEN = ("Remedios", "Iturralde", "Pacheco", "4471903", "204 877", "Baltasar", "Menchaca")
SHOWN = ("neumon", "comunidad", "amoxicilina", "horas")


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load("fast")


def page(lines: Sequence[str] = NOTE, mode: str = "RGB", size: int = 30) -> Image.Image:
    image = Image.new("RGB", (1000, 120 + 50 * len(lines)), "white")
    for n, line in enumerate(lines):
        ImageDraw.Draw(image).text((60, 60 + 50 * n), line, fill="black", font=ImageFont.load_default(size))
    return image.convert(mode)


def encoded(image: Image.Image, form: str = "PNG", **options: object) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def anonymized(content: bytes, pipeline: Pipeline, options: OpenOptions | None = None, name: str = "a.png") -> bytes:
    opened = open_as("image", Source(name, name, None, content), options or OpenOptions())
    results = list(pipeline.anonymize_all(text.document(name) for text in opened.texts()))
    out = io.BytesIO()
    opened.write(iter([edits_of(result) for result in results]), out)
    return out.getvalue()


def read(image: Image.Image) -> str:
    found = read_page(np.array(image.convert("RGB")))
    return "\n".join(line.reading.text for line in found.lines)


def check(copy: Image.Image) -> None:
    text = read(copy)
    assert not [word for word in HIDDEN if word in text]
    assert [word for word in SHOWN if word in text] == list(SHOWN)


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGB", "RGBA"])
def test_png_keeps_its_size_pixels_and_resolution(mode: str, pipeline: Pipeline) -> None:
    original = page(mode=mode)
    copy = Image.open(io.BytesIO(anonymized(encoded(original, dpi=(200, 200)), pipeline)))
    assert (copy.mode, copy.size) == (mode, original.size)
    assert round(copy.info["dpi"][0]) == 200
    check(copy)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_page_in_any_direction(turns: int, pipeline: Pipeline) -> None:
    original = page().rotate(90 * turns, expand=True)
    copy = Image.open(io.BytesIO(anonymized(encoded(original), pipeline)))
    assert copy.size == original.size
    check(copy.rotate(-90 * turns, expand=True))


def test_skewed_page(pipeline: Pipeline) -> None:
    copy = Image.open(io.BytesIO(anonymized(encoded(page().rotate(1.5, fillcolor="white")), pipeline)))
    check(copy)


def test_unchanged_pixels_are_exact(pipeline: Pipeline) -> None:
    lines = ("Ingresa por neumonía adquirida en la comunidad.", "Se pauta amoxicilina 1 g cada 8 horas.")
    original = page(lines)
    copy = Image.open(io.BytesIO(anonymized(encoded(original), pipeline)))
    assert np.array_equal(np.array(copy), np.array(original))


def test_jpeg_loses_metadata_and_keeps_its_quality(pipeline: Pipeline) -> None:
    exif = Image.Exif()
    exif[0x010E] = "Remedios Iturralde Pacheco"
    content = encoded(page(), "JPEG", quality=80, exif=exif, comment=b"Remedios Iturralde Pacheco", dpi=(150, 150))
    copied = anonymized(content, pipeline, name="a.jpg")
    assert b"Remedios" not in copied
    copy, original = Image.open(io.BytesIO(copied)), Image.open(io.BytesIO(content))
    assert copy.quantization == original.quantization  # type: ignore[attr-defined]
    check(copy)


def test_exif_orientation_is_applied(pipeline: Pipeline) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    content = encoded(page().rotate(90, expand=True), "JPEG", quality=90, exif=exif)
    copy = Image.open(io.BytesIO(anonymized(content, pipeline, name="a.jpg")))
    assert copy.size == page().size
    check(copy)


def test_tiff_with_several_pages(pipeline: Pipeline) -> None:
    pages = [page(mode="1"), page(("Remedios Iturralde vino sola.", "No alergias conocidas."), mode="1")]
    content = encoded(pages[0], "TIFF", save_all=True, append_images=pages[1:], compression="group4", dpi=(200, 200))
    copy = Image.open(io.BytesIO(anonymized(content, pipeline, name="a.tif")))
    assert copy.n_frames == 2  # type: ignore[attr-defined]
    assert copy.info["compression"] == "group4"
    check(copy)
    copy.seek(1)
    text = read(copy)
    assert "Iturralde" not in text
    assert "alergias" in text


def test_bar_codes_and_pictures_are_painted(pipeline: Pipeline) -> None:
    image = page()
    code = zxingcpp.create_barcode("4471903", zxingcpp.BarcodeFormat.QRCode)
    image.paste(Image.fromarray(np.asarray(zxingcpp.write_barcode_to_image(code, scale=5))), (760, 60))
    plain = anonymized(encoded(image), pipeline)
    assert not zxingcpp.read_barcodes(Image.open(io.BytesIO(plain)))
    kept = anonymized(encoded(image), pipeline, OpenOptions(keep_graphics=True))
    area = (slice(85, 160), slice(785, 860))
    assert (np.array(Image.open(io.BytesIO(plain)))[area] == 0).mean() > 0.95
    assert (np.array(Image.open(io.BytesIO(kept)))[area] == 0).mean() < 0.9


def test_signature_is_painted(pipeline: Pipeline) -> None:
    image = page()
    points = [(500 + 12 * n, 180 + round(40 * np.sin(n * 1.7) * np.cos(n / 5))) for n in range(30)]
    ImageDraw.Draw(image).line(points, fill=(20, 30, 140), width=4)
    copy = np.array(Image.open(io.BytesIO(anonymized(encoded(image), pipeline))))
    blue = (copy[..., 2] > 100) & (copy[..., 0] < 60)
    assert blue.sum() < 20


@pytest.mark.parametrize("alpha", [0, 2])
def test_text_under_transparency_is_erased(alpha: int, pipeline: Pipeline) -> None:
    image = page(SHOWN, mode="RGBA")
    hidden = np.array(page(("Remedios Iturralde Pacheco",) * 4, mode="RGBA"))
    pixels = np.array(image)
    pixels[:, 500:] = hidden[:, :500]
    pixels[:, 500:, 3] = alpha
    copy = np.array(Image.open(io.BytesIO(anonymized(encoded(Image.fromarray(pixels)), pipeline))))
    assert (copy[:, 500:] > 250).all()


def test_letters_that_only_the_transparency_shows_are_erased(pipeline: Pipeline) -> None:
    """They are white on white, and as holes they would show on any other background."""
    pixels = np.full((220, 1000, 4), 255, dtype=np.uint8)
    pixels[..., 3] = np.array(page(("Remedios Iturralde Pacheco",) * 2, mode="L"))
    copy = np.array(Image.open(io.BytesIO(anonymized(encoded(Image.fromarray(pixels)), pipeline))))
    assert (copy == 255).all()


def test_transparent_colour_of_a_palette_is_paper(pipeline: Pipeline) -> None:
    original = page(mode="P")
    content = encoded(original, transparency=original.getpixel((0, 0)))
    check(Image.open(io.BytesIO(anonymized(content, pipeline))))


@pytest.mark.parametrize("form", ["JPEG", "TIFF"])
def test_inks_of_a_press_stay(form: str, pipeline: Pipeline) -> None:
    copy = Image.open(io.BytesIO(anonymized(encoded(page(mode="CMYK"), form), pipeline)))
    assert (copy.format, copy.mode) == (form, "CMYK")
    check(copy)


def test_replacements_are_written_into_boxes(pipeline: Pipeline) -> None:
    copy = Image.open(io.BytesIO(anonymized(encoded(page()), pipeline, OpenOptions(write_in_boxes=True))))
    check(copy)
    assert "NOMBRE" in read(copy)


def test_blank_and_refuse(pipeline: Pipeline) -> None:
    blank = np.array(Image.open(io.BytesIO(anonymized(encoded(page()), pipeline, OpenOptions(images=Images.BLANK)))))
    assert not blank.any()
    with pytest.raises(FormatError, match="--images read"):
        anonymized(encoded(page()), pipeline, OpenOptions(images=Images.REFUSE))


@pytest.mark.parametrize(("form", "reason"), [("GIF", "another kind"), ("BMP", "another kind")])
def test_other_images_are_refused(form: str, reason: str, pipeline: Pipeline) -> None:
    with pytest.raises(FormatError, match=reason):
        anonymized(encoded(page(), form), pipeline)


def test_truncated_image_is_an_error(pipeline: Pipeline) -> None:
    content = encoded(page())
    with pytest.raises(Exception, match=r"truncated|damaged"):
        anonymized(content[: len(content) // 2], pipeline)


def test_command(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.png").write_bytes(encoded(page()))
    result = run_command("anonymize", tmp_path / "in", "--out", tmp_path / "out")
    assert result.returncode == 0, result.stderr
    check(Image.open(tmp_path / "out/a.png"))


def test_turned_is_exact() -> None:
    pixels = np.arange(12, dtype=np.uint8).reshape(3, 4)
    assert np.array_equal(turned(turned(pixels, 1), 3), pixels)


def test_a_value_said_again_in_a_painted_line_is_covered_alone() -> None:
    lines = ("Acude con Remedios Iturralde", "Signo de Iturralde positivo, tratado en Lugo")
    opened = open_as("image", Source("a.png", "a.png", None, encoded(page(lines))), OpenOptions())
    [text] = opened.texts()
    edits = [Edit(start, start + len(word), "") for word in ("Iturralde", "Lugo") for start in [text.text.index(word)]]
    out = io.BytesIO()
    opened.write(iter([edits]), out)
    shown = read(Image.open(out))
    assert "Iturralde" not in shown
    assert "Lugo" not in shown
    assert "Signo de" in shown
    assert "positivo" in shown
