"""The operators, one by one, and the values they refuse."""

from __future__ import annotations

import pytest

from nadie.anonymize.operators.base import OPERATORS
from nadie.anonymize.operators.encrypt import EncryptOperator, decrypt, is_encrypted
from nadie.anonymize.operators.generalize import GeneralizeOperator
from nadie.anonymize.operators.hash import HashOperator
from nadie.anonymize.operators.label import LabelOperator
from nadie.anonymize.operators.mask import MaskOperator
from nadie.errors import ConfigError, VaultError
from nadie.labels import Label
from nadie.surrogates.decision import KEEP, REFUSE

from .marked import KEY, OTHER_KEY, context_of, marked

NAMES = ["encrypt", "generalize", "hash", "keep", "label", "label-number", "mask", "redact", "shift", "surrogate"]


def applied(operator: object, text: str, key: object = KEY) -> list[object]:
    note = marked(text)
    context = context_of(note, key)  # type: ignore[arg-type]
    return [operator.replace(note.text_of(span), span, context) for span in note.spans]  # type: ignore[attr-defined]


def test_all_operators_are_registered() -> None:
    assert set(NAMES) <= set(OPERATORS.names())
    for name in NAMES:
        assert OPERATORS.get(name)().name == name


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("label", "{Ana Pérez|P}", ["[NOMBRE_SUJETO_ASISTENCIA]"]),
        ("redact", "{Ana Pérez|P}", [""]),
        ("keep", "{mujer|X}", [KEEP]),
        ("mask", "{Ana Pérez|P}", ["*** *****"]),
        ("shift", "{Ana|P}", [REFUSE]),
        ("generalize", "{Ana|P}", [REFUSE]),
        ("surrogate", "{Xyz 12 qué|OTROS_SUJETO_ASISTENCIA}", [REFUSE]),
        ("surrogate", "{Varón|X} {7 años|X}", [KEEP, REFUSE]),
        (
            "label-number",
            "{Ana|P} {Pérez Soto|P} con {Luis Gil|S} y {Eva Sanz|S}; Sra. {Pérez|P}, Dr. {Gil|S}; {7|ID} {8|ID} {7|ID}",
            ["[NOMBRE_1]", "[NOMBRE_1]", "[SANITARIO_1]", "[SANITARIO_2]", "[NOMBRE_1]", "[SANITARIO_1]", "[ID_1]",
             "[ID_2]", "[ID_1]"],
        ),
    ],
)  # fmt: skip
def test_small_operators(name: str, text: str, expected: list[object]) -> None:
    assert applied(OPERATORS.get(name)(), text) == expected


@pytest.mark.parametrize("label", list(Label))
def test_surrogates_of_every_label_are_a_text_or_a_decision(label: Label) -> None:
    operator = OPERATORS.get("surrogate")()
    for value in ("Ana", "12/12/2016", "x", "123456", "€", "¿?", "\u202eAna", "Ana\r\nPérez", "0" * 300, "é\u0301"):
        (outcome,) = applied(operator, f"{{{value}|{label}}}")
        assert outcome in (KEEP, REFUSE) or (isinstance(outcome, str) and outcome)


def test_masks() -> None:
    assert applied(MaskOperator(sign="█", fixed=6), "{Ana Pérez|P}") == ["██████"]
    assert applied(MaskOperator(), "{Ana\r\nPérez|P}") == ["***\r\n*****"]
    for wrong in ({"sign": ""}, {"sign": "ab"}, {"sign": "x"}, {"sign": " "}, {"fixed": -1}, {"fixed": 101}):
        with pytest.raises(ConfigError):
            MaskOperator(**wrong)


def test_hashes_link_and_hide() -> None:
    operator = HashOperator()
    first, second, other = applied(operator, "{Ana Pérez|P} {ANA PEREZ|S} {Eva|P}")
    assert str(first).partition(":")[2] == str(second).partition(":")[2]
    assert str(first).startswith("[NOMBRE_SUJETO_ASISTENCIA:")
    assert first != other
    full, alone = applied(operator, "{Ana Pérez|P}, la Sra. {Pérez|P}")
    assert full == alone == first
    assert applied(operator, "{Ana Pérez|P}", OTHER_KEY) != [first]
    with pytest.raises(ConfigError):
        HashOperator(length=4)


