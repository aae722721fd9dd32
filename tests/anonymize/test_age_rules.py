"""A policy reveals an age in one form only: as an age, by the date of birth, or not at all."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.operators.generalize import GeneralizeOperator
from nadie.anonymize.policy import parse_policy, read_policy
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.resolve.overlaps import disjoint
from nadie.spanish import tables
from nadie.surrogates.dates.births import AgeRule, birth_outcome
from nadie.surrogates.dates.shifting import Shift
from nadie.surrogates.decision import REFUSE

from .marked import KEY, anonymized, context_of, marked


def through(policy: str, text: str) -> str:
    return anonymized(Engine(read_policy(policy), KEY), marked(text)).text


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("{93 años|E}, nacida en {1926|D}", "90 años o más, nacida en [FECHAS]"),
        ("{93 años|E} ({1926|D}), operada en {1998|D}", "90 años o más ([FECHAS]), operada en 1998"),
        ("Nacida en {1926|D}, ingresa en {2019|D}", "Nacida en [FECHAS], ingresa en 2019"),
        ("Nacida en {mayo de 1926|D}, ingresa en {2019|D}", "Nacida en [FECHAS], ingresa en 2019"),
        ("{nonagenaria|E}, nacida en {1926|D}", "[EDAD_SUJETO_ASISTENCIA], nacida en [FECHAS]"),
        ("Nacida en los {años 20|D}, ingresa en {2019|D}", "Nacida en los [FECHAS], ingresa en 2019"),
        ("Trabajó desde {1925|D}. Ingresa en {2019|D}", "Trabajó desde [FECHAS]. Ingresa en 2019"),
        ("FN: {12/12/1929|D}, ingresa el {01/02/2019|D}", "FN: 1929, ingresa el 2019"),
        ("FN: {12/12/1928|D}, ingresa el {01/02/2019|D}", "FN: [FECHAS], ingresa el 2019"),
        ("{73 años|E}, nacida en {1946|D}, ingresa en {2019|D}", "73 años, nacida en 1946, ingresa en 2019"),
        ("Nacida en {1926|D}, ingresa en {1990|D}", "Nacida en 1926, ingresa en 1990"),
        ("Nacida en {1901|D}", "Nacida en [FECHAS]"),
        ("Fecha: {3, 5 y 7 de julio de 2019|D}", "Fecha: 2019"),
        ("del {28/12/2018 al 03/01/2019|D}", "del 2018-2019"),
        ("{3|D} y {5 de mayo de 2019|D}", "[FECHAS] y 2019"),
        ("desde {2005-2010|D}, en los {años 90|D}", "desde 2005-2010, en los años 90"),
        ("el {lunes|D} {3 de mayo|D}", "el [FECHAS] [FECHAS]"),
    ],
)
def test_hipaa_and_ages_over_89(text: str, new: str) -> None:
    assert through("hipaa-safe-harbor", text) == new


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("FN: {03/05/54|D}", "FN: 1954"),
        ("FN: {03/05/36|D}, ingresa el {12/03/2019|D}", "FN: 1936, ingresa el 2019"),
        ("FN: {03/05/31|D}, ingresa el {12/03/2019|D}", "FN: 1931, ingresa el 2019"),
        ("FN: {03/05/31|D}, ingresa el {12/03/19|D}", "FN: 1931, ingresa el 2019"),
        ("FN: {03/05/31|D}, ingresa el {12/03/2024|D}", "FN: [FECHAS], ingresa el 2024"),
        (
            "FN: {03/05/31|D}. Paciente {03/05/31|D}, ingresa el {12/03/2019|D}",
            "FN: 1931. Paciente 1931, ingresa el 2019",
        ),
        ("FN: {03/05/19|D}, ingresa el {12/05/2019|D}", "FN: 2019, ingresa el 2019"),
        ("FN: {03/05/10|D}, ingresa el {12/03/2019|D}", "FN: 2010, ingresa el 2019"),
        ("FN: {03/05/99|D}, ingresa el {12/03/2019|D}", "FN: 1999, ingresa el 2019"),
        ("Ingresa el {12/03/2019|D}, cita el {03/05/21|D}", "Ingresa el 2019, cita el 2021"),
    ],
)
def test_nobody_is_born_after_the_document(text: str, new: str) -> None:
    """Two digits are the year that the document allows; four digits are written in their place."""
    assert through("hipaa-safe-harbor", text) == new


@pytest.mark.parametrize("policy", ["hipaa-safe-harbor", "gdpr-pseudonymise"])
def test_nobody_is_born_in_the_future(policy: str) -> None:
    this_year = date.today().year
    written = f"{(this_year + 1) % 100:02d}"
    for year in re.findall(r"\d{4}", through(policy, f"FN: {{03/05/{written}|D}}")):
        assert int(year) < this_year - 90


def test_a_birth_in_two_digits_gives_the_same_range_as_in_four() -> None:
    texts = [f"FN: {{03/05/{year}|D}}, ingresa el {{12/03/2019|D}}" for year in ("31", "1931")]
    engine = Engine(read_policy("gdpr-pseudonymise"), KEY)
    assert len({anonymized(engine, marked(text, patient="7")).text for text in texts}) == 1


def test_a_document_that_has_only_a_birth_is_of_this_year_or_of_the_one_that_the_policy_names() -> None:
    note = marked("Nacida en {1926|D}")
    outcomes = [
        GeneralizeOperator(band=0, now=now).replace("1926", note.spans[0], context_of(note)) for now in (2015, 2016)
    ]
    assert [str(outcome) for outcome in outcomes] == ["Decision.KEEP", "Decision.REFUSE"]


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("CP {13600|T}", "CP 13***"),
        ("CP {42001|T}, {Soria|T}", "CP 42***, Castilla y León"),
        ("{10027|T}, {Estados Unidos|PAIS}", "100**, Estados Unidos"),
        ("{03601|T}, {Estados Unidos|PAIS}", "000**, Estados Unidos"),
        ("{99999|T}", "[TERRITORIO]"),
        ("{75001|T}, {Francia|PAIS}", "[TERRITORIO], Francia"),
    ],
)
def test_postcodes_keep_what_20000_people_share(text: str, new: str) -> None:
    assert through("hipaa-safe-harbor", text) == new


def test_two_digits_are_a_province() -> None:
    assert len(tables.provinces()) == 52


def ages_that_fit(birth: str, years: range) -> set[int]:
    low, high = (int(year) for year in birth.split("-"))
    return {year - born - passed for year in years for born in range(low, high + 1) for passed in (0, 1)}


@pytest.mark.parametrize("age", [3, 17, 44, 45, 49, 72, 89])
def test_a_band_of_ages_is_not_undone_by_the_birth(age: int) -> None:
    born = f"{{12/03/{2019 - age}|D}}"
    out = through("gdpr-pseudonymise", f"FN: {born}, {{{age} años|E}}. Ingresa el {{01/06/2019|D}}. {born}")
    shown = re.fullmatch(r"FN: (\d{4}-\d{4}), (\d+)-(\d+) años. Ingresa el \d\d/\d\d/(\d{4}). (\d{4}-\d{4})", out)
    assert shown is not None
    low, high, year = int(shown[2]), int(shown[3]), int(shown[4])
    assert shown[1] == shown[5]
    assert set(range(low, high + 1)) <= ages_that_fit(shown[1], range(year, year + 1))


def test_the_birth_follows_what_the_policy_does_with_ages() -> None:
    text = "FN: {12/03/1947|D}, {72 años|E}, ingresa el {01/06/2019|D}"
    for ages, shown in {
        '"keep"': r"FN: \d\d/\d\d/19\d\d, 72 años, ingresa el .*",
        '"label"': r"FN: \[FECHAS\], \[EDAD_SUJETO_ASISTENCIA\], ingresa el \d\d/.*",
        '{ operator = "generalize", band = 0, top = 70 }': r"FN: \[FECHAS\], 70 años o más, ingresa el \d\d/.*",
        '{ operator = "generalize", band = 0 }': r"FN: \d\d/\d\d/19\d\d, 72 años, ingresa el .*",
    }.items():
        policy = parse_policy(f'[labels]\nFECHAS = "shift"\nEDAD_SUJETO_ASISTENCIA = {ages}', "here")
        assert re.fullmatch(shown, anonymized(Engine(policy, KEY), marked(text)).text)
    months = (
        '[labels]\nFECHAS = { operator = "generalize", date = "month" }\nAGE = { operator = "generalize", band = 5 }'
    )
    assert anonymized(Engine(parse_policy(months, "here"), KEY), marked(text)).text.startswith(
        "FN: 1944-1949, 70-74 años"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Edad gestacional: {39 semanas|E}",
        "RN de {39 semanas|E}, parto eutócico",
        "prematuro de {31 semanas|E}",
        "gestante de {20 semanas|E}",
        "{32 semanas|E} de gestación",
        "primigesta de 28 años, de {39 semanas|E}",
        "niña con edad ósea de {6 años|E}",
        "{32 semanas|E}+4 días",
        "edad ósea de {8 años|E}",
        "edad mental de {5 años|E}",
        "edad mental correspondiente a {5 años|E}",
        "edad corregida de {3 meses|E}",
        "maduración ósea: {8 años|E}",
        "hace {10 años|E}",
        "durante {3 meses|E}",
        "hace {3 semanas|E}",
        "de {10 años|E} de evolución",
        "menarquia a los {12 años|E}",
        "menopausia a los {50|E}",
        "se sentó a los {7|E}",
        "palabras a los {18|E}",
        "IVSA {14|E}",
        "lleva {3 años|E} en tratamiento",
        "control en {3 meses|E}",
        "fumador desde hace {30 años|E}",
        "{5 años|E} de seguimiento",
        "{20 años|E} antes",
        "vino {6 meses|E} después",
    ],
)
@pytest.mark.parametrize("policy", ["research", "gdpr-pseudonymise", "hipaa-safe-harbor"])
def test_clinical_ages_and_durations_stay(policy: str, text: str) -> None:
    assert through(policy, text) == re.sub(r"[{}]|\|E", "", text)


@pytest.mark.parametrize(
    "text",
    [
        "mujer de {72 años|E} con dolor",
        "lactante de {5 meses|E}",
        "Edad: {44|E}",
        "gestante de {32 años|E}",
        "embarazada de {32 años|E}",
        "seguimiento de paciente de {45 años|E}",
        "mujer de {45 años|E} en tratamiento",
        "{70 años|E}, ingreso urgente",
        "varón de {44 años|E} de evolución tórpida",
        "RN de {3 semanas|E} de vida",
        "durante el ingreso, paciente de {45 años|E}",
    ],
)
def test_ages_of_persons_are_still_banded(text: str) -> None:
    assert through("gdpr-pseudonymise", text) != re.sub(r"[{}]|\|E", "", text)


@pytest.mark.corpus
def test_no_note_of_the_corpus_tells_the_exact_age(meddocan: Path) -> None:
    engine = Engine(read_policy("gdpr-pseudonymise"), KEY)
    births = 0
    for part in ("train", "dev"):
        for document in read_documents(meddocan / part / "brat", "brat"):
            done = anonymized(engine, document.with_spans(disjoint(document.spans)))
            for item in done.replaced:
                if document.text[: item.span.start].endswith("acimiento: ") and item.span.label == Label.FECHAS:
                    births += 1
                    assert re.fullmatch(r"\d{4}-\d{4}|\[FECHAS\]", done.text[item.start : item.end])
    assert births > 600


@pytest.mark.parametrize(
    ("years", "bounds"), [(0, (0, 0)), (1, (1, 4)), (4, (1, 4)), (5, (5, 9)), (85, (85, 89)), (89, (85, 89))]
)
def test_bands_of_ages(years: int, bounds: tuple[int, int]) -> None:
    assert AgeRule(5, 90).bounds(years) == bounds
    assert AgeRule(5, 88).bounds(86) == (85, 87)


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("FN: {03/05/2018|D}, ingresa el {12/03/2019|D}", "2018-2019"),  # less than one year
        ("FN: {12/03/2018|D}, ingresa el {12/03/2019|D}", "2014-2018"),  # one year
        ("FN: {13/03/1954|D}, ingresa el {12/03/2019|D}", "1954-1959"),  # 64
        ("FN: {12/03/1954|D}, ingresa el {12/03/2019|D}", "1949-1954"),  # 65
        ("{65 años|E}. FN: {13/03/1954|D}, ingresa el {12/03/2019|D}", "1949-1954"),  # 64, stated as 65
        ("{70 años|E}. FN: {13/03/1954|D}, ingresa el {12/03/2019|D}", "1954-1959"),  # the age of somebody else
        ("Nacida en {1954|D}, ingresa el {12/08/2019|D}", "1949-1954"),  # in the middle of the year: 65
        ("Nacida en {1954|D}, ingresa el {12/06/2019|D}", "1954-1959"),
    ],
)
def test_the_range_of_births_is_that_of_the_band(text: str, years: str) -> None:
    note = marked(text)
    context = context_of(note)
    birth = next(span for span in note.spans if context.calendar.is_birth(span))
    assert birth_outcome(context.calendar, birth, AgeRule(5, 90), context.stated_ages, Shift(0)) == years


def test_a_birth_without_another_date_is_in_a_range_of_the_width_of_the_band() -> None:
    note = marked("FN: {03/05/1954|D}")
    context = context_of(note)
    outcomes = [
        birth_outcome(context.calendar, note.spans[0], AgeRule(5, 90), (), Shift(days)) for days in (0, 731, -731)
    ]
    assert outcomes == ["1950-1954", "1955-1959", "1950-1954"]


def test_the_highest_band_hides_the_birth() -> None:
    for day, is_hidden in (("12/03/1929", True), ("13/03/1929", False)):
        note = marked(f"FN: {{{day}|D}}, ingresa el {{12/03/2019|D}}")
        context = context_of(note)
        outcome = birth_outcome(context.calendar, note.spans[0], AgeRule(5, 90), (), Shift(0))
        assert (outcome is REFUSE) is is_hidden


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("{90 años|E}", "90 años o más"),
        ("{89 años|E}", "89 años"),
        ("{90 años|E}, operada en {1930|D}", "90 años o más, operada en [FECHAS]"),
        ("Trabajó desde {1929|D}. Ingresa en {2019|D}", "Trabajó desde [FECHAS]. Ingresa en 2019"),
        ("Trabajó desde {1930|D}. Ingresa en {2019|D}", "Trabajó desde 1930. Ingresa en 2019"),
        ("{Lugo|T}", "Galicia"),
        ("{Córdoba|T}, {Argentina|PAIS}", "[TERRITORIO], Argentina"),
    ],
)
def test_hipaa_at_the_limits(text: str, new: str) -> None:
    assert through("hipaa-safe-harbor", text) == new
