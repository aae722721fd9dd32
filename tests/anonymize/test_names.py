"""Names: taken apart, put together to persons, and given new ones in the same writing."""

from __future__ import annotations

import pytest

from nadie.persons.parsing import Kind, parse
from nadie.persons.people import People
from nadie.persons.sex import sex_of_patient
from nadie.spanish.folding import key_of
from nadie.spanish.population import bearers, sex_of

from .marked import KEY, OTHER_KEY, context_of, marked, values


@pytest.mark.parametrize(
    ("value", "before", "given", "surnames"),
    [
        ("Ana Pérez Soto", "", "ana", "perez soto"),
        ("PEREZ SOTO, ANA", "", "ana", "perez soto"),
        ("Pérez Soto Ana", "", "ana", "perez soto"),
        ("Sra. Pérez", "", "", "perez"),
        ("Pérez", "remite el Dr. ", "", "perez"),
        ("Pilar", "doña ", "pilar", ""),
        ("Rivera Bueno", "Apellidos: ", "", "rivera bueno"),
        ("Ernesto", "Nombre:  ", "ernesto", ""),
        ("María José", "Nombre: ", "maria jose", ""),
        ("María José", "", "maria jose", ""),
        ("Juan Ignacio Bermejo Aycart", "", "juan ignacio", "bermejo aycart"),
        ("María del Carmen López", "", "maria carmen", "lopez"),
        ("Ana Martín López", "", "ana", "martin lopez"),
        ("Benedito Pérez de Inestrosa", "Apellidos: ", "", "benedito perez inestrosa"),
        ("M.ª Ángeles de la Fuente", "", "maria angeles", "fuente"),
        ("Fco. Glez.", "", "francisco", "gonzalez"),
        ("Pere Sanz-Gallén", "", "pere", "sanz gallen"),
        ("Ordóñez Rodríguez", "", "", "ordonez rodriguez"),
        ("D. José Luis García", "", "jose luis", "garcia"),
    ],
)
def test_parts(value: str, before: str, given: str, surnames: str) -> None:
    name = parse(value, before)
    assert " ".join(name.keys(Kind.GIVEN)) == given
    assert name.keys(Kind.SURNAME) == tuple(surnames.split())


def test_initials_are_no_names() -> None:
    assert parse("J. García").keys(Kind.GIVEN) == ()
    assert [part.is_initial for part in parse("J.G.M.").parts] == [True, True, True]


@pytest.mark.parametrize("value", ["", " ", "123", "...", "'", "ªº", "de la", "\u0301\u0301"])
def test_hostile_names_do_not_fail(value: str) -> None:
    parse(value, value)


def test_one_person_in_many_writings() -> None:
    note = marked(
        "Nombre: {Ana|P}. Apellidos: {PEREZ SOTO|P}. La Sra. {Pérez|P}, {Pérez Soto, Ana|P}, {Ana Pérez|P} y "
        "{A. Pérez|P}. Dra. {Ana Ruiz|S}."
    )
    people = People(note)
    assert [people.numbers()[people.mentions(span)[0].person] for span in note.spans] == [1, 1, 1, 1, 1, 1, 1]
    assert len(people.persons) == 2


def test_two_persons_are_not_one() -> None:
    note = marked("{Ana Pérez Soto|S}, {Luis Pérez Soto|S} y {Ana Gil|S}")
    assert len(People(note).persons) == 3


def rewritten(note: str, key: object = KEY, **changes: object) -> list[str]:
    document = marked(note)
    context = context_of(document, key, **changes)  # type: ignore[arg-type]
    return [str(context.inventor.rewrite(document.text_of(s), context.people.mentions(s)[0])) for s in document.spans]


def test_the_same_surname_alone_and_in_full() -> None:
    full, alone, inverted, initial = rewritten(
        "{Juan García López|P}, Sr. {García|P}, {García López, Juan|P}, {J. García|P}"
    )
    given, first, second = full.split()
    assert alone == first
    assert inverted == f"{first} {second}, {given}"
    assert initial == f"{given[0]}. {first}"
    assert not {key_of(full), key_of(alone)} & {"juan garcia lopez", "garcia"}


@pytest.mark.parametrize("name", ["Ana", "Lucía", "Juan", "Iñaki", "Montserrat"])
@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_sex_is_kept(name: str, key: object) -> None:
    (new,) = rewritten(f"Nombre: {{{name}|P}}", key)
    assert sex_of(key_of(new)) == sex_of(key_of(name))
    assert new != name


@pytest.mark.parametrize(
    ("text", "sex"),
    [("Dra. {Xyz Abcd|S}", "f"), ("D. {Xyz Abcd|S}", "m"), ("Sexo: {M|X}. Nombre: {Xyz|P}", "f"),
     ("Sexo: {Varón|X}. Nombre: {Xyz|P}", "m")],
)  # fmt: skip
def test_sex_of_unknown_names_comes_from_around(text: str, sex: str) -> None:
    note = marked(text)
    people = People(note)
    (person,) = {m.person for span in note.spans for m in people.mentions(span)}
    assert person.sex == sex


def test_sex_of_the_patient() -> None:
    assert sex_of_patient(marked("{H|X} {Varón|X}")) == "m"
    assert sex_of_patient(marked("{M|X}")) == "f"
    assert sex_of_patient(marked("nada")) == ""


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_case_accents_and_number_of_surnames(key: object) -> None:
    upper, lower, one, two = rewritten("{ANA GIL|P}; {luis soto|S}; Sra. {Gil|P}; Apellidos: {Gómez-Ruiz Sanz|S}", key)
    assert upper.isupper()
    assert lower.islower()
    assert len(one.split()) == 1
    assert len(two.replace("-", " ").split()) == 3
    assert two.count("-") == 1
    (plain,) = rewritten("{Jose Gonzalez Jimenez|S}", key)
    assert plain.replace("ñ", "n").isascii()


def test_abbreviations_stay_abbreviations() -> None:
    female, male = rewritten("{M.ª Teresa Soto|S} y {Fco. Soto|S}")
    assert female.startswith("M.ª ")
    first = male.split()[0]
    assert first.endswith(".") or bearers(key_of(first)) > 0  # few names have an abbreviation


def test_initials_stay_initials_and_change() -> None:
    (new,) = rewritten("{J.G.M.|P}")
    assert len(new) == 6
    assert [c for c in new if c == "."] == ["."] * 3
    assert all(a != b for a, b in zip(new[::2], "JGM", strict=True))


def test_the_scope_links_and_separates() -> None:
    note = "{Ana García|P}"
    assert rewritten(note, scope="a") == rewritten(note, scope="a")
    assert len({tuple(rewritten(note, scope=str(n))) for n in range(20)}) > 15
    assert rewritten(note) != rewritten(note, OTHER_KEY)


def test_people_of_the_note_are_all_named() -> None:
    note = marked("{Ana|P} {Dr. Gil|S}")
    assert all(People(note).person(span) for span in note.spans)
    assert values(note) == ["Ana", "Dr. Gil"]
