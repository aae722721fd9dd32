"""Moves a date by the secret shift of the patient."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span
from nadie.labels import Label
from nadie.surrogates.decision import REFUSE, Outcome


class ShiftOperator:
    """`3 de enero de 2020` → `7 de marzo de 2018`. Text that is not a possible date is refused."""

    name = "shift"
    traits = Traits.NONE

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        return context.moved_date(span) if span.label == Label.FECHAS else REFUSE
