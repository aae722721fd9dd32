"""CDA: nothing that was planted is left in any encoding, the structure is the same, and all else keeps its bytes."""

from __future__ import annotations

import base64
import html
import random
import re
from pathlib import Path

import pytest
from lxml import etree

from nadie.run.rewriting import Rewritten

from .cda_files import NOTE, PLANTED, cda
from .helpers import anonymized, check_refused, run_with_policy, texts_of

START = b'<ClinicalDocument xmlns="urn:hl7-org:v3">'
NS = {"v3": "urn:hl7-org:v3"}


def everything(content: bytes) -> str:
    """The file, its texts without the tags, and all that is in base64 in it."""
    text = content.decode()
    found = re.findall(r"(?<=[>\s])(?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(?=[<\s])", text)
    packed = [base64.b64decode(each).decode("utf-8", "replace") for each in found]
    return "\n".join([text, html.unescape(re.sub("<.*?>", "", text, flags=re.DOTALL)), *packed])


def run(content: bytes, tmp_path: Path, policy: str) -> tuple[bytes, Rewritten]:
    return run_with_policy(content, "a.xml", tmp_path, policy)


@pytest.mark.parametrize("policy", ["default", "research", "gdpr-pseudonymise", "hipaa-safe-harbor"])
def test_nothing_planted_is_left_and_the_structure_is_the_same(policy: str, tmp_path: Path) -> None:
    assert all(value in everything(cda()) for value in PLANTED)
    content, done = run(cda(), tmp_path, policy)
    told = everything(content)
    assert [value for value in PLANTED if value in told] == []
    assert (done.account.failures, done.account.uncovered) == ([], [])
    assert done.account.remarks == ["1 photos, videos or audio files removed"]
    before, after = (etree.fromstring(each) for each in (cda(), content))
    assert [e.tag for e in after.iter("*")] == [e.tag for e in before.iter("*")]
    for old, new in zip(before.iter("*"), after.iter("*"), strict=True):
        for name in ("code", "codeSystem", "unit", "root", "nullFlavor", "mediaType", "classCode", "ID"):
            is_hidden = name == "code" and new.get("nullFlavor") == "MSK"
            is_new = name == "nullFlavor" and new.get(name) == "MSK"
            is_own_id = name == "root" and "extension" not in old.attrib and "templateId" not in old.tag
            assert old.get(name) == new.get(name) or is_hidden or is_new or is_own_id


def test_all_else_keeps_its_bytes(tmp_path: Path) -> None:
    content = run(cda(), tmp_path, "research")[0].decode()
    for kept in (
        '<?xml-stylesheet type="text/xsl" href="CDA.xsl"?>', 'extension="POCD_HD000040"/>', 'extension="2015-08-01"/>',
        '<value xsi:type="PQ" value="12.50" unit="g/dL"/>', '<reference value="#p1"/>', "<content styleCode=\"Bold\">",
        'displayName="Hemoglobin"', "<th>Nombre</th><th>NHC</th>", " & 5 < 6]]></paragraph>",
        '<administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1" displayName="Female"/>',
    ):  # fmt: skip
        assert kept in content
    odd = b'<?xml version="1.0"?>\r\n<ClinicalDocument\txmlns = "urn:hl7-org:v3" ><a b=\'c\' /></ClinicalDocument>'
    assert anonymized(odd, "a.xml", {})[0] == odd


def test_fields_narrative_and_attachment_get_the_same_surrogates(tmp_path: Path) -> None:
    root = etree.fromstring(run(cda(), tmp_path, "research")[0])

    def text(path: str) -> str:
        found = root.xpath(path, namespaces=NS)
        assert isinstance(found, list)
        return " ".join(map(str, found))

    given, family = text("//v3:patient/v3:name/v3:given/text()"), text("//v3:patient/v3:name/v3:family/text()")
    number = text("//v3:patientRole/v3:id/@extension")
    packed = base64.b64decode("".join(text("//v3:text[@representation]/text()").split())).decode()
    day = text("/v3:ClinicalDocument/v3:effectiveTime/@value")
    assert packed != NOTE
    assert packed.startswith(f"Paciente {given} {family}, NHC {number}. Ingresa el {day[6:8]}/{day[4:6]}/{day[:4]} con")
    assert text("//v3:td/text()").split() == [given, family.split()[0], number]
    assert day.endswith("101500+0200")
    ids = root.xpath("//v3:observation/v3:id/@extension | //v3:act/v3:id/@extension", namespaces=NS)
    assert isinstance(ids, list)
    assert len(set(ids)) == 1


def test_a_date_or_a_sex_that_may_not_be_told_is_masked_as_cda_does(tmp_path: Path) -> None:
    root = etree.fromstring(run(cda(), tmp_path, "default")[0])
    for name in ("birthTime", "administrativeGenderCode", "low"):
        [element] = root.findall(f".//v3:{name}", NS)
        assert element.get("nullFlavor") == "MSK"
        assert "value" not in element.attrib
        assert "code" not in element.attrib
        assert "displayName" not in element.attrib


