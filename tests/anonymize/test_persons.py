"""One person, one identity: in every writing, with the right sex and the family's surnames, as common as before."""

from __future__ import annotations

from collections import Counter

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document
from nadie.persons.joined import cut, is_joined
from nadie.persons.parsing import Kind
from nadie.persons.people import People
from nadie.persons.sex import sex_by_name
from nadie.spanish.folding import fold, key_of
from nadie.spanish.name_forms import full_name, pet_name
from nadie.spanish.name_kin import certain_kin
from nadie.spanish.name_pools import given_pool, surname_pool
from nadie.spanish.pools import Pool
from nadie.spanish.population import bearers, is_named_elsewhere, sex_of, surname_bearers

from .marked import KEY, OTHER_KEY, anonymized, marked

RESEARCH = read_policy("research")


def outputs(note: str, key: object = KEY, **meta: str) -> list[str]:
    """What each name of a marked note became."""
    document = marked(note, **meta)
    done = anonymized(Engine(RESEARCH, key), document)  # type: ignore[arg-type]
    return [done.text[item.start : item.end] for item in done.replaced if item.span in document.spans]


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
@pytest.mark.parametrize(
    ("given", "first", "second"),
    [
        ("Antonio", "Salgado", "Vidal"),
        ("Yeimy", "Cuspoca", "Alaniz"),
        ("Dolores", "Blanco", "Cruz"),
        ("Ana", "Gil", "Yat"),
    ],
)
def test_one_person_in_every_writing(given: str, first: str, second: str, key: object) -> None:
    g, f, s = fold(given), fold(first), fold(second)
    writings = [
        f"{given} {first} {second}", f"{first} {second}, {given}", f"{first} {second} {given}", f"{given} {first}",
        f"{given[0]}. {first}", f"{given[0]}.{first[0]}.{second[0]}.", f"{given} {first} {second}".upper(), first,
        f"{given} {first} de {second}", f"{g} {f} {s}", f"{g}{f}".upper(), f"{first} {second}".upper(),
    ]  # fmt: skip
    note = "; Sr./Sra. ".join(f"{{{writing}|P}}" for writing in writings)
    full, *others = outputs(note, key)
    new = full.split()
    assert len(new) == 3
    n, m, k = (fold(word) for word in new)
    expected = [
        f"{m} {k}, {n}", f"{m} {k} {n}", f"{n} {m}", f"{n[0]}. {m}", f"{n[0]}.{m[0]}.{k[0]}.", f"{n} {m} {k}", m,
        f"{n} {m} de {k}", f"{n} {m} {k}", f"{n}{m}", f"{m} {k}",
    ]  # fmt: skip
    assert [fold(other) for other in others] == expected
    assert [other.isupper() for other in others] == [writing.isupper() for writing in writings[1:]]


def test_accounts_and_files_follow_the_person() -> None:
    name, mail, other, user, file = outputs(
        "{Antonio Salgado Vidal|P} {asalgado@gmail.com|MAIL} {antonio.salgado@hosp.es|MAIL} usuario "
        "{asalgado|ID_EMPLEO_PERSONAL_SANITARIO}, {SALGADO_ANTONIO.dcm|P}"
    )
    given, first, _ = (fold(word) for word in name.split())
    assert mail.startswith(f"{given[0]}{first}@")
    assert other.startswith(f"{given}.{first}@")
    assert user == f"{given[0]}{first}"
    assert file == f"{first}_{given}.dcm".upper().replace(".DCM", ".dcm")


@pytest.mark.parametrize(
    "file",
    ["{SALGADO_ANTONIO_TC.dcm|S}", "{SALGADO_|S}{ANTONIO_TC.dcm|S}", "{SALGADO|S}_{ANTONIO_TC_02.pdf|S}",
     "SALGADO_{ANTONIO|S}_TC.dcm"],
)  # fmt: skip
def test_a_file_name_is_of_the_person_whatever_spans_it_has(file: str) -> None:
    note = marked(f"{{Antonio Salgado Vidal|P}}, archivo {file}.")
    text = anonymized(Engine(RESEARCH, KEY), note).text
    given, first, _ = text.split(",")[0].split()
    assert f"{fold(first)}_{fold(given)}" in fold(text)
    assert "_TC" in text


def test_a_short_name_in_capitals_is_no_initials_of_others() -> None:
    full, short = outputs("{Nemesio Uc Palomares|P}, ficha {UC|P}")
    assert short == full.split()[1].upper()


def test_pet_names_and_particles_and_two_fields() -> None:
    full, pet, particle = outputs(
        "{Francisco de la Fuente Gil|P}, a quien llaman {Paco|P}. El Sr. {De la Fuente|P} vuelve"
    )
    given = full.split()[0]
    assert pet == pet_name(given)
    assert particle[0].isupper()
    assert fold(particle) in fold(full)
    surnames, name, alone = outputs("{VILLAR TEPOX|P}, {EUFROSINA|P}. {Eufrosina|P} refiere dolor")
    assert name.capitalize() == alone
    assert len(surnames.split()) == 2


