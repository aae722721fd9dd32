"""Mail: opened again with Python's email, decoded and searched part by part for what was replaced."""

from __future__ import annotations

import email
import email.policy
import io
import random
import time
from email.message import EmailMessage
from email.utils import parsedate_to_datetime

import pytest

from nadie.errors import FormatError
from nadie.files.mapped import Edit

from .helpers import anonymized, opened, texts_of
from .mail_files import inner, message, planted, simple
from .office import everything
from .test_zip import parts_of, zipped

VALUES = {"Ana Muñoz": "[NOMBRE]", "7654321": "[ID]", "ana@x.es": "[CORREO]"}


def read(content: bytes) -> EmailMessage:
    made = email.message_from_bytes(content, policy=email.policy.default)
    assert isinstance(made, EmailMessage)
    return made


def all_of(content: bytes) -> str:
    """The raw message without its base64, which spells short words by chance; its decoded headers and parts."""
    told = ""
    for part in email.message_from_bytes(content).walk():
        told += "".join(f"{name}: {value}\n" for name, value in part.items()) + f"{part.preamble}{part.epilogue}"
        payload = part.get_payload()
        if isinstance(payload, str) and part.get("content-transfer-encoding") != "base64":
            told += payload
    for part in read(content).walk():
        told += "".join(f"{name}: {value}\n" for name, value in part.items()) + str(part.get_filename())
        if not part.is_multipart():
            decoded = part.get_payload(decode=True)
            told += everything(decoded) if isinstance(decoded, bytes) else ""
    return told


def test_nothing_that_was_found_is_left_in_any_part() -> None:
    copy, account = anonymized(planted(), "a.eml", VALUES)
    before, after = all_of(planted()), all_of(copy)
    for value in ("Ana", "Muñoz", "Luis", "Gil", "7654321", "x.es", "10.1.2.3", "2020", "Mu=C3", "Mu&ntilde;"):
        assert value in before
        assert value not in after
    assert account.remarks[0] == "headers left out: Received, X-Originating-IP"
    assert all(remark.startswith("attachment ") for remark in account.remarks[1:])
    assert account.uncovered == [("part 6", "an image, not changed")]
    [failure] = account.failures
    assert str(failure).startswith("a.eml!attachment 11.bin: is binary data")


def test_the_structure_and_the_rest_stay() -> None:
    old, new = read(planted()), read(anonymized(planted(), "a.eml", VALUES)[0])
    kinds = [[part.get_content_type() for part in each.walk()] for each in (old, new)]
    assert kinds[0][:-1] == kinds[1][:-1]
    assert new["importance"] == "high"
    assert str(new["subject"]) == str(old["subject"]).replace("Ana Muñoz", "[NOMBRE]").replace("7654321", "[ID]")
    assert [a.display_name for a in new["to"].addresses] == ["[CAMPO]", "[CAMPO]"]
    assert all(a.domain == "anonymized.invalid" for a in new["to"].addresses)
    bodies = [new.get_body((kind,)) for kind in ("plain", "html")]
    assert bodies[0] is not None
    assert bodies[1] is not None
    assert bodies[0].get_content() == "Estimados:\n\nVista [NOMBRE] hoy, NHC [ID].\n\nUn saludo\n"
    assert bodies[1].get_content().startswith("<html><body><p>Sra. [NOMBRE]<b></b></p>")
    attachments = list(new.iter_attachments())
    assert [part.get_filename() for part in attachments] == ["[NOMBRE].xlsx", "tabla.csv", None, None]
    assert attachments[1].get_content() == "nhc;nota\r\n[CAMPO];Vista [NOMBRE]\r\n"
    assert attachments[2].get_content()["subject"] == "Resultado de [NOMBRE]"
    assert attachments[3].get_content() == "[attachment left out]\n"


def test_what_is_not_replaced_keeps_its_bytes() -> None:
    headers = b"Subject: =?utf-8?q?Alta?=\r\n =?utf-8?q?_hoy?=\r\nMIME-Version: 1.0\r\n"
    headers += b"Content-Type: text/plain;\r\n\tcharset=utf-8\r\n"
    for body in (b"Sin datos\r\n\r\n> cita\r\n", "Años".encode()):
        content = headers + b"Content-Transfer-Encoding: 8bit\r\n\r\n" + body
        assert anonymized(content, "a.eml", {})[0] == content
    copy = anonymized(simple(), "a.eml", VALUES)[0]
    assert copy.endswith(b"quoted-printable\r\n\r\nVista [NOMBRE] hoy =E2=82=AC\r\n")
    assert copy.startswith(b"From: CAMPO@anonymized.invalid\r\nSubject: Alta de [NOMBRE]\r\nMIME")


