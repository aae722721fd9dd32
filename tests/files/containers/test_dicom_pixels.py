"""Text burned into the pixels of DICOM files: read in every frame, painted in the pixels' own format, and listed."""

from __future__ import annotations

import io
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pydicom
import pytest
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from pydicom.dataset import FileDataset
from pydicom.pixels.processing import convert_color_space
from pydicom.pixels.utils import pixel_array
from pydicom.uid import UID, ExplicitVRBigEndian, ImplicitVRLittleEndian, JPEG2000Lossless, RLELossless

from command_line import run_command
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.detectors.patterns import Patterns
from nadie.errors import FormatError
from nadie.files.container import Account, OpenOptions
from nadie.files.recognition import open_as
from nadie.files.source import Source
from nadie.options import Images
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline
from nadie.run.rewriting import edits_of
from nadie.scan.reading import read_page

from . import dicoms

Array = npt.NDArray[Any]
NAME, KEPT = "MUNOZ^ANA", "120 kV 3.5 mAs"


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    """Without a network: the name and the number in the pixels are known from the header."""
    return Pipeline(Patterns(), Engine(read_policy("default"), Key(b"k" * 32)))


def drawing(lines: tuple[str, ...] = (NAME, "ID 7654321", KEPT)) -> Array:
    """A round shape as anatomy is, with white text in a corner, in 8 bits."""
    image = Pillow.new("L", (512, 400), 0)
    draw = ImageDraw.Draw(image)
    draw.ellipse((200, 130, 420, 380), fill=110)
    draw.ellipse((260, 200, 340, 300), fill=60)
    for n, line in enumerate(lines):
        draw.text((12, 10 + 26 * n), line, fill=255, font=ImageFont.load_default(18))
    return np.array(image)


