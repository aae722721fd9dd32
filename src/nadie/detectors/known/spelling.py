"""How else a name may be written: as it sounds, cut short, with a slip of the keyboard."""

from __future__ import annotations

import re

_SHORTEST_FOR_SLIPS = 6
_SOUNDS = (
    (re.compile(r"ch"), "%"),
    (re.compile(r"h"), ""),
    (re.compile(r"qu(?=[ei])|q|k|c(?![ei])"), "c"),
    (re.compile(r"c(?=[ei])|z"), "s"),
    (re.compile(r"gu(?=[ei])"), "g"),
    (re.compile(r"g(?=[ei])|x"), "j"),
    (re.compile(r"v|w"), "b"),
    (re.compile(r"ll|y(?=[aeiou])"), "y"),
    (re.compile(r"y\b"), "i"),
    (re.compile(r"(.)\1+"), r"\1"),
)


def sound(folded: str) -> str:
    """A key that words share which sound alike in Spanish: Giménez and Jiménez, Valdés and Baldes."""
    for pattern, letter in _SOUNDS:
        folded = pattern.sub(letter, folded)
    return folded


def one_letter_less(folded: str) -> set[str]:
    """The word, and the word without each of its letters; short words have no slips, they would be other words."""
    if len(folded) < _SHORTEST_FOR_SLIPS:
        return {folded}
    return {folded, *(folded[:i] + folded[i + 1 :] for i in range(len(folded)))}


def is_slip(one: str, other: str) -> bool:
    """Whether one letter too many, too few, wrong, or two exchanged make the difference between two words."""
    if one == other:
        return True
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < _SHORTEST_FOR_SLIPS - 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, others = one[start:], other[start:]
    exchanged = rest[:2] == others[1::-1] and rest[2:] == others[2:]
    return rest[1:] == others[1:] or rest[1:] == others or rest == others[1:] or exchanged