@pytest.mark.parametrize("value", ["Ana Pérez", "ñandú\r\n€", "[x]", "\ud800", "a" * 500])
def test_what_is_encrypted_can_be_opened(value: str) -> None:
    (sealed,) = applied(EncryptOperator(), f"{{{value}|P}}")
    text = f"Nombre: {sealed}."
    assert is_encrypted(text)
    assert value not in text
    assert decrypt(text, KEY) == f"Nombre: {value}."


def test_encryption_is_deterministic_and_notices_changes() -> None:
    (sealed,) = applied(EncryptOperator(), "{Ana Pérez|P}")
    assert applied(EncryptOperator(), "{Ana Pérez|P}") == [sealed]
    text = str(sealed)
    changed = text[:-3] + ("A" if text[-3] != "A" else "B") + text[-2:]
    other_label = text.replace("SUJETO_ASISTENCIA", "PERSONAL_SANITARIO")
    for broken, key in ((text, OTHER_KEY), (changed, KEY), (other_label, KEY), ("[CALLE:cif1.abc]", KEY)):
        with pytest.raises(VaultError) as caught:
            decrypt(broken, key)
        assert "Ana" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "text", "expected"),
    [
        ({}, "{72 años|E} {siete años|E} {93 años|E} {1 año|E} {5 meses|E} {120|E}",
         ["70-79 años", "1-9 años", "90 años o más", "1-9 años", "menor de 1 año", "90 años o más"]),
        ({"band": 5}, "{72 años|E} {89 años|E}", ["70-74 años", "85-89 años"]),
        ({"band": 0}, "{72 años|E} {5 meses|E} {93|E}", [KEEP, KEEP, "90 años o más"]),
        ({}, "{2 años y 3 meses|E} {de 20 a 30 años|E} {Adolescente|E} {tío|E}", ["1-9 años", REFUSE, KEEP, REFUSE]),
        ({}, "{03/11/2023|D} {mayo de 2019|D} {2018|D} {3 de enero|D} {31/02/2019|D} {verano de 2017|D}",
         ["2023", "2019", KEEP, REFUSE, REFUSE, "2017"]),
        ({"date": "month"}, "{03/11/2023|D} {mayo de 2019|D} {2018|D}", ["noviembre de 2023", KEEP, KEEP]),
        ({}, "{13600|T} {Getafe|T} {Lugo|T} {Andalucía|T} {Zzz|T}", ["Ciudad Real", "Madrid", KEEP, REFUSE, REFUSE]),
        ({"place": "region"}, "{13600|T} y {Getafe|T}; {Andalucía|T}",
         ["Castilla-La Mancha", "Comunidad de Madrid", KEEP]),
        ({}, "{Rosario|T}, {Argentina|PAIS}", [REFUSE, REFUSE]),
    ],
)  # fmt: skip
def test_generalizing(options: dict[str, object], text: str, expected: list[object]) -> None:
    assert applied(GeneralizeOperator(**options), text) == expected  # type: ignore[arg-type]


def test_a_year_that_tells_a_great_age_is_refused() -> None:
    text = "Nacida el {03/03/1925|D}, {91 años|E}, ingresa el {12/12/2016|D}, operada en {1998|D}"
    assert applied(GeneralizeOperator(band=0), text) == [REFUSE, "90 años o más", "2016", KEEP]
    young = text.replace("1925", "1950").replace("91 años", "66 años")
    assert applied(GeneralizeOperator(band=0), young) == ["1950", KEEP, "2016", KEEP]


@pytest.mark.parametrize("wrong", [{"date": "day"}, {"place": "town"}, {"band": 99}, {"top": 5}])
def test_wrong_settings(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        GeneralizeOperator(**wrong)  # type: ignore[arg-type]


def test_a_text_of_your_own_for_a_label() -> None:
    note = marked("{Ana Soto|P} y {Eva Gil|S}; vuelve {Ana Soto|P}")
    operator = LabelOperator(text="<{label} {number}>")
    written = [operator.replace(note.text_of(span), span, context_of(note)) for span in note.spans]
    assert written[0] == written[2] == "<NOMBRE_SUJETO_ASISTENCIA 1>"
    assert written[1].startswith("<NOMBRE_PERSONAL_SANITARIO ")
    assert LabelOperator(text="***").replace("Ana Soto", note.spans[0], context_of(note)) == "***"


@pytest.mark.parametrize(("text", "ok"), [("x" * 200, True), ("x" * 201, False), ("a\nb", False)])
def test_the_text_of_a_label_is_short_and_printable(text: str, ok: bool) -> None:
    if ok:
        assert LabelOperator(text=text)
    else:
        with pytest.raises(ConfigError, match="printable"):
            LabelOperator(text=text)
