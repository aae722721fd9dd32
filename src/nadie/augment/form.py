"""The header of a synthetic note: its fields and their values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

from nadie.augment.case import Case
from nadie.augment.fields import HeaderField
from nadie.augment.header import render_header
from nadie.augment.passage import AnnotatedText, join, marked
from nadie.augment.people import FOREIGN, new_person
from nadie.augment.vocabulary import countries, lines, rows
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

Fill = Callable[[str, str], AnnotatedText]

_VALUES = Lists("form_values", "nadie.augment")
_SHORT_FORM = frozenset({"history", "age", "sex", "birth_date", "visit", "bed", "national", "episode"})


@cache
def _services() -> tuple[str, ...]:
    return tuple(lines("services.txt"))


@cache
def _header_fields() -> dict[str, tuple[float, str]]:
    """The probability of each field in a header, and its slot if it has one; the name has its own rule."""
    return {kind: (float(chance), slot[0] if slot else "") for kind, chance, *slot in rows("header_fields.tsv")}


def form_block(case: Case, size: str, fill: Fill) -> AnnotatedText:
    """A whole header in one of the layouts; `corto` has few fields."""
    fields = _fields(case, size == "corto", fill)
    rng = case.rng
    if rng.random() < 0.35:
        rng.shuffle(fields)
    return render_header(fields, case.split, rng)


def _fields(case: Case, short: bool, fill: Fill) -> list[HeaderField]:
    rng = case.rng
    fields = _name_fields(rng, fill)
    for kind, (chance, _) in _header_fields().items():
        if short and (kind not in _SHORT_FORM or len(fields) > 5):
            continue
        if rng.random() < chance:
            label, value = _field(case, kind, fill)
            if value.text:
                fields.append(HeaderField(label, value))
    return fields


def _name_fields(rng: Random, fill: Fill) -> list[HeaderField]:
    share = rng.random()
    if share < 0.1:
        return []
    if share < 0.72:
        return [HeaderField("name", fill("ficha", ""))]
    both = [HeaderField("given", fill("nombre", "")), HeaderField("surnames", fill("apellidos", ""))]
    return both if rng.random() < 0.6 else both[::-1]


def _field(case: Case, kind: str, fill: Fill) -> tuple[str, AnnotatedText]:
    """The kind of label and the value."""
    rng = case.rng
    spain = case.country == "ES"
    if slot := _header_fields()[kind][1]:
        return kind, fill(slot, "")
    makers: dict[str, Callable[[], tuple[str, AnnotatedText]]] = {
        "national": lambda: (_national_label(case), fill("id_nac", "")),
        "health_card": lambda: ("health_card", fill("tsi", "") if spain else AnnotatedText("")),
        "social": lambda: ("social_security", fill("nass", "")) if spain else ("american_social", _mexican(case, fill)),
        "insurer": lambda: ("insurer", fill("institucion", "insurer")),
        "street": lambda: ("street", fill("calle" if rng.random() < 0.5 else "direccion", "")),
        "country": lambda: ("country", fill("pais" if rng.random() < 0.6 else "extranjero", "")),
        "birth_place": lambda: ("birth_place", fill("pueblo", "otro")),
        "age": lambda: ("age", _age(rng, fill)),
        "sex": lambda: ("sex", _capital(fill("sexo", rng.choice(("letra", "letra", "", "genero"))), rng)),
        "discharge": lambda: ("discharge", fill("fecha", "")),
        "visit": lambda: ("visit", _moment(rng, fill("fecha", ""))),
        "physician": lambda: ("physician", fill(rng.choice(("dr", "medico")), "")),
        "licence": lambda: ("licence", fill("colegiado" if spain else "licencia", "")),
        "service": lambda: ("service", AnnotatedText(rng.choice(_services()))),
        "bed": lambda: ("bed", AnnotatedText(_bed(rng))),
        "marital": lambda: ("marital", marked(_marital(case), Label.ID_SUJETO_ASISTENCIA)),
        "contact": lambda: ("contact", _contact(case, fill)),
        "nationality": lambda: ("nationality", _nationality(case, fill)),
        "allergies": lambda: ("allergies", AnnotatedText(rng.choice(_VALUES["allergies"]))),
    }
    return makers[kind]()


def _national_label(case: Case) -> str:
    if case.country == "ES":
        return "foreign_id" if case.patient.origin in FOREIGN else "national_id"
    return case.country


def _mexican(case: Case, fill: Fill) -> AnnotatedText:
    return fill("imss", "") if case.country == "MX" else AnnotatedText("")


def _age(rng: Random, fill: Fill) -> AnnotatedText:
    return fill("edad_n", "") if rng.random() < 0.3 else fill("edad", rng.choice(("", "", "corta")))


def _capital(value: AnnotatedText, rng: Random) -> AnnotatedText:
    text = rng.choice((value.text, value.text.capitalize(), value.text.upper()))
    return AnnotatedText(text, value.spans)


def _moment(rng: Random, day: AnnotatedText) -> AnnotatedText:
    """A date, sometimes with the time, which is not part of the span (guidelines, N6.1)."""
    if rng.random() < 0.6:
        return day
    hour = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
    return day.then(
        AnnotatedText(rng.choice((" ", ", ", " - ", " a las ", " / ")) + hour + rng.choice(("", "", "h", " h", " hs")))
    )


def _bed(rng: Random) -> str:
    numbers = {"a": rng.randint(101, 699), "b": rng.randint(1, 12), "c": rng.choice("ABC"), "d": rng.randint(1, 9)}
    return rng.choice(_VALUES["beds"]).format(**numbers)


def _marital(case: Case) -> str:
    ending = "a" if case.feminine else "o"
    return case.rng.choice(("casad", "solter", "viud", "divorciad", "separad", "Casad", "Solter")) + ending


def _contact(case: Case, fill: Fill) -> AnnotatedText:
    """`Lucía Pérez Gil (hija) 600 ...`: name and kinship both have the label of relatives."""
    rng = case.rng
    kin, sex = rng.choice(_VALUES["kinship"]).split("/")
    person = new_person(case.words, rng, country=case.country, sex=sex)
    name = marked(person.full if rng.random() < 0.6 else person.given, Label.FAMILIARES_SUJETO_ASISTENCIA)
    kinship = marked(kin, Label.FAMILIARES_SUJETO_ASISTENCIA)
    forms = (
        join((name, AnnotatedText(" ("), kinship, AnnotatedText(")"))),
        name,
        join((name, AnnotatedText(", "), kinship)),
        join((kinship, AnnotatedText(": "), name)),
    )
    value = rng.choice(forms)
    if rng.random() < 0.6:
        sign = rng.choice((" ", " - ", ", tel. ", " tlf ", " / ", ", "))
        value = join((value, AnnotatedText(sign), fill("tel", "")))
    return value


def _nationality(case: Case, fill: Fill) -> AnnotatedText:
    if case.rng.random() < 0.5:
        return _capital(fill("extranjero", "gentilicio"), case.rng)
    own = countries()[case.country]
    return marked((own.feminine if case.feminine else own.masculine).capitalize(), Label.ID_SUJETO_ASISTENCIA)
