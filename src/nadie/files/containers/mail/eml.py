"""E-mail messages: headers, bodies, names of attachments, nested messages, and each attachment by its own format.

Text that is not replaced keeps its bytes. An attachment that cannot be covered is left out of the copy and listed.
"""

from __future__ import annotations

import email
import io
import re
from collections.abc import Mapping
from email.generator import BytesGenerator
from email.message import Message
from email.policy import EmailPolicy, compat32
from functools import partial
from pathlib import PurePath
from typing import Any, BinaryIO, cast

from nadie.errors import Failure, FormatError
from nadie.files.container import Container, Edits, OpenOptions, Uncovered
from nadie.files.containers.joined import Joined
from nadie.files.containers.mail import text as part_text
from nadie.files.containers.mail.headers import (
    CONTENT_ID,
    NOWHERE,
    Headers,
    is_encrypted,
    is_usual_type,
    unknown_parameters,
)
from nadie.files.containers.markup.html import Page
from nadie.files.containers.members import TextWithMembers
from nadie.files.containers.prose import unquoted
from nadie.files.signatures import format_of
from nadie.files.source import Source

_MAX_DEPTH = 20
_MAX_PARTS = 1000
_MAX_HEADERS = 1 << 16
_TABLES = frozenset({".csv", ".tsv", ".tab"})
_SIGNATURES = frozenset({"application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"})
_REPORTS = frozenset({"message/delivery-status", "message/disposition-notification", "message/feedback-report"})
_PLAIN = frozenset({None, "eml", "html", "xml", "json"})
_TO_PART = re.compile(r"cid:([^\s\"'<>)&]+)", re.IGNORECASE)
_UUENCODED = re.compile(r"^begin [0-7]{3,4} .+\n[ -`]{2,}$", re.MULTILINE)


class Eml(Container):
    """`.eml`."""

    name = "eml"
    title = "a mail message"

    def open(self, source: Source, options: OpenOptions) -> Mail:
        raw = source.read()
        if raw.lower().count(b"multipart/") > _MAX_PARTS:
            raise FormatError(f"has more than {_MAX_PARTS} groups of parts", where=source.where)
        linesep = "\r\n" if b"\r\n" in raw[:4096] else "\n"
        # Parsed with the older policy, whose time is linear in the length of the message.
        return Mail(email.message_from_bytes(raw, policy=compat32), source, options, linesep)


