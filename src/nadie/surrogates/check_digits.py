"""Numbers with check digits: recognising their form, and inventing valid ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.cl import rut
from stdnum.es import ccc, cif, dni, nie
from stdnum.mx import curp

from nadie.labels import Label
from nadie.spanish.check_digits import CONSONANTS, MEXICAN_STATES, chassis, social_security
from nadie.spanish.squashing import squash

_DIGITS = "0123456789"

_NO_BANK = "9999"  # no bank of Spain has this code
# Beginnings that payment networks keep for tests, by the first figure: no such card is ever issued.
_TEST_CARDS = {"3": "353011", "4": "400000", "5": "555555", "6": "601111"}
_TEST_IMEI = "00"  # the code of test devices

Draw = Callable[[str, int], str]
"""Characters of an alphabet, drawn from the key: `draw("0123456789", 7)`."""


class NumberForm(NamedTuple):
    """A form of number: the shape of its letters and digits, how to invent one, and the labels that it may have.

    `written` is an expression for the written form, for numbers whose shape alone is ambiguous.
    """

    name: str
    shape: re.Pattern[str]
    invent: Callable[[str, Draw], str]
    labels: frozenset[str] | None = None
    written: re.Pattern[str] | None = None


def form_of(value: str, label: str) -> NumberForm | None:
    """The form that a value with this label has, if it is known."""
    compact = squash(value).upper()
    for form in FORMS:
        if (
            form.shape.fullmatch(compact)
            and (form.labels is None or label in form.labels)
            and (form.written is None or form.written.fullmatch(value.strip()))
        ):
            return form
    return None


def invented(name: str, old: str, draw: Draw) -> str:
    """A valid number of the form with that name, like `old`, without spaces and signs."""
    return next(form for form in FORMS if form.name == name).invent(old, draw)


def _dni(_: str, draw: Draw) -> str:
    number = draw("1234567", 1) + draw(_DIGITS, 7)
    return number + dni.calc_check_digit(number)


def _nie(old: str, draw: Draw) -> str:
    number = old[0] + draw(_DIGITS, 7)
    return number + str(nie.calc_check_digit(number))


def _cif(old: str, draw: Draw) -> str:
    number = old[0] + draw("0123", 1) + draw("123456789", 1) + draw(_DIGITS, 5)
    checks = str(cif.calc_check_digits(number))  # a figure, and the letter that means the same
    return number + (checks[0] if old[-1].isdigit() else checks[1])


def _social_security(_: str, draw: Draw) -> str:
    """Province, eight figures, and their check digits."""
    province = f"{int(draw(_DIGITS, 3)) % 50 + 1:02d}"
    number = draw("123456789", 1) + draw(_DIGITS, 7)
    return province + number + social_security(province, number)


def _account(_: str, draw: Draw) -> str:
    start, account = _NO_BANK + draw(_DIGITS, 4), draw(_DIGITS, 10)
    return start + str(ccc.calc_check_digits(f"{start}00{account}")) + account


def _iban(old: str, draw: Draw) -> str:
    number = _account(old, draw)
    return f"ES{iban.calc_check_digits(f'ES00{number}')}{number}"


def _card(old: str, draw: Draw) -> str:
    start = _TEST_CARDS[old[0]]
    number = start + draw(_DIGITS, len(old) - 1 - len(start))
    return number + str(luhn.calc_check_digit(number))


def _imei(old: str, draw: Draw) -> str:
    number = _TEST_IMEI + draw(_DIGITS, len(old) - 1 - len(_TEST_IMEI))
    return number + str(luhn.calc_check_digit(number))


def _plate(_: str, draw: Draw) -> str:
    """A plate with letters that Spain will not issue for decades."""
    return draw(_DIGITS, 4) + draw("XYZ", 1) + draw(CONSONANTS, 2)


def _chassis(old: str, draw: Draw) -> str:
    """A chassis number of the same maker; its ninth character is the check digit."""
    number = old[:3] + draw("ABCDEFGHJKLMNPRSTUVWXYZ", 2) + draw(_DIGITS, 12)
    return number[:8] + chassis(number) + number[9:]


def _curp(old: str, draw: Draw) -> str:
    """A CURP with invented letters, birthday and state, and the same sex."""
    day, month, year = int(draw(_DIGITS, 3)) % 28 + 1, int(draw(_DIGITS, 3)) % 12 + 1, 40 + int(draw(_DIGITS, 3)) % 55
    state = MEXICAN_STATES[int(draw(_DIGITS, 3)) % len(MEXICAN_STATES)]
    start = draw(CONSONANTS, 1) + draw("AEIOU", 1) + draw(CONSONANTS, 2)
    number = f"{start}{year:02d}{month:02d}{day:02d}{old[10]}{state}{draw(CONSONANTS, 3)}0"
    return number + str(curp.calc_check_digit(number))


def _rut(old: str, draw: Draw) -> str:
    number = draw("123456789", 1) + draw(_DIGITS, len(old) - 2)
    return number + str(rut.calc_check_digit(number))


def _cuit(old: str, draw: Draw) -> str:
    number = old[:2] + draw(_DIGITS, 8)
    return number + str(cuit.calc_check_digit(number))


_INSURANCE = frozenset({Label.ID_ASEGURAMIENTO, Label.NUMERO_BENEF_PLAN_SALUD})
_VEHICLE = frozenset({Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS})
_OTHER = frozenset({Label.OTRO_NUMERO_IDENTIF})
_DEVICE = frozenset({Label.IDENTIF_DISPOSITIVOS_NRSERIE})

FORMS = (
    NumberForm("dni", re.compile(r"\d{8}[A-Z]"), _dni),
    NumberForm("nie", re.compile(r"[XYZ]\d{7}[A-Z]"), _nie),
    NumberForm("cif", re.compile(r"[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]"), _cif),
    NumberForm("iban", re.compile(r"ES\d{22}"), _iban),
    NumberForm("social security", re.compile(r"\d{12}"), _social_security, _INSURANCE),
    NumberForm("account", re.compile(r"\d{20}"), _account),
    NumberForm("card", re.compile(r"[3-6]\d{15}"), _card, _OTHER),
    NumberForm("imei", re.compile(r"\d{15}"), _imei, _DEVICE),
    NumberForm("plate", re.compile(rf"\d{{4}}[{CONSONANTS}]{{3}}"), _plate, _VEHICLE),
    NumberForm("chassis", re.compile(r"[A-HJ-NPR-Z0-9]{17}"), _chassis, _VEHICLE),
    NumberForm("curp", re.compile(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d"), _curp),
    NumberForm("rut", re.compile(r"\d{7,8}[\dK]"), _rut, None, re.compile(r"\d{1,2}\.?\d{3}\.?\d{3}-[\dkK]")),
    NumberForm("cuit", re.compile(r"(?:20|23|24|27|30|33)\d{9}"), _cuit, None, re.compile(r"\d{2}-\d{8}-\d")),
)
