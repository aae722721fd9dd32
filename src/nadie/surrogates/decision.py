"""The result of an operator for a span: a text, or one of two decisions."""

from __future__ import annotations

from enum import Enum


class Decision(Enum):
    """KEEP: the value is kept on purpose. REFUSE: the operator cannot handle it, so the label replaces it."""

    KEEP = "keep"
    REFUSE = "refuse"


KEEP = Decision.KEEP
REFUSE = Decision.REFUSE

Outcome = str | Decision
