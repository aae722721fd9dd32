"""What is done with the columns of a table, case by case; every threshold has cases on both sides."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from nadie.document import UNKNOWN_FIELD
from nadie.errors import ConfigError, FormatError
from nadie.files.container import Account, OpenOptions
from nadie.files.containers.tables import column_limits
from nadie.files.containers.tables.column_content import judge, may_be_data
from nadie.files.containers.tables.column_limits import LIMITS
from nadie.files.containers.tables.columns import Column, Field, choose, examined, field_alone

ORDINARY = "dolor rodilla cadera fractura renal interna urgencias cirugía medicina tratamiento".split()
NAMES = "Ana Luis Elena Vidal García Etxeberria Fátima".split()
MISSPELT = [f"xq{a}{b}z" for a in "bcdfg" for b in "hjklm"]
CODES = [f"K{n}-{n * 7 % 90}" for n in range(10, 60)]
PHONES = [f"6001231{n}" for n in range(10, 60)]
DECIMALS = [f"{n}.{n % 9 + 1}" for n in range(30, 60)]
UNKNOWN = "replaced as OTROS_SUJETO_ASISTENCIA, not proven harmless"
NAME = "replaced as NOMBRE_SUJETO_ASISTENCIA"
DIGITS = [str(n) for n in range(2, 7)]
LONG = [" ".join(MISSPELT[n : n + 9]) for n in range(12)]


# A name of a column, its cells, and what is done with it.
COLUMNS: list[tuple[str, list[str], str]] = [
    ("idpac", ["12345", "12346"], "replaced as ID_SUJETO_ASISTENCIA"),
    ("num_expediente", ["2020/1234"], "replaced as ID_SUJETO_ASISTENCIA"),
    ("NumPaciente", ["1", "2"], "replaced as ID_SUJETO_ASISTENCIA"),
    ("paciente_telefono", ["981123123"], "replaced as NUMERO_TELEFONO"),
    ("nombreMedico", ["Roca"], "replaced as NOMBRE_PERSONAL_SANITARIO"),
    ("fechanac", ["3"], "replaced as FECHAS"),
    ("cognoms", ["Puig"], NAME),
    ("birthDate", ["1950"], "replaced as FECHAS"),
    ("sala", ["12B", "UCI"], "replaced as OTROS_SUJETO_ASISTENCIA, by its name"),
    ("sexo", ["V", "M"], "replaced as SEXO_SUJETO_ASISTENCIA"),
    ("c", ["V", "M", "M"], "replaced as SEXO_SUJETO_ASISTENCIA"),
    ("c", ["M", "M", "M"], UNKNOWN),
    ("c", ["J.G.M.", "A. L. P."], NAME),
    ("c", ["JGM", "ALP", "MMT"], UNKNOWN),
    ("c", ["MG", "ML"], UNKNOWN),
    ("c", ["S", "S"], UNKNOWN),
    ("c", ["S", "N"], "harmless: answers such as yes and no"),
    ("c", ["Dra. Elena Roca Vidal"] * 9, "replaced as NOMBRE_PERSONAL_SANITARIO"),
    ("c", ["Elena Roca Vidal"] * 300, NAME),
    ("c", ["no"] * 190 + ["Elena Vidal", "Luis García"], NAME),
    ("c", ["GARCIA VIDAL, ELENA", "DE LA FUENTE ETXEBERRIA, LUIS"], NAME),
    ("c", ["jgarcia", "mlopez2"], UNKNOWN),
    ("c", ["Oluwaseun Adeyemi-Okonkwo"], NAME),
    ("c", ["Lugo", "Cuenca", "Ávila"], "replaced as TERRITORIO"),
    ("c", ["28013", "15001"], UNKNOWN),
    ("c", ["43955", "43956"], UNKNOWN),
    ("c", ["43955.5", "43956.25"], UNKNOWN),
    ("c", ["7654321.0", "7654322.0"], UNKNOWN),
    ("c", ["12.345", "67.890"], UNKNOWN),
    ("c", ["5.11", "12.03", "31.12"], UNKNOWN),
    ("c", ["40.416775", "43.009738"], UNKNOWN),
    ("lat", ["40.42", "43.01"], "replaced as TERRITORIO"),
    ("c", ["1950", "1962"], UNKNOWN),
    ("c", ["19500304", "19620511"], "replaced as FECHAS"),
    ("c", ["04/05/2020", "5/6/21"], "replaced as FECHAS"),
    ("c", ["+52 55 1234 5678"], "replaced as NUMERO_TELEFONO"),
    ("c", ["12345678Z"], "replaced as ID_SUJETO_ASISTENCIA"),
    ("c", ["1", "2", "3"], UNKNOWN),
    ("c", [], "searched"),
    ("c", ["-", "N/A", " "], "searched"),
    ("glucosa", ["99", "112", "<70", "pendiente"], "harmless: measurements"),
    ("ta", ["120/80", "90 / 60"], "harmless: measurements"),
    ("imc", ["22.857142857"], "harmless: measurements"),
    ("glucosa", ["7654321"], UNKNOWN),
    ("c", ["5.6", "7.0", "33.4"], "harmless: numbers with decimals"),
    ("c", ["70 kg", "1,70 m", "99 mg/dl"], "harmless: numbers with units"),
    ("c", ["70 años"], "searched"),
    ("unidad", ["mg/dL", "mmol/L"], "harmless: units"),
    ("unidad", ["7B", "MG"], UNKNOWN),
    ("cie10", ["E11.9", "I10", "S72.001A", "J18.9; E11.9"], "harmless: codes (CIE)"),
    ("dx", ["E11.9", "I10"], "harmless: codes (CIE)"),
    ("c", ["E11.9", "I10"], UNKNOWN),
    ("atc", ["C09AA02", "N02BE01"], "harmless: codes (ATC)"),
    ("loinc", ["2345-7"], "harmless: codes (LOINC)"),
    ("loinc", ["2345-6"], UNKNOWN),
    ("snomed", ["22298006"], "harmless: codes (SNOMED)"),
    ("snomed", ["22298007"], UNKNOWN),
    ("c", ["true", "false"], "harmless: answers such as yes and no"),
    ("c", ["0", "1"], "harmless: answers such as yes and no"),
    ("c", ["Neumonía", "FRACTURA DE CADERA"], "searched"),
    ("farmaco", ["Enalapril", "Dexketoprofeno"], "searched"),
    ("c", ["Enalapril", "Dexketoprofeno"], UNKNOWN),
    ("servicio", ["Medicina Interna", "UCI"], "searched"),
    ("nota", ["Vista Ana García", "Elena Vidal"], "searched"),
]


@pytest.mark.parametrize(("name", "values", "expected"), COLUMNS)
def test_a_column(name: str, values: list[str], expected: str) -> None:
    assert done(name, values) == expected


# A column, and a cell of a row that was not examined: its label, or None if it stays.
LATER: list[tuple[str, list[str], str, str | None]] = [
    ("peso", ["70.5"], "Ana Muñoz", "OTROS_SUJETO_ASISTENCIA"),
    ("peso", ["70.5"], "7654321", "OTROS_SUJETO_ASISTENCIA"),
    ("peso", ["70.5"], "600 123 123", "NUMERO_TELEFONO"),
    ("peso", ["70.5"], "69", None),
    ("c", ["sí", "no"], "Ana", "OTROS_SUJETO_ASISTENCIA"),
    ("c", ["sí", "no"], "desconocido", None),
    ("c", DIGITS * 10, "9", "OTROS_SUJETO_ASISTENCIA"),
    ("c", DIGITS * 10, "6", None),
    ("nota", [], "sin fiebre", ""),
    ("nota", [], "7654321", "OTROS_SUJETO_ASISTENCIA"),
    ("nota", [], "A-4471920", "OTROS_SUJETO_ASISTENCIA"),
    ("nota", [], "4/5/2020", "FECHAS"),
    ("nota", [], "70.5", None),
    ("nota", [], "NO", None),
    ("sexo", ["V", "M"], "V", "SEXO_SUJETO_ASISTENCIA"),
    ("sexo", ["V", "M"], "Ana Muñoz", "OTROS_SUJETO_ASISTENCIA"),
    ("pais", ["España"], "España", "PAIS"),
    ("pais", ["España"], "Muñoz", "OTROS_SUJETO_ASISTENCIA"),
    ("profesion", ["albañil"], "albañil", "PROFESION"),
    ("profesion", ["albañil"], "Muñoz", "OTROS_SUJETO_ASISTENCIA"),
    ("edad", ["70"], "70 años", "EDAD_SUJETO_ASISTENCIA"),
    ("edad", ["70"], "Muñoz", "OTROS_SUJETO_ASISTENCIA"),
    ("fecha", ["4/5/20"], "Muñoz", "OTROS_SUJETO_ASISTENCIA"),
]


@pytest.mark.parametrize(("name", "values", "cell", "label"), LATER)
def test_a_cell_that_was_not_examined(name: str, values: list[str], cell: str, label: str | None) -> None:
    field = Column(name, judge(name, values)).field(cell)
    assert (None if field is None else field.label or "") == label


@pytest.mark.parametrize(
    ("name", "label"),
    [
        ("K", None), ("ward", None), ("motiu", None), ("hb_alta", None), ("Fecha", None), ("TAS", None),
        ("Marca", None),
        ("Ana", ""), ("Oluwaseun", ""), ("alta el lunes por la tarde", ""), ("Hospital La Paz", ""), ("Roca, E.", ""),
        ("Ana Muñoz", "NOMBRE_SUJETO_ASISTENCIA"), ("ELENA ROCA VIDAL", "NOMBRE_SUJETO_ASISTENCIA"),
        ("nhc 7654321", ""), ("x7654321", "OTROS_SUJETO_ASISTENCIA"),
    ],
)  # fmt: skip
def test_a_name_of_a_column_that_may_be_data(name: str, label: str | None) -> None:
    columns = choose([name, "c"], {}, OpenOptions(), "t.csv")
    field = columns.field_of_name(name)
    assert (None if field is None else field.label or "") == label
    assert choose([name, "c"], {}, OpenOptions((name,)), "t.csv").field_of_name(name) is None


def test_names_of_persons_are_not_in_the_summary() -> None:
    account = Account()
    names = ["glucosa basal", "Ana Muñoz", "x7654321", "visto a Etxeberria"]
    choose(names, {}, OpenOptions(), "t.csv").report(account, {})
    assert account.remarks[0].startswith("columns: glucosa basal (searched), column 2 (")
    assert not any(value in account.remarks[0] for value in ("Muñoz", "7654321", "Etxeberria"))


def chosen(options: OpenOptions) -> tuple[list[str], Account]:
    values = {"nhc": ["4471920"], "nota": ["sin fiebre"], "sala": ["12B"], "n": ["3"], "peso": ["70.5"]}
    columns = choose(list(values), values, options, "t.csv")
    account = Account()
    columns.report(account, values)
    return account.remarks[0].removeprefix("columns: ").split("), "), account


def test_naming_one_column_does_not_publish_the_others() -> None:
    by_default, account = chosen(OpenOptions())
    assert chosen(OpenOptions(("nota",))) == (by_default, account)
    assert chosen(OpenOptions(patient_column="nhc")) == (by_default, account)
    assert not account.warnings


def test_a_patient_column_is_replaced_as_an_identifier_unless_it_is_kept() -> None:
    assert "n (replaced as ID_SUJETO_ASISTENCIA" in chosen(OpenOptions(patient_column="n"))[0]
    assert "n (kept by the user" in chosen(OpenOptions(patient_column="n", keep_columns=("n",)))[0]


def test_what_is_kept_and_looks_like_phi_is_a_warning() -> None:
    account = chosen(OpenOptions(keep_columns=("nhc", "nota", "sala", "n", "peso")))[1]
    assert account.warnings == [
        "the column 'nhc' is kept and looks like ID_SUJETO_ASISTENCIA",
        "the column 'nota' is kept and has free text",
        "the column 'sala' is kept and looks like OTROS_SUJETO_ASISTENCIA",
    ]


def test_a_column_is_not_both_kept_and_anonymized() -> None:
    with pytest.raises(ConfigError, match="both kept and anonymized"):
        chosen(OpenOptions(("nota",), keep_columns=("nota",)))
    with pytest.raises(FormatError, match="no column 'otra'"):
        chosen(OpenOptions(keep_columns=("otra",)))


def done(name: str, values: list[str]) -> str:
    return Column(name, judge(name, values)).done()


class Case(NamedTuple):
    """A column near a threshold, and what is done with it."""

    limit: str
    values: list[str]
    expected: str
    name: str = "c"


CASES = [
    Case("form_share", PHONES[:10] + CODES[:10], UNKNOWN),
    Case("form_share", PHONES[:11] + CODES[:10], "replaced as NUMERO_TELEFONO"),
    Case("name_share", NAMES[:3] + CODES[:7], UNKNOWN),
    Case("name_share", NAMES[:4] + CODES[:9], NAME),
    Case("name_words", ["Elena xqbhz"], NAME),
    Case("name_words", [" ".join(NAMES[:6] + MISSPELT[:7])], "searched"),
    Case("language_share", ORDINARY[:10] + CODES[:10], "searched"),
    Case("language_share", ORDINARY[:9] + CODES[:10], UNKNOWN),
    Case("language_words", ["dolor xqbhz"], "searched"),
    Case("language_words", ["-".join(["fractura"] * 5 + MISSPELT[:6])], UNKNOWN),
    Case("word_letters", ["mano"], "searched"),
    Case("word_letters", ["PIE", "OJO", "VEZ"], UNKNOWN),
    Case("prose_share", LONG[:2] + CODES[:8], "searched"),
    Case("prose_share", LONG[:3] + CODES[:13], UNKNOWN),
    Case("prose_words", [" ".join(MISSPELT[:9])], "searched"),
    Case("prose_words", [" ".join(MISSPELT[:8])], UNKNOWN),
    Case("proven_share", ["sí"] * 19 + CODES[:1], "harmless: answers such as yes and no"),
    Case("proven_share", ["sí"] * 18 + CODES[:1], UNKNOWN),
    Case("decimal_share", DECIMALS[:10] + ["70"] * 10, "harmless: numbers with decimals"),
    Case("decimal_share", DECIMALS[:9] + ["70"] * 10, UNKNOWN),
    Case("integer_digits", ["1234.5"], "harmless: numbers with decimals"),
    Case("integer_digits", ["12345.5"], UNKNOWN),
    Case("fraction_digits", ["1.234", "50.5"], "harmless: numbers with decimals"),
    Case("fraction_digits", ["1.2345", "50.5"], UNKNOWN),
    Case("count_digits", ["250000"], "harmless: counts", "plaquetas"),
    Case("count_digits", ["2500000"], UNKNOWN, "plaquetas"),
    Case("digit_repeats", DIGITS[:1] * 50 + DIGITS[1:2] * 5, "harmless: few single digits"),
    Case("digit_repeats", DIGITS[:1] * 50 + DIGITS[1:2] * 4, UNKNOWN),
    Case("digit_rows", DIGITS * 10, "harmless: few single digits"),
    Case("digit_rows", (DIGITS * 10)[:-1], UNKNOWN),
    Case("words_read", [" ".join(MISSPELT[:20] + NAMES[:5] * 4 + MISSPELT[:1])], NAME),
    Case("words_read", [" ".join(MISSPELT[:20] + NAMES[:5] * 3 + NAMES[:4] + MISSPELT[:1])], "searched"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.limit}-{case.expected[:8]}")
def test_a_threshold(case: Case) -> None:
    assert done(case.name, case.values) == case.expected


def test_thresholds_of_numbers_names_and_rows() -> None:
    assert suspicion(["1234"]) == ""
    assert suspicion(["12345"]) == "has long numbers"
    assert field_alone("1234") == Field()
    assert field_alone("12345").source == UNKNOWN_FIELD
    assert not may_be_data("presión arterial en reposo")
    assert may_be_data("presión arterial alta en reposo")
    assert len(examined([("c", "v")] for _ in range(201))["c"]) == 200


def suspicion(values: list[str]) -> str:
    return Column("c", judge("c", values), is_kept=True).suspicion(values)


@pytest.mark.parametrize("limit", LIMITS._fields)
@pytest.mark.parametrize("step", [-1, 1])
def test_no_threshold_can_move_unnoticed(limit: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    old = getattr(LIMITS, limit)
    new = old + step * (1 if isinstance(old, int) else 0.05)
    monkeypatch.setattr(column_limits, "LIMITS", LIMITS._replace(**{limit: new}))
    if limit in {case.limit for case in CASES}:
        assert any(done(case.name, case.values) != case.expected for case in CASES if case.limit == limit)
    else:
        with pytest.raises((AssertionError, FormatError, pytest.fail.Exception)):
            test_thresholds_of_numbers_names_and_rows()
