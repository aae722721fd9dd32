"""HL7 v2: nothing that was planted is left in any encoding, another parser reads the result, and all else stays."""

from __future__ import annotations

import base64
import html
import random
import re
from pathlib import Path
from typing import Any

import pytest
from hl7apy.parser import parse_message

from nadie.files.containers.health.hl7_dates import put_together, taken_apart
from nadie.run.rewriting import Rewritten

from .helpers import anonymized, check_refused, opened, run_with_policy, texts_of
from .hl7_files import ADT, MDM, ORU, PLANTED, batch, framed, message
from .test_html import split_by_markup

HEADER = r"MSH|^~\&|HIS||LAB||20240503||ORU^R01^ORU_R01|1|P|2.5.1"


def everything(content: bytes) -> str:
    """The file, and all that is escaped or in base64 in it."""
    text = content.decode("cp1252")
    found = re.findall(r"(?<=\^)(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", text)
    packed = [base64.b64decode(each).decode("utf-8", "replace") for each in found]
    plain = re.sub(r"\\X([0-9A-F]+)\\", lambda code: bytes.fromhex(code[1]).decode("latin-1"), text)
    return "\n".join([text, plain, *packed, *map(html.unescape, packed)])


def run(content: bytes, tmp_path: Path, policy: str) -> tuple[bytes, Rewritten]:
    return run_with_policy(content, "a.hl7", tmp_path, policy)


def parsed(content: bytes, number: int = 0) -> Any:
    """A message as hl7apy reads it."""
    found = re.findall(r"MSH\|(?:(?!\rMSH|\rBTS|\x1c).)*", content.decode("cp1252"), re.DOTALL)
    return parse_message(found[number].strip("\r"), find_groups=False)


@pytest.mark.parametrize("policy", ["default", "research", "gdpr-pseudonymise", "hipaa-safe-harbor"])
@pytest.mark.parametrize("make", [batch, framed])
def test_nothing_planted_is_left_and_another_parser_reads_it(make: Any, policy: str, tmp_path: Path) -> None:
    before = everything(batch())
    assert all(value in before for value in PLANTED)
    content, done = run(make(), tmp_path, policy)
    told = everything(content)
    assert [value for value in PLANTED if value in told] == []
    assert done.account.failures == []
    assert done.account.remarks == ["1 photos, videos or audio files removed"]
    patient = parsed(content).pid
    assert patient.pid_3[0].cx_5.value == "MR"
    assert patient.pid_5.pid_5_1.value
    assert parsed(content, 1).obx[0].obx_5.value == "12.50"


def test_what_is_clinical_stays_and_so_do_line_ends_and_frames(tmp_path: Path) -> None:
    for make, end in (
        (batch(), "\r"),
        (framed(), "\r"),
        (message(*ORU, end="\r\n"), "\r\n"),
        (message(*ORU, end="\n"), "\n"),
    ):
        content = run(make, tmp_path, "research")[0]
        assert re.findall(rb"[\r\n\x0b\x1c]+", content) == re.findall(rb"[\r\n\x0b\x1c]+", make), end
    before, after = (
        each.decode("cp1252").split("\r") for each in (message(*ORU), run(message(*ORU), tmp_path, "research")[0])
    )
    for old, new in zip(before, after, strict=True):
        assert [field == "" for field in new.split("|")[:3]] == [field == "" for field in old.split("|")[:3]]
        assert len(new.split("|")) == len(old.split("|"))
    assert after[3].startswith("OBX|1|NM|718-7^Hemoglobina^LN||12.50|g/dL^^UCUM|12-16|N|||F|||20")
    assert r" \T\ refiere dolor||||||F" in after[4]
    assert r"sin fiebre \E\ sin tos" in after[5]


def test_without_edits_only_control_ids_change() -> None:
    content = message(
        HEADER.replace("|1|P", "||P"), "OBX|1|TX|a||Ana & hijos \\X41\\ ~ ^||||||F", "linea suelta", "", "ZZZ|a^b"
    )
    assert anonymized(content, "a.hl7", {})[0] == content.replace(b"20240503", b"")


