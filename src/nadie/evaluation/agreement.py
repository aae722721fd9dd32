"""Agreement of two readings of the same documents beyond what chance gives: Cohen's kappa (Cohen, 1960) over tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from nadie.document import Span
from nadie.evaluation.pairing import Pair
from nadie.tokens.tokenizer import Token, tokenize

_OUTSIDE = ""


def kappas(pairs: Iterable[Pair]) -> dict[str, float | None]:
    """Kappa for all labels together (under ""), and for each label against everything else.

    None if it is not defined: nobody marked anything, or both marked every token in the same way.
    """
    seen: Counter[tuple[str, str]] = Counter()
    for pair in pairs:
        tokens = tokenize(pair.text)
        seen.update(zip(_labels(tokens, pair.expected), _labels(tokens, pair.found), strict=True))
    labels = sorted({label for both in seen for label in both} - {_OUTSIDE})
    return {_OUTSIDE: _kappa(seen)} | {label: _kappa(_against_rest(seen, label)) for label in labels}


def _labels(tokens: Sequence[Token], spans: Sequence[Span]) -> list[str]:
    """The label of each token: that of the span in which it begins."""
    found, waiting = [], list(reversed(spans))
    for token in tokens:
        while waiting and waiting[-1].end <= token.start:
            waiting.pop()
        found.append(waiting[-1].label if waiting and waiting[-1].start <= token.start else _OUTSIDE)
    return found


def _against_rest(seen: Counter[tuple[str, str]], label: str) -> Counter[tuple[str, str]]:
    merged: Counter[tuple[str, str]] = Counter()
    for (first, second), count in seen.items():
        merged[label if first == label else _OUTSIDE, label if second == label else _OUTSIDE] += count
    return merged


def _kappa(seen: Counter[tuple[str, str]]) -> float | None:
    total = seen.total()
    first, second = Counter[str](), Counter[str]()
    for (one, other), count in seen.items():
        first[one] += count
        second[other] += count
    by_chance = sum(first[label] * second[label] for label in first)
    agreed = total * sum(count for (one, other), count in seen.items() if one == other)
    return None if total**2 == by_chance else (agreed - by_chance) / (total**2 - by_chance)
