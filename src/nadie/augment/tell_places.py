"""How a note names towns, hospitals, institutions and their pages."""

from __future__ import annotations

from nadie.augment import contacts
from nadie.augment.case import Case
from nadie.augment.passage import Passage, marked
from nadie.augment.places import new_address
from nadie.augment.vocabulary import countries, pick
from nadie.labels import Label

_ABROAD = (
    "MA",
    "RO",
    "CN",
    "UA",
    "SN",
    "GM",
    "ML",
    "NG",
    "GQ",
    "PK",
    "IN",
    "BD",
    "DZ",
    "PT",
    "FR",
    "IT",
    "DE",
    "GB",
    "BG",
)


def town(case: Case, argument: str) -> Passage:
    if argument == "otro":
        return marked(new_address(case.words, case.rng, case.country).town, Label.TERRITORIO)
    return marked(case.address.town, Label.TERRITORIO)


def abroad(case: Case, argument: str) -> Passage:
    """Another country (`pais`) or its people's name (`gentilicio`)."""
    codes = [
        code for code in (*_ABROAD, "CO", "EC", "PE", "VE", "BO", "MX", "AR", "CU", "DO", "HT") if code != case.country
    ]
    country = countries()[case.rng.choice(codes)]
    if argument == "gentilicio":
        return marked(country.feminine if case.feminine else country.masculine, Label.ID_SUJETO_ASISTENCIA)
    return marked(country.name, Label.PAIS)


def hospital(case: Case, argument: str) -> Passage:
    names = case.words.hospitals.get(case.country) or case.words.hospitals["ES"]
    name = pick(names, case.rng) if argument == "otro" else case.hospital
    share = case.rng.random()
    if name.startswith("Hospital "):
        if share < 0.1:
            name = "H. " + name.removeprefix("Hospital ")
        elif share < 0.18:
            name = case.rng.choice(("Hosp. ", "hospital ", "H ", "HU ", "H.U. ")) + name.removeprefix("Hospital ")
        elif share < 0.26:
            name = (
                f"Hospital {case.rng.choice(('Universitario', 'General', 'Regional', 'Comarcal'))} de {pick_town(case)}"
            )
        elif share < 0.3:
            name = f"Hospital de {pick_town(case)}"
    return marked(name, Label.HOSPITAL)


def pick_town(case: Case) -> str:
    return new_address(case.words, case.rng, case.country).town


def health_centre(case: Case, argument: str) -> Passage:
    del argument
    forms = case.words.health_centres.get(case.country) or case.words.health_centres["XX"]
    street = pick(case.words.streets, case.rng).removeprefix("de la ").removeprefix("del ").removeprefix("de ")
    name = pick(forms, case.rng).format(x=street, town=pick_town(case), n=case.rng.randint(1, 60))
    return marked(name, Label.CENTRO_SALUD)


def institution(case: Case, argument: str) -> Passage:
    world = "ES" if case.country == "ES" else "LA"
    kinds = ("residence", "school", "insurer", "office", "university")
    kind = argument or case.rng.choice(kinds)
    names = case.words.institutions.get((world, kind)) or case.words.institutions.get(("XX", kind)) or ()
    names = names or case.words.institutions[world, "insurer"]
    return marked(pick(names, case.rng), Label.INSTITUCION)


def web(case: Case, argument: str) -> Passage:
    """A page: with its protocol it is an Internet address, without it a URL (guidelines, P24.1 and P25.1)."""
    del argument
    site = contacts.site(case.rng, case.address.town)
    return marked(site, Label.DIREC_PROT_INTERNET if "://" in site else Label.URL_WEB)
