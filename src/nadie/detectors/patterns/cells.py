"""Notes written as tables and lists: where a label ends, and what stands alone in its cell."""

from __future__ import annotations

from nadie.detectors.patterns.base import follows, precedes
from nadie.detectors.patterns.note import PlainText

# What parts a label from its value in the many ways notes are laid out: `Nombre: X`, `NOMBRE - X`, `**Nombre**  X`.
LABEL_END = r"[ .]{0,2}[*\])>]{0,3}(?: ?[:;=|]| --? |\.-| {3}|\n)[ |*:]{0,8}\n? {0,8}"
_LEFT = r"(?:\A|\n|\||//|\x03| - | {3}) {0,8}"
_RIGHT = r" {0,8}(?:\z|[.;]?\n|\||//|\x03| - | {3})"


def fills_cell(note: PlainText, start: int, end: int) -> bool:
    """Whether the stretch is all of a line or of a cell of a table."""
    return follows(note, start, _LEFT, 12) and precedes(note, end, _RIGHT, 12)
