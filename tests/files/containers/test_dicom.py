"""DICOM: the basic profile attribute by attribute, free text searched, pixels refused, blanked or kept and listed."""

from __future__ import annotations

import io
from datetime import datetime
from pathlib import Path

import pytest
from pydicom.uid import UID, DeflatedExplicitVRLittleEndian, ExplicitVRLittleEndian, ImplicitVRLittleEndian, RLELossless

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.detectors.patterns import Patterns
from nadie.errors import FormatError
from nadie.files.container import Account, OpenOptions
from nadie.files.recognition import open_as
from nadie.files.source import Budget, Source
from nadie.options import Images
from nadie.run.pipeline import Pipeline

from . import dicoms, pdfs
from .helpers import anonymized, opened, run_files

NAME = {"Ana Muñoz": "[NOMBRE]"}
KEY = OpenOptions(secret=b"k" * 32)
PLANTED = (
    "Muñoz", "MUÑOZ", "Munoz", "MUNOZ", "7654321", "1970", "Quirós", "Lugo", "20240311", "20240312", "054Y", "101500",
)  # fmt: skip


def done(dataset: object, options: OpenOptions = KEY) -> tuple[bytes, Account]:
    return anonymized(dicoms.saved(dataset), "a.dcm", NAME | {"Lugo": "[LUGAR]"}, options)  # type: ignore[arg-type]


def test_the_basic_profile(tmp_path: Path) -> None:
    assert set(dicoms.left(dicoms.saved(dicoms.report()), PLANTED, tmp_path)) > {"Muñoz", "1970", "7654321"}
    copy, account = done(dicoms.report())
    assert dicoms.left(copy, PLANTED, tmp_path) == []
    dataset = dicoms.reopened(copy)
    assert dataset.preamble == bytes(128)
    assert (dataset.Modality, dataset.Manufacturer, dataset.SOPClassUID) == ("OT", "Fabricante", dicoms.REPORT)
    assert (dataset.StudyDescription, dataset.AccessionNumber) == ("Tórax de [NOMBRE], sin hallazgos", "[CAMPO]")
    assert dataset.PatientComments == "La trae su hija. [NOMBRE] vive en [LUGAR]."
    assert (dataset.PatientName, dataset.PatientID) == ("[CAMPO]", "[CAMPO]")
    assert (dataset.StudyDate, dataset.StudyTime, dataset.PatientBirthDate) == ("", "", "")
    assert "PatientAge" not in dataset
    assert not any(element.tag.is_private for element in dataset)
    told = dataset.PatientIdentityRemoved, dataset.LongitudinalTemporalInformationModified
    assert told == ("YES", "REMOVED")
    assert [code.CodeValue for code in dataset.DeidentificationMethodCodeSequence] == ["113100", "113105"]
    assert "(0012,0062) CS [YES]" in dicoms.dump(copy, tmp_path)
    assert (account.failures, account.uncovered) == ([], [])


def test_codes_that_are_none_are_removed() -> None:
    dataset = dicoms.new()
    dataset.BodyPartExamined, dataset.ImageType, dataset.PatientPosition = "de Ana", ["ORIGINAL", "PRIMARY"], "HFS"
    dataset.ScanOptions, dataset.Laterality = ["HEAD NECK"], "12345678Z"
    again = dicoms.reopened(done(dataset)[0])
    assert "BodyPartExamined" not in again
    assert "Laterality" not in again
    assert again.ScanOptions == "HEAD NECK"
    assert (list(again.ImageType), again.PatientPosition) == (["ORIGINAL", "PRIMARY"], "HFS")


def test_nested_items() -> None:
    dataset = dicoms.reopened(done(dicoms.report())[0])
    text, person = dataset.ContentSequence[0].ContentSequence
    assert text.TextValue == "Vista [NOMBRE], sin cambios"
    assert text.ConceptNameCodeSequence[0].CodeMeaning == "Finding"
    assert person.PersonName == "[CAMPO]"


