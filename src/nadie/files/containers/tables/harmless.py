"""Proofs that a cell identifies nobody: an answer, a unit, a measurement, a code of a classification.

A proof is about the cell alone, so that it also holds for rows that were not examined. Numbers without decimals are
never harmless by themselves: a record number looks like a count.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from stdnum import luhn, verhoeff

from nadie.files.containers.prose import is_identifier
from nadie.files.containers.tables import column_limits
from nadie.spanish.folding import fold

Proof = Callable[[str], bool]

MISSING = frozenset("- -- --- . ? na n/a nan nd n/d nc ns nr null none <na> #n/a #n/d".split())
_ANSWERS = frozenset(
    """
    si no s n y yes true false verdadero falso 0 1 positivo negativo positiva negativa positive negative pos neg + ++
    +++ ++++ normal anormal normales alterado alterada patologico patologica indeterminado desconocido desconocida
    unknown pendiente presente ausente leve moderado moderada grave severo severa mild moderate severe agudo aguda
    cronico cronica izquierdo izquierda derecho derecha izq dcha dcho der bilateral left right bajo baja medio media
    alto alta low high nunca siempre fumador fumadora exfumador exfumadora urgente programado programada estable
    inestable o+ o- a+ a- b+ b- ab+ ab-
    """.split()
) | {"no consta", "no procede", "no valorable", "no realizado", "no fumador", "no fumadora", "a veces"}
_UNITS = frozenset(
    """
    % ‰ g gr kg mg µg mcg ug ng pg l dl ml µl ul fl mmol µmol umol nmol pmol mol meq mosm u ui iu mui ku °c ºc mm cm m
    m2 cc ml/min ml/h l/min mmhg cmh2o kpa bpm lpm rpm ms s seg min mv kg/m2 g/dl g/l mg/dl mg/l mg/g mg/kg µg/dl
    ug/dl µg/l ug/l mcg/l ng/dl ng/ml ng/l pg/ml mmol/l µmol/l umol/l nmol/l pmol/l meq/l mosm/kg u/l u/ml ui/l iu/l
    ui/ml mui/ml mui/l µui/ml ml/min/1.73m2 ml/min/1,73m2 x10e3/µl x10e3/ul 10e3/ul 10^3/ul 10^3/µl 10^9/l 10e9/l
    10^6/ul 10e6/ul /ul /µl /mm3 copias/ml mm/h
    """.split()
)
_NUMBER = re.compile(r"[<>≤≥~]?=? ?[-+]?(?P<whole>\d+)(?:[.,](?P<fraction>\d+))?")
_QUANTITY = re.compile(r"(?P<number>[^a-zµ%‰°º/]*\d)\s*(?P<unit>\S+)", re.IGNORECASE)
_PRESSURE = re.compile(r"\d{2,3} ?/ ?\d{2,3}")
_SYSTEMS = {
    "cie": re.compile(r"[A-TV-Z]\d[0-9AB](?:\.?[0-9A-Z]{1,4})?|[VE]?\d{2,3}\.\d{1,2}|\d{3}", re.I),
    "atc": re.compile(r"[A-Z](?:\d\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?)?", re.I),
    "loinc": re.compile(r"\d{1,5}-\d"),
    "snomed": re.compile(r"\d{6,18}"),
}
_CHECKED = {"loinc": luhn, "snomed": verhoeff}


def is_missing(value: str) -> bool:
    """Whether a cell says that there is no value."""
    return not value.strip() or fold(value.strip()) in MISSING


def is_answer(value: str) -> bool:
    """Whether it is one of the usual answers to a clinical question."""
    return fold(value.strip()) in _ANSWERS or is_missing(value)


def is_unit(value: str) -> bool:
    """Whether it is a unit, in a column whose name says that it has units: `MG` may also be a person's initials."""
    return value.strip().lower() in _UNITS or is_missing(value)


def is_number(value: str) -> bool:
    """Whether it is a number of the size of a measurement, in a column of numbers with decimals."""
    limits = column_limits.LIMITS
    return (_fits(value, limits.integer_digits) and _fraction(value) <= limits.fraction_digits) or is_missing(value)


def is_quantity(value: str) -> bool:
    """Whether it is a number with a unit."""
    match = _QUANTITY.fullmatch(value.strip())
    return is_missing(value) if match is None else is_number(match["number"]) and match["unit"].lower() in _UNITS


def is_measurement(value: str) -> bool:
    """Whether it is a number, with or without a unit, in a column whose name says that it is measured."""
    is_pressure = _PRESSURE.fullmatch(value.strip()) is not None
    is_plain = _fits(value, column_limits.LIMITS.integer_digits)
    return is_plain or is_pressure or is_quantity(value) or is_answer(value)


def is_count(value: str) -> bool:
    """Whether it is a larger number, in a column whose name says that it is a count."""
    return _fits(value, column_limits.LIMITS.count_digits) or is_measurement(value)


def decimals_of(value: str) -> str:
    """The digits after the decimal sign, none if they are all zero: `12345.0` is a whole number."""
    match = _NUMBER.fullmatch(value.strip())
    fraction = (match["fraction"] or "") if match else ""
    return fraction if fraction.strip("0") else ""


def _fits(value: str, digits: int) -> bool:
    """Whether it is a number with at most this many digits before the decimal sign."""
    match = _NUMBER.fullmatch(value.strip())
    return match is not None and len(match["whole"]) <= digits


def _fraction(value: str) -> int:
    match = _NUMBER.fullmatch(value.strip())
    return len(match["fraction"] or "") if match else 0


def is_code_of(system: str) -> Proof:
    """The proof for one or several codes of a system, with their check digit if they have one."""
    pattern, check = _SYSTEMS[system], _CHECKED.get(system)

    def proof(value: str) -> bool:
        codes = re.split(r"[;,|/\s]+", value.strip())
        if is_identifier(value):  # codes of ICD-9 may look like a telephone
            return False
        return is_missing(value) or all(
            pattern.fullmatch(code) and (check is None or check.is_valid(code.replace("-", ""))) for code in codes
        )

    return proof