def test_a_body_that_is_a_file(tmp_path: Path) -> None:
    packed = base64.b64encode(b"<html><p>Sra. <b>An</b>a Mu&ntilde;oz Soto</p></html>").decode()
    body = f'<nonXMLBody><text mediaType="text/html" representation="B64">{packed}</text></nonXMLBody>'
    root = etree.fromstring(run(cda(body=body), tmp_path, "default")[0])
    new = base64.b64decode(root.findtext(".//v3:nonXMLBody/v3:text", "", NS)).decode()
    assert new == "<html><p>Sra. <b>[NOMBRE_SUJETO_ASISTENCIA]</b></p></html>"


def test_what_cannot_be_read_inside_is_left_out_and_told() -> None:
    body = '<nonXMLBody><text mediaType="application/pdf" representation="B64">QW5h</text></nonXMLBody>'
    content, account = anonymized(cda(body=body), "a.xml", {})
    assert b'representation="B64"></text>' in content
    assert [told.reason.endswith("it is left out of the copy") for told in account.failures] == [True]


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO-8859-1"])
def test_encodings(encoding: str) -> None:
    content = cda(encoding=encoding)
    copy = anonymized(content, "a.xml", {"Ana Muñoz": "Łucja Peña"})[0]
    assert "Łucja Peña" in "".join(map(str, etree.fromstring(copy).itertext()))


@pytest.mark.parametrize(
    "place",
    [
        "<?nota Vista Ana Muñoz?>{}", "<!-- Ana Muñoz -->{}", "{}<!-- Ana Muñoz -->",
        "{}<?nota Ana Muñoz?>",
    ],
)  # fmt: skip
def test_what_stands_around_the_document_is_searched(place: str) -> None:
    content = place.format('<ClinicalDocument xmlns="urn:hl7-org:v3"><title>x</title></ClinicalDocument>').encode()
    copy = anonymized(content, "a.xml", {"Ana Muñoz": "?>--"})[0]
    assert "Ana" not in copy.decode()
    etree.fromstring(copy)


@pytest.mark.parametrize("attribute", ["code", "ID", "displayName", "codeSystemName", "value"])
def test_identifiers_where_codes_belong_are_searched(attribute: str) -> None:
    content = f'<ClinicalDocument xmlns="urn:hl7-org:v3"><code {attribute}="DNI 12345678Z"/></ClinicalDocument>'
    assert "12345678Z" in texts_of(content.encode(), "a.xml")[0]


def test_replacements_are_escaped() -> None:
    content = cda("<paragraph title='Ana Muñoz'>x</paragraph>")
    copy = anonymized(content, "a.xml", {"Ana Muñoz": "<b>\"&'-->]]>"})[0]
    root = etree.fromstring(copy)
    assert root.xpath("//v3:paragraph/@title", namespaces=NS) == ["<b>\"&'-->]]>"]
    assert root.findtext("v3:title", "", NS).endswith("<b>\"&'-->]]>")


_TAGS = ("<content>|</content>", '<content styleCode="Bold">|</content>', "<sub>|</sub>", "<!-- c -->|", "|", "|")


@pytest.mark.parametrize("seed", range(200))
def test_a_planted_name_is_found_however_it_is_split(seed: int) -> None:
    chance = random.Random(seed)
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    spelled = ""
    for letter in name:
        spellings = (letter, letter, f"&#{ord(letter)};", f"&#x{ord(letter):X};", f"<![CDATA[{letter}]]>")
        part = chance.choice((" ", "\n   ", "&#32;")) if letter == " " else chance.choice(spellings)
        opening, _, closing = chance.choice(_TAGS).partition("|")
        spelled += f"{opening}{part}{closing}"
    tag = chance.choice(("paragraph", "item", "td", "caption"))
    content = cda(f"<{tag}>Paciente: {spelled}, de 70 años. Vive en Lugo.</{tag}>")
    [text] = texts_of(content, "a.xml")
    assert f"Paciente: {name}, de 70 años. Vive en Lugo." in text
    copy = etree.fromstring(anonymized(content, "a.xml", {name: "[NOMBRE]"})[0])
    shown = "".join(str(part) for text in copy.iterfind(".//v3:section/v3:text", NS) for part in text.itertext())
    assert "Paciente: [NOMBRE], de 70 años. Vive en Lugo." in shown


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b'<!DOCTYPE a [<!ENTITY a "ha">]>' + START + b"&a;</ClinicalDocument>", "document type"),
        (START + b"<a>" * 250 + b"</a>" * 250 + b"</ClinicalDocument>", "200 deep"),
        (START + b"<name>Ana", "not well-formed"),
        (b'<?xml version="1.0"?><ClinicalDocument>Ana</ClinicalDocument>', "not an HL7 ClinicalDocument"),
        (b'<?xml version="1.0" encoding="shift_jis"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>', "encoding"),
    ],
)  # fmt: skip
def test_what_is_refused(content: bytes, told: str) -> None:
    check_refused(content, "a.xml", told)
