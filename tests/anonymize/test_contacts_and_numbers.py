"""Telephones, mail and network addresses, and numbers with check digits."""

from __future__ import annotations

import ipaddress
import re

import phonenumbers
import pytest
from stdnum import iban, luhn
from stdnum.ar import cuit
from stdnum.cl import rut
from stdnum.es import ccc, cif, dni, nie
from stdnum.mx import curp

from nadie.anonymize.secret import Key
from nadie.spanish.folding import key_of
from nadie.spanish.squashing import squash

from .marked import KEY, OTHER_KEY, context_of, marked


def shape(text: str) -> str:
    return "".join("9" if c.isdigit() else "A" if c.isalpha() else c for c in text)


@pytest.mark.parametrize(
    "number",
    ["914 123 456", "914123456", "676 12 34 56", "+34 676 12 34 56", "0034914123456", "976.22.11.00", "(34) 976221100",
     "34 93 693 29 05", "926-540-117"],
)  # fmt: skip
@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
def test_phones_are_spanish_phones_in_the_same_form(number: str, key: Key) -> None:
    new = context_of(marked("x"), key).phones.rewrite(number)
    assert new is not None
    assert new != number
    assert sum(map(str.isdigit, new)) == sum(map(str.isdigit, number))
    assert shape(new).replace("9", "") == shape(number).replace("9", "")
    digits = "".join(c for c in new if c.isdigit())[-9:]
    assert phonenumbers.is_possible_number(phonenumbers.parse(digits, "ES"))
    assert digits[0] in "79"
    assert not phonenumbers.is_valid_number(phonenumbers.parse(digits, "ES"))


def test_prefixes_are_regrouped() -> None:
    for number in range(20):
        new = context_of(marked("x"), scope=str(number)).phones.rewrite("91 412 34 56")
        assert new is not None
        first = new.split()[0]
        assert first in ("93", "91") or len(first) == 3


def test_extensions_and_short_numbers() -> None:
    phones = context_of(marked("x")).phones
    assert shape(str(phones.rewrite("986413144 ext 1530"))) == "999999999 AAA 9999"
    assert shape(str(phones.rewrite("4417"))) == "9999"
    assert phones.rewrite("4417") != "4417"
    assert phones.rewrite("no consta") is None
    for code in ("00213", "+593", "(0034)"):  # the rest of the number is in another span
        assert phones.rewrite(code) not in (code, None)


@pytest.mark.parametrize(
    "number",
    ["+52 442 318 0954", "+56 9 8123 4567", "+57 310 555 4433", "0051 987 654 321", "+54 11 4321 9876",
     "+593 99 123 4567",
     "+1 787 634 2290", "+351 912 345 678", "+58 412 3456789", "(52) 442 318 0954", "+44 7911 123456"],
)  # fmt: skip
def test_numbers_abroad_stay_there_and_reach_nobody(number: str) -> None:
    code = re.split(r"[ )]", number.replace("(", "").replace("00", "+", 1))[0].replace("++", "+")
    for scope in range(8):
        new = context_of(marked("x"), scope=str(scope)).phones.rewrite(number)
        assert new is not None
        assert shape(new) == shape(number)
        assert squash(new)[: len(squash(code))] == squash(number)[: len(squash(code))]
        digits = re.sub(r"\D", "", new).removeprefix("00")
        parsed = phonenumbers.parse(f"+{digits}")
        fiction = parsed.country_code == 1 and str(parsed.national_number)[3:8] == "55501"
        assert fiction or not phonenumbers.is_valid_number(parsed)


def test_dictated_numbers() -> None:
    context = context_of(marked("x"))
    new = str(context.phones.rewrite("seis cero cero, cero cuatro, cinco nueve"))
    assert len(new.split()) == 7
    assert new.count(",") == 2
    assert new != "seis cero cero, cero cuatro, cinco nueve"
    assert context.identifiers.rewrite("PG cero siete guion uno ocho", "IDENTIF_BIOMETRICOS") is not None
    assert context.identifiers.rewrite("raza negra", "ID_SUJETO_ASISTENCIA") is None


