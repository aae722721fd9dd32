"""Identifiers of persons, in the written forms of each country.

Most forms are masks in `data/identifiers.tsv`: `#` is a digit, `@` a letter, `&` a consonant. The few with a check
letter that software verifies are built here.
"""

from __future__ import annotations

import re
from datetime import date
from random import Random
from string import ascii_uppercase

from stdnum.es import dni as spanish_dni
from stdnum.mx import curp as mexican_curp
from stdnum.mx import rfc as mexican_rfc

from nadie.spanish.check_digits import CONSONANTS, MEXICAN_STATES
from nadie.spanish.folding import fold
from nadie.spanish.word_lists import Lists
from nadie.surrogates.check_digits import Draw, invented

_MASKS = Lists("identifiers", "nadie.augment")


def number(kind: str, rng: Random) -> str:
    """An identifier of one of the kinds in the table."""
    return fill(rng.choice(_MASKS[kind]), rng)


def fill(mask: str, rng: Random) -> str:
    """The mask with random digits and letters; the first digit is not zero."""
    out = []
    for i, sign in enumerate(mask):
        if sign == "#":
            out.append(rng.choice("123456789" if i == 0 else "0123456789"))
        elif sign in "@&":
            out.append(rng.choice(ascii_uppercase if sign == "@" else CONSONANTS))
        else:
            out.append(sign)
    return "".join(out)


def _draw(rng: Random) -> Draw:
    return lambda alphabets, _, __: "".join([rng.choices(alphabet)[0] for alphabet in alphabets])


def dni(rng: Random) -> str:
    """A Spanish identity card number (DNI), usually with its check letter, which is usually correct."""
    digits = f"{rng.randint(1_000_000, 99_999_999):08}"  # invented ones of surrogates never begin with 0, 8 or 9
    letter = str(spanish_dni.calc_check_digit(digits)) if rng.random() < 0.75 else rng.choice(CONSONANTS)
    if rng.random() < 0.12:
        letter = letter.lower()
    body = f"{int(digits):,}".replace(",", ".") if rng.random() < 0.15 else digits
    return body if rng.random() < 0.1 else body + rng.choice(("", "", "", "-", " ")) + letter


def nie(rng: Random) -> str:
    """The number of a foreign resident in Spain (NIE)."""
    number = invented("nie", rng.choice("XYZ") + "0" * 8, _draw(rng))
    form = rng.choice(("{}{}{}", "{}{}{}", "{}-{}-{}", "{} {} {}", "{}-{}{}"))
    return form.format(number[0], number[1:-1], number[-1])


def rut(rng: Random) -> str:
    """Chile's RUT with its check digit."""
    number = invented("rut", "1" * rng.choice((8, 9)), _draw(rng))
    digits, control = number[:-1], number[-1]
    dotted = f"{int(digits):,}".replace(",", ".")
    return rng.choice((f"{dotted}-{control}", f"{dotted}-{control}", f"{digits}-{control}", f"{digits}{control}"))


def curp(rng: Random, name: str, born: date, sex: str) -> str:
    """Mexico's CURP: initials, date of birth, sex, state, consonants."""
    words = [re.sub(r"[^a-z]", "", fold(word)) or "x" for word in name.split() if word[0].isupper()] or ["x"]
    family = (words[-2] if len(words) > 2 else words[-1]) + "xx"
    head = (family[:2] + (words[-1] + "x")[0] + words[0][0]).upper()
    tail = fill("&&&", rng) + ("A" if born.year >= 2000 else "0")
    number = f"{head}{born:%y%m%d}{'M' if sex == 'f' else 'H'}{rng.choice(MEXICAN_STATES)}{tail}"
    return number + str(mexican_curp.calc_check_digit(number))


def rfc(rng: Random, name: str, born: date, sex: str) -> str:
    """Mexico's tax number: the first ten characters of the CURP and three more, the last of which is a check digit."""
    number = curp(rng, name, born, sex)[:10] + fill("@@", rng)
    return number + str(mexican_rfc.calc_check_digit(number))


def american_id(rng: Random, country: str) -> str:
    """The identity number of an American country, in one of its written forms."""
    if country == "CL":
        return rut(rng)
    return number(country if _MASKS.get(country) else "CO", rng)


def mac_address(rng: Random) -> str:
    return rng.choice(":-").join(f"{rng.randrange(256):02{rng.choice('xX')}}" for _ in range(6))


def ip_address(rng: Random) -> str:
    if rng.random() < 0.2:
        return ":".join(f"{rng.randrange(65536):x}" for _ in range(8))
    return ".".join(str(rng.randint(1, 254)) for _ in range(4))