def test_fields_and_report_get_the_same_surrogates_and_the_same_shift(tmp_path: Path) -> None:
    found = parsed(run(message(*ORU), tmp_path, "research")[0])
    given, family = found.pid.pid_5.pid_5_2.value.title(), found.pid.pid_5.pid_5_1.value.title()
    note = base64.b64decode(found.obx[3].obx_5.obx_5_5.value).decode()
    assert note.startswith(f"Paciente {given} {family}, NHC {found.pid.pid_3.pid_3_1.value}.")
    day = found.obx[6].obx_5.value
    assert f"Ingresa el {day[6:]}/{day[4:6]}/{day[:4]} con fiebre" in note


def test_a_label_never_stands_where_a_date_belongs(tmp_path: Path) -> None:
    found = parsed(run(message(*ADT), tmp_path, "default")[0])
    assert found.pid.pid_7.value == ""
    assert found.pid.pid_8.value == ""
    assert found.pid.pid_5.pid_5_1.value == "[NOMBRE_SUJETO_ASISTENCIA]"


def test_other_delimiters_and_escapes() -> None:
    content = message("MSH#*%!$#HIS##LAB##20240503##ORU*R01#1#P#2.5", "OBX#1#TX#a##Ana !F!Muñoz!S! x!.br!y|z######F")
    assert "Ana #Muñoz* x\ny|z" in texts_of(content, "a.hl7")[0]
    copy = anonymized(content, "a.hl7", {"Muñoz*": "a#b*c!d\ne"})[0].decode("cp1252")
    assert "##Ana !F!a!F!b!S!c!E!d!.br!e x!.br!y|z##" in copy


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8", "utf-8-sig"])
def test_encodings(encoding: str) -> None:
    content = message(HEADER, "NTE|1||Vista Ana Muñoz é", encoding=encoding)
    copy = anonymized(content, "a.hl7", {"Ana Muñoz": "Eva Peña"})[0]
    assert copy.decode(encoding).endswith("NTE|1||Vista Eva Peña é\r")


def test_every_message_has_its_own_patient() -> None:
    other = [line.replace("7654321", "99") for line in MDM]
    texts = list(opened(message(*ORU, *other), "a.hl7").texts())
    assert [text.meta["patient"] for text in texts] == ["7654321", "99"]


def test_what_cannot_be_read_inside_is_left_out_and_told() -> None:
    packed = base64.b64encode(b"\0\1Ana").decode()
    content = message(
        HEADER, f"OBX|1|ED|a||HIS^AP^PDF^Base64^{packed}||||||F", "OBX|2|ED|a||HIS^TEXT^X^Base64^!!||||||F"
    )
    copy, account = anonymized(content, "a.hl7", {})
    assert b"Base64^||||||F" in copy
    assert packed.encode() not in copy
    assert len(account.failures) == 2
    assert all(told.reason.endswith("it is left out of the copy") for told in account.failures)