class Mail(TextWithMembers):
    """An open message, held in memory: one text with its headers and bodies, and the texts of the attachments."""

    def __init__(self, message: Message, source: Source, options: OpenOptions, linesep: str = "\n") -> None:
        super().__init__(source, options)
        self._message = message
        self._policy = EmailPolicy(refold_source="none", linesep=linesep, cte_type="8bit")
        self._joined = Joined()
        self._attachments: dict[str, Message] = {}
        self._left_out: list[str] = []
        self._parts = self._headers = 0
        ids = dict.fromkeys(_content_id(part) for part in message.walk() if CONTENT_ID in part)
        self._content_ids = {old: f"part{number}@{NOWHERE}" for number, old in enumerate(ids, start=1)}
        self._read_message(message, 0)
        if self._left_out:
            names = ", ".join(sorted(set(self._left_out), key=str.lower))
            self.account.remarks.append(f"headers left out: {names[:300]}")
        self._text = self._joined.build()

    def _put(self, edits: Edits) -> None:
        self._joined.write(self._text, edits)

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        for name, content in copies.items():
            if content != part_text.content_of(self._attachments[name], self._source.where):
                part_text.put_content(self._attachments[name], content)
        BytesGenerator(out, mangle_from_=False, policy=self._policy).flatten(cast(Any, self._message))

    def _read_message(self, message: Message, depth: int) -> None:
        self._parts += 1
        if depth > _MAX_DEPTH:
            self._fail(f"has parts nested more than {_MAX_DEPTH} deep")
        if self._parts > _MAX_PARTS:
            self._fail(f"has more than {_MAX_PARTS} parts")
        headers = Headers(message, self._source.where)
        self._spend(headers.length)
        if is_encrypted(message):
            self._fail("is encrypted: decrypt it first")
        text = headers.text()
        self._left_out += headers.left_out
        self._joined.add(text, partial(headers.write, text))
        self._add_names(message)
        kind = message.get_content_type()
        if message.is_multipart() and (kind.startswith("multipart/") or kind == "message/rfc822"):
            self._read_parts(message, depth)
        elif kind in _REPORTS:
            self._add_report(message)
        elif kind.startswith(("multipart/", "message/")):
            place = f"{self._source.where}, part {self._parts}"
            self._drop(message, Failure.of(FormatError("is a part of an unsupported type", where=place)))
        else:
            self._read_content(message, kind)

    def _spend(self, length: int) -> None:
        """Count the length of headers, whose total is limited because long headers take time."""
        self._headers += length
        if self._headers > _MAX_HEADERS:
            self._fail(f"has headers of more than {_MAX_HEADERS} characters")

    def _read_parts(self, message: Message, depth: int) -> None:
        for attribute in ("preamble", "epilogue"):
            if (getattr(message, attribute) or "").strip():
                self._joined.add_string(getattr(message, attribute), partial(setattr, message, attribute))
        if message.get_boundary():
            self._joined.do(partial(message.set_boundary, f"=_part_{self._parts}"))
        parts = cast(list[Message], message.get_payload())
        kept = [part for part in parts if part.get_content_type() not in _SIGNATURES]
        if len(kept) < len(parts):
            self.account.remarks.append("the signature, which would be invalid, was removed")
            message.set_payload(cast(Any, kept))
            self._joined.do(lambda: message.set_type("multipart/mixed"))
        for part in kept:
            self._read_message(part, depth + 1)

    def _read_content(self, part: Message, kind: str) -> None:
        names = [part_text.name_in(part, *each) for each in part_text.NAMES]
        suffix = PurePath(names[0] or names[1]).suffix.lower()
        content = part_text.content_of(part, self._source.where)
        found = format_of(io.BytesIO(content))
        if part_text.has_more_than(part, content):
            self._joined.do(partial(part_text.put_content, part, content))
        if kind == "text/html" and found in _PLAIN:
            self._add_page(part)
        elif kind == "text/plain" and found in _PLAIN and suffix not in _TABLES:
            self._add_text(part)
        elif found == "image" and (part.get("content-id") or part.get_content_disposition() == "inline"):
            self.account.uncovered.append(Uncovered(f"part {self._parts}", "an image, not changed"))
        elif content.strip():
            self._attach(part, content, suffix)

    def _add_page(self, part: Message) -> None:
        raw, encoding = part_text.text_of(part, self._source.where)
        linked = _TO_PART.sub(lambda link: f"cid:{self._content_ids.get(unquoted(link[1]), link[1])}", raw)
        page = Page(linked)
        self.account.uncovered += page.account.uncovered

        def put(new: str) -> None:
            part_text.put_text(part, new, encoding, "xmlcharrefreplace")

        if linked != raw:
            self._joined.do(partial(put, linked))
        self._joined.add_page(page, put)

    def _add_report(self, part: Message) -> None:
        """Add the fields of a report, such as one about a delivery that failed, as a text."""
        blocks = cast("list[Message] | str", part.get_payload())
        part.set_payload(blocks if isinstance(blocks, str) else "\n".join(map(str, blocks)))
        self._joined.do(partial(part.set_type, "text/plain"))
        self._add_text(part)

    def _add_text(self, part: Message) -> None:
        text, encoding = part_text.text_of(part, self._source.where)
        if _UUENCODED.search(text.replace("\r", "")):
            self._fail("has an attachment in its text (uuencode), which is not supported: save it as a file")
        self._joined.add_string(text, lambda new: part_text.put_text(part, new, encoding))

    def _add_names(self, part: Message) -> None:
        for header, parameter in part_text.NAMES:
            name = part_text.name_in(part, header, parameter)
            if name:
                self._joined.add_string(name, partial(part_text.put_name, part, header, parameter))
        if not is_usual_type(str((part.get_params() or [("text/plain", "")])[0][0])):
            self._joined.do(partial(part.set_type, "application/octet-stream"))
        if CONTENT_ID in part:
            self._joined.do(partial(part.replace_header, CONTENT_ID, f"<{self._content_ids[_content_id(part)]}>"))
        for header, parameter in unknown_parameters(part):
            self._joined.do(partial(part.del_param, parameter, header))

    def _attach(self, part: Message, content: bytes, suffix: str) -> None:
        name = f"attachment {self._parts}{suffix if re.fullmatch(r'[.][a-z0-9]{1,8}', suffix) else ''}"
        if failure := self._members.failure_of(name, content):
            self._drop(part, failure, content)
        else:
            self._attachments[name] = part

    def _drop(self, part: Message, failure: Failure, content: bytes = b"") -> None:
        self.account.leave_out(failure, content)
        self._joined.do(partial(part_text.leave_out, part))

    def _fail_in(self, name: str, failure: Failure) -> None:
        self.account.leave_out(failure)
        part_text.leave_out(self._attachments[name])


def _content_id(part: Message) -> str:
    return str(part[CONTENT_ID]).strip().removeprefix("<").removesuffix(">")
