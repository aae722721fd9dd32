"""Numbers with check digits: recognising their form, and inventing valid ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from string import ascii_uppercase
from typing import NamedTuple

from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.br import cpf
from stdnum.cl import rut
from stdnum.co import nit
from stdnum.do import cedula
from stdnum.ec import ci
from stdnum.es import ccc, cif, dni, nie
from stdnum.mx import curp

from nadie.labels import Label
from nadie.spanish.check_digits import CONSONANTS, MEXICAN_STATES, chassis, is_uruguayan, social_security
from nadie.spanish.squashing import squash

_DIGITS = "0123456789"
_NAME = re.compile(
    r"(?i)(?:IBAN|CCC|cuenta|tarjeta|VISA|NIF|DNI|NIE|CIF|RUT|RUN|CUI[TL]|CPF|NIT|CURP|IMEI|c[ée]dula|C\.?I\.?)[\s:.º°#-]+"
)

_REMEMBERED = 1 << 10
_NO_BANK = "9999"  # no bank of Spain has this code
# Beginnings that payment networks keep for tests, by the first figure: no such card is ever issued.
_TEST_CARDS = {"2": "222300", "3": "353011", "4": "400000", "5": "555555", "6": "601111"}
_AMERICAN_EXPRESS, _TEST_AMERICAN_EXPRESS = 15, "378282"  # its length; other cards have 16 figures
_EIGHT_FIGURES, _LAST_RUN = 9, "27"  # with the check digit; people have up to 27 million, firms from 50 on
_TEST_IMEI = "00"  # the code of test devices

Accept = Callable[[str], bool]
Draw = Callable[[Sequence[str], str, Accept], str]
"""Other characters in place of the given ones, each of its own alphabet, drawn from the key until they are accepted."""


class NumberForm(NamedTuple):
    """A form of number: the shape of its letters and digits, how to invent one, and the labels that it may have.

    `written` is an expression for the written form, for numbers whose shape alone is ambiguous, and `is_valid` a check
    that the original must pass. A number of a form that `is_certain` is one under any label.
    """

    name: str
    shape: re.Pattern[str]
    invent: Callable[[str, Draw], str]
    labels: frozenset[str] | None = None
    written: re.Pattern[str] | None = None
    is_valid: Callable[[str], bool] | None = None
    is_certain: bool = False


def form_of(value: str, label: str) -> NumberForm | None:
    """The form that a value with this label has, if it is known."""
    return next((form for form in _forms_of(value) if form.labels is None or label in form.labels), None)


@lru_cache(_REMEMBERED)
def _forms_of(value: str) -> tuple[NumberForm, ...]:
    """The forms that a value may have, the likeliest first."""
    if not any(map(str.isdigit, value)):
        return ()
    compact, written = squash(value).upper(), value.strip()
    return tuple(
        form
        for form in FORMS
        if form.shape.fullmatch(compact)
        and (form.written is None or form.written.fullmatch(written))
        and (form.is_valid is None or form.is_valid(compact))
    )


def without_name(value: str) -> str:
    """The value without the name of the number before it: `IBAN ES91 ...`, `C.I. 1.234.567-8`."""
    named = _NAME.match(value)
    return value[named.end() :] if named else value


def is_certainly_number(value: str) -> bool:
    """Whether a value is a number with check digits whatever its label: an IBAN, a card, a RUT with its points."""
    return any(form.is_certain for form in _forms_of(value))


def invented(name: str, old: str, draw: Draw) -> str:
    """A valid number of the form with that name, like `old`, without spaces and signs."""
    return next(form for form in FORMS if form.name == name).invent(old, draw)


def _any(_: str) -> bool:
    return True


def _free(count: int) -> tuple[str, ...]:
    return (_DIGITS,) * count


def _like_first(first: str, count: int) -> tuple[str, ...]:
    """Alphabets for a number whose first figure is not zero, unless it was."""
    return ("0" if first == "0" else "123456789", *_free(count - 1))


def _dni(old: str, draw: Draw) -> str:
    first = "01234567" if old[0] in "01234567" else "89"
    number = draw((first, *_free(7)), old[:8], _any)
    return number + dni.calc_check_digit(number)


def _nie(old: str, draw: Draw) -> str:
    number = old[0] + draw(_free(7), old[1:8], _any)
    return number + str(nie.calc_check_digit(number))


def _cif(old: str, draw: Draw) -> str:
    number = old[0] + draw(_free(7), old[1:8], lambda drawn: drawn[:2] != "00" or old[1:3] == "00")
    checks = str(cif.calc_check_digits(number))  # a figure, and the letter that means the same
    return number + (checks[0] if old[-1].isdigit() else checks[1])


def _social_security(old: str, draw: Draw) -> str:
    """Province, eight figures, and their check digits."""
    alphabets = (*_free(2), *_like_first(old[2], 8))
    number = draw(alphabets, old[:10], lambda drawn: "01" <= drawn[:2] <= "53" or not "01" <= old[:2] <= "53")
    return number + social_security(number[:2], number[2:])


def _is_social_security(number: str) -> bool:
    return "01" <= number[:2] <= "53" and social_security(number[:2], number[2:10]) == number[10:]


def _account(old: str, draw: Draw) -> str:
    start, account = _NO_BANK + draw(_free(4), old[4:8], _any), draw(_free(10), old[10:20], _any)
    return start + str(ccc.calc_check_digits(f"{start}00{account}")) + account


def _iban(old: str, draw: Draw) -> str:
    if old.startswith("ES"):
        number = _account(old[4:], draw)
    else:
        number = draw([_DIGITS if sign.isdigit() else ascii_uppercase for sign in old[4:]], old[4:], _any)
    return f"{old[:2]}{iban.calc_check_digits(f'{old[:2]}00{number}')}{number}"


def _card(old: str, draw: Draw) -> str:
    start = _TEST_AMERICAN_EXPRESS if len(old) == _AMERICAN_EXPRESS else _TEST_CARDS[old[0]]
    number = start + draw(_free(len(old) - 1 - len(start)), old[len(start) : -1], _any)
    return number + str(luhn.calc_check_digit(number))


def _imei(old: str, draw: Draw) -> str:
    number = _TEST_IMEI + draw(_free(len(old) - 1 - len(_TEST_IMEI)), old[len(_TEST_IMEI) : -1], _any)
    return number + str(luhn.calc_check_digit(number))


def _plate(old: str, draw: Draw) -> str:
    """A plate with letters that Spain will not issue for decades."""
    return draw(_free(4), old[:4], _any) + draw(("XYZ", CONSONANTS, CONSONANTS), old[4:], _any)


def _chassis(old: str, draw: Draw) -> str:
    """A chassis number of the same maker; its ninth character is the check digit."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    number = old[:3] + draw((letters, letters, *_free(12)), old[3:], _any)
    return number[:8] + chassis(number) + number[9:]


