"""Telephone numbers, e-mail addresses and web pages."""

from __future__ import annotations

from random import Random

from nadie.augment.identifiers import fill
from nadie.augment.people import InventedPerson
from nadie.spanish.folding import fold
from nadie.spanish.word_lists import Lists

_LISTS = Lists("contacts", "nadie.augment")
_PHONES = Lists("phones", "nadie.augment")


def phone(rng: Random, country: str) -> str:
    """A number as people of the country write it."""
    return fill(rng.choice(_PHONES.get(country) or _PHONES["XX"]), rng)


def mail(rng: Random, person: InventedPerson) -> str:
    """An address, mostly made of the person's name."""
    given = [fold(word) for word in person.given.split()]
    family = [fold(word).replace(" ", "") for word in person.surname.replace("-", " ").split()]
    number = rng.choice(("", "", "", str(rng.randint(1, 99)), str(rng.randint(1950, 2005))))
    head = rng.choice(
        (
            f"{given[0][0]}{family[0]}",
            f"{given[0]}.{family[0]}",
            f"{given[0]}{family[0]}",
            f"{given[0]}_{family[0]}",
            f"{given[0][0]}.{family[0]}.{family[-1][0]}",
            f"{family[0]}{given[0][0]}",
            f"{family[0]}.{given[0]}",
            f"{given[0]}{family[0][0]}{family[-1][0]}",
            f"dr{family[0]}" if person.sex == "m" else f"dra.{family[0]}",
            f"{fill('####', rng)}{given[0][0]}{family[0][:2]}",
        )
    )
    kept = "".join(c for c in head if c.isascii() and (c.isalnum() or c in "._"))
    host = rng.choice(_LISTS["mail hosts"])
    return f"{kept or 'contacto'}{number}@{host}"


def site(rng: Random, town: str) -> str:
    word = "".join(c for c in fold(town) if c.isascii() and c.isalnum()) or "salud"
    return rng.choice(_LISTS["sites"]).format(town=word, word=word, n=fill("######", rng))
