"""Removes a span."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span


class RedactOperator:
    """`Paciente: Ana Pérez.` → `Paciente: .`"""

    name = "redact"
    traits = Traits.CONSTANT

    def replace(self, value: str, span: Span, context: Context) -> str:
        return ""
