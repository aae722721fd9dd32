"""JSON of any kind: strings are searched and written back in place; every other byte is unchanged."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import suppress

from nadie.errors import FormatError
from nadie.files.container import Container, Edits, OneText, OpenOptions
from nadie.files.containers.markup.data import DataText
from nadie.files.containers.markup.json_tree import Node, number_or_string, parse, spelled
from nadie.files.containers.raw import Range, replaced
from nadie.files.disk import decode, encode
from nadie.files.source import Source

_ENCODINGS = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_CONSTANTS = frozenset({"true", "false", "null", "NaN", "Infinity", "-Infinity"})


class Json(Container):
    """`.json` that is not FHIR: an object or an array."""

    name = "json"
    title = "JSON"

    def open(self, source: Source, options: OpenOptions) -> OneText[Range | None]:
        content = source.read()
        encoding = _ENCODINGS.get(content[:2], "utf-8")
        raw = decode(content, source.where, encoding=encoding)
        root: Node | None = None
        with suppress(ValueError):
            root = parse(raw.replace("\ufeff", " ", 1) if raw.startswith("\ufeff") else raw)
        # Raised outside the handler, because the decoding error contains the text.
        if root is None:
            raise FormatError("is not JSON, or nests too deep", where=source.where)
        data, keys, numbers = DataText(), set[int](), set[int]()
        for node, name in _values(root):
            if node.name_start >= 0:
                keys.add(node.name_start)
                data.add_name(node.name, (node.name_start, _end_of_name(raw, node)))
            if node.kind == "string" or (node.kind == "scalar" and node.text not in _CONSTANTS):
                numbers.update([node.start] if node.kind == "scalar" else [])
                data.add(name, node.text, (node.start, node.end), is_number=node.kind == "scalar")
        text = data.build()

        def rewritten(edits: Edits) -> bytes:
            taken: set[str] = set()
            changes = [
                (*segment.address, _spelled(new, segment.address, keys, numbers, taken))
                for segment, new in text.changes(edits)
                if segment.address is not None
            ]
            return encode(replaced(raw, changes), source.where, encoding)

        return OneText(text, rewritten)


def _values(root: Node) -> Iterator[tuple[Node, str]]:
    """All nodes in order, each with its name; the items of an array have the name of the array."""
    stack = [(root, "")]
    while stack:
        node, name = stack.pop()
        name = node.name or name
        yield node, name
        stack += [(item, name if node.kind == "array" else "") for item in reversed(node.items)]


def _end_of_name(raw: str, node: Node) -> int:
    """The end of a name, which is followed by a colon."""
    at = raw.rindex(":", node.name_start, node.start)
    return len(raw[:at].rstrip())


def _spelled(new: str, bounds: Range, keys: set[int], numbers: set[int], taken: set[str]) -> str:
    if bounds[0] not in keys:
        return number_or_string(new) if bounds[0] in numbers else spelled(new)
    wanted, number = new, 2
    while wanted in taken:  # two names in one object must differ
        wanted, number = f"{new} ({number})", number + 1
    taken.add(wanted)
    return spelled(wanted)
