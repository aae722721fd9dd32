"""HL7 v2 segments and data types from a table, and the meaning of their fields and components.

`scripts/build_hl7_types.py` makes the table.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import NamedTuple

from nadie.labels import Label

KEEP = "keep"
CODE = "code"
SEARCH = "search"
FAMILY = "family"
GIVEN = "given"
IDENTIFIER = "identifier"
DATE = "date"
CONTROL = "control"
SEX = "sex"

STAFF_SEGMENTS = frozenset({"STF", "PRA", "PRD", "CTD", "ROL", "EVN"})
OWNERS = {"IN1": "Coverage", "IN2": "Coverage", "PV1": "Encounter", "PV2": "Encounter", "OBX": "Device"}
"""Whose identifiers a segment has; in all other segments they are the patient's."""
VISITS = frozenset({("PID", 18)})

_CODES = frozenset({"ID", "IS"})
_CLINICAL = frozenset("NM SI VID PT MSG TM CQ MO CP SN FC ELD SPD ERL GTS OG".split())
_DATES = frozenset({"DT", "DTM"})
_ROLES: dict[str, dict[int, str]] = {
    "AD": {
        1: Label.CALLE, 2: Label.CALLE, 3: Label.TERRITORIO, 4: Label.TERRITORIO, 5: Label.TERRITORIO, 6: Label.PAIS,
    },
    "AUI": {1: Label.OTRO_NUMERO_IDENTIF},
    "CE": {1: KEEP, 4: KEEP},
    "CNE": {1: KEEP, 4: KEEP, 7: KEEP, 8: KEEP},
    "CNN": {1: IDENTIFIER, 2: FAMILY, 3: GIVEN, 4: GIVEN},
    "CWE": {1: KEEP, 4: KEEP, 7: KEEP, 8: KEEP},
    "CX": {1: IDENTIFIER, 2: KEEP},
    "DLN": {1: Label.ID_SUJETO_ASISTENCIA},
    "EI": {1: Label.OTRO_NUMERO_IDENTIF},
    "FN": {1: FAMILY, 2: FAMILY, 3: FAMILY, 4: FAMILY, 5: FAMILY},
    "PL": {4: Label.HOSPITAL},
    "PLN": {1: Label.ID_TITULACION_PERSONAL_SANITARIO},
    "PPN": {1: IDENTIFIER, 2: FAMILY, 3: GIVEN, 4: GIVEN},
    "SAD": {1: Label.CALLE, 2: Label.CALLE, 3: Label.CALLE},
    "XAD": {
        1: Label.CALLE, 2: Label.CALLE, 3: Label.TERRITORIO, 4: Label.TERRITORIO, 5: Label.TERRITORIO, 6: Label.PAIS,
        8: Label.TERRITORIO, 9: Label.TERRITORIO,
    },
    "XCN": {1: IDENTIFIER, 2: FAMILY, 3: GIVEN, 4: GIVEN},
    "XON": {1: Label.HOSPITAL},
    "XPN": {1: FAMILY, 2: GIVEN, 3: GIVEN},
    "XTN": {
        1: Label.NUMERO_TELEFONO, 4: Label.CORREO_ELECTRONICO, 5: Label.NUMERO_TELEFONO, 6: Label.NUMERO_TELEFONO,
        7: Label.NUMERO_TELEFONO, 8: Label.NUMERO_TELEFONO, 12: Label.NUMERO_TELEFONO,
    },
}  # fmt: skip
_FIELDS: dict[tuple[str, int], str] = {
    ("BHS", 2): KEEP, ("BTS", 1): KEEP, ("FHS", 2): KEEP, ("FTS", 1): KEEP, ("OBX", 7): KEEP, ("OBX", 8): KEEP,
    ("BHS", 4): Label.HOSPITAL, ("BHS", 6): Label.HOSPITAL, ("BHS", 11): CONTROL, ("BHS", 12): CONTROL,
    ("FHS", 4): Label.HOSPITAL, ("FHS", 6): Label.HOSPITAL, ("FHS", 11): CONTROL, ("FHS", 12): CONTROL,
    ("GT1", 12): Label.ID_ASEGURAMIENTO, ("GT1", 19): Label.ID_SUJETO_ASISTENCIA,
    ("IN1", 4): Label.INSTITUCION, ("IN1", 8): Label.NUMERO_BENEF_PLAN_SALUD, ("IN1", 36): Label.ID_ASEGURAMIENTO,
    ("IN2", 2): Label.ID_ASEGURAMIENTO, ("IN2", 6): Label.ID_ASEGURAMIENTO, ("IN2", 8): Label.ID_ASEGURAMIENTO,
    ("IN2", 10): Label.ID_ASEGURAMIENTO, ("IN2", 61): Label.ID_ASEGURAMIENTO, ("IN2", 62): Label.ID_ASEGURAMIENTO,
    ("MSA", 2): CONTROL, ("MSH", 2): KEEP, ("MSH", 4): Label.HOSPITAL, ("MSH", 6): Label.HOSPITAL,
    ("MSH", 10): CONTROL, ("NK1", 37): Label.ID_ASEGURAMIENTO,
    ("PID", 8): SEX, ("PID", 12): Label.TERRITORIO, ("PID", 19): Label.ID_ASEGURAMIENTO,
    ("PID", 23): Label.TERRITORIO, ("RXA", 15): Label.IDENTIF_DISPOSITIVOS_NRSERIE, ("TXA", 16): SEARCH,
}  # fmt: skip
_SYSTEMS = frozenset("LN SCT SNM SNM3 I9 I9C I10 I10C ICD10 I10P ICD10PCS UCUM ISO+ ATC CVX NDC RXNORM C4 CPT4".split())


class Tables(NamedTuple):
    """The data types of the fields of segments and of the components of data types, in order."""

    segments: dict[str, list[str]]
    types: dict[str, list[str]]


@cache
def tables() -> Tables:
    found = Tables({}, {})
    for line in files(__package__).joinpath("hl7_types.tsv").read_text("ascii").splitlines():
        what, name, kinds = line.split("\t")
        (found.segments if what == "segment" else found.types)[name] = kinds.split()
    return found


def type_of_field(segment: str, number: int) -> str | None:
    """The data type of a field, or None if the standard does not define it."""
    kinds = tables().segments.get(segment, [])
    return kinds[number - 1] if number <= len(kinds) else None


def role_of_field(segment: str, number: int) -> str | None:
    """The meaning of a field beyond its data type, such as a label for the whole field."""
    return _FIELDS.get((segment, number))


def components(kind: str) -> list[str] | None:
    """The data types of the components, or None for a data type without any."""
    return tables().types.get(kind)


def role_of(kind: str, number: int = 0) -> str | None:
    """The role of a component of a data type, or of a value of a simple type; None if the type has components."""
    if number:
        special = _ROLES.get(kind, {}).get(number)
        if special:
            return special
        kinds = tables().types.get(kind, [])
        return role_of(kinds[number - 1]) if number <= len(kinds) else SEARCH
    if kind in _DATES:
        return DATE
    if kind in _CODES:
        return CODE
    if kind in _CLINICAL:
        return KEEP
    return None if kind in tables().types else SEARCH


def is_terminology(system: str) -> bool:
    """Whether a coding system is public, so that its texts are terms and never names of persons or places."""
    return system.upper() in _SYSTEMS or system.upper().startswith("HL7")
