"""Text that a system leaves readable: by character, and by document.

Labels are ignored here: a name with the wrong label is still hidden, and half a name may still identify a person. One
missed name is enough for that, so a document is safe only if nothing in it was missed ("redact full").
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from nadie.document import Span
from nadie.evaluation.pairing import Pair


@dataclass(frozen=True, slots=True)
class CharacterCounts:
    """The numbers of PHI characters, of covered characters, and of characters that are both, without white space."""

    gold: int = 0
    system: int = 0
    both: int = 0

    def __add__(self, other: CharacterCounts) -> CharacterCounts:
        return CharacterCounts(self.gold + other.gold, self.system + other.system, self.both + other.both)

    @property
    def leaked(self) -> int:
        return self.gold - self.both

    @property
    def leaked_share(self) -> float:
        return self.leaked / self.gold if self.gold else 0.0

    @property
    def recall(self) -> float:
        """The share of PHI characters that are covered; 1 if there are none."""
        return self.both / self.gold if self.gold else 1.0

    @property
    def precision(self) -> float:
        """The share of covered characters that are PHI; 1 if there are none."""
        return self.both / self.system if self.system else 1.0


def characters(pair: Pair) -> CharacterCounts:
    gold, system = visible(pair.text, pair.expected), visible(pair.text, pair.found)
    return CharacterCounts(len(gold), len(system), len(gold & system))


def characters_by_label(pair: Pair) -> dict[str, CharacterCounts]:
    """For each gold label, how much of its text is covered by any span. The system's label is ignored, so there is no
    precision by label: `system` counts only characters within gold spans.
    """
    covered = visible(pair.text, pair.found)
    counts = {}
    for label in sorted({span.label for span in pair.expected}):
        gold = visible(pair.text, (span for span in pair.expected if span.label == label))
        both = len(gold & covered)
        counts[label] = CharacterCounts(len(gold), both, both)
    return counts


def visible(text: str, spans: Iterable[Span]) -> set[int]:
    """The offsets of the characters in `spans` that are not white space."""
    return {i for span in spans for i in range(span.start, span.end) if not text[i].isspace()}


def leaked(pair: Pair) -> int:
    """The number of letters and digits of the document's gold spans that stay readable."""
    return readable(pair.text, pair.expected, visible(pair.text, pair.found))


def is_safe(pair: Pair) -> bool:
    """Whether nothing was missed: no letter or digit of any gold span is left uncovered."""
    return leaked(pair) == 0


def readable(text: str, spans: Iterable[Span], covered: Set[int]) -> int:
    """The number of letters and digits of `spans` that are not among the covered offsets."""
    return sum(text[i].isalnum() for i in visible(text, spans) - covered)
