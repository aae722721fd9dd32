"""The slots for persons, their ages and their sex."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from nadie.augment.case import Case
from nadie.augment.dates import full_age, short_age
from nadie.augment.passage import AnnotatedText, marked
from nadie.augment.people import InventedPerson, new_person, shortened
from nadie.labels import Label

Filler = Callable[[Case, str], AnnotatedText]


def patient_name(case: Case) -> str:
    person, share = case.patient, case.rng.random()
    if share < 0.08:
        return shortened(person.full, case.rng)
    if share < 0.12:
        return f"{person.given} {person.surnames[0]}"
    return person.full.upper() if share < 0.2 else person.full


def staff_name(person: InventedPerson, rng: Random) -> str:
    share = rng.random()
    if share < 0.35:
        return person.surnames[0]
    if share < 0.45:
        return person.surname
    if share < 0.52:
        return f"{person.given[0]}. {person.surnames[0]}"
    if share < 0.57:
        return shortened(person.full, rng)
    return f"{person.given} {person.surnames[0]}" if share < 0.7 else person.full


def somebody(case: Case, argument: str) -> InventedPerson:
    """The first physician, or another one for `{dr:otro}`, or a new one for `{dr:nuevo}`."""
    if argument == "nuevo":
        return new_person(case.words, case.rng, country=case.country)
    return case.physician(1 if argument == "otro" else 0)


def titled(before_m: str, before_f: str) -> Filler:
    def fill(case: Case, argument: str) -> AnnotatedText:
        person = somebody(case, argument)
        title = case.rng.choice(
            ("Dr. ", "Dr. ", "Dr ", "Dr.") if person.sex == "m" else ("Dra. ", "Dra. ", "Dra ", "Dra.")
        )
        before = before_m if person.sex == "m" else before_f
        return AnnotatedText(before + title).then(marked(staff_name(person, case.rng), Label.NOMBRE_PERSONAL_SANITARIO))

    return fill


def physician(case: Case, argument: str) -> AnnotatedText:
    """The full name, as in a signature."""
    person = somebody(case, argument)
    name = person.full if case.rng.random() < 0.7 else staff_name(person, case.rng)
    return marked(name.upper() if case.rng.random() < 0.12 else name, Label.NOMBRE_PERSONAL_SANITARIO)


def age(case: Case, argument: str) -> AnnotatedText:
    text = (short_age if argument == "corta" else full_age)(case.days_old, case.rng)
    return marked(text, Label.EDAD_SUJETO_ASISTENCIA)


def past_age(case: Case, argument: str) -> AnnotatedText:
    """An earlier age of the patient: `a los 12 años`. The argument gives the bounds."""
    low, _, high = argument.partition("-")
    years = max(1, min(case.years - 1, case.rng.randint(int(low or 2), int(high or 60))))
    return marked(f"{years} año{'s' if years > 1 else ''}", Label.EDAD_SUJETO_ASISTENCIA)


def sex(case: Case, argument: str) -> AnnotatedText:
    feminine, child = case.feminine, case.years < 13
    options: tuple[str, ...]
    if argument == "letra":
        letters: tuple[str, ...] = ("M", "M", "F", "M", "f", "m") if feminine else ("H", "H", "V", "M", "v", "h")
        if case.country != "ES":
            letters = ("F", "F", "Fem", "FEM", "f") if feminine else ("M", "M", "Masc", "MASC", "m")
        return marked(case.rng.choice(letters), Label.SEXO_SUJETO_ASISTENCIA)
    if argument == "genero":
        options = ("femenino", "femenina", "fem.") if feminine else ("masculino", "masculino", "masc.")
    elif child and case.rng.random() < 0.75:
        options = ("niña",) if feminine else ("niño",)
    else:
        options = ("mujer", "mujer", "mujer", "mujer") if feminine else ("varón", "varón", "varón", "hombre")
    return marked(case.rng.choice(options), Label.SEXO_SUJETO_ASISTENCIA)


def relative(sex: str, whole: bool) -> Filler:
    """A relative's name, which the template includes in the span of the relative."""

    def fill(case: Case, argument: str) -> AnnotatedText:
        person = new_person(case.words, case.rng, country=case.country, sex=sex)
        return AnnotatedText(person.full if whole else person.given)

    return fill


def profession(case: Case) -> str:
    pair = case.words.professions[int(case.rng.random() * len(case.words.professions))]
    return pair[1] if case.feminine else pair[0]
