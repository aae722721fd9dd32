"""What an operator is: the one thing that a third party has to write to add one."""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag, auto
from typing import Protocol

from nadie.anonymize.context import Context
from nadie.anonymize.decision import Outcome
from nadie.document import Span
from nadie.registry import Registry


class Traits(Flag):
    """What the engine has to know about an operator.

    CONSTANT: what it writes is made of labels, signs and digests, so it cannot contain an original value.
    KEEPS: it leaves the value as it is. NEEDS_KEY: it cannot work without a key of the user's.
    """

    NONE = 0
    CONSTANT = auto()
    KEEPS = auto()
    NEEDS_KEY = auto()


class Operator(Protocol):
    """Says what stands in the place of one span.

    It answers with a text, with KEEP (the value stays on purpose), or with REFUSE (it cannot be handled, so the label
    takes its place). Its answer depends on its arguments alone. The settings of a policy are the arguments of its
    constructor.
    """

    name: str
    traits: Traits

    def replace(self, value: str, span: Span, context: Context) -> Outcome: ...


OPERATORS: Registry[Callable[..., Operator]] = Registry("nadie.operators", "operator")
