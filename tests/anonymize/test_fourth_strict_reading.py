"""Kinds that a fourth strict reading found: origins of names, sexes, workplaces, countries, trades and accounts."""

from __future__ import annotations

import re

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.parsing import Kind, parse
from nadie.persons.sex import sex_by_name
from nadie.spanish.folding import key_of
from nadie.spanish.name_pools import foreign_pool, given_pool, surname_pool

from .test_natural_replacements import KEYS, became, text_of


@pytest.mark.parametrize(
    ("name", "sex", "others"),
    [
        ("ginés", "m", ("Jamal", "Mostafa", "Adrià")),
        ("marcel", "m", ("Samir",)),
        ("beltrán", "m", ("Amin",)),
        ("julia", "f", ("Aisha", "Ivanka", "Nahia")),
        ("antonio", "m", ("Lluc", "Pol")),
    ],
)
def test_a_first_name_of_spain_becomes_none_of_another_origin(name: str, sex: str, others: tuple[str, ...]) -> None:
    assert set(others).isdisjoint(given_pool(key_of(name), sex).values)


@pytest.mark.parametrize(
    ("name", "sex", "one"),
    [
        ("xuban", "m", "Odei"),
        ("pilartxo", "f", "Maixabel"),
        ("yeray", "m", "Airam"),
        ("hipòlit", "m", "Jordi"),
        ("miloud", "m", "Samir"),
        ("klaus", "m", "Helmut"),
        ("agnieszka", "f", "Katarzyna"),
        ("priyanka", "f", "Anjali"),
        ("nguyễn", "m", "Minh"),
        ("elif", "f", "Zeynep"),
    ],
)
def test_a_first_name_of_one_origin_becomes_another_of_it(name: str, sex: str, one: str) -> None:
    assert one in given_pool(key_of(name), sex).values


@pytest.mark.parametrize(
    ("name", "ones", "others"),
    [
        ("Otamendi", ("Irazábal",), ("Conti", "Etxaniz", "Cuquejo")),
        ("Belategi", ("Etxaniz",), ("Kausar", "Conti")),
        ("Uzal", (), ("Conti", "Meier", "Russell", "Giordano", "Rosso")),
        ("Dietzel", ("Krause",), ("Wheeler", "Aghmir")),
        ("Whitaker", ("Taylor",), ("Krause",)),
        ("Pelegrí", ("Camprubí",), ("Talbi", "Hajji")),
        ("Domínguez", ("Muñoz",), ("Piñeiro",)),
    ],
)
def test_a_surname_becomes_one_of_its_origin(name: str, ones: tuple[str, ...], others: tuple[str, ...]) -> None:
    pool = set(surname_pool(key_of(name), with_particle=False).values)
    assert pool.issuperset(ones)
    assert pool.isdisjoint(others)


def test_an_arabic_surname_with_its_article_becomes_another() -> None:
    names = surname_pool("morabit", with_particle=True).values
    assert "El Moussaoui" in names
    assert all(" " in name for name in names)


def test_a_spanish_surname_that_other_countries_have_too_says_nothing_of_the_first_name() -> None:
    assert foreign_pool("isnelda", "", "f") is not None
    for key in KEYS:
        given = became("{Rosa Cámara|P}", key)[0].split()[0]
        assert given not in ("Fatou", "Mariama", "Aminata")


