"""Replaces a span by its label or by a fixed text."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span
from nadie.errors import ConfigError

_LONGEST_TEXT = 200


class LabelOperator:
    """`Ana Pérez` → `[NOMBRE_SUJETO_ASISTENCIA]`, or with `text = "paciente {number}"` → `paciente 1`.

    In a custom text, `{label}` is replaced by the label and `{number}` by the number of the person or value.
    """

    name = "label"
    traits = Traits.CONSTANT

    def __init__(self, *, text: str = "") -> None:
        if len(text) > _LONGEST_TEXT or not text.isprintable():
            raise ConfigError(f"label: the text must have at most {_LONGEST_TEXT} characters, all printable")
        self._text = text

    def replace(self, value: str, span: Span, context: Context) -> str:
        if not self._text:
            return marker(span.label)
        text = self._text.replace("{label}", span.label)
        return text.replace("{number}", str(context.numbers[span])) if "{number}" in text else text


def marker(label: str) -> str:
    return f"[{label}]"
