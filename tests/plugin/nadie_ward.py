"""A plug-in with one detector, one format, one container and one operator."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.container import Container, Edits, OneText, OpenOptions
from nadie.files.format import Add, Format, scan_collections
from nadie.files.mapped import TextBuilder
from nadie.files.source import Source


class WardDetector:
    """Finds the ward of a hospital. It has no method `load`, so it needs no model folder."""

    name = "ward"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found: list[tuple[Span, ...]] = []
        for document in documents:
            at = document.text.find("Planta Norte")
            found.append((Span(at, at + 12, "INSTITUCION", 1.0, self.name),) if at >= 0 else ())
        return found


class Rounds(Format):
    """`.rounds` files: one document per line, with its id, a tab and its text."""

    name = "rounds"
    suffixes = (".rounds",)
    holds_spans = False
    one_document_per_file = False

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        return scan_collections(files.walk(path, self.suffixes), _read_rounds)

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Add]:
        target = folder / "documents.rounds"
        with files.writing(target) as write:

            def add(document: Document) -> None:
                if "\n" in document.text:
                    raise FormatError("a text has more than one line", where=str(target))
                write(files.encode(f"{document.id}\t{document.text}\n", str(target)))

            yield add


def _read_rounds(_: str, file: Path) -> Iterator[tuple[int, Document | FormatError]]:
    for number, line in enumerate(files.decode(files.read_bytes(file), str(file)).splitlines(), start=1):
        name, tab, text = line.partition("\t")
        if tab:
            yield number, Document(name, text)
        else:
            yield number, FormatError("the line has no tab", where=str(file), line=number)


class Monitor(Container):
    """Binary files of a monitor: the mark `MON` and a 1, then texts in UTF-8, each after its length in two bytes."""

    name = "monitor"
    title = "a file of a monitor"
    suffixes = (".mon",)
    starts = (b"MON\1",)

    def open(self, source: Source, options: OpenOptions) -> OneText[int]:
        content, at = source.read(), 4
        texts: list[str] = []
        while at < len(content):
            (length,) = struct.unpack_from(">H", content, at)
            texts.append(content[at + 2 : at + 2 + length].decode())
            at += 2 + length
        builder: TextBuilder[int] = TextBuilder()
        for number, text in enumerate(texts):
            builder.cut("\n")
            builder.add(text, number)
        whole = builder.build()

        def rewritten(edits: Edits) -> bytes:
            changed = {segment.address: new for segment, new in whole.changes(edits)}
            encoded = [changed.get(number, text).encode() for number, text in enumerate(texts)]
            return self.starts[0] + b"".join(struct.pack(">H", len(each)) + each for each in encoded)

        return OneText(whole, rewritten)


class Initial:
    """Replaces a value by its first letter."""

    name = "initial"
    traits = Traits.NONE  # CONSTANT, KEEPS, NEEDS_KEY: what the engine has to know

    def replace(self, value: str, span: Span, context: Context) -> str:
        return f"{value[0]}." if len(value) > 1 else "[?]"
