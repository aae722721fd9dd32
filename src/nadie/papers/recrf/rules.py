"""Rules as data: a regular expression that finds one type of identifier in its context.

A rule is a `before`, a `body` and an `after`, all in the syntax of RE2, which runs in linear time on any text; the
body gets the label. Rules are stored in the model folder as readable JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property

from nadie.document import Span
from nadie.errors import ModelError
from nadie.expressions import Expressions, compiled


@dataclass(frozen=True, order=True)
class LearnedRule:
    """One rule; `precision` is the share of correct matches in notes that it was not learned from, and `support` the
    number of these matches.
    """

    label: str
    before: str
    body: str
    after: str
    precision: float = 1.0
    support: int = 0

    @property
    def expression(self) -> str:
        return f"{self.before}({self.body}){self.after}"


_NAMES = tuple(field.name for field in fields(LearnedRule))


class RuleSet:
    """A set of rules; only those that match somewhere in the text are run one by one."""

    def __init__(self, rules: Sequence[LearnedRule]) -> None:
        self.rules = tuple(rules)

    @cached_property
    def _together(self) -> Expressions:
        return Expressions([rule.expression for rule in self.rules])

    def find(self, text: str) -> list[tuple[int, Span]]:
        """Each match as the index of its rule and the span of its body."""
        found = []
        for number in self._together.matching(text):
            rule = self.rules[number]
            for match in compiled(rule.expression).finditer(text):
                start, end = match.span(1)
                if start < end:
                    found.append((number, Span(start, end, rule.label, rule.precision)))
        return found

    def dump(self) -> bytes:
        rows = [{**asdict(rule), "precision": round(rule.precision, 4)} for rule in self.rules]
        return json.dumps(rows, ensure_ascii=False, indent=1).encode() + b"\n"

    @classmethod
    def parse(cls, content: bytes) -> RuleSet:
        try:
            return cls([LearnedRule(**{name: row[name] for name in _NAMES}) for row in json.loads(content)])
        except (ValueError, TypeError, KeyError) as error:
            raise ModelError("the rules of the model cannot be read") from error


def best_of(matches: Iterable[tuple[int, Span]]) -> list[Span]:
    """Of overlapping matches, the most precise, then the longest."""
    kept: list[Span] = []
    for _, span in sorted(matches, key=lambda m: (-m[1].score, m[1].start - m[1].end, m[1].start)):
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
    return sorted(kept)
