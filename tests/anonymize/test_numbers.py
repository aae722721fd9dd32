"""Surrogate numbers: valid under whatever label, never shared, never their own originals, the same in every version."""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network
from random import Random

import pytest
from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.br import cpf
from stdnum.cl import rut
from stdnum.co import nit
from stdnum.do import cedula
from stdnum.ec import ci
from stdnum.es import dni, nie

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.labels import Label
from nadie.spanish.check_digits import is_uruguayan

from .marked import KEY, OTHER_KEY, anonymized, marked

ENGINE = Engine(read_policy("research"), KEY)
LABELS = (
    *("ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO", "OTRO_NUMERO_IDENTIF", "IDENTIF_DISPOSITIVOS_NRSERIE"),
    *("OTROS_SUJETO_ASISTENCIA", "ID_EMPLEO_PERSONAL_SANITARIO"),
)
CERTAIN_LABELS = (*LABELS, "NOMBRE_SUJETO_ASISTENCIA", "INSTITUCION", "NUMERO_TELEFONO", "PROFESION")
RESERVED = [ip_network(each) for each in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")]


def replaced(value: str, label: str, **meta: str) -> str:
    done = anonymized(ENGINE, marked(f"Consta: {{{value}|{label}}} ahí", **meta))
    (item,) = done.replaced
    return done.text[item.start : item.end]


def figures(text: str) -> str:
    return re.sub(r"\W", "", text)


def uruguayan(text: str) -> bool:
    return is_uruguayan(figures(text))


@pytest.mark.parametrize(
    ("value", "is_valid"),
    [
        *(
            (value, rut.is_valid)
            for value in ("12.345.678-5", "76.086.428-5", "9.007.920-4", "12531909-2", "12.345.670-K")
        ),
        *((value, cuit.is_valid) for value in ("20-12345678-6", "20123456786", "27-14567890-6")),
        *((value, cpf.is_valid) for value in ("529.982.247-25", "52998224725")),
        *((value, ci.is_valid) for value in ("1710034065", "171003406-5")),
        *((value, cedula.is_valid) for value in ("001-1391820-5", "00113918205")),
        *((value, uruguayan) for value in ("1.234.567-2", "12345672")),
        *((value, nit.is_valid) for value in ("800.197.268-4", "800197268-4")),
    ],
)
@pytest.mark.parametrize("label", LABELS)
def test_check_digits_are_valid_under_any_label(value: str, label: str, is_valid) -> None:  # type: ignore[no-untyped-def]
    assert is_valid(value)
    new = replaced(value, label)
    assert new != value
    assert is_valid(new), new
    assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", value)


@pytest.mark.parametrize(
    ("value", "is_valid"),
    [
        ("12345678Z", dni.is_valid),
        ("X1234567L", nie.is_valid),
        *((value, iban.is_valid) for value in ("ES91 2100 0418 4502 0005 1332", "DE89370400440532013000")),
        *((value, iban.is_valid) for value in ("FR14 2004 1010 0505 0001 3M02 606", "PT50000201231234567890154")),
        *((value, luhn.is_valid) for value in ("4111 1111 1111 1111", "5500-0000-0000-0004")),
    ],
)
@pytest.mark.parametrize("label", CERTAIN_LABELS)
@pytest.mark.parametrize("name", ["", "IBAN ", "DNI: "])
def test_a_certain_number_is_one_under_any_label(value: str, is_valid, label: str, name: str) -> None:  # type: ignore[no-untyped-def]
    new = replaced(name + value, label)
    assert new.startswith(name)
    assert new != name + value
    assert is_valid(re.sub(r"[ -]", "", new.removeprefix(name))), new


@pytest.mark.parametrize(
    ("value", "is_valid"),
    [
        *((value, rut.is_valid) for value in ("25.878.553-3", "12356820-6")),
        *(("20-12345678-6", cuit.is_valid), ("529.982.247-25", cpf.is_valid), ("3.508.813-0", uruguayan)),
        *(("800.197.268-4", nit.is_valid), ("001-1391820-5", cedula.is_valid), ("375100105464106", luhn.is_valid)),
        ("2223003122003222", luhn.is_valid),
    ],
)
@pytest.mark.parametrize("label", ["NOMBRE_PERSONAL_SANITARIO", "HOSPITAL", "INSTITUCION", "NUMERO_TELEFONO"])
def test_a_number_written_with_its_signs_is_one_under_any_label(value: str, is_valid, label: str) -> None:  # type: ignore[no-untyped-def]
    new = replaced(value, label)
    assert new != value
    assert is_valid(new), new
    assert re.sub(r"\d", "0", new) == re.sub(r"\d", "0", value)


@pytest.mark.parametrize(
    ("value", "is_valid"),
    [
        *(("8918569437", nit.is_valid), ("77985611", rut.is_valid), ("27206427928", cuit.is_valid)),
        *(("1433747662", ci.is_valid), ("45847445210", cpf.is_valid), ("26876019", uruguayan)),
    ],
)
@pytest.mark.parametrize("label", ["NOMBRE_SUJETO_ASISTENCIA", "HOSPITAL", "INSTITUCION", "PROFESION"])
def test_bare_figures_with_check_digits_are_no_name_and_no_hospital(value: str, is_valid, label: str) -> None:  # type: ignore[no-untyped-def]
    new = replaced(value, label)
    assert new.isdigit()
    assert new != value
    assert is_valid(new), new


@pytest.mark.parametrize("value", ["26876019", "77985611", "1433747662"])
def test_a_telephone_that_looks_like_another_number_by_chance_stays_one(value: str) -> None:
    assert replaced(value, "NUMERO_TELEFONO") != replaced(value, "ID_SUJETO_ASISTENCIA")
    assert len(replaced(value, "NUMERO_TELEFONO")) == len(value)


def test_numbers_of_two_forms_stay_different() -> None:
    """Of the numbers of eight figures a tenth is valid in Uruguay, an eleventh in Chile, and some in both."""
    numbers = [str(number) for number in range(12_345_000, 12_347_500)]
    assert len({replaced(number, "ID_SUJETO_ASISTENCIA") for number in numbers}) == len(numbers)


@pytest.mark.parametrize("label", CERTAIN_LABELS)
@pytest.mark.parametrize("address", ["10.20.30.40", "IP 192.168.1.17", "fe80::1ff:fe23:4567:890a", "IP: 8.8.8.8"])
def test_addresses_of_machines_are_reserved_ones_under_any_label(address: str, label: str) -> None:
    new = ip_address(replaced(address, label).split()[-1])
    assert any(new in network for network in RESERVED if network.version == new.version)


@pytest.mark.parametrize("label", CERTAIN_LABELS)
@pytest.mark.parametrize("address", ["00:1A:2B:3C:4D:5F", "00-1a-2b-3c-4d-5f", "MAC 001A.2B3C.4D5F"])
def test_machine_addresses_are_of_the_documentation_range(address: str, label: str) -> None:
    assert "00005e0053" in figures(replaced(address, label)).lower()


@pytest.mark.parametrize("length", [4, 5, 6, 7, 8])
def test_no_two_patients_share_a_number(length: int) -> None:
    numbers = Random(length).sample(range(10 ** (length - 1), 10**length), 250)
    new = {number: replaced(str(number), "ID_SUJETO_ASISTENCIA", patient=str(number)) for number in numbers}
    assert len(set(new.values())) == len(numbers)
    assert all(str(old) != made and len(made) == length and made[0] != "0" for old, made in new.items())


def test_a_number_is_the_same_for_all_patients_of_a_release_and_not_in_the_scope_of_documents() -> None:
    first, second = (replaced("4738291", "ID_SUJETO_ASISTENCIA", patient=name) for name in "ab")
    assert first == second
    alone = Engine(read_policy("hipaa-safe-harbor"), KEY).policy.scope
    assert alone == "document"


@pytest.mark.parametrize("value", ["O6.57l.016-T", "8.6l2.O29-9", "30 1O427761 54", "l2345678-Z"])
@pytest.mark.parametrize("label", LABELS[:3])
def test_a_number_that_a_scan_spoiled_is_not_given_back_repaired(value: str, label: str) -> None:
    repaired = value.translate(str.maketrans("Ol", "01"))
    new = replaced(value, label)
    assert new not in (value, repaired)
    assert new == replaced(repaired, label)


def test_letters_and_figures_of_mixed_numbers_stay_different() -> None:
    values = [f"AB{number:03}C" for number in range(300)] + [f"QU-{number}-7" for number in range(100, 400)]
    assert len({replaced(value, "ID_SUJETO_ASISTENCIA") for value in values}) == len(values)


def test_numbers_stay_the_same_within_a_major_version() -> None:
    """Published data depend on them. A change here is a new major version."""
    values = {
        "4738291": "7458327",
        "12345678Z": "07022480M",
        "X1234567L": "X1433458Y",
        "28/12345678/40": "11/49854753/69",
        "12.345.678-5": "16.200.461-1",
        "AN0412345678": "AN0135005772",
        "123": "596",
    }
    assert {value: replaced(value, Label.ID_SUJETO_ASISTENCIA) for value in values} == values
    assert KEY.permuted(4_738_291, 9_000_000, "t") == 1155696
    assert OTHER_KEY.permuted(738, 1000, "t") == 48
