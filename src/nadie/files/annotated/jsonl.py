"""JSONL: one document per line, `{"id", "text", "spans": [{"start", "end", "label", "score", "source"}], "meta"}`.

It is the only format that stores a complete document. Files are read and written line by line.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, NoReturn

from nadie.bounded import BoundedMap
from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.annotated.spans import checked_span
from nadie.files.format import Add, Format, scan_collections
from nadie.files.label_sets import MEDDOCAN, LabelSet

FILE_NAME = "documents.jsonl"
_FIELDS = frozenset(("id", "text", "spans", "meta"))
_SPAN_FIELDS = frozenset(("start", "end", "label", "score", "source"))
# Valid inside a JSON string, but some programs end a line at them.
_ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "\x7f\x85\u2028\u2029"}


class Jsonl(Format):
    """Reads any number of `.jsonl` files; writes `documents.jsonl`."""

    name = "jsonl"
    suffixes = (".jsonl",)
    one_document_per_file = False

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        return scan_collections(files.walk(path, self.suffixes), self._read)

    def _read(self, _: str, file: Path) -> Iterator[tuple[int, Document | FormatError]]:
        with file.open("rb") as lines:
            yield from _scan_lines(lines, str(file), self.labels)

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Add]:
        target = folder / FILE_NAME
        ids = BoundedMap()
        with files.writing(target) as write:

            def add(document: Document) -> None:
                if not ids.add(document.id):
                    raise FormatError("the document id was used before", where=document.id)
                write(files.encode(format_line(document, self.labels), str(target)))

            yield add


def format_line(document: Document, labels: LabelSet = MEDDOCAN) -> str:
    """The document as one line, including its line end."""
    names = [labels.written(span.label, document.text_of(span)) for span in document.spans]
    spans = [
        {"start": s.start, "end": s.end, "label": name, "score": s.score, "source": s.source}
        for s, name in zip(document.spans, names, strict=True)
    ]
    content = {"id": document.id, "text": document.text, "spans": spans, "meta": dict(document.meta)}
    return json.dumps(content, ensure_ascii=False).translate(_ESCAPED) + "\n"


def parse_line(line: str, labels: LabelSet = MEDDOCAN) -> Document:
    """The document of a line; raises a `ValueError` whose message is safe to show."""
    fields = _object(_load(line), _FIELDS, "the line")
    name, text = fields.get("id"), fields.get("text")
    if not isinstance(name, str) or not isinstance(text, str):
        raise ValueError("the line needs an id and a text, both strings")
    spans = fields.get("spans", [])
    if not isinstance(spans, list):
        raise ValueError("the spans are not a list")
    meta = fields.get("meta", {})
    if not isinstance(meta, dict) or not all(isinstance(value, str) for value in meta.values()):
        raise ValueError("the meta is not an object of strings")
    found = tuple(_span(span, text, labels) for span in spans)
    if any(map(_has_lone_surrogate, (name, text, *meta, *meta.values(), *(span.source for span in found)))):
        raise ValueError("the line has a lone surrogate")
    return Document(name, text, found, meta)


def _has_lone_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _scan_lines(lines: IO[bytes], where: str, labels: LabelSet) -> Iterator[tuple[int, Document | FormatError]]:
    number = 0
    while line := lines.readline(files.MAX_BYTES + 1):
        number += 1
        item: Document | FormatError | None
        if len(line) > files.MAX_BYTES:
            while line and not line.endswith(b"\n"):
                line = lines.readline(files.MAX_BYTES)
            item = FormatError(f"is longer than {files.MAX_BYTES} bytes", where=where, line=number)
        else:
            item = _item(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line, where, number, labels)
        if item is not None:
            yield number, item


def _item(line: bytes, where: str, number: int, labels: LabelSet) -> Document | FormatError | None:
    """The document of a line, its error, or None if the line is blank."""
    try:
        text = files.decode(line, where, number)
        return parse_line(text, labels) if text.strip() else None
    except FormatError as error:
        return error
    except ValueError as error:
        return FormatError(str(error), where=where, line=number)


def _load(line: str) -> Any:
    try:
        return json.loads(line, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        pass
    # Raised outside the handler, because the decoding error contains the whole line.
    raise ValueError("the line is not JSON")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(fields := dict(pairs)) != len(pairs):
        raise ValueError("a name is repeated")
    return fields


def _no_constant(_: str) -> NoReturn:
    raise ValueError("NaN and Infinity are not JSON")


def _object(value: object, known: frozenset[str], what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{what} is not an object")
    if not known.issuperset(value):
        raise ValueError(f"{what} has a field other than: {', '.join(sorted(known))}")
    return value


def _span(value: object, text: str, labels: LabelSet) -> Span:
    fields = _object(value, _SPAN_FIELDS, "a span")
    start, end, score, source = (
        fields.get("start"),
        fields.get("end"),
        fields.get("score", 1.0),
        fields.get("source", ""),
    )
    # `type` and not `isinstance`, because true and false are integers too.
    if type(start) is not int or type(end) is not int:
        raise ValueError("an offset is not a whole number")
    if type(score) not in (int, float) or not 0 <= score <= 1:
        raise ValueError("a score is not a number from 0 to 1")
    if not isinstance(source, str):
        raise ValueError("a source is not a string")
    return replace(checked_span(start, end, labels.read(fields.get("label")), text), score=float(score), source=source)
