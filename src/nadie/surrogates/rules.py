"""Ordered rules for surrogates: the first rule that recognises a value gives its replacement."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

V = TypeVar("V")

Rule = tuple[Callable[[V], Any], Callable[[V, Any], str | None]]
"""Two functions: one returns a match, or anything true, for values that it recognises; the other makes a surrogate from
the value and that result."""


def by_first(rules: Iterable[Rule[V]], value: V) -> str | None:
    """The surrogate by the first rule that recognises the value; None if no rule does, or if that rule gives none."""
    for recognise, invent in rules:
        if found := recognise(value):
            return invent(value, found)
    return None
