"""Files around mail messages: mailboxes (mbox), and messages of Apple Mail (emlx), each message opened by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import BinaryIO

from nadie.errors import Failure, FormatError
from nadie.files.container import Container, Edits, OpenOptions
from nadie.files.containers.members import TextWithMembers
from nadie.files.mapped import TextBuilder
from nadie.files.source import Source

_MAX_MESSAGES = 10_000
_START = re.compile(rb"(?:\A\s*|(?<=\n\n)|(?<=\n\r\n))From [^\r\n]*\d{4}[^\r\n]*\r?\n(?=[!-9;-~]+:)")
_NOBODY = b"From nobody Thu Jan  1 00:00:00 1970\n"
_COUNT = re.compile(rb"\s*(\d{1,12})[ \t]*\r?\n")
_LIST = b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict/></plist>\n'


class _Box(TextWithMembers):
    """Messages in one file, all held in memory. One that cannot be covered is left out of the copy and listed."""

    def __init__(self, source: Source, options: OpenOptions, messages: list[bytes]) -> None:
        super().__init__(source, options)
        self._text = TextBuilder[int]().build()
        if len(messages) > _MAX_MESSAGES:
            self._fail(f"has more than {_MAX_MESSAGES} messages")
        self._names = [f"message {number}.eml" for number in range(1, len(messages) + 1)]
        for name, message in zip(self._names, messages, strict=True):
            if failure := self._members.failure_of(name, message):
                self._fail_in(name, failure)
        self.account.remarks.append(f"{len(self._members)} messages inside")

    def _put(self, edits: Edits) -> None:
        return

    def _fail_in(self, name: str, failure: Failure) -> None:
        self.account.leave_out(failure)

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        for name in self._names:
            if name in copies:
                out.write(_NOBODY + copies[name].rstrip(b"\r\n") + b"\n\n")


class _Counted(_Box):
    """One message after its length, followed by what Apple Mail notes about it, which is left out."""

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        for message in copies.values():
            out.write(b"%-10d\n" % len(message) + message + _LIST)


class Mbox(Container):
    """`.mbox`: messages one after the other, each after a line that begins with `From `."""

    name = "mbox"
    title = "a mailbox (mbox)"

    def open(self, source: Source, options: OpenOptions) -> _Box:
        content = source.read()
        starts = list(_START.finditer(content))
        ends = [each.start() for each in starts[1:]] + [len(content)]
        return _Box(source, options, [content[m.end() : end] for m, end in zip(starts, ends, strict=True)])


class Emlx(Container):
    """`.emlx`: a message of Apple Mail."""

    name = "emlx"
    title = "a message of Apple Mail"

    def open(self, source: Source, options: OpenOptions) -> _Box:
        content = source.read()
        count = _COUNT.match(content)
        if count is None:
            raise FormatError("does not begin with the length of its message", where=source.where)
        return _Counted(source, options, [content[count.end() : count.end() + int(count[1])]])
