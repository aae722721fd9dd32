"""A span gives way to as many signs as it has, or to a fixed number of them."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.operator import Traits
from nadie.document import Span
from nadie.errors import ConfigError


class MaskOperator:
    """`Ana Pérez` → `*** *****`, or with `fixed = 6` → `******`, which hides the length as well.

    White space stays in a mask that preserves the length, so that lines and columns keep their places.
    """

    name = "mask"
    traits = Traits.CONSTANT

    def __init__(self, *, sign: str = "*", fixed: int = 0) -> None:
        if len(sign) != 1 or sign.isalnum() or sign.isspace():
            raise ConfigError("mask: the sign is one character, neither letter nor figure nor space")
        if not 0 <= fixed <= 100:
            raise ConfigError("mask: fixed is a number of signs from 1 to 100, or 0 to preserve the length")
        self._sign = sign
        self._fixed = fixed

    def replace(self, value: str, span: Span, context: Context) -> str:
        if self._fixed:
            return self._sign * self._fixed
        return "".join(c if c.isspace() else self._sign for c in value)
