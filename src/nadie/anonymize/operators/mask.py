"""Replaces each character of a span by a sign."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span
from nadie.errors import ConfigError


class MaskOperator:
    """`Ana Pérez` → `*** *****`, or with `fixed = 6` → `******`, which hides the length as well.

    A mask that preserves the length keeps white space, so that lines and columns stay aligned.
    """

    name = "mask"
    traits = Traits.CONSTANT

    def __init__(self, *, sign: str = "*", fixed: int = 0) -> None:
        if len(sign) != 1 or sign.isalnum() or sign.isspace():
            raise ConfigError("mask: the sign must be one character, not a letter, digit or space")
        if not 0 <= fixed <= 100:
            raise ConfigError("mask: fixed must be a number of signs from 1 to 100, or 0 to preserve the length")
        self._sign = sign
        self._fixed = fixed

    def replace(self, value: str, span: Span, context: Context) -> str:
        if self._fixed:
            return self._sign * self._fixed
        return "".join(c if c.isspace() else self._sign for c in value)
