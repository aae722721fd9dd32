"""What an operator may answer about a span: a text, or one of two decisions."""

from __future__ import annotations

from enum import Enum


class Decision(Enum):
    """KEEP: the value stays on purpose. REFUSE: the operator cannot handle it, so the label takes its place."""

    KEEP = "keep"
    REFUSE = "refuse"


KEEP = Decision.KEEP
REFUSE = Decision.REFUSE

Outcome = str | Decision
