"""Surrogates as ordered rules: the first one that recognises a value invents what takes its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

V = TypeVar("V")

Rule = tuple[Callable[[V], Any], Callable[[V, Any], str | None]]
"""What recognises a value, by a match or anything else that is true, and what invents another from both."""


def by_first(rules: Iterable[Rule[V]], value: V) -> str | None:
    """What the first rule that recognises the value invents; None where there is no rule, or it finds nothing."""
    for recognise, invent in rules:
        if found := recognise(value):
            return invent(value, found)
    return None