def _planted(name: str, seed: int) -> list[str]:
    """Lines with a name in one of many places and spellings."""
    chance = random.Random(seed)
    text = f"Paciente: {name}, de 70 años. Vive en Lugo."

    def escaped(part: str) -> str:
        return "".join(
            chance.choice((c, c, f"\\X{ord(c):02X}\\", f"\\H\\{c}\\N\\"))
            if c != " "
            else chance.choice((" ", r"\.br\ "[:-1]))
            for c in part
        )

    packed = base64.b64encode(text.encode()).decode()
    markup = f"<html><body><p>Paciente: {split_by_markup(name, seed)}, de 70 años. Vive en Lugo.</p></body></html>"
    page = base64.b64encode(markup.encode()).decode()
    spelled = f"Paciente: {escaped(name)}, de 70 años. Vive en Lugo."
    first, _, rest = name.partition(" ")
    return chance.choice(
        (
            [f"OBX|1|TX|a||{spelled}||||||F"],
            [f"OBX|1|FT|a||Paciente: {escaped(first)}~{escaped(rest)}, de 70 años. Vive en Lugo.||||||F"],
            [f"OBX|1|TX|a||Paciente: {first}||||||F", f"OBX|2|TX|a||{rest}, de 70 años. Vive en Lugo.||||||F"],
            [f"NTE|1||Paciente: {first}", f"NTE|2||{rest}, de 70 años. Vive en Lugo."],
            [f"OBX|1|ED|a||HIS^TEXT^PLAIN^Base64^{packed}||||||F"],
            [f"OBX|1|ED|a||HIS^TEXT^HTML^Base64^{page}||||||F"],
            [f"ZXX|1|{spelled}"],
            [f"PV2|||a^{spelled}"],
        )
    )


@pytest.mark.parametrize("seed", range(200))
def test_a_planted_name_is_found_however_it_is_packed(seed: int) -> None:
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    content = message(HEADER, *_planted(name, seed))
    [text] = texts_of(content, "a.hl7")
    assert f"Paciente: {name}, de 70 años. Vive en Lugo." in re.sub(r"\s+", " ", text)
    copy = everything(anonymized(content, "a.hl7", {name: "[NOMBRE]"})[0])
    assert "[NOMBRE]" in re.sub(r"<.*?>", "", copy)
    bare = re.sub(r"<.*?>|\\[HN]\\", "", copy)
    assert not any(part in bare for part in name.split() if len(part) > 3)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"FHS|^~\\&|Ana\rBHS|^~\\&|Ana\r", "no message header"),
        (b"MSH|^~\\&|A\rNTE|1||Ana \x81\x90\r", "neither UTF-8 nor Windows-1252"),
        (b"PID|1||Ana\r", "named .hl7 but is plain text"),
        (b'{"resourceType": "Patient"}', "named .hl7 but is FHIR JSON"),
    ],
)
def test_what_is_refused(content: bytes, told: str) -> None:
    check_refused(content, "a.hl7", told)


@pytest.mark.parametrize(
    "segment",
    ["AL1|1||DNI 12345678Z", "OBX|1|NM|A||12345678Z", "OBX|1|ST|A||x|NHC 7654321|DNI 12345678Z", "PV2|||12345678Z^x"],
)
def test_identifiers_where_codes_belong_are_searched(segment: str) -> None:
    planted = re.findall(r"12345678Z|7654321", segment)
    told = texts_of(f"{HEADER}\r{segment}\r".encode(), "a.hl7")[0]
    assert [value for value in planted if value not in told] == []


@pytest.mark.parametrize(
    ("value", "date", "new", "written"),
    [
        ("19540305", "1954-03-05", "1951-07-06", "19510706"),
        ("20240503101500.123+0200", "2024-05-03", "2021-09-03", "20210903101500.123+0200"),
        ("195403", "1954-03", "1951-07", "195107"),
        ("1954", "1954", "1951", "1951"),
        ("20240503101500", "2024-05-03", "2024", "2024"),
        ("20240503101500", "2024-05-03", "[FECHAS]", ""),
        ("ayer", "ayer", "[FECHAS]", ""),
        ("19541399", "19541399", "[FECHAS]", ""),
    ],
)
def test_dates(value: str, date: str, new: str, written: str) -> None:
    found, time = taken_apart(value)
    assert found == date
    assert put_together(new, time) == written


@pytest.mark.parametrize("part", ["\\", "|", "^", "~", "&", "\\X", "\\.br", "\r", "\rMSH|", "OBX|1|TX|||"])
def test_no_message_takes_long(part: str) -> None:
    anonymized((HEADER + "\rOBX|1|TX|a||" + part * 20_000).encode(), "a.hl7", {"Ana": "Eva"})
