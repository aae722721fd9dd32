"""HL7 v2 messages, one or many per file, in batches or in MLLP blocks; every byte that is not replaced is unchanged.

Each message is one text: the fields of its segments, then the lines of its report and its notes.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO

from nadie.errors import FormatError
from nadie.files.container import Account, Container, Edits, OpenOptions, needed
from nadie.files.containers.health.embedded import Files
from nadie.files.containers.health.hl7_reading import Hl7Reader
from nadie.files.containers.health.hl7_syntax import segments
from nadie.files.containers.health.pseudonyms import Pseudonyms
from nadie.files.containers.health.record import At, Change
from nadie.files.containers.raw import replaced
from nadie.files.mapped import MappedText
from nadie.files.recognition import sniffed
from nadie.files.source import Source


class _Messages:
    """The messages of one file, held in memory."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        content = source.read()
        self._encoding, mark = sniffed(io.BytesIO(content), source.where)
        self._mark = content[:mark]
        self._raw = content[mark:].decode(self._encoding)
        self._readers: list[Hl7Reader] = []
        files = Files(source, options, self.account)
        pseudonyms = Pseudonyms(options.secret)
        has_message = False
        for segment in segments(self._raw):
            if not self._readers or (segment.name == "MSH" and has_message):
                self._readers.append(Hl7Reader(self._raw, self._encoding, pseudonyms, files))
            has_message = has_message or segment.name == "MSH"
            self._readers[-1].read(segment)
        if not has_message:
            raise FormatError("has no message header", where=source.where)
        self._texts = [
            reader.record.text(str(number) if number else "", {"patient": reader.patient or f"file {source.name}"})
            for number, reader in enumerate(self._readers)
        ]

    def texts(self) -> Iterator[MappedText[At | None]]:
        yield from self._texts

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        changes: list[Change] = []
        for reader, text in zip(self._readers, self._texts, strict=True):
            changes += reader.record.changes(text, needed(next(edits)))
        out.write(self._mark + replaced(self._raw, changes).encode(self._encoding, "replace"))


class Hl7(Container):
    """`.hl7`: ADT, ORU, MDM and any other message of HL7 v2."""

    name = "hl7"
    title = "an HL7 v2 message"
    suffixes = (".hl7",)
    opened = _Messages
