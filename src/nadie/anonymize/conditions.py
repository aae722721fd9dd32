"""Operators that depend on the value: in a policy, a list of rules, of which the first whose conditions hold applies.

[labels]
EDAD_SUJETO_ASISTENCIA = [{ operator = "label", over = 89 }, { operator = "keep" }]
TERRITORIO = [{ operator = "keep", any_of = ["Madrid", "Barcelona"] }, { operator = "label" }]
ID_SUJETO_ASISTENCIA = [{ operator = "hash", matches = '\\d{8}[A-Z]' }, { operator = "redact" }]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any

import re2

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Operator, Traits
from nadie.document import Span
from nadie.errors import ConfigError
from nadie.expressions import compiled
from nadie.labels import Label, Parent
from nadie.spanish.folding import key_of
from nadie.surrogates.dates.births import AgeRule
from nadie.surrogates.decision import REFUSE, Outcome

CONDITIONS = ("over", "under", "any_of", "matches")
AGES = frozenset((Label.EDAD_SUJETO_ASISTENCIA, Parent.AGE))
_OF_ANY = Traits.NEEDS_KEY | Traits.INVENTS
_OF_ALL = Traits.CONSTANT | Traits.KEEPS


@dataclass(frozen=True, slots=True)
class Condition:
    """What must hold of a value: an age in years over or under a number, one of some values, an expression in RE2."""

    over: int | None = None
    under: int | None = None
    any_of: frozenset[str] = frozenset()
    matches: str = ""

    @property
    def is_of_age(self) -> bool:
        return self.over is not None or self.under is not None

    def holds(self, value: str, years: Sequence[int]) -> bool:
        """Whether it holds of a value, and of the greatest or smallest of its ages."""
        if (self.over is not None and max(years) <= self.over) or (self.under is not None and min(years) >= self.under):
            return False
        if self.any_of and key_of(value) not in self.any_of:
            return False
        return not self.matches or compiled(self.matches).fullmatch(value) is not None


ALWAYS = Condition()


class ByValue:
    """The operators of one label, each with its condition; the last one has none.

    Its traits are those that all its operators have, such as that they keep the value, and those that any has, such as
    that it needs a key. If a condition is about ages, a value without an age that can be read is refused.
    """

    def __init__(self, cases: tuple[tuple[Condition, Operator], ...], name: str) -> None:
        self.cases = cases
        self.name = name
        each = [operator.traits for _, operator in cases]
        self.traits = (reduce(and_, each) & _OF_ALL) | (reduce(or_, each) & _OF_ANY)

    @property
    def ages(self) -> AgeRule:
        """What is shown of ages: nothing that tells the date of birth, as soon as one of the operators hides an age."""
        hiding = Traits.CONSTANT | Traits.NEEDS_KEY
        if any(operator.traits & hiding for _, operator in self.cases):
            return AgeRule(is_hidden=True)
        return next((operator.ages for _, operator in self.cases if hasattr(operator, "ages")), AgeRule())

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        chosen = self.chosen(value)
        return REFUSE if chosen is None else chosen.replace(value, span, context)

    def chosen(self, value: str) -> Operator | None:
        """The operator for a value; None if the value cannot be read."""
        years: list[int] = []
        if any(condition.is_of_age for condition, _ in self.cases):
            from nadie.surrogates.age_forms import read

            ages = read(value)
            if not ages:
                return None
            years = [age.number if age.unit == "year" else 0 for age in ages]
        return next((operator for condition, operator in self.cases if condition.holds(value, years)), None)


def condition_of(settings: Mapping[str, Any], label: str, where: str) -> Condition:
    """The condition among the settings of a rule."""
    over, under = settings.get("over"), settings.get("under")
    if any(isinstance(each, bool) or not isinstance(each, int | None) for each in (over, under)):
        raise ConfigError(f"{where}: over and under are whole numbers of years")
    if (over is not None or under is not None) and label not in AGES:
        raise ConfigError(f"{where}: over and under are for ages only")
    values, expression = settings.get("any_of", []), settings.get("matches", "")
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise ConfigError(f"{where}: any_of is a list of values")
    if not isinstance(expression, str) or not _is_valid(expression):
        raise ConfigError(f"{where}: matches is not an expression in RE2 (which has no look-around)")
    return Condition(over, under, frozenset(map(key_of, values)), expression)


def _is_valid(expression: str) -> bool:
    try:
        compiled(expression)
    except re2.error:
        return False
    return True
