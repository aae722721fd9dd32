"""Telephone numbers, e-mail addresses and web pages."""

from __future__ import annotations

from functools import cache
from random import Random

from nadie.augment.identifiers import fill
from nadie.augment.people import InventedPerson
from nadie.augment.vocabulary import rows
from nadie.spanish.folding import fold

_MAIL_HOSTS = (
    "gmail.com|gmail.com|hotmail.com|yahoo.es|hotmail.es|outlook.com|yahoo.com|telefonica.net|terra.es|ono.com|icloud.com|"
    "salud.madrid.org|gencat.cat|juntadeandalucia.es|osakidetza.eus|sergas.es|saludcastillayleon.es|sescam.org|gva.es|ugr.es|"
    "comb.cat|imss.gob.mx|live.com.mx|prodigy.net.mx|une.net.co|fibertel.com.ar|yahoo.com.ar|hospitalitaliano.org.ar|uc.cl|"
    "redsalud.gob.cl|vtr.net|essalud.gob.pe|iess.gob.ec|cantv.net|infomed.sld.cu|adinet.com.uy|entelnet.bo|codetel.net.do|unam.mx"
).split("|")
_SITES = (
    "www.hospital{town}.es|www.clinica{word}.com|https://www.{word}.org|https://portal.salud.{word}.es/citas|www.{word}salud.com.ar|"
    "http://www.{word}.cl|www.eps{word}.com.co|https://citas.{word}.gob.mx|www.{word}.com/resultados|http://imagenes.{word}.es/visor?id={n}|"
    "https://www.facebook.com/{word}|instagram.com/{word}"
).split("|")


@cache
def _masks() -> dict[str, tuple[str, ...]]:
    return {country: tuple(masks.split("|")) for country, masks in rows("phones.tsv")}


def phone(rng: Random, country: str) -> str:
    """A number as people of the country write it."""
    return fill(rng.choice(_masks().get(country) or _masks()["XX"]), rng)


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
    return f"{kept or 'contacto'}{number}@{rng.choice(_MAIL_HOSTS)}"


def site(rng: Random, town: str) -> str:
    word = "".join(c for c in fold(town) if c.isascii() and c.isalnum()) or "salud"
    return rng.choice(_SITES).format(town=word, word=word, n=fill("######", rng))
