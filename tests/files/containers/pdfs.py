"""PDF files for tests, made operator by operator or by real programs, and all that is in a PDF, unpacked."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Stream


def new(*contents: bytes | str) -> Pdf:
    """A PDF with a page for each content, with Helvetica as F1 and Courier as F2."""
    pdf = Pdf.new()
    fonts = {
        "/F1": pdf.make_indirect(font("Helvetica")), "/F2": pdf.make_indirect(font("Courier")),
    }  # fmt: skip
    for content in contents:
        page = pdf.add_blank_page(page_size=(595, 842))
        page.obj.Resources = Dictionary(Font=Dictionary(fonts))
        page.obj.Contents = pdf.make_stream(content.encode("cp1252") if isinstance(content, str) else content)
    return pdf


def font(name: str) -> Dictionary:
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name(f"/{name}"), Encoding=Name("/WinAnsiEncoding"))


def form(pdf: Pdf, content: str, **more: object) -> Stream:
    stream = pdf.make_stream(content.encode("cp1252"))
    stream.Type, stream.Subtype = Name.XObject, Name.Form
    stream.BBox = Array([0, 0, 595, 842])
    stream.Resources = Dictionary(Font=Dictionary(F1=font("Helvetica")))
    for key, value in more.items():
        stream[f"/{key}"] = value
    return stream


def saved(pdf: Pdf, **options: Any) -> bytes:
    """The bytes of a PDF. Its id does not depend on the time, whose digits could look like a value that is searched."""
    file = io.BytesIO()
    pdf.save(file, static_id=True, **options)
    return file.getvalue()


def of(*contents: bytes | str) -> bytes:
    return saved(new(*contents))


def image(pdf: Pdf, width: int = 2, height: int = 2) -> Stream:
    stream = pdf.make_stream(bytes(width * height))
    stream.Type, stream.Subtype, stream.Width, stream.Height = Name.XObject, Name.Image, width, height
    stream.ColorSpace, stream.BitsPerComponent = Name.DeviceGray, 8
    return stream


def tool(name: str, *arguments: str, content: bytes, suffix: str = ".pdf", folder: Path) -> bytes:
    """What a program says about a file; without the program the test is skipped."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    file = folder / f"checked{suffix}"
    file.write_bytes(content)
    command = [name, *(str(file) if each == "FILE" else each for each in arguments)]
    return subprocess.run(command, capture_output=True, check=True).stdout


def shown(content: bytes, folder: Path) -> str:
    """The text of a PDF as pdftotext reads it."""
    return tool("pdftotext", "-layout", "FILE", "-", content=content, folder=folder).decode()


def everything(content: bytes, folder: Path) -> str:
    """All that can be read in a PDF: its bytes, its unpacked streams and its strings, by qpdf, mutool and poppler."""
    unpack = ("--qdf", "--object-streams=disable", "--static-id", "FILE", "-")
    raw = tool("qpdf", *unpack, content=content, folder=folder)
    hexed = [bytes.fromhex(each.decode()) for each in re.findall(rb"<((?:[0-9a-fA-F]{2})+)>", raw)]
    escaped = re.sub(rb"\\([0-7]{3})", lambda match: bytes([int(match[1], 8) & 255]), raw)
    bare = re.sub(rb"\\(.)", rb"\1", escaped)
    parts = [content, raw, bare, *hexed, *re.findall(rb"\((\xfe\xff.*?)\)", bare, re.S)]
    texts = [part.decode(encoding, "replace") for part in parts for encoding in ("cp1252", "utf-8", "utf-16-be")]
    texts.append(shown(content, folder))
    texts.append(tool("mutool", "draw", "-q", "-F", "text", "FILE", content=content, folder=folder).decode())
    return "\n".join(texts)


def check(content: bytes, folder: Path) -> None:
    """An error unless qpdf finds the file sound."""
    tool("qpdf", "--check", "FILE", content=content, folder=folder)


def left(content: bytes, values: Iterable[str], folder: Path) -> list[str]:
    """Which of the values can still be read in a PDF."""
    text = everything(content, folder)
    return [value for value in values if value in text]


def reopened(content: bytes) -> Pdf:
    return pikepdf.open(io.BytesIO(content))
