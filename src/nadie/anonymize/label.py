"""The simplest operator: a span gives way to its label in brackets."""

from __future__ import annotations

from nadie.document import Span


class LabelOperator:
    """`Ana Pérez` → `[NOMBRE_SUJETO_ASISTENCIA]`."""

    name = "label"

    def replace(self, text: str, span: Span) -> str:
        return f"[{span.label}]"
