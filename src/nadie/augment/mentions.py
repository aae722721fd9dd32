"""When two spans are one mention."""

from __future__ import annotations

import re
from collections.abc import Iterable

from nadie.document import Span
from nadie.labels import Label

_SPACES = re.compile(r" {1,3}")
_NAMES = frozenset({Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO})


def fused_names(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """Names with nothing but spaces between them are one mention (guidelines, M1.1 and M5.1)."""
    fused: list[Span] = []
    for span in sorted(spans):
        last = fused[-1] if fused else None
        if last is not None and span.label == last.label in _NAMES and _SPACES.fullmatch(text, last.end, span.start):
            fused[-1] = Span(last.start, span.end, span.label)
        else:
            fused.append(span)
    return tuple(fused)
