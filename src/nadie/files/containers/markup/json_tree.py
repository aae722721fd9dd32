"""A JSON text as a tree of nodes with offsets, so that values can be changed without changing the rest."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_DEPTH = 100
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
# NaN and Infinity are not JSON, but Python and pandas write them.
_SCALAR = re.compile(r"true|false|null|NaN|-?Infinity|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")


@dataclass(slots=True)
class Node:
    """The value at `raw[start:end]`. The kind is `object`, `array`, `string` or `scalar` (all others).

    `text` is a string's value, or the raw characters of another scalar; `items` are the elements of an array or an
    object. In an object, `name` is the name of the value and begins at `name_start`, with its quotation mark.
    """

    kind: str
    start: int
    end: int = -1
    text: str = ""
    name: str = ""
    name_start: int = -1
    items: list[Node] = field(default_factory=list)

    def members(self) -> dict[str, Node]:
        """The members of an object by name; of two with the same name, the last."""
        return {item.name: item for item in self.items} if self.kind == "object" else {}


def parse(raw: str) -> Node:
    """Parse one JSON value; a `ValueError` if it is not JSON or nested too deeply."""
    root = Node("array", 0)
    stack = [root]
    at = _skip(raw, 0)
    name, name_start = "", -1
    while True:
        node = _opened(raw, at, stack) or _scalar(raw, at)
        node.name, node.name_start = name, name_start
        stack[-1].items.append(node)
        if node.kind in ("object", "array"):
            stack.append(node)
            at = _skip(raw, node.start + 1)
            is_complete = raw[at : at + 1] == _closing(node)
        else:
            at, is_complete = _skip(raw, node.end), True
        while is_complete and len(stack) > 1:
            if raw[at : at + 1] == _closing(stack[-1]):
                stack.pop().end = at + 1
                at = _skip(raw, at + 1)
            elif raw[at : at + 1] == ",":
                at, is_complete = _skip(raw, at + 1), False
            else:
                raise ValueError("not JSON")
        if len(stack) == 1:
            break
        name, name_start = "", -1
        if stack[-1].kind == "object":
            name, name_start, at = _name(raw, at)
    if at != len(raw):
        raise ValueError("not JSON")
    return root.items[0]


class Leaf(NamedTuple):
    """A string, number, boolean or null at `raw[start:end]`; `text` is a string's value, else the raw characters."""

    path: tuple[str | int, ...]
    start: int
    end: int
    text: str
    is_string: bool


def leaves(raw: str) -> Iterator[Leaf]:
    """Every scalar of one JSON value, in order; a `ValueError` if it is not JSON or nested too deeply."""
    stack: list[tuple[tuple[str | int, ...], Node]] = [((), parse(raw))]
    while stack:
        path, node = stack.pop()
        if node.kind in ("string", "scalar"):
            yield Leaf(path, node.start, node.end, node.text, node.kind == "string")
        elif node.kind == "object":
            stack += [((*path, item.name), item) for item in reversed(node.items)]
        else:
            stack += [((*path, number), node.items[number]) for number in reversed(range(len(node.items)))]


def spelled(text: str) -> str:
    """A string in JSON syntax."""
    return json.dumps(text, ensure_ascii=False)


def number_or_string(text: str) -> str:
    """A whole number in JSON syntax, and anything else as a string."""
    is_number = text.isascii() and text.isdigit() and (text == "0" or not text.startswith("0"))
    return text if is_number else spelled(text)


def _opened(raw: str, at: int, stack: list[Node]) -> Node | None:
    kind = {"{": "object", "[": "array"}.get(raw[at : at + 1])
    if kind is None:
        return None
    if len(stack) > MAX_DEPTH:
        raise ValueError("JSON nests too deep")
    return Node(kind, at)


def _closing(node: Node) -> str:
    return "}" if node.kind == "object" else "]"


def _name(raw: str, at: int) -> tuple[str, int, int]:
    if raw[at : at + 1] != '"':
        raise ValueError("not JSON")
    name, end = _DECODER.raw_decode(raw, at)
    end = _skip(raw, end)
    if raw[end : end + 1] != ":":
        raise ValueError("not JSON")
    return name, at, _skip(raw, end + 1)


def _scalar(raw: str, at: int) -> Node:
    if raw[at : at + 1] == '"':
        value, end = _DECODER.raw_decode(raw, at)
        return Node("string", at, end, value)
    match = _SCALAR.match(raw, at)
    if match is None:
        raise ValueError("not JSON")
    return Node("scalar", at, match.end(), match[0])


def _skip(raw: str, at: int) -> int:
    match = _SPACE.match(raw, at)
    return match.end() if match else at
