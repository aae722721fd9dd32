"""A date moves by the secret number of days of its patient."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.decision import REFUSE, Outcome
from nadie.anonymize.operator import Traits
from nadie.document import Span
from nadie.labels import Label


class ShiftOperator:
    """`3 de enero de 2020` → `7 de marzo de 2018`. What is no possible date is refused."""

    name = "shift"
    traits = Traits.NONE

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        return context.calendar.moved(span) if span.label == Label.FECHAS else REFUSE
