"""CMaps of PDF fonts: how bytes form codes, and the Unicode text and the glyph of each code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from nadie.files.containers.pdf.object_types import is_array
from nadie.files.containers.pdf.streams import instructions

MAX_CODES = 200_000


@dataclass
class CMap:
    """`lengths` of the codes by their first byte, `texts` of ToUnicode, `glyphs` (CIDs) of an encoding."""

    ranges: list[tuple[bytes, bytes]] = field(default_factory=list)
    texts: dict[int, str] = field(default_factory=dict)
    glyphs: dict[int, int] = field(default_factory=dict)

    def codes(self, raw: bytes) -> Iterator[bytes]:
        """Split the string into codes; bytes outside all ranges are taken as the shortest possible code."""
        shortest = min((len(low) for low, _ in self.ranges), default=1)
        at = 0
        while at < len(raw):
            code = next((raw[at : at + len(low)] for low, high in self.ranges if _fits(raw, at, low, high)), None)
            code = code or raw[at : at + shortest]
            yield code
            at += len(code)


def parse(stream: Any, where: str, *, is_unicode: bool = False) -> CMap:
    """Parse the CMap in a stream; raise an error if it is not a CMap, or has more codes than a font can have.

    A mapping to Unicode may extend another CMap, as Distiller writes it: codes that only the other has are unreadable.
    """
    cmap = CMap()
    for operands, name in instructions(stream, where):
        if name == "endcodespacerange":
            cmap.ranges += [(bytes(low), bytes(high)) for low, high in zip(operands[::2], operands[1::2], strict=False)]
        elif name == "endbfchar":
            for code, text in zip(operands[::2], operands[1::2], strict=False):
                cmap.texts[int.from_bytes(bytes(code))] = _text(text)
        elif name == "endbfrange":
            for low, high, text in _triples(operands):
                _add_texts(cmap.texts, int.from_bytes(bytes(low)), int.from_bytes(bytes(high)), text)
        elif name == "endcidchar":
            for code, glyph in zip(operands[::2], operands[1::2], strict=False):
                cmap.glyphs[int.from_bytes(bytes(code))] = int(glyph)
        elif name == "endcidrange":
            for low, high, glyph in _triples(operands):
                first = int.from_bytes(bytes(low))
                for code in _codes(first, int.from_bytes(bytes(high)), cmap.glyphs):
                    cmap.glyphs[code] = int(glyph) + code - first
        elif name == "usecmap" and not is_unicode:
            raise ValueError("a CMap that uses another one")
    return cmap


def _add_texts(texts: dict[int, str], low: int, high: int, text: Any) -> None:
    if is_array(text):
        texts.update({code: _text(each) for code, each in zip(_codes(low, high, texts), list(text), strict=False)})
        return
    first = _text(text)
    for code in _codes(low, high, texts):
        texts[code] = first[:-1] + chr(ord(first[-1]) + code - low) if first else ""


def _codes(low: int, high: int, known: dict[int, Any]) -> range:
    if high - low + len(known) > MAX_CODES:
        raise ValueError("a CMap with too many codes")
    return range(low, high + 1)


def _text(value: Any) -> str:
    return bytes(value).decode("utf-16-be", "replace")


def _triples(operands: list[Any]) -> Iterator[tuple[Any, Any, Any]]:
    return zip(operands[::3], operands[1::3], operands[2::3], strict=False)


def _fits(raw: bytes, at: int, low: bytes, high: bytes) -> bool:
    code = raw[at : at + len(low)]
    return len(code) == len(low) and all(a <= b <= c for a, b, c in zip(low, code, high, strict=False))