def test_dates_that_are_moved_stay_dates() -> None:
    container = opened(b"Date: Mon, 4 May 2020 10:03:00 +0200\r\nMIME-Version: 1.0\r\n\r\nx", "a.eml")
    [text] = container.texts()
    assert text.text == "2020-05-04 10:03:00\nx"
    out = io.BytesIO()
    container.write(iter([[Edit(0, 19, "2019-03-02 10:03:00")]]), out)
    assert parsedate_to_datetime(read(out.getvalue())["date"]).isoformat() == "2019-03-02T10:03:00+02:00"


@pytest.mark.parametrize("cte", ["base64", "quoted-printable", "8bit"])
@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252", "iso-8859-15"])
def test_encodings(cte: str, charset: str) -> None:
    made = EmailMessage()
    made["Subject"] = "x"
    made.set_content("Vista Ana Muñoz, sin más.\n", charset=charset, cte=cte)
    assert texts_of(made.as_bytes(), "a.eml") == ["x\nVista Ana Muñoz, sin más.\n"]
    for new in ("[N]", "Núria", "Łucja"):
        copy = read(anonymized(made.as_bytes(), "a.eml", {"Ana Muñoz": new})[0])
        assert copy.get_content() == f"Vista {new}, sin más.\n"


@pytest.mark.parametrize(
    "raw",
    [b"To: Ana Mu\xf1oz\r\n", "To: Ana Muñoz\r\n".encode(), b"To: Ana <\r\n", b"From: @\r\n", b"Cc: a: b@c, Ana;\r\n"],
)
def test_headers_that_are_broken_are_replaced_whole(raw: bytes) -> None:
    content = raw + b"MIME-Version: 1.0\r\n\r\nx\r\n"
    copy = anonymized(content, "a.eml", {})[0]
    assert b"Ana" not in copy
    assert b"Mu" not in copy


def _split_in_mail(name: str, seed: int) -> bytes:
    """The name in encoded words, soft line breaks or tags."""
    chance = random.Random(seed)
    words = []
    at = 0
    while at < len(name):
        end = at + chance.choice((1, 2, 3, 7))
        encoding = chance.choice(("utf-8", "iso-8859-1", "windows-1252"))
        octets = name[at:end].encode(encoding)
        quoted = "".join(f"={octet:02X}" for octet in octets)
        words.append(f"=?{encoding}?q?{quoted}?=")
        at = end
    body = "".join(
        chance.choice(("", "", "=\r\n")) + "".join(f"={octet:02X}" for octet in letter.encode()) for letter in name
    )
    page = "".join(chance.choice(("{}", "<b>{}</b>", "{}<wbr>")).format(f"&#{ord(letter)};") for letter in name)
    return (
        f"Subject: {chance.choice((' ', chr(13) + chr(10) + ' ')).join(words)}\r\nMIME-Version: 1.0\r\n"
        "Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Transfer-Encoding: quoted-printable\r\n\r\nPaciente: {body}, hoy\r\n--b\r\n"
        f"Content-Type: text/html\r\n\r\n<p>Paciente: {page}, hoy</p>\r\n--b--\r\n"
    ).encode()


@pytest.mark.parametrize("seed", range(200))
def test_the_text_is_the_same_however_the_encoding_splits_it(seed: int) -> None:
    name = ("Ana Muñoz", "José Mª Peña-Güell", "María del Mar Íñiguez O'Shea", "Dra. Núria Roçà")[seed % 4]
    content = _split_in_mail(name, seed)
    assert texts_of(content, "a.eml") == [f"{name}\nPaciente: {name}, hoy\nPaciente: {name}, hoy"]
    copy = read(anonymized(content, "a.eml", {name: "[NOMBRE]"})[0])
    assert copy["subject"] == "[NOMBRE]"
    plain, page = (part.get_content().strip() for part in copy.iter_parts())
    assert plain == "Paciente: [NOMBRE], hoy"
    assert page.replace("<b>", "").replace("</b>", "").replace("<wbr>", "") == "<p>Paciente: [NOMBRE], hoy</p>"


