"""Words in every attribute, field and element of DICOM, HL7 v2 and CDA files: none stays in a copy."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from pydicom._dicom_dict import DicomDictionary
from pydicom.dataset import Dataset
from pydicom.sequence import Sequence
from pydicom.uid import UID

from nadie.files.containers.health import hl7_types

from . import dicoms, pdfs
from .cda_files import cda
from .helpers import with_every_word_replaced
from .hl7_files import message
from .places import FORMS, NAMES, NUMBERS, Form, Places, surname

_TEXTS = frozenset({"AE", "CS", "LO", "LT", "PN", "SH", "ST", "UC", "UR", "UT"})
_SHORT = {"AE": 16, "CS": 16, "SH": 16}
_SKIPPED = frozenset("SpecificCharacterSet TransferSyntaxUID PixelData".split())


def attributes() -> Iterator[tuple[int, str, str]]:
    """The tag, the kind of value and the keyword of all attributes of the standard with text."""
    for tag, (kinds, _, _, _, keyword) in DicomDictionary.items():
        kind = kinds.split(" or ")[0]
        if kind in _TEXTS and keyword and keyword not in _SKIPPED and tag >> 16 > 2:
            yield tag, kind, keyword


def filled(p: Places, dataset: Dataset, prefix: str) -> None:
    for tag, kind, keyword in attributes():
        word = p(f"{prefix}{keyword}")
        value = word[: _SHORT.get(kind, 64)]
        dataset.add_new(tag, kind, value.upper() if kind == "CS" else value)


def dicom(p: Places) -> bytes:
    dataset = dicoms.new()
    filled(p, dataset, "")
    inner, deeper = Dataset(), Dataset()
    filled(p, inner, "item ")
    filled(p, deeper, "inner item ")
    inner.ContentSequence = Sequence([deeper])
    dataset.ContentSequence = Sequence([inner])
    dataset.OriginalAttributesSequence = Sequence([dicoms.item(ModifiedAttributesSequence=[inner_name(p)])])
    dataset.DigitalSignaturesSequence = Sequence([dicoms.item(CertificateOfSigner=p("certificate").encode())])
    dataset.file_meta.SourceApplicationEntityTitle = p("title of the source")[:16]
    dataset.file_meta.ImplementationVersionName = p("implementation")[:16]
    dataset.file_meta.PrivateInformationCreatorUID = UID("1.2.3")
    dataset.file_meta.PrivateInformation = p("private information").encode().ljust(40)
    dataset.preamble = p("preamble").encode().ljust(128, b"\0")
    block = dataset.private_block(0x0011, p("private creator"), create=True)
    for number, kind in enumerate(("LO", "UT", "PN", "SH"), start=1):
        block.add_new(number, kind, p(f"private {kind}")[:16])
    block.add_new(9, "OB", p("private bytes").encode().ljust(40))
    block.add_new(10, "SQ", [dicoms.item(PatientComments=p("private item"))])
    dataset.add_new(0x60003000, "OB", p("overlay").encode().ljust(40))
    dataset.add_new(0x60000022, "LO", p("description of the overlay"))
    dataset.add_new(0x50001234, "LO", p("curve"))
    dataset.add_new(0x00091001, "UN", p("unknown").encode().ljust(40))
    pdf = pdfs.new(f"BT /F1 12 Tf 50 700 Td ({p('page of the document')}) Tj ET")
    pdf.docinfo["/Title"] = p("title of the document")
    document = pdfs.saved(pdf)
    dataset.MIMETypeOfEncapsulatedDocument = "application/pdf"
    dataset.EncapsulatedDocument = document + b"\0" * (len(document) % 2)
    dataset.add_new(0xFFFCFFFC, "OB", p("padding").encode().ljust(40))
    return dicoms.saved(dataset)


def inner_name(p: Places) -> Dataset:
    return dicoms.item(PatientName=p("earlier name"), PatientID=p("earlier number"))


_NUMBERS = frozenset({"NM", "SI", "DT", "TM", "DTM", "TS"})


def field(p: Places, kind: str, place: str, separators: str = "^&") -> str:
    """A value of a data type with a word in each component that is not a number or a date, also of components."""
    kinds = hl7_types.components(kind)
    if kinds is None or not separators:
        return "" if kind in _NUMBERS else p(f"{place} {kind}")
    return separators[0].join(field(p, inner, f"{place}.{n}", separators[1:]) for n, inner in enumerate(kinds, start=1))


def hl7(p: Places) -> bytes:
    """A field of every data type with a word in each component, and each field that has a role of its own."""
    seen: set[str] = set()
    lines = [rf"MSH|^~\&|{p('application')}|{p('facility')}|{p('receiver')}|H|20240503||ORU^R01^ORU_R01|1|P|2.5.1"]
    for name, kinds in hl7_types.tables().segments.items():
        if name in ("MSH", "FHS", "BHS", "FTS", "BTS"):
            continue
        fields = []
        for n, kind in enumerate(kinds, start=1):
            is_new = kind not in seen or hl7_types.role_of_field(name, n) is not None
            place = f"{name}-{n}"
            fields.append("" if not is_new else p(place) if kind in ("varies", "ED") else field(p, kind, place))
            seen.add(kind)
        lines.append("|".join([name, *fields, p(f"{name} beyond the last field")]))
    lines.append(f"ZPI|{p('own field')}|{p('own component')}^{p('second component')}~{p('repetition')}")
    return message(*lines, encoding="utf-8").replace(b"|2.5.1", b"|2.5.1||||||UNICODE UTF-8", 1)


def record(p: Places) -> bytes:
    """A CDA document with a word in each text, and in each attribute that is not a code of the schema."""
    content = cda().decode()
    return re.sub(
        r"""( (?:value|extension|displayName|originalText|assigningAuthorityName|codeSystemName|nullFlavor)=")[^"]*"""
        r"|(>)[^<>]*[^\s<>][^<>]*(?=<)",
        lambda match: f"{match[1] or match[2]}{p(f'text {match.start()} {(match[1] or chr(32)).strip()}')}",
        content,
    ).encode()  # fmt: skip


@pytest.mark.filterwarnings("ignore:Invalid value for VR")
@pytest.mark.parametrize("form", FORMS)
def test_no_word_is_left_in_any_attribute(form: Form) -> None:
    places = Places(form)
    content = dicom(places)
    assert len(places.kept(content)) > 2500
    assert places.left(content, "a.dcm") == []


@pytest.mark.parametrize("form", [*NAMES, *NUMBERS])
def test_no_word_is_left_in_any_field(form: Form) -> None:
    """Numbers stay where a code is expected."""
    places = Places(form)
    content = hl7(places)
    assert len(places.kept(content)) > 800
    assert places.left(content, "a.hl7") == []


@pytest.mark.parametrize("form", FORMS)
def test_no_word_is_left_in_any_element(form: Form) -> None:
    places = Places(form)
    content = record(places)
    assert len(places.kept(content)) > 50
    assert places.left(content, "a.xml") == []


def test_a_reference_to_a_text_is_no_place_for_a_name() -> None:
    content = cda().replace(b'"#p1"', b'"#informe-%s"' % surname(10_000).encode())
    assert surname(10_000).encode() not in with_every_word_replaced(content, "a.xml")[0]
