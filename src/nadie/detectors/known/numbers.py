"""Numbers of known persons, with any grouping of their digits: 12345678Z is 12.345.678-Z."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from nadie.resolve.terms import FoldedWord, are_adjacent, folded_words

_SHORTEST = 5
_MOST_GROUPS = 12
_PREFIXES = ("0034", "34", "0052", "52", "0057", "57", "0054", "54", "0056", "56", "0051", "51")


class NumberFound(NamedTuple):
    """`text[start:end]` is the number with label `payload` of the person `person`."""

    start: int
    end: int
    person: int
    payload: str


class Numbers:
    """An index of numbers and codes without separators."""

    def __init__(self) -> None:
        self._values: dict[str, list[tuple[int, str]]] = {}
        self._longest = 0

    def add(self, text: str, person: int, payload: str, *, dialled: bool = False) -> None:
        """Store a number unless it is too short. A dialled number is stored without its country code."""
        value = _joined(text)
        forms = {value}
        if value[:-1].isdigit() and value[-1:].isalpha() and len(value) > 7:
            forms.add(value[:-1])  # a DNI without its letter
        if dialled:
            forms |= {value.removeprefix(prefix) for prefix in _PREFIXES if len(value) - len(prefix) >= 7}
        forms |= {form.lstrip("0") for form in forms}
        for form in forms:
            if len(form) >= _SHORTEST and any(c.isdigit() for c in form):
                self._values.setdefault(form, []).append((person, payload))
                self._longest = max(self._longest, len(form))

    def find(self, text: str, words: Sequence[FoldedWord]) -> Iterator[NumberFound]:
        """Each number found, the longest at its position. Only a few groups are joined, so the time is linear."""
        i = 0
        while i < len(words):
            last, owners = self._longest_at(text, words, i)
            start = words[i].start - (text[words[i].start - 1 : words[i].start] == "+")
            for person, payload in owners:
                yield NumberFound(start, words[last].end, person, payload)
            i = last + 1 if owners else i + 1

    def _longest_at(self, text: str, words: Sequence[FoldedWord], first: int) -> tuple[int, list[tuple[int, str]]]:
        value, last, owners = "", first, list[tuple[int, str]]()
        for i in range(first, min(first + _MOST_GROUPS, len(words))):
            if i > first and not are_adjacent(text, words[i - 1], words[i]):
                break
            value += words[i].folded
            if len(value) > self._longest:
                break
            if value in self._values:
                last, owners = i, self._values[value]
        return last, owners


def _joined(text: str) -> str:
    return "".join(word.folded for word in folded_words(text))
