"""The Basic Application Level Confidentiality Profile of DICOM (PS3.15 Annex E): the action for each attribute."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from nadie.files.containers.names import is_personal
from nadie.labels import Label

FREE_TEXT = frozenset({"LO", "SH", "ST", "LT", "UT", "UC", "UR"})
_NUMBERS = frozenset("AS AT DS IS FL FD SL SS SV UL US UV OW OF OD OL OV".split())
_DATES = frozenset({"DA", "DT", "TM"})
_BYTES_KEPT = frozenset({"PixelData", "ICCProfile", "WaveformData", "FileMetaInformationVersion"})
_IS_CODE = re.compile(r"[A-Z0-9 _]{0,16}|\[[A-Z0-9 _',]*\]")  # one code, or several as pydicom prints them
_TABLE = "data/confidentiality_profile.tsv"


class Action(StrEnum):
    """The action for an attribute. Of alternatives (X/Z, X/D) the one that keeps the file valid is used."""

    REMOVE = "X"
    EMPTY = "Z"
    DUMMY = "D"
    UID = "U"
    CLEAN = "C"
    KEEP = "K"


@cache
def _actions() -> dict[int, Action]:
    rows = files("nadie.files.containers.dicom").joinpath(_TABLE).read_text(encoding="utf-8").splitlines()[1:]
    found: dict[int, Action] = {}
    for row in rows:
        tag, _, basic, clean = row.split("\t")
        code = clean or ("K" if basic.endswith("*") else basic[-1])
        found[int(tag, 16)] = Action(code)
    return found


def action_for(element: Any) -> Action:
    """The action for an element; unlisted elements are kept only if they cannot contain text, otherwise cleaned."""
    tag, vr = element.tag, element.VR
    if tag.is_private or tag.group & 0xFF00 in (0x5000, 0x6000) or not element.keyword or vr == "UN":
        return Action.REMOVE
    known = _actions().get(int(tag))
    if known is not None:
        return known
    if vr in FREE_TEXT:
        return Action.CLEAN
    if vr == "CS":
        value = str(element.value or "")
        return Action.REMOVE if is_personal(value) or not _IS_CODE.fullmatch(value) else Action.KEEP
    if vr in _NUMBERS or vr == "SQ" or (vr.startswith("O") and element.keyword in _BYTES_KEPT):
        return Action.KEEP
    if vr in _DATES:
        return Action.EMPTY
    # Classes and transfer syntaxes are in the standard's list of UIDs; any other UID identifies an instance.
    return Action.UID if vr == "UI" else Action.EMPTY if vr == "PN" else Action.REMOVE


def label_of(element: Any) -> Label | None:
    """The label of an element that is a whole identifier: its value is then also searched in the free text."""
    keyword = element.keyword
    if element.VR == "PN":
        is_patient = "Patient" in keyword and "Physician" not in keyword
        return Label.NOMBRE_SUJETO_ASISTENCIA if is_patient else Label.NOMBRE_PERSONAL_SANITARIO
    if element.VR in ("DA", "DT"):
        return Label.FECHAS
    return _LABELS.get(keyword)


_LABELS: dict[str, Label] = {
    "PatientID": Label.ID_SUJETO_ASISTENCIA,
    "OtherPatientIDs": Label.ID_SUJETO_ASISTENCIA,
    "InstitutionName": Label.HOSPITAL,
    "InstitutionAddress": Label.CALLE,
    "PatientAddress": Label.CALLE,
    "PatientTelephoneNumbers": Label.NUMERO_TELEFONO,
    "ReferringPhysicianTelephoneNumbers": Label.NUMERO_TELEFONO,
    "CountryOfResidence": Label.PAIS,
    "AccessionNumber": Label.ID_CONTACTO_ASISTENCIAL,
    "AdmissionID": Label.ID_CONTACTO_ASISTENCIAL,
}
