"""HTML that is safe by construction: every string that is not `Markup` is escaped.

The texts may be hostile. Besides escaping, control characters, direction marks and lone surrogates are shown as signs,
so that nothing in a document can affect the page around it.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import NamedTuple

_VOID = frozenset({"br", "input", "line", "rect", "circle", "path", "polyline", "meta"})
_DIRECTION_MARKS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_SIGNS = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\t\n\r"},
    **dict.fromkeys((*range(127, 160), *range(55296, 57344)), "�"),
    **{ord(mark): f"⟦{ord(mark):04X}⟧" for mark in _DIRECTION_MARKS},
}


class Phrase(NamedTuple):
    """A phrase in both languages."""

    english: str
    spanish: str


class Markup(str):
    """A string that is already HTML."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str | float | bool | None) -> Markup:
    """An element. In attribute names `_` becomes `-`, and a final `_` is dropped: `class_`, `data_kind`."""
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID and not children:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{join(children)}</{name}>")


def join(parts: Iterable[str]) -> Markup:
    return Markup("".join(part if isinstance(part, Markup) else escape(shown(part)) for part in parts))


def say(english: str, spanish: str, element: str = "span") -> Markup:
    """Both languages; the page shows one of them. Within an SVG the element is `tspan`."""
    if english == spanish:
        return join([english])
    return join([tag(element, english, lang="en"), tag(element, spanish, lang="es")])


def shown(text: str) -> str:
    """The text with a visible sign for each character that would be invisible or affect its surroundings."""
    return text.translate(_SIGNS)


def _attribute(key: str, value: str | float | bool | None) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is None or value is False:
        return ""
    if value is True:
        return f" {name}"
    written = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {name}="{escape(shown(written))}"'