def test_uids_are_the_same_for_the_same_key() -> None:
    first, again = (dicoms.reopened(done(dicoms.report())[0]) for _ in range(2))
    other = dicoms.reopened(done(dicoms.report(), OpenOptions(secret=b"x" * 32))[0])
    assert first.StudyInstanceUID == again.StudyInstanceUID != other.StudyInstanceUID
    assert first.StudyInstanceUID.is_valid
    assert first.StudyInstanceUID.startswith("2.25.")
    assert first.file_meta.MediaStorageSOPInstanceUID == first.SOPInstanceUID != dicoms.INSTANCE


@pytest.mark.parametrize("charset", ["ISO_IR 100", "ISO_IR 192"])
@pytest.mark.parametrize("syntax", [ExplicitVRLittleEndian, ImplicitVRLittleEndian])
def test_character_sets_and_syntaxes(charset: str, syntax: UID, tmp_path: Path) -> None:
    dataset = dicoms.new(charset=charset)
    dataset.file_meta.TransferSyntaxUID = syntax
    file = io.BytesIO()
    dataset.save_as(file, enforce_file_format=True)
    copy, _ = anonymized(file.getvalue(), "a.dcm", {"Ana Muñoz": "Íñigo €"}, KEY)
    again = dicoms.reopened(copy)
    assert again.StudyDescription == "Tórax de Íñigo €, sin hallazgos"
    assert again.file_meta.TransferSyntaxUID == syntax
    assert dicoms.left(copy, ("Muñoz",), tmp_path) == []


def test_dates_move_where_the_policy_moves_them(tmp_path: Path) -> None:
    """With a key, two files of a patient are moved by the same days, and get the same name."""
    for number, day in enumerate(("20240311", "20240325")):
        dataset = dicoms.report()
        dataset.StudyDate = day
        (tmp_path / f"{number}.dcm").write_bytes(dicoms.saved(dataset))
    pipeline = Pipeline(Patterns(), Engine(read_policy("research"), Key(b"k" * 32)))
    paths = [tmp_path / "0.dcm", tmp_path / "1.dcm"]
    assert [each.account.failures for each in run_files(paths, tmp_path / "out", pipeline=pipeline)] == [[], []]
    first, second = (dicoms.reopened((tmp_path / "out" / path.name).read_bytes()) for path in paths)
    days = [datetime.strptime(each, "%Y%m%d") for each in (first.StudyDate, first.ContentDate, second.StudyDate)]
    assert [(day - days[0]).days for day in days] == [0, 1, 14]
    assert days[0].year < 2024
    assert first.PatientName == second.PatientName
    assert first.PatientName.family_name
    assert first.PatientID == second.PatientID
    assert [code.CodeValue for code in first.DeidentificationMethodCodeSequence] == ["113100", "113105", "113107"]
    assert first.LongitudinalTemporalInformationModified == "MODIFIED"
    assert dicoms.left((tmp_path / "out/0.dcm").read_bytes(), ("Muñoz", "7654321", "20240311"), tmp_path) == []


@pytest.mark.parametrize(("burned_in", "says"), [("NO", "no text"), ("YES", "show text"), ("", "does not declare")])
def test_pixels_are_never_passed_unsaid(burned_in: str, says: str, tmp_path: Path) -> None:
    content = dicoms.saved(dicoms.image(burned_in))
    copy, account = anonymized(content, "a.dcm", {})
    assert dicoms.reopened(copy).PixelData == b"\1\2\3\4"
    assert "pixel data: text in 0 of 1 frames" in account.remarks
    assert not account.uncovered
    if burned_in != "NO":
        with pytest.raises(FormatError, match="has pixel data that may show text"):
            opened(content, "a.dcm", OpenOptions(images=Images.REFUSE))
        copy, account = anonymized(content, "a.dcm", {}, OpenOptions(images=Images.BLANK))
        assert dicoms.reopened(copy).PixelData == bytes(4)
        assert [place for place, _ in account.uncovered] == ["pixel data"]
    copy, account = anonymized(content, "a.dcm", {}, OpenOptions(images=Images.KEEP))
    assert dicoms.reopened(copy).PixelData == b"\1\2\3\4"
    assert says in account.uncovered[0].reason
    assert dicoms.left(copy, ("Quirós", "7654321"), tmp_path) == []


