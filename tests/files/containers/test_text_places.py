"""Words in obscure places of HTML pages, e-mail, RTF and HL7 messages: none stays in a copy."""

from __future__ import annotations

import base64
import email
from email.message import EmailMessage
from email.policy import default

import pikepdf
import pytest

from nadie.errors import FormatError

from . import pdfs
from .helpers import anonymized, opened, texts_of
from .hl7_files import message
from .places import Places


def page(p: Places) -> bytes:
    return f"""<html><head><meta property="og:title" content="{p("meta")}"></head><body onclick="f('{p("handler")}')">
<p id="{p("id")}" style="x:'{p("style")}'" aria-label="{p("aria")}">x</p>
<a href="/p?n={p("query")}" download="{p("file")}">
x</a><a href="/{p("link")}">x</a><form action="/{p("action")}"><input name="{p("input")}" value="{p("value")}"></form>
<img src="/{p("image")}"><td abbr="{p("abbr")}"><iframe srcdoc="{p("frame")}"></iframe><time datetime="{p("time")}">
<x-y z="{p("unknown")}"></x-y><?php echo "{p("program")}"; ?></body></html>""".encode()


def mail(p: Places) -> bytes:
    made = EmailMessage()
    made["From"] = "a@x.es"
    for header in ("User-Agent", "Importance", "X-Mailer", "Content-Language"):
        made[header] = p(header)
    made.set_content(f"Hola {p('body')}\n", params={"x-name": p("parameter").partition(" ")[0]})
    made.add_attachment(b"nota", "text", "plain", filename="a.txt", params={"x-path": p("path").partition(" ")[0]})
    return made.as_bytes()


def rich_text(p: Places) -> bytes:
    return (
        r"{\rtf1\ansi\ansicpg1252{\stylesheet{\s5 " + p("style") + r";}}{\*\generator " + p("generator") + r";}"
        r"{\*\xmlnstbl{\xmlns1 " + p("namespace") + r"}}x\par}"
    ).encode("cp1252")


def record(p: Places) -> bytes:
    """A field of every simple data type with something else in it, and components where none belong."""
    return message(
        rf"MSH|^~\&|{p('application')}|H||H|20240503||ORU^R01^ORU_R01|1|P|2.5.1||||||8859/1",
        f"PID|{p('number')}||1^{p('check digit')}||A^B||19700305^{p('after a birth')}|{p('sex')}|||||||"
        f"|{p('language')}",
        f"EVN|A01|20240503^{p('after a date')}|20240503&{p('after an ampersand')}",
        f"OBX|1|NM|{p('code')}^x^LN||{p('numeric')}|{p('unit')}|{p('range')}|{p('flag')}|||{p('status')}",
        f"OBX|2|ED|x||{p('source')}^TEXT^{p('subtype')}^Base64^SG9sYQ==",
    )


@pytest.mark.parametrize(("make", "name"), [(page, "a.html"), (mail, "a.eml"), (rich_text, "a.rtf"), (record, "a.hl7")])
def test_no_word_is_left_in_any_corner(make, name: str) -> None:  # type: ignore[no-untyped-def]
    places = Places()
    content = make(places)
    assert places.left(content, name) == []
    assert places.left(b"Hola", "a.txt") == []
    assert len(places.kept(content)) >= 3


def test_escapes_in_links_are_read() -> None:
    raw = b"<p><a href=/p?n=Ana%20Mu%C3%B1oz&k=1>x</a><a href='mailto:Ana%20Mu%F1oz'>y</a></p>"
    assert texts_of(raw, "a.html") == ["xy\n/p?n=Ana Muñoz&k=1\nmailto:Ana Muñoz"]
    copy = anonymized(raw, "a.html", {"Ana Muñoz": "[UN NOMBRE]"})[0]
    assert copy == b"<p><a href=/p?n=[UN&#32;NOMBRE]&k=1>x</a><a href='mailto:[UN NOMBRE]'>y</a></p>"


def test_what_follows_the_end_of_base64_is_not_kept() -> None:
    head = b"From: a@b.es\r\nSubject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain\r\n"
    body = b"Content-Transfer-Encoding: base64\r\n\r\n" + base64.b64encode(b"hola") + b"\r\n\r\n-- \r\nAna Soto\r\n"
    copy = anonymized(head + body, "a.eml", {})[0]
    assert b"Ana" not in copy
    assert email.message_from_bytes(copy, policy=default).get_content() == "hola"


def test_attachments_in_the_text_of_a_mail_are_refused() -> None:
    raw = b"From: a@b.es\r\nSubject: x\r\nMIME-Version: 1.0\r\n\r\nhola\r\nbegin 644 a.txt\r\n#0V%T\r\n`\r\nend\r\n"
    with pytest.raises(FormatError, match="uuencode"):
        opened(raw, "a.eml")


def test_private_entries_of_a_pdf_go() -> None:
    places = Places()
    pdf = pdfs.new("BT /F1 12 Tf 50 700 Td (Hola) Tj ET")
    pdf.trailer.Privado = pikepdf.String(places("trailer"))
    pdf.pages[0].obj.ID = pikepdf.String(places("page"))
    pdf.Root.Lang = pikepdf.String(places("language"))
    content = pdfs.saved(pdf)
    assert len(places.kept(content)) == 3
    assert places.left(content, "a.pdf") == []
