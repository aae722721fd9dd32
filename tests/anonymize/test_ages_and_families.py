"""Ages, relatives and professions."""

from __future__ import annotations

import pytest

from nadie.surrogates.age_forms import read
from nadie.surrogates.decision import KEEP, REFUSE, Outcome

from .marked import context_of, marked


def steps() -> list[str]:
    """Patients for whom ages move by each of the possible steps."""
    found = {str(context_of(marked("x"), patient=str(n)).ages.rewrite("32 años")): str(n) for n in range(60)}
    assert set(found) == {"30 años", "31 años", "33 años", "34 años"}
    return list(found.values())


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [("72 años", 70, 74), ("3 años", 3, 5), ("17 años", 16, 17), ("18 años", 18, 19), ("92 años", 90, 115),
     ("89 años", 85, 89), ("68a", 65, 69), ("45", 45, 49), ("54 años", 50, 54), ("3 años y 5 meses", 3, 5)],
)  # fmt: skip
def test_ages_move_up_to_the_next_clinical_limit(value: str, low: int, high: int) -> None:
    news = set()
    for patient in steps():
        outcome = context_of(marked("x"), patient=patient).ages.rewrite(value)
        new = value if outcome is KEEP else outcome
        assert isinstance(new, str)
        (old_age, *old_rest), (age, *rest) = read(value) or [], read(new) or []
        assert low <= age.number <= high
        assert abs(age.number - old_age.number) <= 2
        assert [a.number for a in rest] == [a.number for a in old_rest]  # months move with their year
        news.add(age.number)
    assert len(news) > 1


def test_the_order_of_ages_stays() -> None:
    for patient in steps():
        ages = context_of(marked("x"), patient=patient).ages
        moved = [n if (new := ages.rewrite(str(n))) is KEEP else int(str(new)) for n in range(1, 110)]
        assert moved == sorted(moved)


@pytest.mark.parametrize(
    ("value", "news"),
    [
        ("siete años", {"seis años", "ocho años"}),
        ("veinte años", {"veintiún años", "veintidós años"}),
        ("TREINTA AÑOS", {"TREINTA Y UN AÑOS", "TREINTA Y DOS AÑOS"}),
        ("4 años y 1 mes", {"3 años y 1 mes", "5 años y 1 mes"}),
    ],
)
def test_the_grammar_stays_right(value: str, news: set[str]) -> None:
    outcomes = [context_of(marked("x"), patient=patient).ages.rewrite(value) for patient in steps()]
    assert {new for new in outcomes if new is not KEEP} == news


@pytest.mark.parametrize(
    "value",
    ["Recién nacido", "lactante", "1 año", "un mes", "Adolescente", "120 años", "11 meses", "23 meses", "20 días",
     "3 días de vida", "5 semanas", "36 horas", "1 año y 4 meses", "2 años"],
)  # fmt: skip
def test_newborns_and_infants_keep_their_age(value: str) -> None:
    for patient in steps():
        assert context_of(marked("x"), patient=patient).ages.rewrite(value) is KEEP


@pytest.mark.parametrize("value", ["tío paterno", "cuarto mes", "70 años de Lugo", "Ana", ""])
def test_what_is_no_age(value: str) -> None:
    assert context_of(marked("x")).ages.rewrite(value) in (REFUSE, KEEP)
    assert value == "" or context_of(marked("x")).ages.rewrite(value) is REFUSE


def test_the_age_agrees_with_the_moved_birth() -> None:
    note = marked(
        "Fecha de nacimiento: {03/03/1946|D}. Edad: {70 años|E}. Ingreso: {12/12/2016|D}. Hijo de {40 años|FAM}"
    )
    for patient in range(30):
        context = context_of(note, patient=str(patient))
        birth, admission = (context.calendar.moved(note.spans[n]) for n in (0, 2))
        day, month, year = (int(part) for part in str(birth).split("/"))
        late_day, late_month, late_year = (int(part) for part in str(admission).split("/"))
        age = late_year - year - ((late_month, late_day) < (month, day))
        outcome = context.ages.rewrite("70 años")
        assert outcome == (KEEP if age == 70 else f"{age} años")
        assert isinstance(told("42 años"), str)


def told(value: str) -> Outcome:
    note = marked(f"{{{value}|FAM}}")
    context = context_of(note)
    return context.relatives.rewrite(value, context.people.mentions(note.spans[0]))


@pytest.mark.parametrize(
    "value", ["madre", "Madre", "dos hermanas", "tío materno", "3 varones", "hijo único", "familia"]
)
def test_kinship_stays(value: str) -> None:
    assert told(value) is KEEP


@pytest.mark.parametrize(
    ("value", "start", "gone"),
    [
        ("madre Teresa Rodríguez", "madre ", {"Teresa", "Rodríguez"}),
        ("Madre Teresa Rodríguez", "Madre ", {"Teresa", "Rodríguez"}),
        ("padres Ana Gil Soto y Nicolás Vela", "padres ", {"Ana", "Gil", "Soto", "Nicolás", "Vela"}),
        ("hijo de 27 años", "hijo de ", {"27"}),
        ("Rocío", "", {"Rocío"}),
        ("63", "", {"63"}),
    ],
)
def test_who_they_are_changes(value: str, start: str, gone: set[str]) -> None:
    new = told(value)
    assert isinstance(new, str)
    assert new.startswith(start)
    assert not gone & set(new.split())


def test_relatives_share_the_patients_surname() -> None:
    note = marked("{Luis Vela Gil|P}, con su hermana {Ana Vela Gil|FAM}")
    context = context_of(note)
    patient = str(context.inventor.rewrite("Luis Vela Gil", context.people.mentions(note.spans[0])[0]))
    sister = str(context.relatives.rewrite("Ana Vela Gil", context.people.mentions(note.spans[1])))
    assert patient.split()[1:] == sister.split()[1:]
    assert patient.split()[0] != sister.split()[0]


@pytest.mark.parametrize("value", ["una niet", "amigo Xyz zzqbrado", "vive en Lugo con zzz"])
def test_what_is_not_understood_is_refused(value: str) -> None:
    assert told(value) is REFUSE


@pytest.mark.parametrize(
    ("note", "age"),
    [
        ("nacido en {Lugo|T} ({España|PAIS}) el {12/03/1956|D}. Edad: {63 años|E}. Ingreso {10/01/2020|D}", 63),
        ("DN {01/02/1990|D}, {34 anys|E}, visita {08/03/2024|D}", 34),
        ("nombre  f_nacim     edad  visita\nLuis    {01/02/1990|D}  {34|E}  {15/03/2024|D}", 34),
        ("ALTA {15/03/2024|D}\nPac. varón {01/02/1990|D} {34|E}", 34),
    ],
)
def test_age_birth_and_date_of_the_note_agree(note: str, age: int) -> None:
    document = marked(note)
    days = [span for span in document.spans if span.label == "FECHAS"]
    for patient in range(20):
        context = context_of(document, patient=str(patient))
        birth, seen = sorted(tuple(map(int, reversed(str(context.calendar.moved(day)).split("/")))) for day in days)
        moved = context.ages.rewrite(f"{age} años")
        expected = seen[0] - birth[0] - (seen[1:] < birth[1:])
        assert moved == (KEEP if expected == age else f"{expected} años")
