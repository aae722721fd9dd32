"""Numbers that stand for a person, in the written forms of each country.

Most forms are masks in `data/identifiers.tsv`: `#` is a figure, `@` a letter, `&` a consonant. The few with a control
letter that software checks are built here.
"""

from __future__ import annotations

from datetime import date
from functools import cache
from random import Random
from string import ascii_uppercase

from nadie.augment.vocabulary import rows
from nadie.spanish.folding import fold

_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ"
_STATES = "AS BC BS CC CS CH CL CM DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS".split()


@cache
def _masks() -> dict[str, tuple[str, ...]]:
    return {kind: tuple(masks.split("|")) for kind, masks in rows("identifiers.tsv")}


def number(kind: str, rng: Random) -> str:
    """An identifier of one of the kinds of the table."""
    return fill(rng.choice(_masks()[kind]), rng)


def fill(mask: str, rng: Random) -> str:
    """The mask with figures and letters of chance; the first figure is no zero."""
    out = []
    for i, sign in enumerate(mask):
        if sign == "#":
            out.append(rng.choice("123456789" if i == 0 else "0123456789"))
        elif sign in "@&":
            out.append(rng.choice(ascii_uppercase if sign == "@" else _CONSONANTS))
        else:
            out.append(sign)
    return "".join(out)


def dni(rng: Random) -> str:
    """The Spanish identity card, mostly with its letter, which is mostly right."""
    digits = f"{rng.randint(1_000_000, 99_999_999):08}"
    letter = _DNI_LETTERS[int(digits) % 23] if rng.random() < 0.75 else rng.choice(_DNI_LETTERS)
    if rng.random() < 0.12:
        letter = letter.lower()
    body = f"{int(digits):,}".replace(",", ".") if rng.random() < 0.15 else digits
    return body if rng.random() < 0.1 else body + rng.choice(("", "", "", "-", " ")) + letter


def nie(rng: Random) -> str:
    """The number of a foreigner who lives in Spain."""
    digits = f"{rng.randint(0, 9_999_999):07}"
    first = rng.randrange(3)
    letter = _DNI_LETTERS[int(f"{first}{digits}") % 23]
    form = rng.choice(("{}{}{}", "{}{}{}", "{}-{}-{}", "{} {} {}", "{}-{}{}"))
    return form.format("XYZ"[first], digits, letter)


def rut(rng: Random) -> str:
    """Chile's RUT with its control figure."""
    digits = str(rng.randint(3_000_000, 26_000_000))
    total = sum(int(d) * (2 + i % 6) for i, d in enumerate(reversed(digits)))
    control = "0K987654321"[total % 11]
    dotted = f"{int(digits):,}".replace(",", ".")
    return rng.choice((f"{dotted}-{control}", f"{dotted}-{control}", f"{digits}-{control}", f"{digits}{control}"))


def curp(rng: Random, name: str, born: date, sex: str) -> str:
    """Mexico's CURP: initials, day of birth, sex, state, consonants."""
    words = [fold(word) for word in name.split() if word[0].isupper()] or ["x"]
    family = (words[-2] if len(words) > 2 else words[-1]) + "xx"
    head = (family[:2] + (words[-1] + "x")[0] + words[0][0]).upper()
    tail = fill("&&&", rng) + rng.choice("0A") + str(rng.randint(0, 9))
    return f"{head}{born:%y%m%d}{'M' if sex == 'f' else 'H'}{rng.choice(_STATES)}{tail}"


def rfc(rng: Random, name: str, born: date, sex: str) -> str:
    """Mexico's tax number: the head of the CURP and three signs."""
    return curp(rng, name, born, sex)[:10] + fill("@@#", rng)


def american_id(rng: Random, country: str) -> str:
    """The identity number of an American country, in one of its written forms."""
    if country == "CL":
        return rut(rng)
    return number(country if country in _masks() else "CO", rng)


def mac_address(rng: Random) -> str:
    return rng.choice(":-").join(f"{rng.randrange(256):02{rng.choice('xX')}}" for _ in range(6))


def ip_address(rng: Random) -> str:
    if rng.random() < 0.2:
        return ":".join(f"{rng.randrange(65536):x}" for _ in range(8))
    return ".".join(str(rng.randint(1, 254)) for _ in range(4))