def nested(depth: int) -> bytes:
    content = b"Subject: x\r\nMIME-Version: 1.0\r\n\r\nx\r\n"
    for _ in range(depth):
        content = b"MIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n" + content
    return content


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"MIME-Version: 1.0\r\nContent-Type: multipart/encrypted; boundary=x\r\n\r\n--x--\r\n", "is encrypted"),
        (b"MIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime\r\n\r\nAAAA", "is encrypted"),
        (nested(30), "nested more than 20 deep"),
        (b"MIME-Version: 1.0\r\nContent-Transfer-Encoding: x-ana\r\n\r\nx", "unknown transfer encoding"),
        (b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\xf1", "is not UTF-8"),
        (b"MIME-Version: 1.0\r\nContent-Type: text/plain; charset=ana\r\n\r\nx", "encoding 'ana', which is unknown"),
        (b"MIME-Version: 1.0\r\nSubject: " + b"a" * 17_000 + b"\r\n\r\nx", "header of more than"),
        (b"hola", "named .eml but is plain text"),
    ],
)
def test_what_is_refused(content: bytes, told: str) -> None:
    with pytest.raises(FormatError, match=told):
        opened(content, "a.eml")


def test_signatures_are_taken_away() -> None:
    content = (
        b"Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: multipart/signed; protocol=x; boundary=b\r\n\r\n"
        b"--b\r\n\r\nAna\r\n"
        b"--b\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nLUIS\r\n--b--\r\n"
    )
    copy, account = anonymized(content, "a.eml", {"Ana": "[N]"})
    assert b"LUIS" not in copy
    assert read(copy).get_content_type() == "multipart/mixed"
    assert account.remarks == ["the signature, which would be invalid, was removed"]
    assert [part.get_content() for part in read(copy).iter_parts()] == ["[N]"]


def test_a_boundary_that_says_something_is_replaced() -> None:
    made = EmailMessage()
    made.set_content("Hola.\n")
    made.add_attachment(b"Hola.\n", maintype="text", subtype="plain", filename="a.txt")
    made.set_boundary("=_Ana Gil")
    copy = anonymized(made.as_bytes(), "a.eml", {})[0]
    assert b"Ana" not in copy
    assert [part.get_content() for part in read(copy).iter_parts()] == ["Hola.\n", "Hola.\n"]


def test_messages_in_archives_and_archives_in_messages() -> None:
    made = inner()
    made.add_attachment(zipped({"n.txt": "Ana Muñoz".encode()}), "application", "zip", filename="todo.zip")
    content = zipped({"correo.eml": made.as_bytes()})
    copy = parts_of(anonymized(content, "a.zip", VALUES)[0])["correo.eml"]
    [attachment] = read(copy).iter_attachments()
    assert parts_of(attachment.get_content()) == {"n.txt": b"[NOMBRE]"}


@pytest.mark.parametrize("part", ["a@b.es, ", "(", '"', "=?utf-8?q?a?= ", "<a@b>", "a ", ",", "\\"])
@pytest.mark.parametrize("header", ["To", "Subject", "Date", "References", "Content-Type"])
def test_no_header_takes_long(header: str, part: str) -> None:
    start = time.process_time()
    content = f"Message-ID: <x>\r\n{header}: {part * (16_000 // len(part))}\r\n\r\nx"
    try:
        anonymized(content.encode(), "a.eml", {"Ana": "Eva"})
    except Exception as error:
        assert isinstance(error, FormatError)  # noqa: PT017
    assert time.process_time() - start < 10


def test_the_message_of_the_tests_is_whole() -> None:
    assert len(list(message().walk())) == len(list(read(planted()).walk()))


def test_reports_about_deliveries_and_messages_in_them_are_read() -> None:
    raw = (
        b"From: a@b.es\nMIME-Version: 1.0\nContent-Type: multipart/REPORT; boundary=b\n\n--b\n"
        b"Content-Type: message/DELIVERY-STATUS\n\nReporting-MTA: dns; x.es\n\nFinal-Recipient: rfc822; Ana\n\n--b\n"
        b"Content-Type: MESSAGE/RFC822\n\nSubject: Ana\nContent-Type: Text/Plain\n\nhola Ana\n--b--\n"
    )
    copy, account = anonymized(raw, "a.eml", {"Ana": "Eva"})
    assert account.failures == []
    assert b"Ana" not in copy
    _, status, _, inner = email.message_from_bytes(copy).walk()
    assert "Final-Recipient: rfc822; Eva" in str(status.get_payload())
    assert str(inner.get_payload()).strip() == "hola Eva"
