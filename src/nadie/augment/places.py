"""Addresses of Spain and of America, in the form of each country."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from nadie.augment.invention import new_name
from nadie.augment.passage import AnnotatedText, join, marked
from nadie.augment.vocabulary import InventedWords, pick
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_FORMS = Lists("street_forms", "nadie.augment")
"""The written forms of streets: whole forms by country, and the parts of the Spanish one."""


@dataclass(frozen=True, slots=True)
class InventedAddress:
    """The address of a person or an institution."""

    country: str
    street: str
    quarter: str
    postcode: str
    town: str
    region: str
    state: str


def new_address(words: InventedWords, rng: Random, country: str) -> InventedAddress:
    """An address in `country`; only Spain's postcodes agree with the province."""
    regions = words.regions.get(country) or words.regions["ES"]
    region = regions[int(rng.random() * len(regions))]
    states = words.states.get(country, ("",))
    name = region.name or pick(states, rng)
    state = pick(states, rng)
    postcode = _postcode(country, region.postal, rng)
    town = pick(region.towns, rng)
    return InventedAddress(
        country, new_street(words, rng, country), rng.choice(_FORMS["quarter"]), postcode, town, name, state
    )


def new_street(words: InventedWords, rng: Random, country: str) -> str:
    """A street with its number and floor, as one line."""
    name, other = _street_name(words, rng, country), _street_name(words, rng, country)
    if country == "ES":
        return _spanish_street(name, rng)
    form = rng.choice(_FORMS.get(country) or _FORMS["XX"])
    bare = name.removeprefix("de la ").removeprefix("de los ").removeprefix("de las ").removeprefix("del ")
    return form.format(s=bare.removeprefix("de "), s2=other.removeprefix("de "), **_numbers(rng))


def _street_name(words: InventedWords, rng: Random, country: str) -> str:
    return new_name("street", words, rng, country) if rng.random() < 0.4 else pick(words.streets, rng)


def _numbers(rng: Random) -> dict[str, int | str]:
    return {
        "h": rng.randint(1, 240), "k": rng.randint(100, 6900), "n": rng.randint(1, 9), "m": rng.randint(1, 4),
        "a": rng.randint(1, 150), "b": rng.randint(1, 99), "c": rng.randint(1, 99), "l": rng.choice("ABCDEFG"),
    }  # fmt: skip


def _spanish_street(name: str, rng: Random) -> str:
    share = rng.random()
    kind = "way" if share < 0.88 else "catalan" if share < 0.95 else "galician"
    way = rng.choice(_FORMS[kind])
    if share > 0.985:
        line = f"{name.removeprefix('de la ').removeprefix('de ')} kalea"
    elif 0.8 < share < 0.84:
        line = name.removeprefix("de la ").removeprefix("del ").removeprefix("de ").title()
    else:
        line = f"{way}{'' if way.endswith(('/', ' ')) else ' '}{name}"
    if way in ("Carretera", "Ctra.") and rng.random() < 0.4:
        return f"{line}, km {rng.randint(1, 60)}{rng.choice(('', ',5', '.200'))}"
    line += rng.choice(_FORMS["house"])
    if rng.random() < 0.55:
        line += rng.choice(_FORMS["floor"])
    line = line.format(**_numbers(rng))
    return line.lower() if rng.random() < 0.04 else line


def _postcode(country: str, prefix: str, rng: Random) -> str:
    if country == "ES":
        return f"{prefix}{rng.randint(0, 999):03}"
    if country == "AR":
        return rng.choice(
            (f"{rng.randint(1000, 9400)}", f"{rng.choice('ABCDKMSTX')}{rng.randint(1000, 9400)}AB{rng.choice('CDFG')}")
        )
    if country == "CL":
        return f"{rng.randint(1000000, 9999999)}"
    if country in ("CO", "EC"):
        return f"{rng.randint(50000, 990000):06}"
    return f"{rng.randint(1000, 99999):05}"


def write_postcode(address: InventedAddress, rng: Random) -> AnnotatedText:
    prefix = "E-" if address.country == "ES" and rng.random() < 0.03 else ""
    return marked(prefix + address.postcode, Label.TERRITORIO)


def write_address(address: InventedAddress, rng: Random) -> AnnotatedText:
    """Street, postcode, town and so on, each as a separate span."""
    place = marked(address.town, Label.TERRITORIO)
    street = marked(address.street, Label.CALLE)
    gap = rng.choice((", ", ", ", ". ", " ", " - ", "; "))
    parts = [street]
    if rng.random() < (0.12 if address.country == "ES" else 0.4):
        cue = (
            rng.choice(("barrio ", "Bº ", "urb. ", ""))
            if address.country == "ES"
            else rng.choice(("Col. ", "barrio ", "B/ ", "Urb. ", "sector ", "Villa ", ""))
        )
        parts.append(AnnotatedText(cue).then(marked(address.quarter, Label.TERRITORIO)))
    if rng.random() < 0.6:
        cue = rng.choice(("", "", "", "CP ", "C.P. ", "CP: "))
        code = AnnotatedText(cue).then(write_postcode(address, rng))
        parts.append(join((code, place), rng.choice((" ", " ", ", ", " - ", "-"))))
    else:
        parts.append(place)
    if rng.random() < 0.4 and address.region:
        region = marked(address.region, Label.TERRITORIO)
        parts[-1] = parts[-1].then(join((AnnotatedText(rng.choice((" (", ", ", " - ", "/"))), region)))
        if " (" in parts[-1].text and not parts[-1].text.endswith(")"):
            parts[-1] = parts[-1].then(AnnotatedText(")"))
    return join(parts, gap)
