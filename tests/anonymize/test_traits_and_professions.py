"""What a patient is: conditions and traits are never replaced by others, professions become their group."""

from __future__ import annotations

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import parse_policy
from nadie.errors import ConfigError
from nadie.spanish.conditions import is_condition
from nadie.surrogates.decision import KEEP
from nadie.surrogates.jobs import another, generalized
from nadie.surrogates.occupations import group_of, group_of_code, groups

from .marked import KEY, anonymized, marked
from .test_natural_replacements import KEYS, text_of

LABELS = ("ID_SUJETO_ASISTENCIA", "OTROS_SUJETO_ASISTENCIA", "PROFESION")
CONDITIONS = (
    "Lactante|Anciana|portadora|posmenopáusica|postmenopáusica|zurda|adolescente|multípara|gestante|fumadora|diestro|"
    "exfumador|ex-fumadora|no fumador|Neonato|recién nacida|puérpera|nulípara|primigesta|bebedor social|portador sano|"
    "ambidiestra|heterocigota|escolar|octogenario|vegetariana|adulto mayor|gestante fumadora|diestra y fumadora"
).split("|")


@pytest.mark.parametrize("word", CONDITIONS)
@pytest.mark.parametrize("label", LABELS)
def test_words_of_age_and_state_stay(word: str, label: str) -> None:
    for key in KEYS[:2]:
        assert text_of(f"{{{word}|{label}}} con fiebre", key) == f"{word} con fiebre"


@pytest.mark.parametrize(
    "word",
    ["Guna", "soldador", "marroquí", "Talleres Gil", "Ana", "portadora de Lugo", "zurdo Gil", "4471", "", "Luna"],
)
def test_what_is_no_condition(word: str) -> None:
    assert not is_condition(word)


@pytest.mark.parametrize(
    "note",
    ["{homosexual|ID}", "{testigo de Jehová|ID}, rechaza hemoderivados", "mujer {askenazí|ID} con BRCA1",
     "{judía askenazí|ID}", "etnia {gitana|ID}", "varón {marroquí|ID}", "son {casados|ID}", "{vidu|ID}", "PV1|{S|ID}",
     "estado civil: {unión libre|ID}", "voluntaria {inglesa|ID}", "habla {tamazight|ID}", "religión {adventista|ID}",
     "{palestino-hondureño|ID}", "{RUMANA|ID}", "{raza caucásica|ID}", "{chinos|ID}", "{gay|OTROS_SUJETO_ASISTENCIA}"],
)  # fmt: skip
def test_traits_that_many_share_stay(note: str) -> None:
    for key in KEYS[:3]:
        assert text_of(note, key) == marked(note).text


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("mujer {guna|ID}", "mujer indígena"),
        ("{Mbyá guaraní|ID}", "Indígena"),
        ("{MAPUCHE|ID}", "INDÍGENA"),
        ("son {waraos|ID}", "son indígenas"),
        ("etnia {inga|ID}", "etnia indígena"),
        ("{afrocolombiana|ID}", "afrodescendiente"),
        ("mujer {annobonesa|ID}", "mujer africana"),
        ("habla {mam|ID}", "habla lengua indígena"),
        ("{menonita|ID}", "protestante"),
        ("{rumana de Cluj|ID}", "rumana"),
        ("etnia {xyzuri|ID}", "etnia [ID_SUJETO_ASISTENCIA]"),
    ],
)
def test_small_groups_become_larger_ones_and_unknown_ones_the_label(note: str, expected: str) -> None:
    for key in KEYS[:3]:
        assert text_of(note, key) == expected


def test_the_policy_decides_on_traits() -> None:
    rules = 'default = "surrogate"\n[traits]\nreligion = "label"\nethnic_group = "keep"\nprofession = "another"\n'
    engine = Engine(parse_policy(rules, "test"), KEY)
    note = marked("{católica|ID}, {guna|ID}, {camionera|PROFESION}")
    religion, people, job = anonymized(engine, note).text.split(", ")
    assert (religion, people) == ("[ID_SUJETO_ASISTENCIA]", "guna")
    assert job != "camionera"
    assert group_of(job) == group_of("camionera")
    for wrong in ('religion = "another"', 'faith = "keep"', "profession = 1"):
        with pytest.raises(ConfigError, match="traits"):
            parse_policy(f"[traits]\n{wrong}", "test")


@pytest.mark.parametrize(
    ("value", "sex", "expected"),
    [
        ("soldador", "", "trabajador del metal"),
        ("soldadora", "m", "trabajadora del metal"),
        ("Soldadores", "", "Trabajadores del metal"),
        ("SOLDADOR", "", "TRABAJADOR DEL METAL"),
        ("soldado", "m", "militar"),
        ("monja", "f", "religiosa"),
        ("bedel", "m", "trabajador de servicios"),
        ("exminero", "", "extrabajador de la minería"),
        ("ex minera de carbón", "", "ex trabajadora de la minería"),
        ("antigua maestra", "", "antigua docente"),
        ("picapedrero", "", "trabajador de la piedra"),
        ("taxista", "f", "conductora"),
        ("auxiliar de enfermería", "f", "profesional sanitaria"),
        ("teje sombreros", "", "trabaja en el textil"),
        ("VENDE EN FERIA", "", "TRABAJA EN EL COMERCIO"),
        ("vendía flores", "", "trabajaba en el comercio"),
        ("vender atol", "", "trabajar en el comercio"),
        ("colocando paneles", "", "trabajando"),
        ("trabaja de camarera", "", "trabaja de empleada de hostelería"),
        ("jubilada de la mina", "", "jubilada"),
        ("estudiante de enfermería", "", "estudiante"),
        ("estudia medicina", "", "estudia"),
        ("operador de máquina perfiladora de metal", "", "trabajador del metal"),
        ("cuida ovejas", "", "trabaja en la ganadería"),
    ],
)
def test_professions_become_their_group(value: str, sex: str, expected: str) -> None:
    assert generalized(value, sex) == expected


@pytest.mark.parametrize(
    "value",
    ["jubilado", "ama de casa", "estudiante", "5.º de Primaria", "estudia 4.º de ESO", "trabajador del metal",
     "sus labores", "tercer grado", "pensionista"],
)  # fmt: skip
def test_what_half_a_country_is_stays(value: str) -> None:
    assert generalized(value, "") is KEEP


@pytest.mark.parametrize("value", ["", "3", "...", "dor", "zzqbrado"])
def test_what_is_no_profession(value: str) -> None:
    assert generalized(value, "") is None
    assert another(value, KEY, "s", "") is None


def test_the_verb_before_a_profession() -> None:
    assert text_of("trabaja de {soldador|PROFESION}") == "trabaja de empleado del metal"
    assert text_of("es {soldador|PROFESION}; siderosis") == "es trabajador del metal; siderosis"


def test_every_code_of_isco_has_a_group() -> None:
    majors = {"0": "0", "1": "1234", "2": "123456", "3": "12345", "4": "1234", "5": "1234", "6": "123", "7": "12345"}
    for major, minors in {**majors, "8": "123", "9": "123456"}.items():
        for minor in minors:
            if major != "0":
                assert group_of_code(f"{major}{minor}11") in groups()
    assert group_of_code("0110") == "military"
