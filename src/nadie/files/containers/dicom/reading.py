"""Reads DICOM files with pydicom, strictly: pydicom's warnings and guesses are errors here."""

from __future__ import annotations

import io
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Any

import pydicom
from pydicom import config
from pydicom.dataelem import RawDataElement
from pydicom.filereader import _read_file_meta_info
from pydicom.uid import (
    DeflatedExplicitVRLittleEndian,
    ExplicitVRBigEndian,
    ExplicitVRLittleEndian,
    ImplicitVRLittleEndian,
)

from nadie.errors import FormatError
from nadie.files.source import Source

MAX_DEPTH = 30
"""The maximum nesting depth of sequences."""
_CHUNK = 1 << 20
_UNDEFINED = 0xFFFFFFFF
_DIRECTORY = "1.2.840.10008.1.3.10"
_LOCK = Lock()


def read(source: Source) -> Any:
    """The data set with its text decoded; it will be written in UTF-8, which can represent every replacement."""
    content = source.read()
    with _strict():
        _limit(content, source)
        dataset = pydicom.dcmread(io.BytesIO(content), force=content[128:132] != b"DICM")
        _complete(dataset)
        _check(dataset, source.where)
        dataset.decode()
    for item in (dataset, *_items(dataset, source.where, 0)):
        if "SpecificCharacterSet" in item:
            del item.SpecificCharacterSet
    dataset.SpecificCharacterSet = "ISO_IR 192"
    return dataset


def _limit(content: bytes, source: Source) -> None:
    """Raise an error if a deflated data set is too large: pydicom inflates it without a limit."""
    file = io.BytesIO(content)
    file.seek(132 if content[128:132] == b"DICM" else 0)
    if _read_file_meta_info(file).get("TransferSyntaxUID", "") != DeflatedExplicitVRLittleEndian:
        return
    inflater, rest = zlib.decompressobj(-zlib.MAX_WBITS), file.read()
    while rest and not inflater.eof:
        source.budget.spend(len(inflater.decompress(rest, _CHUNK)), source.where)
        rest = inflater.unconsumed_tail


@contextmanager
def _strict() -> Iterator[None]:
    """Raise pydicom's warnings as errors: they quote values, and indicate guesses such as another character set."""
    with _LOCK, warnings.catch_warnings():
        warnings.filterwarnings("error", module="pydicom")
        warnings.filterwarnings("ignore", message="VR lookup failed", module="pydicom")  # unknown, and removed
        config.settings.reading_validation_mode = config.IGNORE
        config.settings.writing_validation_mode = config.IGNORE
        yield


def _complete(dataset: Any) -> None:
    """Add to the file meta information what old programs leave out, from the data set."""
    meta = dataset.file_meta
    for key in ("SOPClassUID", "SOPInstanceUID"):
        if not meta.get(f"MediaStorage{key}", "") and dataset.get(key, ""):
            setattr(meta, f"MediaStorage{key}", dataset[key].value)
    if not meta.get("TransferSyntaxUID", ""):
        is_implicit, is_little = dataset.original_encoding
        syntax = ImplicitVRLittleEndian if is_implicit else ExplicitVRLittleEndian if is_little else ExplicitVRBigEndian
        meta.TransferSyntaxUID = syntax


def _check(dataset: Any, where: str) -> None:
    meta = dataset.file_meta
    is_declared = all(meta.get(key, "") for key in ("MediaStorageSOPClassUID", "MediaStorageSOPInstanceUID"))
    if is_declared and meta.MediaStorageSOPClassUID == _DIRECTORY:
        raise FormatError("is a list of DICOM files (DICOMDIR), which is not supported", where=where)
    if any(_is_cut(element) for element in dataset.values()):
        raise FormatError("is a damaged or truncated DICOM file", where=where)
    if not is_declared or "SOPClassUID" not in dataset:
        raise FormatError("is damaged, or a part of a DICOM file: it does not say what object it is", where=where)


def _is_cut(element: Any) -> bool:
    """Whether the file ends before the end of an element's value."""
    is_raw = isinstance(element, RawDataElement) and isinstance(element.value, bytes)
    return is_raw and element.length != _UNDEFINED and len(element.value) < element.length


def _items(dataset: Any, where: str, depth: int) -> Iterator[Any]:
    if depth > MAX_DEPTH:
        raise FormatError(f"nests sequences more than {MAX_DEPTH} deep", where=where)
    for element in dataset:
        if element.VR == "SQ":
            for item in element.value:
                yield item
                yield from _items(item, where, depth + 1)
