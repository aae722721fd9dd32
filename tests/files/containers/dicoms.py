"""DICOM files for tests, made with pydicom, and all that can be read in one."""

from __future__ import annotations

import io
from collections.abc import Iterable
from pathlib import Path

import pydicom
from pydicom.dataset import Dataset, FileDataset, FileMetaDataset
from pydicom.sequence import Sequence
from pydicom.uid import UID, ExplicitVRLittleEndian

from . import pdfs

STUDY, INSTANCE = "1.2.826.0.1.3680043.8.498.1970", "1.2.826.0.1.3680043.8.498.1970.1"
IMAGE, REPORT = "1.2.840.10008.5.1.4.1.1.7", "1.2.840.10008.5.1.4.1.1.88.11"
PDF = "1.2.840.10008.5.1.4.1.1.104.1"


def new(kind: str = REPORT, charset: str = "ISO_IR 100") -> FileDataset:
    meta = FileMetaDataset()
    meta.MediaStorageSOPClassUID, meta.MediaStorageSOPInstanceUID = UID(kind), UID(INSTANCE)
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    meta.SourceApplicationEntityTitle = "MUNOZ"
    dataset = FileDataset("", {}, file_meta=meta, preamble=b"Ana Munoz".ljust(128, b"\0"))
    dataset.SpecificCharacterSet = charset
    dataset.SOPClassUID, dataset.SOPInstanceUID, dataset.StudyInstanceUID = kind, INSTANCE, STUDY
    dataset.PatientName, dataset.PatientID, dataset.PatientBirthDate = "Muñoz^Ana", "7654321", "19700305"
    dataset.StudyDate, dataset.StudyTime, dataset.ContentDate = "20240311", "101500", "20240312"
    dataset.Modality, dataset.Manufacturer = "OT", "Fabricante"
    dataset.ReferringPhysicianName, dataset.InstitutionName = "Quirós^José", "Hospital de Lugo"
    dataset.StudyDescription = "Tórax de Ana Muñoz, sin hallazgos"
    dataset.PatientComments = "La trae su hija. Ana Muñoz vive en Lugo."
    dataset.AccessionNumber, dataset.PatientAge = "A7654321", "054Y"
    block = dataset.private_block(0x0011, "MUÑOZ", create=True)
    block.add_new(1, "LO", "Ana Muñoz")
    return dataset


def item(**values: object) -> Dataset:
    dataset = Dataset()
    for key, value in values.items():
        setattr(dataset, key, value)
    return dataset


def report() -> FileDataset:
    """A structured report with a sentence and a name in nested items."""
    dataset = new()
    code = item(CodeValue="121071", CodingSchemeDesignator="DCM", CodeMeaning="Finding")
    inner = item(ValueType="TEXT", ConceptNameCodeSequence=[code], TextValue="Vista Ana Muñoz, sin cambios")
    person = item(ValueType="PNAME", PersonName="Muñoz^Ana")
    dataset.ContentSequence = Sequence([item(ValueType="CONTAINER", ContentSequence=Sequence([inner, person]))])
    dataset.ReferencedStudySequence = [item(ReferencedSOPInstanceUID=STUDY, ReferencedSOPClassUID=REPORT)]
    return dataset


def image(burned_in: str = "") -> FileDataset:
    dataset = new(IMAGE)
    dataset.Rows, dataset.Columns, dataset.SamplesPerPixel, dataset.BitsAllocated = 2, 2, 1, 8
    dataset.BitsStored, dataset.HighBit, dataset.PixelRepresentation = 8, 7, 0
    dataset.PhotometricInterpretation, dataset.PixelData = "MONOCHROME2", b"\1\2\3\4"
    if burned_in:
        dataset.BurnedInAnnotation = burned_in
    return dataset


def saved(dataset: FileDataset) -> bytes:
    file = io.BytesIO()
    dataset.save_as(file, enforce_file_format=True)
    return file.getvalue()


def reopened(content: bytes) -> FileDataset:
    return pydicom.dcmread(io.BytesIO(content))


def dump(content: bytes, folder: Path) -> str:
    """What dcmdump of DCMTK reads."""
    return pdfs.tool("dcmdump", "+L", "FILE", content=content, suffix=".dcm", folder=folder).decode("utf-8", "replace")


def left(content: bytes, values: Iterable[str], folder: Path) -> list[str]:
    """Which of the values can still be read in a file."""
    texts = [content.decode(encoding, "replace") for encoding in ("utf-8", "cp1252")] + [dump(content, folder)]
    return [value for value in values if any(value in text for text in texts)]
