"""The final filter: patterns that the text of an entity of each type must or must not match.

The constraints are in `data/constraints.tsv`, one per line: type, rule, pattern, and reason. A candidate to which the
network gave a type is kept if every `must` pattern of the type is found in it, no `not` pattern is, and every `whole`
pattern matches it completely.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import re2

from nadie.errors import ConfigError
from nadie.labels import LABELS

_RULES = frozenset({"must", "not", "whole"})


@dataclass(frozen=True)
class Constraint:
    """One line of the table, compiled."""

    rule: str
    pattern: Any

    def allows(self, text: str) -> bool:
        if self.rule == "whole":
            return self.pattern.fullmatch(text) is not None
        return (self.pattern.search(text) is not None) == (self.rule == "must")


@dataclass(frozen=True)
class Constraints:
    """All constraints by type."""

    table: Mapping[str, tuple[Constraint, ...]]

    def allow(self, text: str, label: str) -> bool:
        return all(constraint.allows(text) for constraint in self.table.get(label, ()))

    @staticmethod
    @lru_cache(maxsize=1)
    def shipped() -> Constraints:
        content = (files("nadie.papers.tccnn") / "data" / "constraints.tsv").read_text(encoding="utf-8")
        return parse_constraints(content)


def parse_constraints(content: str) -> Constraints:
    """Parse the table; empty lines and lines that begin with # are ignored."""
    table: dict[str, list[Constraint]] = defaultdict(list)
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        label, rule, pattern, why = [*line.split("\t"), "", "", ""][:4]
        if label not in LABELS or rule not in _RULES or not pattern or not why:
            raise ConfigError(f"constraints, line {number}: needs a type, must, not or whole, a pattern, and a reason")
        try:
            table[label].append(Constraint(rule, re2.compile(pattern)))
        except re2.error as error:
            raise ConfigError(f"constraints, line {number}: the pattern cannot be read") from error
    return Constraints({label: tuple(found) for label, found in table.items()})