def _curp(old: str, draw: Draw) -> str:
    """A CURP with invented letters, birthday and state, and the same sex."""
    drawn = draw(_free(12), old[4:10] + old[4:10], _any)
    parts = [int(drawn[at : at + 3]) for at in (0, 3, 6, 9)]
    day, month, year = parts[0] % 28 + 1, parts[1] % 12 + 1, 40 + parts[2] % 55
    state = MEXICAN_STATES[parts[3] % len(MEXICAN_STATES)]
    letters = draw((CONSONANTS, "AEIOU", *(CONSONANTS,) * 5), old[:4] + old[13:16], _any)
    number = f"{letters[:4]}{year:02d}{month:02d}{day:02d}{old[10]}{state}{letters[4:]}0"
    return number + str(curp.calc_check_digit(number))


def with_birthday(number: str, birthday: str) -> str:
    """A CURP with another birthday, `yymmdd`, and its check digit."""
    number = f"{number[:4]}{birthday}{number[10:17]}0"
    return number[:17] + str(curp.calc_check_digit(number))


def _rut(old: str, draw: Draw) -> str:
    first = old[0] if len(old) == _EIGHT_FIGURES and old[0] in "12" else "56789" if len(old) == _EIGHT_FIGURES else ""
    alphabets = (first, *_free(len(old) - 2)) if first and old[0] in first else _like_first(old[0], len(old) - 1)
    number = draw(alphabets, old[:-1], lambda drawn: drawn[:2] <= _LAST_RUN or first != "2")
    return number + str(rut.calc_check_digit(number))


