"""Document by document: nothing missed, or something.

One name that stays is enough to tell who the patient is, so a document is safe or it is not ("redact full").
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from nadie.document import Span
from nadie.evaluation.characters import visible
from nadie.evaluation.pairing import Pair


def leaked(pair: Pair) -> int:
    """How many letters and digits of the document's gold spans stay readable."""
    return readable(pair.text, pair.expected, visible(pair.text, pair.found))


def is_safe(pair: Pair) -> bool:
    """Whether nothing was missed: no letter or digit of any gold span is left uncovered."""
    return leaked(pair) == 0


def readable(text: str, spans: Iterable[Span], covered: Set[int]) -> int:
    """How many letters and digits of `spans` are not among the covered offsets."""
    return sum(text[i].isalnum() for i in visible(text, spans) - covered)
