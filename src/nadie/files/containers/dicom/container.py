"""DICOM files: attributes by the standard's basic profile, free text through the detector, pixels always reported.

Dates are replaced according to the policy if the result is a date; otherwise the profile applies. Attributes that the
profile does not list are kept only if they cannot contain text; private and unknown attributes are removed.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from pydicom._uid_dict import UID_dictionary
from pydicom.dataset import Dataset
from pydicom.uid import ExplicitVRLittleEndian

from nadie.errors import FormatError
from nadie.files.container import SCAN, Edits, OpenOptions, Uncovered
from nadie.files.containers.dicom.profile import Action, action_for, label_of
from nadie.files.containers.dicom.reading import MAX_DEPTH, read
from nadie.files.containers.dicom.values import dummy, new_uid, text_of, value_of
from nadie.files.containers.members import TextWithMembers
from nadie.files.mapped import TextBuilder
from nadie.files.source import Source
from nadie.options import Images

_PIXELS = ("PixelData", "FloatPixelData", "DoubleFloatPixelData")
_SUFFIXES = {"application/pdf": "pdf", "text/xml": "xml", "application/xml": "xml", "text/plain": "txt"}
_METHODS = (
    ("113100", "Basic Application Confidentiality Profile"),
    ("113105", "Clean Descriptors Option"),
)
_META_KEPT = frozenset(
    "FileMetaInformationGroupLength FileMetaInformationVersion MediaStorageSOPClassUID MediaStorageSOPInstanceUID "
    "TransferSyntaxUID ImplementationClassUID".split()
)
_PIXELS_CLEANED = ("113101", "Clean Pixel Data Option")
_SHIFTED = ("113107", "Retain Longitudinal Temporal Information Modified Dates Option")


@dataclass(frozen=True, eq=False)
class _ValueAddress:
    """The address of a text: a value of an element, and the profile's action for the element."""

    element: Any
    index: int
    action: Action


