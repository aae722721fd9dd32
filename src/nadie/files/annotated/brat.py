"""brat standoff: `ID.txt` with the text and `ID.ann` with one line for each span, `T1<TAB>LABEL start end<TAB>text`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.annotated.spans import checked_span, offset
from nadie.files.format import FileFormat, scan_files
from nadie.files.label_sets import MEDDOCAN, LabelSet

_SPAN_ID = re.compile(r"T[0-9]{1,9}")
# The first letters of lines for relations, events, attributes and notes: none of them is a span, so they are skipped.
_SKIPPED = frozenset("REAMN#*")
# All characters that some program treats as a line end. brat shows a line break inside a span as a space.
_LINE_BREAKS = {ord(c): " " for c in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"}


class Brat(FileFormat):
    """`ID.txt` and `ID.ann`. Score and source of a span cannot be stored and are dropped on writing."""

    name = "brat"
    suffixes = (".ann", ".txt")
    suffix = ".ann"

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        found = files.walk(path, self.suffixes)
        # A document is two files; it is listed if either exists. A suffix in capitals belongs to neither, and
        # `scan_files` reports it as an error.
        paired = dict(item for item in found.files if item[1].suffix in self.suffixes)
        odd = [item for item in found.files if item[1].suffix not in self.suffixes]
        return scan_files(files.Walk([*paired.items(), *odd], found.errors), self.read_file)

    def read_file(self, name: str, file: Path) -> Document:
        annotations, text_file = file.with_suffix(".ann"), file.with_suffix(".txt")
        if not annotations.is_file():
            raise FormatError("has no .ann file next to it", where=str(text_file))
        if not text_file.is_file():
            raise FormatError("has no .txt file next to it", where=str(annotations))
        text = files.decode(files.read_bytes(text_file), str(text_file))
        return Document(
            name, text, parse_annotations(files.read_bytes(annotations), text, str(annotations), self.labels)
        )

    def write_file(self, document: Document, file: Path) -> None:
        text = file.with_name(file.name.removesuffix(".ann") + ".txt")
        content = files.encode(document.text, str(text))
        # The text first: a run that ends between the two leaves an error on reading and not a document without spans.
        files.write_bytes(text, content)
        files.write_bytes(file, format_annotations(document, self.labels).encode("utf-8"))


def parse_annotations(content: bytes, text: str, where: str, labels: LabelSet = MEDDOCAN) -> tuple[Span, ...]:
    """The spans of an `.ann` file for `text`, for a caller whose text is elsewhere; `where` names the file."""
    spans: list[Span] = []
    ids: set[str] = set()
    for number, line in enumerate(files.decode(content, where).split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line.strip() or line[0] in _SKIPPED:
            continue
        try:
            span_id, span = _parse_line(line, text, labels)
            if span_id in ids:
                raise ValueError("the id was used before")
        except ValueError as error:
            raise FormatError(str(error), where=where, line=number) from None
        ids.add(span_id)
        spans.append(span)
    return tuple(spans)


def format_annotations(document: Document, labels: LabelSet = MEDDOCAN) -> str:
    """The content of the document's `.ann` file."""
    return "".join(
        f"T{number}\t{labels.written(span.label, document.text_of(span))} {span.start} {span.end}"
        f"\t{_one_line(document.text_of(span))}\n"
        for number, span in enumerate(document.spans, start=1)
    )


def _parse_line(line: str, text: str, labels: LabelSet) -> tuple[str, Span]:
    """Id and span of a `T` line; raises a `ValueError` whose message is safe to show."""
    if not line.startswith("T"):
        raise ValueError("is not a line of a brat file")
    fields = line.split("\t", 2)
    if len(fields) != 3 or not _SPAN_ID.fullmatch(fields[0]):
        raise ValueError("is not an id, a label with offsets and a text, separated by tabs")
    if ";" in fields[1]:
        raise ValueError("the span is discontinuous, which is not supported")
    position = fields[1].split(" ")
    if len(position) != 3:
        raise ValueError("the second field is not a label and two offsets")
    span = checked_span(offset(position[1]), offset(position[2]), labels.read(position[0]), text)
    if _one_line(fields[2]) != _one_line(text[span.start : span.end]):
        raise ValueError(f"the text given is not the text at {span.start}..{span.end}")
    return fields[0], span


def _one_line(text: str) -> str:
    return text.translate(_LINE_BREAKS)
