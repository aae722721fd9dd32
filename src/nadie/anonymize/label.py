"""The simplest operator: a span gives way to its label in brackets."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operator import Traits
from nadie.document import Span


class LabelOperator:
    """`Ana Pérez` → `[NOMBRE_SUJETO_ASISTENCIA]`."""

    name = "label"
    traits = Traits.CONSTANT

    def replace(self, value: str, span: Span, context: Context | None = None) -> str:
        return marker(span.label)


def marker(label: str) -> str:
    return f"[{label}]"
