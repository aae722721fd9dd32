"""Regular expressions in RE2: linear time for any expression, and many expressions in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import re2

_MEMORY = 64 << 20
_LITTLE = 2 << 20  # enough for a hundred letters of any alphabet; larger expressions take seconds to compile
_MANY = 25  # expressions in one automaton: with more it is no faster and takes more memory


@lru_cache(maxsize=4096)
def compiled(expression: str) -> Any:
    """Compile `expression` when it is first used."""
    return re2.compile(expression, _options())


def compiled_of_caller(expression: str) -> Any:
    """Compile an expression that a caller gives, with little memory, which is freed with what is returned."""
    made = re2.compile(expression, _options(_LITTLE))
    re2.purge()  # which would keep the last 128
    return made


class Expressions:
    """Many expressions as automata, which find the matching expressions in a single pass over a text.

    >>> Expressions([r"a+", r"b+", r"c+"]).matching("abba")
    [0, 1]
    """

    def __init__(self, expressions: Sequence[str]) -> None:
        self._automata = [_automaton(expressions[i : i + _MANY]) for i in range(0, len(expressions), _MANY)]

    def matching(self, text: str | bytes) -> list[int]:
        """The indices of the expressions that match somewhere in `text`, in ascending order."""
        found = (automaton.Match(text) or () for automaton in self._automata)
        return [i * _MANY + place for i, places in enumerate(found) for place in sorted(places)]


def _automaton(expressions: Sequence[str]) -> Any:
    automaton = re2.Set.SearchSet(_options())
    for expression in expressions:
        automaton.Add(expression)
    automaton.Compile()
    return automaton


def _options(memory: int = _MEMORY) -> Any:
    options = re2.Options()
    options.log_errors = False
    options.max_mem = memory
    return options
