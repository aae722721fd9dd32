"""Outlook messages: subject, people, times, bodies and attachments; the copy is a new file with only these."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO, NamedTuple

from nadie.errors import Failure, FormatError
from nadie.files.container import Edits, OpenOptions
from nadie.files.containers.code_pages import encoding_of_page
from nadie.files.containers.joined import Joined
from nadie.files.containers.mail.headers import address_from
from nadie.files.containers.mail.msg import properties as props
from nadie.files.containers.mail.msg import rich_text
from nadie.files.containers.mail.msg.compound import Storage, read, written
from nadie.files.containers.markup.html import Page
from nadie.files.containers.members import TextWithMembers
from nadie.files.containers.office.rtf import Rtf
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.source import Source
from nadie.labels import Label

_CLSID = bytes.fromhex("0b0d020000000000c000000000000046")
_NAMED = "__nameid_version1.0"
_NAMED_STREAMS = ("__substg1.0_00020102", "__substg1.0_00030102", "__substg1.0_00040102")
_INNER = "__substg1.0_3701000D"
_LEVELS = (("recipient", "__recip_version1.0_#"), ("attachment", "__attach_version1.0_#"))
_MAX_DEPTH = 10
_BY_VALUE, _EMBEDDED = 1, 5


@dataclass
class _Node:
    """A message, a recipient or an attachment with its content; if `dropped`, it is left out of the copy."""

    level: str
    known: props.Properties
    inner: list[_Node] = field(default_factory=list)
    member: str = ""
    dropped: bool = False


class _PropertyKey(NamedTuple):
    """The address of a property: the number of its node, and its id."""

    node: int
    number: int


class OutlookMessage(TextWithMembers):
    """An open message, held in memory: one text with all its fields and bodies, and the texts of the attachments."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        super().__init__(source, options)
        self._joined = Joined()
        self._by_member: dict[str, _Node] = {}
        self._nodes: list[_Node] = []
        self._root = self._read(read(source), "message", 0)
        left_out = sum(node.known.left_out for node in self._nodes)
        if left_out:
            self.account.remarks.append(f"{left_out} properties left out")
        self._text = self._joined.build()

    def _put(self, edits: Edits) -> None:
        self._joined.write(self._text, edits)

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        for name, content in copies.items():
            self._by_member[name].known.put(props.DATA, content)
        root = _stored(self._root)
        root.storages[_NAMED] = Storage(dict.fromkeys(_NAMED_STREAMS, b""))
        out.write(written(root, _CLSID))

    def _read(self, storage: Storage, level: str, depth: int) -> _Node:
        if depth > _MAX_DEPTH:
            self._fail(f"has messages nested more than {_MAX_DEPTH} deep")
        node = _Node(level, props.read(storage, level))
        self._nodes.append(node)
        if "SMIME" in node.known.text(props.CLASS).upper():
            self._fail("is signed or encrypted: save it without signature and encryption")
        self._add_fields(node, len(self._nodes) - 1)
        if level in ("message", "embedded"):
            self._add_bodies(node)
            for inner, prefix in _LEVELS:
                for name in sorted(name for name in storage.storages if name.startswith(prefix)):
                    node.inner.append(self._read(storage.storages[name], inner, depth + 1))
        elif level == "attachment":
            self._attach(node, storage, depth)
        return node

    def _add_fields(self, node: _Node, number: int) -> None:
        """Subject, names, addresses and times, each on its own line."""
        builder: TextBuilder[_PropertyKey] = TextBuilder()
        labels = dict.fromkeys(props.NAMES) if node.level == "attachment" else props.LABELS
        for name, (_, _, value) in node.known.known.items():
            builder.cut()
            if name in props.TIMES and isinstance(value, int):
                builder.add(props.date_text(value), _PropertyKey(number, name), Label.FECHAS)
            elif name in labels and isinstance(value, str):
                builder.add(value, _PropertyKey(number, name), labels[name] if value.strip() else None)
        text = builder.build()
        self._joined.add(text, partial(self._put_fields, text))

    def _put_fields(self, text: MappedText[_PropertyKey], edits: Edits) -> None:
        for segment, new in text.changes(edits):
            known, name = self._nodes[segment.address.node].known, segment.address.number
            if segment.label == Label.FECHAS:
                ticks = props.ticks_of(new)
                if ticks is None or ticks < 0:
                    del known.known[name]
                else:
                    known.put(name, ticks)
            else:
                known.put(name, address_from(new) if segment.label == Label.CORREO_ELECTRONICO else new)

    def _add_bodies(self, node: _Node) -> None:
        known = node.known
        if body := known.text(props.BODY):
            self._joined.add_string(body, partial(known.put, props.BODY))
        html = known.known.get(props.HTML)
        if html and isinstance(html.value, bytes | str) and html.value:
            page = known.number(props.INTERNET_PAGE)
            self._add_page(known, html.value, (encoding_of_page(page) if page else None) or "cp1252")
        rtf = known.known.get(props.RTF)
        if rtf and isinstance(rtf.value, bytes) and rtf.value:
            try:
                self._add_rich_text(known, rich_text.unpacked(rtf.value, self._source.where))
            except FormatError as error:
                self.account.leave_out(Failure.of(error))
                del known.known[props.RTF]

    def _add_page(self, known: props.Properties, content: bytes | str, encoding: str) -> None:
        raw = content if isinstance(content, str) else _decoded(content, encoding, self._source.where)
        page = Page(raw)
        self.account.uncovered += page.account.uncovered

        def put(new: str) -> None:
            known.put(props.HTML, new if isinstance(content, str) else new.encode(encoding, "xmlcharrefreplace"))

        self._joined.add_page(page, put)

    def _add_rich_text(self, known: props.Properties, rtf: bytes) -> None:
        opened = Rtf().open(self._source.inside("body.rtf", rtf), self._options)
        self.account.uncovered += opened.account.uncovered
        self._joined.add(opened.text, lambda edits: known.put(props.RTF, rich_text.packed(opened.rewritten(edits))))

    def _attach(self, node: _Node, storage: Storage, depth: int) -> None:
        """Open an attachment by its format; if this fails, it is left out of the copy and listed."""
        known, number = node.known, len(self._nodes)
        method, data = known.number(0x3705), known.known.get(props.DATA)
        if method == _EMBEDDED and _INNER in storage.storages:
            node.inner.append(self._read(storage.storages[_INNER], "embedded", depth + 1))
            return
        if method != _BY_VALUE or data is None or not isinstance(data.value, bytes):
            place = f"{self._source.where}!attachment {number}"
            self._drop(node, Failure.of(FormatError("is of an unsupported type", where=place)))
            return
        suffix = re.search(r"\.\w{1,8}$", known.text(0x3707) or known.text(0x3704))
        node.member = f"attachment {number}{suffix[0].lower() if suffix else ''}"
        if failure := self._members.failure_of(node.member, data.value):
            self._drop(node, failure)
        else:
            self._by_member[node.member] = node

    def _drop(self, node: _Node, failure: Failure) -> None:
        self.account.leave_out(failure)
        node.dropped = True

    def _fail_in(self, name: str, failure: Failure) -> None:
        self._drop(self._by_member[name], failure)


def _stored(node: _Node) -> Storage:
    storage = Storage()
    counts = []
    for level, prefix in _LEVELS:
        inner = [each for each in node.inner if each.level == level and not each.dropped]
        counts.append(len(inner))
        storage.storages |= {f"{prefix}{number:08X}": _stored(each) for number, each in enumerate(inner)}
    for each in node.inner:
        if each.level == "embedded":
            storage.storages[_INNER] = _stored(each)
    props.write(node.known, storage, node.level, (counts[0], counts[1]))
    return storage


def _decoded(content: bytes, encoding: str, where: str) -> str:
    try:
        return content.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        pass
    raise FormatError("has an HTML body that is not in its declared encoding", where=where)
