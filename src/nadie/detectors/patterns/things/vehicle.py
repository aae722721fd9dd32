"""Number plates and chassis numbers of vehicles."""

from __future__ import annotations

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label
from nadie.spanish.check_digits import CONSONANTS, chassis

_ID = Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS
_PLATE_CUE = (
    r"matricula(?:do|da)?(?: del? (?:vehiculo|coche|moto|turismo))?|patente|placas?(?: patente)?|vehiculo|"
    r"coche|turismo|motocicleta|moto|furgoneta|camion|ambulancia|dominio"
)
_PLATE_LETTERS = r"(?:[a-ce-z][a-z]|d[a-df-z]|[a-z]{3,4})"  # two that are not the word `de`, or more


def _vin_holds(value: str) -> bool:
    """North America's check digit, the ninth character, which European makers need not keep."""
    return 3 <= len(digits_of(value)) <= 14 and value[8].upper() == chassis(value.upper())


PATTERNS = (
    # Spain since 2000: four digits, three consonants.
    Shape("plate", _ID, rf"\b(\d{{4}}[ -]?[{CONSONANTS}]{{3}})\b", score=0.7, cue=_PLATE_CUE),
    # Spain before: province, digits, letters.
    Shape("plate_old", _ID, r"\b([A-Z]{1,2}[ -]\d{4}[ -][A-Z]{1,2})\b", score=0.75, cue=_PLATE_CUE),
    # Mercosur: Argentina AB 123 CD, Brazil ABC1D23.
    Shape("plate_mercosur", _ID, r"\b([A-Z]{2} ?\d{3} ?[A-Z]{2}|[A-Z]{3}\d[A-Z]\d{2})\b", score=0.45, cue=_PLATE_CUE),
    Field(
        "plate_cued",
        _ID,
        (
            r"matricula(?: (?:del? )?(?:vehiculo|coche|moto|turismo|taxi))?|patente|placas?(?: (?:patente|"
            r"del? (?:vehiculo|coche|auto|carro|moto)))?|dominio"
        ),
        (
            r"[a-z]{3}-\d{2}-\d{2}|[a-z]{1,2} ?-? ?\d{4} ?-? ?[a-z]{1,3}\b|"
            rf"{_PLATE_LETTERS}[ -]{{0,2}}\d{{2,4}}[ -]?[a-z]{{0,2}}|"
            r"\d{3,4}[ -]?[a-z]{2,3}"
        ),
        score=0.93,
        digits=2,
    ),
    # A vehicle and a code of letters and digits after it.
    Field(
        "vehicle",
        _ID,
        r"vehiculo|transporte|ambulancia|movil|coche|turismo|moto|auto|carro|camion|furgoneta",
        r"(?-i:[A-Z]{2,4}[ -]\d{2,4}[A-Z]?|[A-Z]{1,2}[ -]\d{4}[ -]?[A-Z]{1,2}|\d{4}[ -]?[A-Z]{3})\b",
        score=0.85,
        digits=2,
    ),
    # Chassis numbers: seventeen characters without I, O and Q.
    Shape("vin", _ID, r"\b([A-HJ-NPR-Z0-9]{13}\d{4})\b", checksum=Checksum(_vin_holds, 0.9, 0.4)),
    Field(
        "vin_cued",
        _ID,
        r"bastidor|v\.?i\.?n|chasis|n(?:º|o|um|umero)?\.? ?(?:de )?motor",
        r"[a-z0-9]{2,3}-?[a-z0-9]{4,15}",
        digits=4,
    ),
)
