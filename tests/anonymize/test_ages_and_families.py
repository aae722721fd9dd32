"""Ages, relatives and professions."""

from __future__ import annotations

import pytest

from nadie.spanish import tables
from nadie.surrogates.age_forms import read
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.jobs import another

from .marked import KEY, context_of, marked


def steps() -> list[str]:
    """Patients for whom ages move by each of the possible steps."""
    found = {str(context_of(marked("x"), patient=str(n)).ages.rewrite("30 años")): str(n) for n in range(60)}
    assert set(found) == {"28 años", "29 años", "31 años", "32 años"}
    return list(found.values())


@pytest.mark.parametrize(
    ("value", "low", "high"),
    [("70 años", 65, 79), ("3 años", 2, 5), ("17 años", 12, 17), ("18 años", 18, 39), ("92 años", 90, 114),
     ("89 años", 80, 89), ("11 meses", 6, 11), ("20 días", 7, 27), ("5 semanas", 4, 7), ("68a", 65, 79),
     ("45", 40, 64)],
)  # fmt: skip
def test_ages_move_within_their_stage(value: str, low: int, high: int) -> None:
    for patient in steps():
        new = context_of(marked("x"), patient=patient).ages.rewrite(value)
        assert isinstance(new, str)
        (old_age,), (age,) = read(value), read(new)  # type: ignore[misc]
        assert low <= age.number <= high
        assert 1 <= abs(age.number - old_age.number) <= 2
        assert age.unit == old_age.unit


@pytest.mark.parametrize(
    ("value", "news"),
    [
        ("siete años", {"nueve años", "seis años", "ocho años"}),
        ("veinte años", {"dieciocho años", "diecinueve años", "veintiún años", "veintidós años"}),
        ("TREINTA AÑOS", {"VEINTIOCHO AÑOS", "VEINTINUEVE AÑOS", "TREINTA Y UN AÑOS", "TREINTA Y DOS AÑOS"}),
        ("tres semanas", {"dos semanas", "una semana"}),
        (
            "2 años y 3 meses",
            {
                "3 años y 5 meses",
                "3 años y 1 mes",
                "4 años y 5 meses",
                "3 años y 4 meses",
                "3 años y 2 meses",
                "4 años y 2 meses",
            },
        ),
        ("2 dias", {"1 dia", "3 dias", "4 dias"}),
    ],
)
def test_the_grammar_stays_right(value: str, news: set[str]) -> None:
    found = {str(context_of(marked("x"), patient=patient).ages.rewrite(value)) for patient in steps()}
    assert found <= news
    assert len(found) > 1


@pytest.mark.parametrize("value", ["Recién nacido", "lactante", "1 año", "un mes", "Adolescente", "120 años"])
def test_newborns_stay_newborns(value: str) -> None:
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
        assert isinstance(told("40 años"), str)


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
        ("64", "", {"64"}),
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
    ("value", "sex", "column"),
    [("carpintero", "", 0), ("soldadora", "m", 1), ("taxista", "f", 1), ("militar", "m", 0), ("Mecánico", "", 0),
     ("ex profesora de instituto", "", 1)],
)  # fmt: skip
def test_professions_keep_their_sex(value: str, sex: str, column: int) -> None:
    new = another(value, KEY, "s", sex)
    assert new is not None
    bare = new.removeprefix("ex ").lower()
    assert bare in {row[column] for row in tables.professions()}
    assert value.startswith("ex ") == new.startswith("ex ")
    assert value[0].isupper() == new[0].isupper()


COMMON = (
    "camarero camarera albañil enfermera enfermero maestra maestro profesor profesora abogado abogada "
    "administrativo administrativa dependienta dependiente conductor conductora camionero taxista cocinero "
    "cocinera limpiadora peluquera peluquero electricista fontanero mecánico carpintero pintor soldador soldadora "
    "agricultor agricultora ganadero pescador jardinero panadera panadero carnicero policía bombero militar "
    "ingeniero ingeniera arquitecta arquitecto médica médico farmacéutica psicólogo psicóloga periodista "
    "economista contable comercial vendedor vendedora secretaria recepcionista auxiliar cuidadora cuidador cajera "
    "cajero repartidor vigilante operario operaria obrero peón minero costurera modista estudiante jubilado "
    "jubilada actriz actor músico cantante escritora fotógrafo chofer empresaria empresario autónomo funcionaria "
    "funcionario bibliotecaria traductor guía monitora azafata piloto juez jueza "
).split()
FEMALE_WORDS = frozenset(word for word in COMMON if word.endswith("a") and word not in ("policía", "guía")) - {
    "taxista", "electricista", "periodista", "economista", "recepcionista",
} | {"actriz"}  # fmt: skip


def test_common_professions_have_another_one_of_the_right_gender() -> None:
    right = 0
    for word in COMMON:
        sex = "f" if word in FEMALE_WORDS else "m"
        new = another(word, KEY, "s", sex)
        column = int(sex == "f")
        others = {"alumno de instituto", "alumna de instituto", "escolar", "pensionista", "prejubilado", "retirada"}
        others |= {"agente", "oficial", "cabo", "empleado", "empleada", "operario", "operaria"}
        others |= {f"trabajador{a} {how}" for a in ("", "a") for how in ("por cuenta propia", "independiente")}
        right += new is not None and new != word and (new in {row[column] for row in tables.professions()} | others)
    assert right >= 0.98 * len(COMMON)


@pytest.mark.parametrize(
    ("value", "start"),
    [("vende comida", "trabaja en "), ("VENDE EN FERIA", "TRABAJA EN "), ("estudia 6.º", "estudia "),
     ("colocando paneles", "trabajando en "), ("Excapitán de goleta", "Ex"), ("tareas del hogar", "")],
)  # fmt: skip
def test_what_people_do(value: str, start: str) -> None:
    new = another(value, KEY, "s", "f")
    assert new is not None
    assert new.startswith(start)
    assert new != value


@pytest.mark.parametrize("value", ["", "3", "..."])
def test_what_is_no_profession(value: str) -> None:
    assert another(value, KEY, "s", "") is None
