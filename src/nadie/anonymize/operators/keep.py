"""Leaves a span as it is."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span
from nadie.surrogates.decision import KEEP, Outcome


class KeepOperator:
    """`mujer` → `mujer`. The audit counts what was kept."""

    name = "keep"
    traits = Traits.KEEPS

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        return KEEP
