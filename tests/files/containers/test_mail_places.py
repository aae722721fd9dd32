"""Words in obscure places of e-mail messages, mailboxes and Outlook messages: none stays in a copy."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from nadie.files.containers.mail.msg import rich_text
from nadie.files.containers.mail.msg.compound import Storage, written

from . import msg_files
from .places import FORMS, Form, Places

_LINES = (
    "Received: from {} by {} for <{}@x.es>; Mon, 4 May 2020 10:03:00 +0200 ({})",
    "Return-Path: <{}@x.es>",
    "Delivered-To: {}@x.es",
    "X-Originating-IP: [{}]",
    "X-Mailer: {}",
    "User-Agent: {}",
    "Organization: {}",
    "List-Unsubscribe: <mailto:{}@x.es>",
    "DKIM-Signature: v=1; d={}; b={}",
    "Authentication-Results: mx; spf=pass smtp.mailfrom={}",
    "Thread-Topic: {}",
    "Thread-Index: {}",
    "Face: {}",
    "Autocrypt: addr={}@x.es; keydata={}",
    "Disposition-Notification-To: {} <{}@x.es>",
    "Sender: {} <{}@x.es>",
    "Reply-To: \"{}\" <{}@x.es> ({})",
    "Bcc: {}: {}@x.es, {}@x.es;",
    "Resent-From: {} <{}@x.es>",
    "Resent-Date: Mon, 4 May 2020 10:03:00 +0200 ({})",
    "Date: Mon, 4 May 2020 10:03:00 +0200 ({})",
    "Delivery-Date: {}",
    "Message-ID: <{}@x.es>",
    "In-Reply-To: {}'s message <{}@x.es>",
    "References: <{}@x.es> {}",
    "Comments: {}",
    "Keywords: {}, {}",
    "Subject: Re: {}",
    "Importance: {}",
    "Priority: {}",
    "X-Priority: 1 ({})",
    "Sensitivity: {}",
    "Precedence: {}",
    "Auto-Submitted: auto-replied; owner={}",
    "Content-Language: {}",
    "MIME-Version: 1.0 ({})",
    "Content-Base: http://{}/",
    "Content-Location: http://x.es/{}",
)  # fmt: skip
"""Lines of a header, with a word in every place where a program or a person may put one."""


def headers(p: Places) -> str:
    places = (line.split(":")[0] for line in _LINES for _ in range(line.count("{}")))
    words = (p(f"{place} {number}") for number, place in enumerate(places))
    return "".join(line.format(*(_flat(next(words)) for _ in range(line.count("{}")))) + "\n" for line in _LINES)


def _flat(word: str) -> str:
    """A header has ASCII letters only."""
    return word.replace(" Ñu", "")


def mail(p: Places) -> bytes:
    def w(place: str) -> str:
        return _flat(p(place))

    cid = w("content id")
    part = (
        f'Content-Type: text/plain; charset=utf-8; name="{w("name")}.txt"; x-mac={w("parameter")}\n'
        f'Content-Disposition: attachment; filename*0="{w("first half")}"; filename*1="{w("second half")}.txt";\n'
        f' creation-date="{w("file date")}"; size={w("file size")}\n'
        f"Content-Description: {w('description')}\nContent-ID: <{cid}@x>\nContent-MD5: {w('sum')}\n"
        f"X-Attachment-Id: {w('attachment id')}\n\n{p('attached text')}\n"
    )
    page = (
        f"Content-Type: text/html; charset=utf-8\n\n<html><head><title>{p('title')}</title></head><body>"
        f"<!-- {p('html comment')} --><img src='cid:{cid}@x'><p title=\"{p('tip')}\">{p('page')}</p></body></html>\n"
    )
    inner = (
        f'Content-Type: message/rfc822; name="{w("inner name")}.eml"\n\nFrom: {w("inner from")} <{w("inner address")}'
        f"@x.es>\nSubject: {w('inner subject')}\nX-Own: {w('inner header')}\n\n{p('inner body')}\n"
    )
    status = (
        f"Content-Type: message/delivery-status\n\nReporting-MTA: dns; {w('server')}\n\n"
        f"Final-Recipient: rfc822; {w('recipient')}@x.es\n"
    )
    flowed = f"Content-Type: text/plain; format=flowed; charset=utf-8\n\n> {p('quoted')}\n-- \n{p('signature')}\n"
    other = f"Content-Type: {w('type')}/{w('subtype')}\n\n{p('text of an unknown type')}\n"
    calendar = f"Content-Type: text/calendar; method={w('method')}\n\nBEGIN:VCALENDAR\nATTENDEE:{p('attendee')}\n"
    external = f'Content-Type: message/external-body; access-type=URL; URL="{w("url")}"\n\nContent-ID: <{w("ext")}>\n'
    boundary = _flat(p("boundary")) + "x"
    parts = (flowed, page, part, inner, status, other, calendar, external)
    body = "".join(f"--{boundary}\n{each}\n" for each in parts)
    return (
        f'{headers(p)}Content-Type: multipart/mixed; boundary="{boundary}"; x={w("own parameter")}\n\n'
        f"{p('preamble')}\n{body}--{boundary}--\n{p('epilogue')}\n"
    ).encode()


def mbox(p: Places) -> bytes:
    start = f"From {_flat(p('envelope'))}@x.es Mon May  4 10:03:00 2020\n"
    one = f"From: a@x.es\nMIME-Version: 1.0\nSubject: {_flat(p('subject'))}\nX-Status: {_flat(p('status'))}\n\n"
    return f"{start}{one}{p('body')}\n>From {p('escaped line')}\n\n{start}{one}{p('second body')}\n".encode()


def emlx(p: Places) -> bytes:
    head = f"From: {_flat(p('from'))} <a@x.es>\nMIME-Version: 1.0\nSubject: {_flat(p('subject'))}\n\n"
    message = f"{head}{p('body')}\n".encode()
    notes = f"<plist><dict><key>{p('key')}</key><string>{p('note')}</string></dict></plist>".encode()
    return b"%d   \n" % len(message) + message + notes


def outlook(p: Places) -> bytes:
    """A text in every property of the ranges for messages, people, addresses and names, and all kinds of data."""
    numbers = (*range(0x0001, 0x0200), *range(0x0C00, 0x0C40), *range(0x0E00, 0x0E80), *range(0x1000, 0x1100))
    texts = {n: p(f"property {n:04X}") for n in (*numbers, *range(0x3000, 0x3100), *range(0x3A00, 0x3A80))}
    for kept in (0x001A, 0x1009, 0x1013, 0x3FFD):
        texts.pop(kept, None)
    binary = {n: p(f"bytes {n:04X}").encode("utf-16-le") for n in range(0x6000, 0x6040)}
    page = f"<html><head><meta name=a content='{p('meta')}'></head><body>{p('html')}</body></html>"
    rtf = f"{{\\rtf1\\ansi\\ansicpg1252 {{\\info{{\\title {_flat(p('rtf title'))}}}}}{_flat(p('rtf'))}\\par}}"
    bodies: dict[int, object] = {0x1013: page.encode(), 0x3FDE: 65001, 0x1009: rich_text.packed(rtf.encode())}
    made = msg_files.storage(32, {0x001A: f"IPM.Note.{_flat(p('class'))}", **texts, **binary, **bodies})
    recipient: dict[int, object] = {
        n: p(f"recipient {n:04X}") for n in (*range(0x3000, 0x3040), *range(0x3A00, 0x3A80), 0x39FE, 0x5FF6)
    }
    made.storages["__recip_version1.0_#00000000"] = msg_files.storage(8, recipient)
    attached = {n: p(f"attachment {n:04X}") for n in (*range(0x3000, 0x3040), *range(0x3702, 0x3720)) if n != 0x3705}
    made.storages["__attach_version1.0_#00000000"] = msg_files.storage(
        8, {0x3705: 1, 0x3701: p("attached").encode(), **attached, 0x3709: p("rendering").encode()}
    )
    inner = msg_files.storage(24, {0x001A: "IPM.Note", 0x0037: p("inner subject"), 0x8001: p("named property")})
    outer = msg_files.storage(8, {0x3705: 5, 0x3001: p("inner name")})
    outer.streams["__properties_version1.0"] += struct.pack("<HHIII", 0x0D, 0x3701, 6, 0xFFFFFFFF, 4)
    outer.storages["__substg1.0_3701000D"] = inner
    made.storages["__attach_version1.0_#00000001"] = outer
    names = {f"__substg1.0_{number:04X}0102": b"" for number in (2, 3)}
    made.storages["__nameid_version1.0"] = Storage({**names, "__substg1.0_00040102": p("names").encode("utf-16-le")})
    made.streams["__substg1.0_9999001F"] = p("stream of no property").encode("utf-16-le")
    made.storages["x"] = Storage({"y": p("unknown storage").encode()})
    return written(made, msg_files.CLSID)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("make", "name", "least"),
    [(mail, "a.eml", 80), (mbox, "a.mbox", 5), (emlx, "a.emlx", 4), (outlook, "a.msg", 900)],
)
def test_no_word_is_left_in_any_corner(make: Callable[[Places], bytes], name: str, least: int, form: Form) -> None:
    places = Places(form)
    content = make(places)
    assert len(places.kept(content)) >= least
    assert places.left(content, name) == []