def _is_rut_alone(value: str) -> bool:
    """Whether a number that ends in `K` is a RUT and no DNI."""
    return rut.is_valid(value) and not dni.is_valid(value)


def _ssn(old: str, draw: Draw) -> str:
    """A number of the United States that is never assigned: it begins with 9, and is no number for taxes either."""
    return draw(("9", *_free(2), "01234", *_free(5)), old, _any)


def _cui(old: str, draw: Draw) -> str:
    """A number of Guatemala, with a department and one of its first municipalities."""
    start = draw(_like_first(old[0], 8), old[:8], lambda drawn: _check_of_cui(drawn) < 10)
    alphabets = ("012", *_free(1), "0123", *_free(1))
    place = draw(alphabets, old[9:], lambda drawn: "01" <= drawn[:2] <= "22" and "01" <= drawn[2:] <= "08")
    return f"{start}{_check_of_cui(start)}{place}"


def _check_of_cui(number: str) -> int:
    return sum(weight * int(digit) for weight, digit in enumerate(number, 2)) % 11


def _cuit(old: str, draw: Draw) -> str:
    number = old[:2] + draw(_free(8), old[2:10], lambda drawn: cuit.calc_check_digit(old[:2] + drawn) in tuple(_DIGITS))
    return number + str(cuit.calc_check_digit(number))


def _completed(checks: int, is_valid: Callable[[str], bool]) -> Callable[[str, Draw], str]:
    """Other digits, followed by the check digits with which the number is valid."""

    def whole(body: str) -> str | None:
        made = (f"{body}{check:0{checks}d}" for check in range(10**checks))
        return next((number for number in made if is_valid(number)), None)

    def invent(old: str, draw: Draw) -> str:
        alphabets = _like_first(old[0], len(old) - checks)
        return str(whole(draw(alphabets, old[:-checks], lambda body: whole(body) is not None)))

    return invent


_INSURANCE = frozenset({Label.ID_ASEGURAMIENTO, Label.NUMERO_BENEF_PLAN_SALUD})
_VEHICLE = frozenset({Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS})
_OTHER = frozenset({Label.OTRO_NUMERO_IDENTIF})
_DEVICE = frozenset({Label.IDENTIF_DISPOSITIVOS_NRSERIE})

_WRITTEN_SSN = re.compile(r"\d{3}-\d{2}-\d{4}")
_WRITTEN_CUI = re.compile(r"\d{4} \d{5} (?:0[1-9]|1\d|2[0-2])[0-3]\d")
# With wrong check digits, in the countries whose notes are read here.
_WRITTEN_IBAN = re.compile(
    r"CR\d{20}|DO\d{2}[A-Z]{4}\d{20}|GT\d{2}[A-Z0-9]{24}|SV\d{2}[A-Z]{4}\d{20}|BR\d{25}[A-Z]{2}|PT\d{23}"
)
# not `2019-463933`, which tells its year, nor `28 28 70973` of a college
_WRITTEN_PLAINLY = re.compile(r"(?!\d\d \d\d \d{5}$)[\d. ]+-?[\dkK]")
_WRITTEN_NIT = re.compile(r"\d{1,3}(?:\.\d{3}){2}-\d")
_WRITTEN_RUT = re.compile(r"\d{1,2}\.?\d{3}\.?\d{3}-[\dkK]")
_WRITTEN_CI = re.compile(r"\d\.\d{3}\.\d{3}-\d")
_WRITTEN_CUIT = re.compile(r"\d{2}-\d{8}-\d")
_WRITTEN_CPF = re.compile(r"\d{3}\.\d{3}\.\d{3}-\d{2}")
_WRITTEN_CEDULA = re.compile(r"\d{3}-\d{7}-\d")
_RUT = re.compile(r"\d{7,8}[\dK]")
_NIT = re.compile(r"\d{9,10}")
_CUIT = re.compile(r"(?:20|23|24|27|30|33|34)\d{9}")
_CARD = re.compile(r"[2-6]\d{15}|3[47]\d{13}")
_ELEVEN = re.compile(r"\d{11}")
_CPF, _DOMINICAN = _completed(2, cpf.is_valid), _completed(1, cedula.is_valid)
_URUGUAYAN, _ECUADORIAN, _COLOMBIAN = (
    _completed(1, is_valid) for is_valid in (is_uruguayan, ci.is_valid, nit.is_valid)
)

