"""HL7 v2 messages with planted identifiers in every segment that may hold one."""

from __future__ import annotations

import base64

NOTE = "Paciente Ana Muñoz Soto, NHC 7654321. Ingresa el 03/05/2024 con fiebre de 38,5 ºC.\n"
PAGE = "<html><body><p>Sra. <b>An</b>a Mu&ntilde;oz Soto</p></body></html>"
PLANTED = (
    "MUÑOZ", "Muñoz", "SOTO", "Soto", "7654321", "12345678Z", "982123456", "ana.munoz", "Mayor 3", "Monforte", "27400",
    "FERREIRO", "Ferreiro", "272712345", "19540305", "20240503", "03/05/2024", "LUCUS", "PEDRO", "612345678",
    "88776655", "281234567840", "MSG-0001", "ORD-5544", "POL-7788", "JFIF-foto",
)  # fmt: skip

_NOTE, _PAGE, _PHOTO = (
    base64.b64encode(each).decode() for each in (NOTE.encode(), PAGE.encode(), b"\xff\xd8\xff\xe0JFIF-foto")
)


def segment(name: str, fields: dict[int, str]) -> str:
    return "|".join([name, *(fields.get(number, "") for number in range(1, max(fields) + 1))])


ADT = [
    r"MSH|^~\&|HIS|HOSPITAL LUCUS|LAB|LUCUS|20240503101500+0200||ADT^A01^ADT_A01|MSG-0001|P|2.5.1||||||8859/1",
    "EVN|A01|20240503101500|||272712345^FERREIRO^LUIS",
    "PID|1||7654321^^^HULA^MR~12345678Z^^^MI^NI||MUÑOZ SOTO^ANA^^^Sra.||19540305|F|||Calle Mayor 3^^Monforte^Lugo"
    "^27400^ES||982123456^PRN^PH~^NET^Internet^ana.munoz@correo.es|||M||88776655^^^HULA^AN|281234567840",
    "PD1||||272712345^FERREIRO CASTRO^LUIS^^^DR.",
    "NK1|1|SOTO^PEDRO|SPO^esposo^HL70063|Calle Mayor 3^^Monforte|612345678",
    segment(
        "PV1",
        {
            1: "1",
            2: "I",
            3: "UCI^203^1^HOSPITAL LUCUS",
            7: "272712345^FERREIRO^LUIS",
            19: "88776655^^^HULA^VN",
            44: "20240503090000",
        },
    ),
    segment("IN1", {1: "1", 2: "SEGURO^Seguro general", 3: "9", 4: "ASEGURADORA LUCUS", 8: "GR-99", 36: "POL-7788"}),
    "DG1|1||I21.9^Infarto agudo de miocardio^I10|Enfermedad de Ana Muñoz|20240503",
    "ZPD|1|Ana Muñoz|20240503|612345678|Monforte^Lugo",
]
ORU = [
    r"MSH|^~\&|LAB|LUCUS|HIS|HOSPITAL LUCUS|20240503||ORU^R01^ORU_R01|MSG-0001|P|2.5.1",
    "PID|1||7654321^^^HULA^MR||MUÑOZ SOTO^ANA||19540305|F",
    "OBR|1|ORD-5544|ORD-5544^LAB|24323-8^Panel^LN|||20240503080000|||||||||272712345^FERREIRO^LUIS",
    "OBX|1|NM|718-7^Hemoglobina^LN||12.50|g/dL^^UCUM|12-16|N|||F|||20240503081000",
    r"OBX|2|TX|18842-5^Informe^LN||Sra. Ana Mu\XF1\oz Soto,\.br\acude el 03/05/2024 \T\ refiere dolor||||||F",
    r"OBX|3|FT|18842-5^Informe^LN||\H\Ana\N\ Muñoz~Soto, sin fiebre \E\ sin tos||||||F",
    f"OBX|4|ED|18842-5^Informe^LN||HIS^TEXT^PLAIN^Base64^{_NOTE}||||||F",
    f"OBX|5|ED|18842-5^Informe^LN||HIS^TEXT^HTML^Base64^{_PAGE}||||||F",
    f"OBX|6|ED|18842-5^Foto^LN||HIS^IM^JPEG^Base64^{_PHOTO}||||||F",
    "OBX|7|DT|1^Ingreso^LN||20240503||||||F",
    "NTE|1||Vista por el Dr. Luis Ferreiro",
    "NTE|2||con la Sra. Muñoz",
]
MDM = [
    r"MSH|^~\&|HIS|LUCUS|DOC|LUCUS|20240503||MDM^T02^MDM_T02|MSG-0001|P|2.5.1",
    "EVN|T02|20240503",
    "PID|1||7654321^^^HULA^MR||MUÑOZ SOTO^ANA||19540305|F",
    "PV1|1|O",
    "TXA|1|DS|TX|20240503|272712345^FERREIRO^LUIS|20240503|||272712345^FERREIRO^LUIS|||ORD-5544||||Ana Muñoz.txt",
    "OBX|1|TX|18842-5^Informe^LN||Alta de Ana Muñoz Soto||||||F",
]


def message(*lines: str, end: str = "\r", encoding: str = "cp1252") -> bytes:
    return "".join(line + end for line in lines).encode(encoding)


def batch() -> bytes:
    """Three messages in a batch in a file."""
    return b"".join(
        (
            message(r"FHS|^~\&|HIS|LUCUS|||20240503||||MSG-0001", r"BHS|^~\&|HIS|LUCUS|||20240503"),
            message(*ADT), message(*ORU), message(*MDM), message("BTS|3", "FTS|1"),
        )
    )  # fmt: skip


def framed() -> bytes:
    """As it goes over the wire: every message in a block of MLLP."""
    return b"".join(b"\x0b" + message(*lines) + b"\x1c\r" for lines in (ADT, ORU))
