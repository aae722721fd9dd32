"""The protocol of operators, which a third party implements to add one."""

from __future__ import annotations

from collections.abc import Callable
from enum import Flag, auto
from typing import Protocol

from nadie.anonymize.context import Context
from nadie.document import Span
from nadie.registry import Registry
from nadie.surrogates.decision import Outcome


class Traits(Flag):
    """Properties of an operator for the engine.

    CONSTANT: its output consists of labels, signs and digests, so it cannot contain an original value. KEEPS: it does
    not change the value. NEEDS_KEY: it needs a key from the user. INVENTS: its output looks like an original, so that a
    reader cannot tell which values were missed.
    """

    NONE = 0
    CONSTANT = auto()
    KEEPS = auto()
    NEEDS_KEY = auto()
    INVENTS = auto()


class Operator(Protocol):
    """Determines the replacement of one span.

    It returns a text, KEEP (the value is kept on purpose), or REFUSE (it cannot be handled, so the label replaces it).
    The result depends only on the arguments. The options in a policy are the arguments of the constructor.
    """

    name: str
    traits: Traits

    def replace(self, value: str, span: Span, context: Context) -> Outcome: ...


OPERATORS: Registry[Callable[..., Operator]] = Registry("nadie.operators", "operator")