# A certain form stands before those of its shape: the signs between its figures tell it from a telephone.
FORMS = (
    NumberForm("rut", re.compile(r"\d{8}K"), _rut, None, _WRITTEN_RUT, _is_rut_alone, is_certain=True),
    NumberForm("dni", re.compile(r"\d{8}[A-Z]"), _dni, is_certain=True),
    NumberForm("nie", re.compile(r"[XYZ]\d{7}[A-Z]"), _nie, is_certain=True),
    NumberForm("cif", re.compile(r"[ABCDEFGHJNPQRSUVW]\d{7}[0-9A-J]"), _cif),
    NumberForm("iban", re.compile(r"ES\d{22}"), _iban, is_certain=True),
    NumberForm("iban", re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}"), _iban, is_valid=iban.is_valid, is_certain=True),
    NumberForm("iban", _WRITTEN_IBAN, _iban),
    NumberForm("social security", re.compile(r"\d{12}"), _social_security, _INSURANCE),
    NumberForm("social security", re.compile(r"\d{12}"), _social_security, is_valid=_is_social_security),
    NumberForm("account", re.compile(r"\d{20}"), _account),
    NumberForm("imei", re.compile(r"\d{15}"), _imei, _DEVICE),
    NumberForm("card", _CARD, _card, is_valid=luhn.is_valid, is_certain=True),
    NumberForm("card", _CARD, _card, _OTHER),
    NumberForm("plate", re.compile(rf"\d{{4}}[{CONSONANTS}]{{3}}"), _plate, _VEHICLE),
    NumberForm("chassis", re.compile(r"[A-HJ-NPR-Z0-9]{17}"), _chassis, _VEHICLE),
    NumberForm("curp", re.compile(r"[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d"), _curp, is_certain=True),
    NumberForm("ssn", re.compile(r"\d{9}"), _ssn, None, _WRITTEN_SSN),
    NumberForm("cui", re.compile(r"\d{13}"), _cui, None, _WRITTEN_CUI),
    NumberForm("rut", _RUT, _rut, None, _WRITTEN_RUT, rut.is_valid, is_certain=True),
    NumberForm("uruguayan", re.compile(r"\d{8}"), _URUGUAYAN, None, _WRITTEN_CI, is_uruguayan, is_certain=True),
    NumberForm("uruguayan", re.compile(r"\d{8}"), _URUGUAYAN, None, _WRITTEN_PLAINLY, is_uruguayan),
    NumberForm("rut", _RUT, _rut, None, _WRITTEN_RUT),
    NumberForm("rut", _RUT, _rut, None, _WRITTEN_PLAINLY, rut.is_valid),
    NumberForm("nit", _NIT, _COLOMBIAN, None, _WRITTEN_NIT, nit.is_valid, is_certain=True),
    NumberForm("ecuadorian", re.compile(r"\d{10}"), _ECUADORIAN, None, _WRITTEN_PLAINLY, ci.is_valid),
    NumberForm("nit", _NIT, _COLOMBIAN, None, _WRITTEN_PLAINLY, nit.is_valid),
    NumberForm("cuit", _CUIT, _cuit, None, _WRITTEN_CUIT, cuit.is_valid, is_certain=True),
    NumberForm("cuit", _CUIT, _cuit, None, _WRITTEN_CUIT),
    NumberForm("cuit", _CUIT, _cuit, None, _WRITTEN_PLAINLY, cuit.is_valid),
    NumberForm("cpf", _ELEVEN, _CPF, None, _WRITTEN_CPF, cpf.is_valid, is_certain=True),
    NumberForm("dominican", _ELEVEN, _DOMINICAN, None, _WRITTEN_CEDULA, cedula.is_valid, is_certain=True),
    NumberForm("cpf", _ELEVEN, _CPF, None, _WRITTEN_PLAINLY, cpf.is_valid),
    NumberForm("dominican", _ELEVEN, _DOMINICAN, None, _WRITTEN_PLAINLY, cedula.is_valid),
)