def test_compressed_pixels_are_blanked() -> None:
    dataset = dicoms.image("YES")
    dataset.compress(RLELossless)
    copy, _ = anonymized(dicoms.saved(dataset), "a.dcm", {}, OpenOptions(images=Images.BLANK))
    again = dicoms.reopened(copy)
    assert (again.PixelData, again.file_meta.TransferSyntaxUID) == (bytes(4), ExplicitVRLittleEndian)


def test_a_document_inside(tmp_path: Path) -> None:
    dataset = dicoms.new(dicoms.PDF)
    inside = pdfs.of("BT /F1 12 Tf 50 700 Td (Vista Ana Muñoz) Tj ET")
    dataset.EncapsulatedDocument = inside + b"\0" * (len(inside) % 2)
    dataset.EncapsulatedDocumentLength, dataset.MIMETypeOfEncapsulatedDocument = len(inside), "application/pdf"
    copy, _ = done(dataset)
    again = dicoms.reopened(copy)
    document = again.EncapsulatedDocument[: again.EncapsulatedDocumentLength]
    assert "Vista [NOMBRE]" in pdfs.shown(document, tmp_path)
    assert pdfs.left(document, ("Muñoz",), tmp_path) == []
    dataset.EncapsulatedDocument, dataset.EncapsulatedDocumentLength = b"Rar!\x1a\x07\0\0", 8
    with pytest.raises(FormatError, match=r"is named \.pdf but is a RAR archive"):
        opened(dicoms.saved(dataset), "a.dcm")


def test_damaged_files() -> None:
    content = dicoms.saved(dicoms.report())
    for damaged in (content[:140], content[:300], content[:128] + b"DICM", content[: content.index(b"hallazgos")]):
        with pytest.raises(FormatError):
            anonymized(damaged, "a.dcm", {}, KEY)
    part = dicoms.report()
    del part.SOPClassUID
    with pytest.raises(FormatError, match="does not say what object it is"):
        opened(dicoms.saved(part), "a.dcm")


def test_deflated_data_sets(tmp_path: Path) -> None:
    dataset = dicoms.report()
    dataset.file_meta.TransferSyntaxUID = DeflatedExplicitVRLittleEndian
    content = dicoms.saved(dataset)
    copy, _ = done(dataset)
    assert dicoms.reopened(copy).file_meta.TransferSyntaxUID == DeflatedExplicitVRLittleEndian
    assert dicoms.left(copy, PLANTED, tmp_path) == []
    with pytest.raises(FormatError, match="unpacks to more than"):
        open_as("dicom", Source("a.dcm", "a.dcm", None, content, budget=Budget(500)), KEY)


def test_text_in_another_character_set_than_the_file_says() -> None:
    content = dicoms.saved(dicoms.new(charset="ISO_IR 192"))
    for damaged in (content.replace("Muñoz".encode(), b"Mu\xf1oz "), content.replace(b"ISO_IR 192", b"ISO_IR 999")):
        with pytest.raises(FormatError, match="damaged"):
            opened(damaged, "a.dcm")


def test_sequences_in_sequences_end_somewhere() -> None:
    dataset = dicoms.new()
    inner = dicoms.item(TextValue="Ana Muñoz")
    for _ in range(40):
        inner = dicoms.item(ContentSequence=[inner])
    dataset.ContentSequence = [inner]
    with pytest.raises(FormatError, match="nests sequences more than 30 deep"):
        opened(dicoms.saved(dataset), "a.dcm")


def test_a_run_over_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.dcm").write_bytes(dicoms.saved(dicoms.report()))
    [done] = run_files([tmp_path / "a.dcm"], tmp_path / "out")
    assert done.title == "a DICOM file"
    assert dicoms.left((tmp_path / "out/a.dcm").read_bytes(), ("7654321", "1970", "Quirós"), tmp_path) == []
