"""JSON and XML of any kind, and files that are not plain text although they have nothing but letters."""

from __future__ import annotations

import base64
import binascii
import json

import pytest

from nadie.files.recognition import recognise
from nadie.files.source import Source

from .helpers import anonymized, check_refused, opened, texts_of
from .samples import json_file, xml_file

CARD = b"BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana Mu=C3=B1oz\r\nEND:VCARD\r\n"
CALENDAR = b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Vis\r\n ita de Ana\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
UUENCODED = b"begin 644 alta.doc\n" + binascii.b2a_uu(b"Vino Ana a la consulta por dolor y nada mas..") + b"`\nend\n"
LETTER = b"Le adjunto el informe de Ana.\n\n%s\nUn saludo\n" + b"Reciba un saludo.\n" * 40
CODED = base64.encodebytes("Vino Ana Muñoz a la consulta por dolor. ".encode() * 9)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (CARD, "business card"), (CALENDAR, "calendar"), (b"%!PS-Adobe-3.0\n(An) show (a) show\n", "PostScript"),
        (CODED, "base64"), (CODED.replace(b"\n", b""), "base64"),
        (b"-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n", "base64"),
        (LETTER % CODED, "base64"), (LETTER % UUENCODED, "uuencode"), (b"Sin novedad.\n" * 6000 + CODED, "base64"),
        (LETTER % (b"![](data:image/png;base64," + base64.b64encode(b"Vino Ana a la consulta." * 20) + b")"), "base64"),
        (CARD.decode().encode("utf-16"), "business card"),
        (b"\x1b%-12345X@PJL\n%!PS\n(An) show (a) show\n", "PostScript"),
        (b'<?xml version="1.0"?><w:wordDocument xmlns:w="x"><w:t>An</w:t><w:t>a</w:t></w:wordDocument>', "single XML"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["a.txt", "a", "a.dat"])
def test_encoded_text_is_not_plain_text(content: bytes, told: str, name: str) -> None:
    check_refused(content, name, told)


@pytest.mark.parametrize(
    "text",
    [
        "Ana Muñoz acude a revisión.\n",
        "https://example.org/una-direccion-muy-larga/que-no-es-base64-porque-tiene-puntos\n",
        "ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT\n",
        "Secuencia:\n" + ("ACGTTGCA" * 9 + "\n") * 8 + "=" * 500 + "\n" + "x" * 500 + "\n",
        "From Monday on she felt better.\n",
        "12\nFrom: la nota\n",
        '{"nota": "Vino Ana Muñoz hoy"}',
    ],
)
def test_plain_text_is_still_plain_text(text: str) -> None:
    assert recognise(Source("a.txt", "a.txt", None, text.encode())) == "text"


def test_names_of_values_in_json_are_captions() -> None:
    assert texts_of(json_file(), "a.json") == [
        "nhc: 7654321\ntexto: Vista Ana Muñoz hoy\nmedico: Luis Gil\nfecha: 2020-05-04\nAna Muñoz\ntel: 600 123 456"
    ]
    labels = [segment.label for text in opened(json_file(), "a.json").texts() for segment in text.segments]
    assert [label for label in labels if label] == [
        "ID_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "FECHAS", "NUMERO_TELEFONO",
    ]  # fmt: skip


def test_numbers_and_the_structure_of_json_stay() -> None:
    copy = anonymized(json_file(), "a.json", {"Ana Muñoz": "Eva"})[0]
    assert copy.startswith(b'{\n  "type": "report", "nhc": "[CAMPO]", "peso": 70.5, "ok": true,\n')
    assert json.loads(copy)["texto"] == "Vista Eva hoy"
    assert list(json.loads(copy)) == ["type", "nhc", "peso", "ok", "texto", "visitas", "Eva"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_json_in_utf_16_stays_so(encoding: str) -> None:
    marked = "\ufeff" + json_file().decode()
    copy, expected = (anonymized(c, "a.json", {"Ana Muñoz": "Eva"})[0] for c in (marked.encode(encoding), json_file()))
    assert copy.decode(encoding) == "\ufeff" + expected.decode()


def test_two_names_of_values_never_become_one() -> None:
    copy = anonymized('{"Ana Muñoz": 1, "Eva Gil": 2}'.encode(), "a.json", {"Ana Muñoz": "X", "Eva Gil": "X"})[0]
    assert json.loads(copy) == {"X": 1, "X (2)": 2}


def test_data_in_json_that_cannot_be_searched_are_replaced() -> None:
    content = json.dumps({"foto": base64.b64encode(b"Ana Munoz" * 9).decode(), "tipo": "informe"}).encode()
    assert json.loads(anonymized(content, "a.json", {})[0]) == {"foto": "[CAMPO]", "tipo": "informe"}


def test_a_note_with_escaped_letters_is_json_whatever_its_name() -> None:
    content = b'{"nota": "Vino Ana Mu\\u00f1oz hoy"}'
    assert recognise(Source("a.txt", "a.txt", None, content)) == "json"


def test_xml_in_another_encoding_and_with_a_document_type() -> None:
    raw = '<?xml version="1.0" encoding="UTF-16"?><nota tipo="de Ana Muñoz">Vista Ana</nota>'
    copy = anonymized(raw.encode("utf-16"), "a.xml", {"Ana Muñoz": "X", "Ana": "Y"})[0]
    assert copy.decode("utf-16") == raw.replace("Ana Muñoz", "X").replace("Ana", "Y")
    apple = b'<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">'
    assert texts_of(apple + b"<plist><string>Ana</string></plist>", "a.xml") == ["string: Ana"]
    for public in (b'PUBLIC "-//Remedios Iturralde//ES" "a.dtd"', b'SYSTEM "Iturralde.dtd"'):
        check_refused(b"<!DOCTYPE a " + public + b"><a>Ana</a>", "a.xml", "document type")


def test_xml_of_any_kind() -> None:
    [text] = texts_of(xml_file(), "a.xml")
    assert "Vista Ana Muñoz & hijo" in text
    assert "nombre: Ana Muñoz" in text
    copy = anonymized(xml_file(), "a.xml", {"Ana Muñoz": "<Eva>"})[0].decode()
    assert "Vista <b>&lt;Eva&gt;</b> &amp; hijo" in copy
    copy = anonymized(xml_file(), "a.xml", {"Ana": "X", "Muñoz": "Y"})[0].decode()
    assert "<![CDATA[Llama X <hoy>]]>" in copy
    assert 'nhc="[CAMPO]"' in copy
    assert "<peso>70.5</peso>" in copy
    assert "Ana" not in copy