class OpenedDicom(TextWithMembers):
    """An open DICOM file, held in memory."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        super().__init__(source, options)
        self._dataset = read(source)
        self._removed = 0
        self._builder: TextBuilder[Any] = TextBuilder()
        self._waiting: list[tuple[Any, Any, Action]] = []
        self._pixels: Any = None
        self._handle_pixels()
        self._open_document()
        self._go_through(self._dataset, 0)
        meta = self._patient()
        if self._pixels is not None and self._pixels.frames:
            self._pixels.add_to(self._builder)
            meta |= SCAN
        self._text = self._builder.build(meta=meta)
        if self._removed:
            self.account.remarks.append(f"{self._removed} attributes removed")

    def _put(self, edits: Edits) -> None:
        news: dict[int, dict[int, str]] = {}
        for segment, new in self._text.changes(edits):
            if isinstance(segment.address, _ValueAddress):
                news.setdefault(id(segment.address.element), {})[segment.address.index] = new
        if self._pixels is not None:
            self._paint(edits)
        has_moved = [self._apply(*each, news.get(id(each[1]), {})) for each in self._waiting]
        self._finish(any(has_moved))

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        for copy in copies.values():
            self._dataset.EncapsulatedDocument = copy + b"\0" * (len(copy) % 2)
            self._dataset.EncapsulatedDocumentLength = len(copy)
        copied = io.BytesIO()
        self._dataset.save_as(copied, enforce_file_format=True)
        out.write(copied.getvalue())

    def _patient(self) -> dict[str, str]:
        patient = str(self._dataset.get("PatientID", "") or "").strip()
        return {"patient": patient} if patient else {}

    def _go_through(self, dataset: Any, depth: int) -> None:
        """Remove the attributes to be removed, and collect those to be searched or replaced."""
        if depth > MAX_DEPTH:
            raise FormatError(f"nests sequences more than {MAX_DEPTH} deep", where=self._source.where)
        for element in list(dataset):
            action = action_for(element)
            if element.VR == "SQ" and action in (Action.KEEP, Action.DUMMY, Action.UID, Action.CLEAN):
                for item in element.value:
                    self._go_through(item, depth + 1)
            elif element.keyword != "EncapsulatedDocument" and action is not Action.KEEP:
                self._note(dataset, element, action)

    def _note(self, dataset: Any, element: Any, action: Action) -> None:
        label = label_of(element)
        if action is Action.CLEAN or label:
            for index, value in enumerate(_values(element)):
                self._builder.cut()
                is_field = label is not None and action is not Action.CLEAN
                text = text_of(value, element.VR)
                self._builder.add(text, _ValueAddress(element, index, action), label if is_field else None)
        if action is Action.REMOVE and element.VR not in ("DA", "DT"):
            del dataset[element.tag]
            self._removed += 1
        elif action is Action.UID:
            _set(element, [self._uid(value) for value in _values(element)])
        else:
            self._waiting.append((dataset, element, action))

    def _uid(self, uid: Any) -> str:
        return str(uid) if str(uid) in UID_dictionary or not str(uid) else new_uid(str(uid), self._options.secret)

    def _apply(self, dataset: Any, element: Any, action: Action, news: dict[int, str]) -> bool:
        """Write the replacement of an element; return whether it is a date that was shifted."""
        values = _values(element)
        if action is Action.CLEAN:
            if news:
                _set(element, [news.get(n, str(value)) for n, value in enumerate(values)])
            return False
        new = [value_of(news[n], element.VR) if n in news else None for n in range(len(values))]
        if new and all(new):
            _set(element, new)
            return element.VR in ("DA", "DT")
        if action is Action.REMOVE:
            del dataset[element.tag]
        else:
            element.value = dummy(element.VR) if action is Action.DUMMY and values else None
        return False

    def _handle_pixels(self) -> None:
        """Read the pixels, unless the user set another option for them; what cannot be read is refused or listed."""
        dataset, images = self._dataset, self._options.images
        keyword = next((each for each in _PIXELS if each in dataset), None)
        if keyword is None:
            return
        declared = str(dataset.get("BurnedInAnnotation", "") or "").upper()
        problem: FormatError | None = None
        if images is Images.READ:
            try:
                self._pixels = _read_pixels(dataset, keyword, self._source)
            except FormatError as error:
                problem = error
            else:
                return
        if images is Images.KEEP or declared == "NO":
            said = {"NO": "the file declares that they show no text", "YES": "the file declares that they show text"}
            reason = said.get(declared, "the file does not declare whether they show text")
            self.account.uncovered.append(Uncovered("pixel data", f"not searched, not changed; {reason}"))
        elif images is Images.BLANK:
            self._blank(keyword)
            self.account.uncovered.append(Uncovered("pixel data", "could not be searched and were blanked"))
        else:
            ways = "(--images blank blanks them, --images keep keeps them)"
            reason = f"{problem.reason} {ways}" if problem else f"has pixel data that may show text {ways}"
            raise FormatError(reason, where=self._source.where)

    def _paint(self, edits: Edits) -> None:
        """Paint the frames, and list the boxes."""
        from nadie.files.containers.image.pages import give_edits  # needs the extra `scan`

        give_edits(self._text, edits)
        painted, count = self._pixels.paint(), len(self._pixels.frames)
        self.account.counted.append(f"a DICOM file {'with' if count else 'without'} text in its pixels")
        self.account.remarks.append(f"pixel data: text in {count} of {self._pixels.count} frames")
        for number, boxes in painted.items():
            places = "; ".join("{:.0f},{:.0f} to {:.0f},{:.0f}".format(*box.bounds()) for box in boxes)
            self.account.remarks.append(f"pixel data: painted in frame {number}: {places}")
        if "BurnedInAnnotation" in self._dataset or painted:
            self._dataset.BurnedInAnnotation = "NO"

    def _blank(self, keyword: str) -> None:
        dataset = self._dataset
        if dataset.file_meta.TransferSyntaxUID.is_compressed:
            bits = int(dataset.get("BitsAllocated", 8))
            counts = (int(dataset.get(key, 1) or 1) for key in ("Rows", "Columns", "SamplesPerPixel", "NumberOfFrames"))
            size = (bits + 7) // 8
            for count in counts:
                size *= count
            self._source.budget.spend(size, self._source.where)
            if dataset.get("PhotometricInterpretation", "").startswith("YBR"):
                dataset.PhotometricInterpretation = "RGB"
            dataset.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
            dataset[keyword].is_undefined_length = False
            dataset[keyword].VR = "OW" if bits > 8 else "OB"
        else:
            size = len(dataset[keyword].value)
        dataset[keyword].value = bytes(size + size % 2)

    def _open_document(self) -> None:
        """Open the encapsulated document by its format."""
        if "EncapsulatedDocument" not in self._dataset:
            return
        content = bytes(self._dataset.EncapsulatedDocument)
        length = self._dataset.get("EncapsulatedDocumentLength", None)
        content = content[: int(length)] if length else content.removesuffix(b"\0")
        suffix = _SUFFIXES.get(str(self._dataset.get("MIMETypeOfEncapsulatedDocument", "")).lower(), "bin")
        self._members.add(f"document.{suffix}", content)

    def _finish(self, has_shifted: bool) -> None:
        """Record the de-identification in the file, as the standard requires."""
        dataset, meta = self._dataset, self._dataset.file_meta
        dataset.preamble = bytes(128)
        for element in [each for each in meta if each.keyword not in _META_KEPT]:
            del meta[element.tag]
        if "SOPInstanceUID" in dataset:
            meta.MediaStorageSOPInstanceUID = dataset.SOPInstanceUID
        elif "MediaStorageSOPInstanceUID" in meta:
            meta.MediaStorageSOPInstanceUID = self._uid(meta.MediaStorageSOPInstanceUID)
        dataset.PatientIdentityRemoved = "YES"
        dataset.DeidentificationMethod = "nadie, DICOM PS3.15 basic profile"
        dataset.LongitudinalTemporalInformationModified = "MODIFIED" if has_shifted else "REMOVED"
        codes = []
        cleaned = [_PIXELS_CLEANED] if self._pixels is not None else []
        for value, meaning in (*_METHODS, *cleaned, *([_SHIFTED] if has_shifted else [])):
            code = Dataset()
            code.CodeValue, code.CodingSchemeDesignator, code.CodeMeaning = value, "DCM", meaning
            codes.append(code)
        dataset.DeidentificationMethodCodeSequence = codes


def _read_pixels(dataset: Any, keyword: str, source: Source) -> Any:
    """The frames with their text; an error if they cannot be decoded or the extra `scan` is not installed."""
    if keyword != "PixelData":
        raise FormatError("has pixel data that are no image", where=source.where)
    try:
        from nadie.files.containers.dicom.pixels import Pixels
    except ImportError:
        reason = "has pixel data that may show text: the extra `scan` reads it, or"
        raise FormatError(reason, where=source.where) from None
    return Pixels(dataset, source)


def _set(element: Any, values: list[Any]) -> None:
    element.value = values if len(values) > 1 else values[0] if values else None


def _values(element: Any) -> list[Any]:
    if element.value is None or element.value == "":
        return []
    return list(element.value) if element.VM > 1 else [element.value]