def test_relatives_share_the_surnames_that_they_share() -> None:
    patient, father, mother, son = outputs(
        "{Ana Pérez Soto|P}; padre {Luis Pérez Gil|FAM}, madre {Carmen Soto|FAM}, hijo {Iker Ruiz Pérez|FAM}"
    )
    _, first, second = patient.split()
    assert father.split()[1] == first
    assert mother.split()[1] == second
    assert son.split()[2] == first


@pytest.mark.parametrize(
    ("text", "sex"),
    [("la Dra. {Xyzw Abcd|S}", "f"), ("D. {Xyzw Abcd|S}", "m"), ("su hermana {Xyzw|FAM}", "f"),
     ("el enfermero {Xyzw Abcd|S}", "m"), ("{Xyzw Abcd|P}, jubilada y viuda", "f"), ("{Xyzw Abcd|P}, ingresado", "m")],
)  # fmt: skip
def test_sex_by_agreement(text: str, sex: str) -> None:
    note = marked(text)
    person = People(note).person(note.spans[0])
    assert person is not None
    assert person.sex == sex


def test_a_value_depends_on_key_patient_and_original_alone() -> None:
    engine = Engine(RESEARCH, KEY)
    first = marked("{Ana Pérez Soto|P}, vista por {Luis Gil|S} en {Lugo|T}", "a", patient="p1")
    second = marked("Acude {Pérez Soto, Ana|P}. {Eva Mora|S}. {Getafe|T}", "b", patient="p1")
    alone = anonymized(engine, second).text
    given, surname, other = anonymized(engine, first).text.split(",")[0].split()
    assert f"{surname} {other}, {given}" in alone
    for number in range(20):
        anonymized(engine, marked(f"{{Nombre{'abcdefghij'[number % 10]} García|P}}", str(number), patient="p1"))
    assert anonymized(engine, second).text == alone
    assert anonymized(engine, Document("c", second.text, second.spans, {"patient": "p2"})).text != alone


@pytest.mark.parametrize(
    "missed",
    [
        "ANARUBIO.dcm",
        "A.R.C.",
        "rubio cruz, ana",
        "Sra. Rubio",
        "sra. rubio",
        "usuario arubio",
        "anarubiocruz_TC",
        "Ana Rubio",
        "ARC",
        "A. Rubio",
        "Ana R.",
        "rubio cruz",
        "Sr/a. Rubio",
        "la Rubio",
        "arubioc",
        "RubioCruzAna",
    ],
)
def test_what_the_detector_missed_of_a_person_is_found(missed: str) -> None:
    note = marked(f"{{Ana Rubio Cruz|P}} ingresa. Consta: {missed}. Color rubio, cruz de sangre.")
    text = anonymized(Engine(RESEARCH, KEY), note).text
    assert missed not in text
    assert "Color rubio, cruz de sangre." in text


def test_what_was_missed_is_found_in_lower_case_short_and_by_the_pet_name() -> None:
    note = marked(
        "{Dolores Fernández Gil|P}, sin dolores. fernandez refiere tos, y la hija de Gil firma como dfernandez. "
        "Doña Lola y Fdez. constan. Dolores intensos. ANA positivos, TAC, frente y gil."
    )
    text = anonymized(Engine(RESEARCH, KEY), note).text
    for missed in ("ernandez", "Gil", "Lola", "Fdez"):
        assert missed not in text
    for kept in ("sin dolores", "Dolores intensos", "ANA positivos, TAC, frente y gil."):
        assert kept in text


def test_sentences_part_words_that_are_names() -> None:
    text = anonymized(
        Engine(RESEARCH, KEY), marked("{Julio Paz Mar|S}: el 5 de Julio, en paz. Mar Menor. Cruz Roja")
    ).text
    assert text.endswith(": el 5 de Julio, en paz. Mar Menor. Cruz Roja")


def test_initials_joins_and_files_with_a_span_follow_the_person() -> None:
    full, initials, joined, file = outputs(
        "{Antonio Salgado Vidal|P} iniciales {ASV|P}, {SalgadoVidalAntonio|P}, {IMG_ANTONIO_SALGADO.jpg|P}"
    )
    given, first, second = (fold(word).capitalize() for word in full.split())
    assert initials == given[0] + first[0] + second[0]
    assert joined == first + second + given
    assert file == f"IMG_{given.upper()}_{first.upper()}.jpg"


def test_second_first_names_in_a_form_and_slavic_surnames() -> None:
    surnames, given = outputs("PACIENTE: {AGÜERO LEDESMA|P}, {FRIDA ANAYS|P}. F")
    assert len(surnames.split()) == 2
    assert all(bearers(key_of(word)) or is_named_elsewhere(key_of(word)) for word in given.split())
    man, woman = outputs("Sr. {Younes Georgiev|P}; su mujer {Katya Georgieva|FAM}")
    assert not man.endswith("ova")
    assert not woman.endswith("ov")


