"""The slots for towns, hospitals, institutions and web pages."""

from __future__ import annotations

from nadie.augment import contacts
from nadie.augment.case import Case, any_hospital
from nadie.augment.invention import has_forms, new_name
from nadie.augment.passage import AnnotatedText, marked
from nadie.augment.places import new_address
from nadie.augment.vocabulary import countries, pick
from nadie.labels import Label

_ABROAD = (
    "MA", "RO", "CN", "UA", "SN", "GM", "ML", "NG", "GQ", "PK", "IN", "BD", "DZ", "PT", "FR", "IT", "DE", "GB", "BG",
)  # fmt: skip


def town(case: Case, argument: str) -> AnnotatedText:
    if argument == "otro":
        return marked(new_address(case.words, case.rng, case.country).town, Label.TERRITORIO)
    return marked(case.address.town, Label.TERRITORIO)


def abroad(case: Case, argument: str) -> AnnotatedText:
    """Another country (`pais`) or its demonym (`gentilicio`)."""
    codes = [
        code for code in (*_ABROAD, "CO", "EC", "PE", "VE", "BO", "MX", "AR", "CU", "DO", "HT") if code != case.country
    ]
    country = countries()[case.rng.choice(codes)]
    if argument == "gentilicio":
        return marked(country.feminine if case.feminine else country.masculine, Label.ID_SUJETO_ASISTENCIA)
    return marked(country.name, Label.PAIS)


def hospital(case: Case, argument: str) -> AnnotatedText:
    name = any_hospital(case.words, case.rng, case.country) if argument == "otro" else case.hospital
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


def health_centre(case: Case, argument: str) -> AnnotatedText:
    forms = case.words.health_centres.get(case.country) or case.words.health_centres["XX"]
    if case.rng.random() < 0.5:
        street = new_name("street", case.words, case.rng, case.country)
    else:
        street = pick(case.words.streets, case.rng)
    street = street.removeprefix("de la ").removeprefix("del ").removeprefix("de ")
    name = pick(forms, case.rng).format(x=street, town=pick_town(case), n=case.rng.randint(1, 60))
    return marked(name, Label.CENTRO_SALUD)


def institution(case: Case, argument: str) -> AnnotatedText:
    world = "ES" if case.country == "ES" else "LA"
    kinds = ("residence", "school", "insurer", "office", "university")
    kind = argument or case.rng.choice(kinds)
    names = case.words.institutions.get((world, kind)) or case.words.institutions.get(("XX", kind)) or ()
    if not names or case.rng.random() < (0.15 if kind == "insurer" else 0.5):
        form = f"{world} {kind}"
        return marked(
            new_name(form if has_forms(form) else f"XX {kind}", case.words, case.rng, case.country), Label.INSTITUCION
        )
    return marked(pick(names, case.rng), Label.INSTITUCION)


def employer(case: Case, argument: str) -> AnnotatedText:
    """The employer, which identifies a person (guidelines, P28.1)."""
    if not case.words.companies or case.rng.random() < 0.5:
        return marked(new_name("company", case.words, case.rng, case.country), Label.OTROS_SUJETO_ASISTENCIA)
    return marked(pick(case.words.companies, case.rng), Label.OTROS_SUJETO_ASISTENCIA)


def web(case: Case, argument: str) -> AnnotatedText:
    """A web page: with its protocol it is an Internet address, without it a URL (guidelines, P24.1 and P25.1)."""
    site = contacts.site(case.rng, case.address.town)
    return marked(site, Label.DIREC_PROT_INTERNET if "://" in site else Label.URL_WEB)
