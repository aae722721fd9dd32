"""The scalars of a JSON text with their places in it, so that one can be changed and all else stay as it is spelled."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

MAX_DEPTH = 100
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
# NaN and Infinity are no JSON, but Python and pandas write them.
_SCALAR = re.compile(r"true|false|null|NaN|-?Infinity|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
Path = tuple[str | int, ...]


class Leaf(NamedTuple):
    """A string, number, boolean or null at `raw[start:end]`; `text` is a string's value, else the raw characters."""

    path: Path
    start: int
    end: int
    text: str
    is_string: bool


def leaves(raw: str) -> Iterator[Leaf]:
    """Every scalar of one JSON value, in order; a `ValueError` where it is not JSON or nests too deep."""
    at = _skip(raw, 0)
    # What is open: the path to it, the closing bracket, and for an array the number of the next item.
    stack: list[tuple[Path, str, int]] = []
    path: Path = ()
    while True:
        opening = raw[at : at + 1]
        if opening in ("{", "["):
            if len(stack) >= MAX_DEPTH:
                raise ValueError("JSON nests too deep")
            stack.append((path, "}" if opening == "{" else "]", 0))
            at = _skip(raw, at + 1)
            is_empty = raw[at : at + 1] == stack[-1][1]
        else:
            leaf = _scalar(raw, at, path)
            yield leaf
            at, is_empty = _skip(raw, leaf.end), True
        while is_empty and stack:
            if raw[at : at + 1] == stack[-1][1]:
                stack.pop()
                at = _skip(raw, at + 1)
            elif raw[at : at + 1] == ",":
                at, is_empty = _skip(raw, at + 1), False
            else:
                raise ValueError("not JSON")
        if not stack:
            break
        path, at = _next_path(raw, at, stack)
    if at != len(raw):
        raise ValueError("not JSON")


def spelled(text: str) -> str:
    """A string as JSON spells it."""
    return json.dumps(text, ensure_ascii=False)


def _next_path(raw: str, at: int, stack: list[tuple[Path, str, int]]) -> tuple[Path, int]:
    parent, closing, number = stack[-1]
    if closing == "]":
        stack[-1] = (parent, closing, number + 1)
        return (*parent, number), at
    if raw[at : at + 1] != '"':
        raise ValueError("not JSON")
    key, at = _DECODER.raw_decode(raw, at)
    at = _skip(raw, at)
    if raw[at : at + 1] != ":":
        raise ValueError("not JSON")
    return (*parent, key), _skip(raw, at + 1)


def _scalar(raw: str, at: int, path: Path) -> Leaf:
    if raw[at : at + 1] == '"':
        value, end = _DECODER.raw_decode(raw, at)
        return Leaf(path, at, end, value, True)
    match = _SCALAR.match(raw, at)
    if match is None:
        raise ValueError("not JSON")
    return Leaf(path, at, match.end(), match[0], False)


def _skip(raw: str, at: int) -> int:
    match = _SPACE.match(raw, at)
    return match.end() if match else at