@pytest.mark.parametrize(
    ("note", "sex"),
    [
        ("su hermana {Yury|FAM}", "f"),
        ("el hermano {Guadalupe|FAM}", "m"),
        ("su tía materna {Alex|FAM}", "f"),
        ("{Joxe Mari Aizpuru|P}", "m"),
        ("{Pilartxo Unamuno|P}", "f"),
        ("{Babatunde Okafor|S}", "m"),
        ("lo trajo un amigo, {Colella|FAM}", "m"),
        ("Auxiliar {Fati|S}", "f"),
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_the_sex_by_kinship_and_by_lists(note: str, sex: str, key: Key) -> None:
    given = key_of(became(note, key)[0].split()[0])
    assert sex_by_name([given]) in (sex, "")


@pytest.mark.parametrize("key", KEYS[:4])
def test_both_parts_of_a_first_name_with_a_hyphen_are_first_names(key: Key) -> None:
    new = became("{Jean-Baptiste Louis|S}", key)[0]
    first, second = new.split()[0].split("-")
    assert first != second
    assert all(name in given_pool("didier", "m").values for name in (first, second))


@pytest.mark.parametrize("name", ["Odalis", "Marangelí", "Digno", "Llum"])
def test_a_lone_first_name_of_staff_does_not_become_a_surname(name: str) -> None:
    assert parse(name).parts[0].kind is Kind.GIVEN


@pytest.mark.parametrize(
    "note",
    [
        "{Osakidetza|INSTITUCION}",
        "{SERGAS|INSTITUCION}",
        "{Defensores de la Fe|INSTITUCION}",
        "{Autoridad de los Puertos|INSTITUCION}",
        "{Zumaiako osasun-zentroa|CENTRO_SALUD}",
        "{Donostia Ospitalean|HOSPITAL}",
        "que trabaja {poniendo parqué|PROFESION}",
        "{Separad4|ID}",
    ],
)
@pytest.mark.parametrize("key", KEYS[:3])
def test_a_label_where_nothing_natural_is_known(note: str, key: Key) -> None:
    assert became(note, key)[0].startswith("[")


@pytest.mark.parametrize("key", KEYS)
def test_the_department_of_veterans_is_no_mutual_society(key: Key) -> None:
    assert "Mutua" not in text_of("esposo veterano, {VA|INSTITUCION}", key)


def test_a_country_that_a_form_asks_for_stays() -> None:
    assert text_of("CP: {41013|T}\nPaís: {España|T}.").endswith("País: España.")


@pytest.mark.parametrize(
    ("note", "new"),
    [
        ("Estuvo {de portero en una discoteca|PROFESION}", "de trabajador de servicios"),
        ("{exrestaurador de barcos de almadraba|PROFESION}", "exartesano"),
    ],
)
def test_what_comes_before_a_trade_stays(note: str, new: str) -> None:
    assert became(note)[0] == new


def test_tuesday_in_a_column_of_weekdays_is_no_march() -> None:
    beside = "HTA, PA 170/100, frente al tanque, portón gris"
    note = f"lun  Rey, Paz  {beside}, calle larga\n{{mar|D}}  Luna\nmié  Cori\n{{3/6/2024|D}}"
    assert became(note)[0] == "mar"


@pytest.mark.parametrize("key", KEYS[:4])
def test_the_account_of_an_office_is_one_of_an_office(key: Key) -> None:
    local = became("{fisio.darien@salud.example|MAIL}", key)[0].partition("@")[0]
    assert local.startswith("fisio.")
    assert sum(letter in "aeiou" for letter in local[6:]) > 0


@pytest.mark.parametrize("key", KEYS[:4])
def test_a_department_of_bolivia_becomes_another(key: Key) -> None:
    new = became("{La Paz|T}, Bolivia. {Cochabamba|T}. CI 1088466 {CH|T}", key)[-1]
    assert new in ("LP", "CB", "SC", "OR", "PT", "TJ", "BE", "PD")


@pytest.mark.parametrize("key", KEYS)
def test_two_people_who_are_called_by_their_first_names_stay_two(key: Key) -> None:
    given = [
        name.split()[0] for name in became("{Dunia Abdeslam|P}; {Cintia Cano|P}; {Rocío Gil|P}; {Inés Soto|P}", key)
    ]
    assert len(set(given)) == len(given)


@pytest.mark.parametrize("key", KEYS[:3])
def test_more_labels_and_forms(key: Key) -> None:
    assert became("{F E R R A N D I S|P}", key)[0].startswith("[")
    assert became("hijo {Arístides|FAM}, {canillita|PROFESION}", key)[-1] == "trabajador del comercio"
    assert became("FAMA DE {LA QUE TOCÓ EL CARACOL|OTROS_SUJETO_ASISTENCIA}", key)[0].isupper()


@pytest.mark.parametrize("name", ["Uh Camal", "Ku Pech"])
def test_a_name_that_begins_with_a_native_surname_has_no_first_name(name: str) -> None:
    assert all(part.kind is Kind.SURNAME for part in parse(name).parts)


@pytest.mark.parametrize("key", KEYS[:4])
def test_an_arabic_first_name_that_is_a_surname_becomes_one_of_its_origin(key: Key) -> None:
    surname = became("{Clara Khalid|P}", key)[0].split()[-1]
    assert surname in surname_pool("khalid", with_particle=False).values
    assert "Haddad" in surname_pool("khalid", with_particle=False).values


@pytest.mark.parametrize("key", KEYS[:3])
def test_an_illness_of_which_somebody_speaks_stays_beside_a_patient_of_that_name(key: Key) -> None:
    note = "{Carla Fregoli|P}, 27 años. La psiquiatra habla de un Fregoli, y sí, se apellida así."
    assert "habla de un Fregoli," in text_of(note, key)


@pytest.mark.parametrize("key", KEYS[:3])
def test_what_a_scan_left_of_a_name_becomes_the_label(key: Key) -> None:
    assert became("{GERM  N LLOPIZ|P}", key)[0].startswith("[")


@pytest.mark.parametrize(
    ("note", "new"),
    [
        ("{ayudante de camioneta|PROFESION}", "trabajador del transporte"),
        ("Trabaja en Algodonera Soto de {peón de desmote|PROFESION}", "empleado"),
    ],
)
def test_trades(note: str, new: str) -> None:
    assert became(note)[-1] == new


@pytest.mark.parametrize("key", KEYS[:3])
def test_the_patients_of_a_table_who_share_only_maria_are_two(key: Key) -> None:
    names = became("1|{Sagarminaga|P}, {Jose Mari|P}|\n2|{Perea|P}, {Mª Luz|P}|", key)
    assert not {key_of(word) for word in names[1].split()} & {key_of(word) for word in names[3].split()} - {
        "maria",
        "ma",
    }


@pytest.mark.parametrize(
    "note",
    [
        "oinazea {4/10|D}; alarguna",
        "carta {médica|INSTITUCION}",
        "sense ascensor de {cap|CENTRO_SALUD} mena",
        "La línea de las 10:00 la ocupa {enfermería|PROFESION}",
        "no puede recogerla en semana de {guardia|PROFESION}",
        "Revisión a los {3 años y 5|E} meses de la cirugía",
        "a los {3 años|E} de la intervención",
        "bien con la {Profe|S}",
    ],
)
def test_what_is_nobody_stays(note: str) -> None:
    assert text_of(note) == re.sub(r"\{([^|]*)\|\w+\}", r"\1", note)


@pytest.mark.parametrize(
    "note",
    [
        "El repuesto del {imán|PROFESION} llegará",
        "CD4 (cel/mm3) {188       240|TEL} 301",
        "De {chavalo|FAM}, a los 9, lo curó",
    ],
)
def test_the_label_rather_than_a_false_fact(note: str) -> None:
    assert "[" in text_of(note)


@pytest.mark.parametrize("key", KEYS[:3])
def test_other_values_under_the_label_of_a_street(key: Key) -> None:
    mail, code = became("E-mail: {jsoto@gmail.com|C}. {45600|C} {Talavera de la Reina|T}", key)[:2]
    assert "@" in mail
    assert code.isdigit()
    assert "01" <= code[:2] <= "52"


@pytest.mark.parametrize(
    "value", ["{PeÃ±a Montilla|P}", "{Pined@ Al v@rado|P}", "{Ev@ngelic0|ID}", "{detrÃ¡s del colmado|C}"]
)
def test_a_label_for_what_was_decoded_wrongly(value: str) -> None:
    assert became(value)[0].startswith("[")


def test_the_sea_is_no_month() -> None:
    assert "morreu no mar o " in text_of("O home morreu no mar o {2 de febreiro de 2009|D}")


@pytest.mark.parametrize("key", KEYS[:3])
def test_a_foreign_surname_that_only_its_spelling_tells(key: Key) -> None:
    surname = became("{Agnieszka Wrona|S}", key)[0].split()[-1]
    values = surname_pool("ivanov", with_particle=False).values
    assert surname in values or surname.removesuffix("a") in values


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("Johnson-Ortiz", [Kind.SURNAME, Kind.SURNAME]),
        ("Ana Ruiz-Giménez", [Kind.GIVEN, Kind.SURNAME, Kind.SURNAME]),
        ("Jose Mari", [Kind.GIVEN, Kind.GIVEN]),
        ("Abselam Heddi Laarbi", [Kind.GIVEN, Kind.SURNAME, Kind.SURNAME]),
    ],
)
def test_first_names_and_surnames(name: str, kinds: list[Kind]) -> None:
    assert [part.kind for part in parse(name).parts] == kinds


@pytest.mark.parametrize("key", KEYS[:4])
def test_a_surname_that_is_a_first_name_elsewhere_tells_no_origin(key: Key) -> None:
    assert became("{Dairo Petro|S}", key)[0].split()[0] not in given_pool("oleksandr", "m").values