def file_of(pixels: Array, kind: str, bits: int = 8, *, signed: bool = False, planar: int = 0) -> FileDataset:
    """A file with these pixels: frames first if there are three dimensions and one sample."""
    dataset = dicoms.new(dicoms.IMAGE)
    samples = 3 if kind.startswith(("RGB", "YBR")) else 1
    shape = pixels.shape[:-1] if samples == 3 else pixels.shape
    dataset.SamplesPerPixel, dataset.PhotometricInterpretation = samples, kind
    dataset.Rows, dataset.Columns = shape[-2:]
    if len(shape) == 3:
        dataset.NumberOfFrames = shape[0]
    if samples == 3:
        dataset.PlanarConfiguration = planar
        pixels = np.moveaxis(pixels, -1, -3) if planar else pixels
    dataset.BitsAllocated = 8 if bits <= 8 else 16
    dataset.BitsStored, dataset.HighBit, dataset.PixelRepresentation = bits, bits - 1, int(signed)
    dataset.PixelData = pixels.astype(("i" if signed else "u") + str(dataset.BitsAllocated // 8)).tobytes()
    return dataset


def anonymized(content: bytes, pipeline: Pipeline, options: OpenOptions | None = None) -> tuple[FileDataset, Account]:
    opened = open_as("dicom", Source("a.dcm", "a.dcm", None, content), options or OpenOptions())
    results = list(pipeline.anonymize_all(text.document("a.dcm") for text in opened.texts()))
    out = io.BytesIO()
    opened.write(iter([edits_of(result) for result in results]), out)
    return dicoms.reopened(out.getvalue()), opened.account


def converted(content: bytes, command: tuple[str, str], folder: Path) -> bytes:
    """The file converted by a tool of DCMTK."""
    tool = shutil.which(command[0])
    assert tool
    (folder / "a.dcm").write_bytes(content)
    subprocess.run([tool, command[1], folder / "a.dcm", folder / "b.dcm"], check=True)
    return (folder / "b.dcm").read_bytes()


def check(before: Array, after: Array) -> None:
    """Both in 8 bits, grey or red, green and blue: the name and the number are gone, everything else is as before."""
    assert after.shape == before.shape
    big = np.array(Pillow.fromarray(255 - after).resize((1024, 800)))
    shown = " ".join(line.reading.text for line in read_page(big).lines)
    assert "MUNOZ" not in shown
    assert "7654" not in shown
    assert "120kV" in shown.replace(" ", "")
    np.testing.assert_array_equal(after[66:], before[66:])


def test_name_can_be_read_before() -> None:
    shown = " ".join(line.reading.text for line in read_page(255 - drawing()).lines)
    assert "MUNOZ" in shown


def test_recall_mode_is_the_default() -> None:
    dataset = file_of(drawing(("Rogelia Sotomayor Paz", KEPT)), "MONOCHROME2")  # a name that the header does not have
    copy, _ = anonymized(dicoms.saved(dataset), load("fast"))
    assert not pixel_array(copy)[12:28, 12:180].any()


@pytest.mark.parametrize(
    ("kind", "bits", "signed"),
    [
        ("MONOCHROME2", 8, False), ("MONOCHROME1", 8, False), ("MONOCHROME2", 12, False), ("MONOCHROME2", 16, False),
        ("MONOCHROME1", 16, False), ("MONOCHROME2", 16, True),
    ],
)  # fmt: skip
def test_grey(kind: str, bits: int, signed: bool, pipeline: Pipeline) -> None:
    shown = drawing()
    stored = shown.astype(np.int64) << (bits - 8)
    if kind == "MONOCHROME1":
        stored = (255 << (bits - 8)) - stored
    if signed:
        stored -= 1 << (bits - 1)
    copy, account = anonymized(dicoms.saved(file_of(stored, kind, bits, signed=signed)), pipeline)
    pixels = pixel_array(copy, raw=True).astype(np.int64)
    np.testing.assert_array_equal(pixels[66:], stored[66:])
    if signed:
        pixels += 1 << (bits - 1)
    if kind == "MONOCHROME1":
        pixels = (255 << (bits - 8)) - pixels
    check(shown, (pixels >> (bits - 8)).astype(np.uint8))
    assert (copy.PhotometricInterpretation, copy.BitsStored, copy.BurnedInAnnotation) == (kind, bits, "NO")
    assert "pixel data: text in 1 of 1 frames" in account.remarks
    assert any(remark.startswith("pixel data: painted in frame 1: ") for remark in account.remarks)
    assert "113101" in [code.CodeValue for code in copy.DeidentificationMethodCodeSequence]


@pytest.mark.parametrize(("kind", "planar"), [("RGB", 0), ("RGB", 1), ("YBR_FULL", 0), ("YBR_FULL", 1)])
def test_colour(kind: str, planar: int, pipeline: Pipeline) -> None:
    shown = np.repeat(drawing()[..., None], 3, axis=2)
    shown[..., 2] //= 2
    stored = convert_color_space(shown, "RGB", kind) if kind != "RGB" else shown
    copy, _ = anonymized(dicoms.saved(file_of(stored, kind, planar=planar)), pipeline)
    assert (copy.PhotometricInterpretation, copy.PlanarConfiguration) == (kind, planar)
    pixels = pixel_array(copy, raw=True)
    np.testing.assert_array_equal(pixels[66:], stored[66:])
    if kind == "RGB":
        check(shown, pixels)
    else:  # not exact in other colours
        painted = pixels[14:26, 14:100].reshape(-1, 3)
        np.testing.assert_array_equal(painted, np.broadcast_to((0, 128, 128), painted.shape))


def test_palette(pipeline: Pipeline) -> None:
    """The darkest entry is not the first."""
    shown = drawing()
    dataset = file_of(255 - shown, "PALETTE COLOR")
    table = np.arange(255, -1, -1, dtype=np.uint16) * 257
    for colour in ("Red", "Green", "Blue"):
        setattr(dataset, f"{colour}PaletteColorLookupTableDescriptor", [256, 0, 16])
        setattr(dataset, f"{colour}PaletteColorLookupTableData", table.astype("<u2").tobytes())
    copy, _ = anonymized(dicoms.saved(dataset), pipeline)
    assert copy.PhotometricInterpretation == "PALETTE COLOR"
    check(shown, 255 - pixel_array(copy, raw=True))


def test_every_frame_is_read(pipeline: Pipeline) -> None:
    """The name is only in the last frame; the others stay as they are."""
    plain, named = drawing((KEPT,)), drawing()
    dataset = file_of(np.stack([plain, plain, named]), "MONOCHROME2")
    copy, account = anonymized(dicoms.saved(dataset), pipeline)
    frames = pixel_array(copy, raw=True)
    np.testing.assert_array_equal(frames[:2], np.stack([plain, plain]))
    check(named, frames[2])
    assert "pixel data: text in 3 of 3 frames" in account.remarks
    assert not any("frame 1:" in remark for remark in account.remarks)


@pytest.mark.parametrize("syntax", [RLELossless, JPEG2000Lossless])
def test_compressed_without_loss(syntax: UID, pipeline: Pipeline, tmp_path: Path) -> None:
    shown = drawing()
    dataset = file_of(shown, "MONOCHROME2")
    if syntax == RLELossless:
        dataset.compress(RLELossless)
    else:
        packed = io.BytesIO()
        Pillow.fromarray(shown).save(packed, "JPEG2000", irreversible=False, no_jp2=True)
        dataset.file_meta.TransferSyntaxUID = syntax
        dataset.PixelData = pydicom.encaps.encapsulate([packed.getvalue()])
        dataset["PixelData"].is_undefined_length = True
    copy, _ = anonymized(dicoms.saved(dataset), pipeline)
    assert copy.file_meta.TransferSyntaxUID == RLELossless
    check(shown, pixel_array(copy))


@pytest.mark.parametrize(
    ("command", "name"), [(("dcmcjpeg", "+e1"), "JPEG Lossless"), (("dcmcjpls", "+el"), "JPEG-LS Lossless")]
)
def test_syntaxes_of_dcmtk(command: tuple[str, str], name: str, pipeline: Pipeline, tmp_path: Path) -> None:
    shown = drawing()
    packed = converted(dicoms.saved(file_of(shown, "MONOCHROME2")), command, tmp_path)
    assert dicoms.reopened(packed).file_meta.TransferSyntaxUID.name.startswith(name)
    copy, _ = anonymized(packed, pipeline)
    check(shown, pixel_array(copy))


def test_lossy_colours_are_written_without_further_loss(pipeline: Pipeline) -> None:
    shown = np.repeat(drawing()[..., None], 3, axis=2)
    packed = io.BytesIO()
    Pillow.fromarray(shown).save(packed, "JPEG", quality=90, subsampling=1)
    dataset = file_of(shown, "RGB")
    dataset.PhotometricInterpretation = "YBR_FULL_422"
    dataset.file_meta.TransferSyntaxUID = pydicom.uid.JPEGBaseline8Bit
    dataset.PixelData = pydicom.encaps.encapsulate([packed.getvalue()])
    dataset["PixelData"].is_undefined_length = True
    content = dicoms.saved(dataset)
    before = pixel_array(dicoms.reopened(content))
    copy, _ = anonymized(content, pipeline)
    assert (copy.PhotometricInterpretation, copy.file_meta.TransferSyntaxUID) == ("RGB", RLELossless)
    check(before, pixel_array(copy))


@pytest.mark.parametrize(("option", "syntax"), [("+tb", ExplicitVRBigEndian), ("+ti", ImplicitVRLittleEndian)])
def test_byte_orders(option: str, syntax: UID, pipeline: Pipeline, tmp_path: Path) -> None:
    shown = drawing()
    content = dicoms.saved(file_of(shown.astype(np.int64) << 4, "MONOCHROME2", 12))
    copy, _ = anonymized(converted(content, ("dcmconv", option), tmp_path), pipeline)
    assert copy.file_meta.TransferSyntaxUID == syntax
    check(shown, (pixel_array(copy) >> 4).astype(np.uint8))


def test_pixels_without_text_are_not_touched(pipeline: Pipeline) -> None:
    dataset = file_of(drawing(()), "MONOCHROME2")
    dataset.compress(RLELossless)
    raw = dataset.PixelData
    copy, account = anonymized(dicoms.saved(dataset), pipeline)
    assert copy.PixelData == raw
    assert "pixel data: text in 0 of 1 frames" in account.remarks


def test_summary_counts_the_files_with_text(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, lines in (("a", (NAME,)), ("b", (KEPT,)), ("c", ())):
        (tmp_path / f"in/{name}.dcm").write_bytes(dicoms.saved(file_of(drawing(lines), "MONOCHROME2")))
    done = run_command("anonymize", tmp_path / "in", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.decode().split())
    assert "2 × a DICOM file with text in its pixels" in said
    assert "1 × a DICOM file without text in its pixels" in said


def test_what_cannot_be_decoded_is_refused(pipeline: Pipeline) -> None:
    dataset = file_of(drawing(), "MONOCHROME2")
    dataset.file_meta.TransferSyntaxUID = JPEG2000Lossless
    dataset.PixelData = pydicom.encaps.encapsulate([b"\xff\x4f\xff\x51 nothing"])
    dataset["PixelData"].is_undefined_length = True
    with pytest.raises(FormatError, match=r"cannot be decoded \(JPEG 2000"):
        anonymized(dicoms.saved(dataset), pipeline)
    with pytest.raises(FormatError, match="may show text"):
        anonymized(dicoms.saved(file_of(drawing(), "MONOCHROME2")), pipeline, OpenOptions(images=Images.REFUSE))