@pytest.mark.parametrize("term", ["enfermedad de Wilson", "enfermedad de Charcot-Marie-Tooth", "síndrome de Brugada"])
def test_a_medical_term_stays_though_the_patient_bears_its_name(term: str) -> None:
    name = term.split()[-1].partition("-")[0]
    text = anonymized(Engine(RESEARCH, KEY), marked(f"{{Ana {name} Gil|P}}, con {term}. La Sra. {name} mejora.")).text
    assert f"con {term}." in text
    assert text.count(name) == 1


def test_a_surname_that_is_a_word_stays_one_in_lower_case() -> None:
    text = anonymized(Engine(RESEARCH, KEY), marked("habla la doctora {Tierno|S}: abdomen tierno al tacto")).text
    assert "abdomen tierno" in text
    assert "doctora Tierno" not in text


def test_invented_people_have_other_initials() -> None:
    for n in range(60):
        full, initials = outputs("{Antonio Salgado|P}, {A.S.|P}", patient=str(n))
        assert initials != "A.S."
        assert initials == f"{fold(full)[0]}.{fold(full.split()[1])[0]}.".upper()


def test_a_particle_does_not_part_a_family() -> None:
    father, son, alone = outputs("{João da Silva Pereira|P}, hijo {Tiago Silva|FAM}. Sr. {Silva|P}")
    assert fold(son.split()[-1]) in fold(father).split()
    assert fold(alone) == fold(son.split()[-1])


def test_a_run_of_names_is_cut() -> None:
    names = [(Kind.GIVEN, "ana"), (Kind.SURNAME, "rubio"), (Kind.SURNAME, "cruz")]
    assert [piece.text for piece in cut("anarubio", names)] == ["ana", "rubio"]
    assert [piece.text for piece in cut("arubioc", names)] == ["a", "rubio", "c"]
    assert not is_joined(cut("aviso", names))
    assert [piece.of for piece in cut("x" * 100, names)] == [None]


@pytest.mark.parametrize(
    ("short", "name"),
    [("paco", "francisco"), ("lupita", "guadalupe"), ("rosita", "rosa"), ("ana", "ana"), ("benita", "benita")],
)
def test_pet_names(short: str, name: str) -> None:
    assert full_name(short) == name


def test_names_are_as_common_as_the_ones_they_replace() -> None:
    for name, most in (("garcia", 10**8), ("soto", 100_000), ("riutort", 1_000)):
        counts = [surname_bearers(key_of(n)) for n in surname_pool(name, with_particle=False).values]
        assert len(counts) >= 12
        assert sorted(counts)[len(counts) // 2] < most
    rare = [surname_bearers(key_of(n)) for n in surname_pool("cuspoca", with_particle=False).values]
    assert sorted(rare)[len(rare) // 2] < 3_000
    for name, sex in (("antonio", "m"), ("hermenegildo", "m"), ("lucia", "f"), ("yeimy", "f")):
        assert all(sex_of(key_of(n)) in (sex, "") for n in given_pool(name, sex).values)


def test_the_draw_follows_the_number_of_bearers() -> None:
    pool = surname_pool("garcia", with_particle=False)
    drawn = Counter(KEY.draw(pool, lambda name: name != "García", "s", str(n)) for n in range(4000))
    assert drawn["García"] == 0
    assert drawn["González"] > 1.5 * drawn["Gil"] > 0
    assert KEY.draw(Pool.of({"Ana": 1}), lambda name: False, "x") is None
    assert KEY.draw(Pool.of({}), bool, "x") is None
    assert bearers("antonio") > 700_000


def test_many_names_take_no_time() -> None:
    note = marked("; ".join(f"{{Ana {'abcdefghij'[n % 10] * (n % 40 + 2)}|P}}" for n in range(1500)) + " x" * 20000)
    assert len(anonymized(Engine(RESEARCH, KEY), note).replaced) >= 1500


@pytest.mark.parametrize(
    ("name", "kin"),
    [("Fatou Diop", "af"), ("Chen Wei", "zh"), ("Oksana Shevchenko", "uk"), ("Ionela Popescu", "ro")],
)
def test_first_name_and_surname_are_of_the_same_origin(name: str, kin: str) -> None:
    for n in range(1, 6):
        new = anonymized(Engine(RESEARCH, Key(bytes([n]) * 32)), marked(f"{{{name}|P}}")).text
        assert certain_kin(map(key_of, new.split())) in (kin, "")  # Romania has names of all Europe


@pytest.mark.parametrize(
    ("name", "sex"),
    [("yazmin", "f"), ("wilmer", "m"), ("jhon", "m"), ("sudelia", "f"), ("darly", "f"), ("oriel", "m"), ("fany", "f"),
     ("guadalupe", "f"), ("noel", "m"), ("kristel", "f")],
)  # fmt: skip
def test_the_sex_of_american_first_names(name: str, sex: str) -> None:
    assert sex_by_name([name]) == sex