def test_cards_accounts_and_plates_cannot_exist() -> None:
    identifiers = context_of(marked("x")).identifiers
    label = "OTRO_NUMERO_IDENTIF"
    assert str(identifiers.rewrite("4539 1488 0343 6467", label)).startswith("4000 00")
    assert squash(str(identifiers.rewrite("ES91 2100 0418 4502 0005 1332", label)))[4:8] == "9999"
    assert str(identifiers.rewrite("1234 BCD", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"))[5] in "XYZ"


@pytest.mark.parametrize(
    ("mail", "style"),
    [
        ("anaperez@gmail.com", "{g}{s}"),
        ("ana.perez@gmail.com", "{g}.{s}"),
        ("aperez@hotmail.com", "{i}{s}"),
        ("a_perez@clinicadelsol.es", "{i}_{s}"),
        ("perez.ana@clinicadelsol.es", "{s}.{g}"),
        ("APEREZ@clinicadelsol.es", "{I}{S}"),
    ],
)
def test_mail_agrees_with_the_new_name(mail: str, style: str) -> None:
    note = marked(f"Dra. {{Ana Pérez|S}} {{{mail}|MAIL}}")
    context = context_of(note)
    given, surname = key_of(
        str(context.inventor.rewrite("Ana Pérez", context.people.mentions(note.spans[0])[0]))
    ).split()
    new = context.mails.mail(mail, list(context.people.nearest(note.spans[1])))
    expected = style.format(g=given, s=surname, i=given[0], I=given[0].upper(), S=surname.upper())
    assert new is not None
    assert new.partition("@")[0] == expected


RESERVED = re.compile(r"(?:.+\.)?(?:example|test|invalid)(?:\.(?:com|net|org))?")


@pytest.mark.parametrize("domain", ["gmail.com", "hotmail.es", "hospital.es", "salud.madrid.org", "yahoo.com"])
def test_no_mail_reaches_anybody(domain: str) -> None:
    for number in range(10):
        new = context_of(marked("x"), scope=str(number)).mails.mail(f"jgil@{domain}", [])
        assert new is not None
        assert RESERVED.fullmatch(new.partition("@")[2])


def test_mail_without_a_person_and_what_is_no_mail() -> None:
    mails = context_of(marked("x")).mails
    assert "jgil" not in str(mails.mail("jgil@hospital.es", []))
    assert str(mails.mail("farmacia@hospital.es", [])).startswith("farmacia@")
    for broken in ("Carmen Blanco", "@x.es", "ana@", ""):
        assert mails.mail(broken, []) is None


def test_figures_of_a_mail_change() -> None:
    note = marked("{Ana Pérez|S} {anaperez1980@gmail.com|MAIL}")
    context = context_of(note)
    new = context.mails.mail("anaperez1980@gmail.com", list(context.people.nearest(note.spans[1])))
    assert new is not None
    assert "1980" not in new
    assert shape(new.partition("@")[0]).endswith("9999")


def test_addresses_of_the_network() -> None:
    contacts = context_of(marked("x")).contacts
    new = contacts.network("83.56.12.9")
    assert new is not None
    assert not ipaddress.ip_address(new).is_global
    assert ipaddress.ip_address(str(contacts.network("2a02:9130::1"))).version == 6
    assert contacts.network("no") is None
    assert str(contacts.network("3c:52:82:aa:01:fe")).startswith("00:00:5e:00:53:")
    assert re.fullmatch(
        r"https://[a-z-]+\.example/[a-z]+/[1-9]{4}", str(contacts.network("https://visor.clinica.es/v/8814"))
    )
    assert re.fullmatch(
        r"https://www\.[a-z-]+\.example/[a-z]+/[a-z]+/", str(contacts.web("https://www.clinica.es/dr/gil/"))
    )
    assert str(contacts.web("https://www.clinica.es")).startswith("https://www.")


NUMBERS = [
    ("51234877-X", "ID_SUJETO_ASISTENCIA", dni.is_valid),
    ("51.234.877 X", "ID_SUJETO_ASISTENCIA", lambda n: dni.is_valid(n.replace(".", "").replace(" ", ""))),
    ("X1234567L", "ID_SUJETO_ASISTENCIA", nie.is_valid),
    ("y-1234567-x", "ID_SUJETO_ASISTENCIA", nie.is_valid),
    ("B12345678", "OTRO_NUMERO_IDENTIF", cif.is_valid),
    ("Q1234567C", "OTRO_NUMERO_IDENTIF", cif.is_valid),
    ("ES91 2100 0418 4502 0005 1332", "OTRO_NUMERO_IDENTIF", iban.is_valid),
    ("21000418450200051332", "OTRO_NUMERO_IDENTIF", ccc.is_valid),
    ("4111 1111 1111 1111", "OTRO_NUMERO_IDENTIF", lambda n: luhn.is_valid(n.replace(" ", ""))),
    ("12 34870615 74", "ID_ASEGURAMIENTO", lambda n: int(squash(n)[:10]) % 97 == int(squash(n)[10:])),
    ("490154203237518", "IDENTIF_DISPOSITIVOS_NRSERIE", luhn.is_valid),
    ("OATM810422HQTCRX05", "ID_SUJETO_ASISTENCIA", curp.is_valid),
    ("12.345.678-5", "ID_SUJETO_ASISTENCIA", rut.is_valid),
    ("20-12345678-3", "ID_SUJETO_ASISTENCIA", cuit.is_valid),
    ("1234 BCD", "IDENTIF_VEHICULOS_NRSERIE_PLACAS", lambda n: n[-3:].isalpha()),
    ("7654735", "ID_SUJETO_ASISTENCIA", lambda n: n.isdigit()),
    ("2023-118834/AB", "ID_CONTACTO_ASISTENCIAL", lambda n: True),
]


@pytest.mark.parametrize(("value", "label", "is_valid"), NUMBERS, ids=[row[0] for row in NUMBERS])
def test_numbers_keep_their_form_and_are_valid(value: str, label: str, is_valid: object) -> None:
    for number in range(12):
        new = context_of(marked("x"), scope=str(number)).identifiers.rewrite(value, label)
        assert new is not None
        assert shape(new)[:-1] == shape(value)[:-1]
        assert is_valid(new)  # type: ignore[operator]
        assert squash(new) != squash(value)


def test_one_number_in_two_writings_is_one_number() -> None:
    identifiers = context_of(marked("x")).identifiers
    first = identifiers.rewrite("51234877-X", "ID_SUJETO_ASISTENCIA")
    second = identifiers.rewrite("51.234.877-X", "ID_SUJETO_ASISTENCIA")
    assert squash(str(first)) == squash(str(second))


def test_without_the_key_nothing_follows_from_the_original() -> None:
    one = context_of(marked("x")).identifiers.rewrite("51234877X", "ID_SUJETO_ASISTENCIA")
    other = context_of(marked("x"), OTHER_KEY).identifiers.rewrite("51234877X", "ID_SUJETO_ASISTENCIA")
    assert one != other


def test_a_college_number_moves_with_the_province() -> None:
    note = marked("{28012|T} {Madrid|T}")
    context = context_of(note)
    new = str(context.identifiers.rewrite("28 28 70973", "ID_TITULACION_PERSONAL_SANITARIO"))
    code = str(context.places.territory(note.spans[0]))[:2]
    assert new.startswith(f"{code} {code} ")


def test_what_is_no_number_is_refused() -> None:
    identifiers = context_of(marked("x")).identifiers
    for value in ("raza blanca", "", "ab", "-"):
        assert identifiers.rewrite(value, "ID_SUJETO_ASISTENCIA") is None


def test_numbers_of_the_run_are_not_repeated() -> None:
    first = context_of(marked("x")).identifiers.rewrite("7654735", "ID_SUJETO_ASISTENCIA")
    taken = frozenset({str(first)})
    again = context_of(marked("x"), others=set(taken)).identifiers.rewrite("7654735", "ID_SUJETO_ASISTENCIA")
    assert again not in (None, first)
