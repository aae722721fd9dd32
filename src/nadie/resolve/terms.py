"""Search for terms regardless of case, accents and punctuation: a trie over folded words.

The search follows the trie from each word of the text; its time is linear in the text and does not depend on the number
of terms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nadie.spanish.folding import fold_compatible

# Letters with their combining marks, or digits. Invisible characters within a word do not split it.
_WORD = re.compile(r"(?:[^\W\d_ºª][\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]*)+|\d+")
# The separators allowed between two words of a term: blanks and punctuation, but no blank line.
_WIDEST_GAP = 4
_MOST_SKIPPED = 3


class FoldedWord(NamedTuple):
    """A folded word of a text, with its offsets."""

    start: int
    end: int
    folded: str


class TermMatch(NamedTuple):
    """`text[start:end]` is the term that was stored with `payload`."""

    start: int
    end: int
    payload: str


def has_words(term: str) -> bool:
    """Whether a term has a letter or a digit by which it can be found."""
    return _WORD.search(term) is not None


def folded_words(text: str) -> list[FoldedWord]:
    return [FoldedWord(m.start(), m.end(), fold_compatible(m.group())) for m in _WORD.finditer(text)]


def are_adjacent(text: str, first: FoldedWord, second: FoldedWord) -> bool:
    """Whether two words are close enough to belong to one term."""
    gap = text[first.end : second.start]
    return len(gap) <= _WIDEST_GAP and gap.count("\n") < 2


class _TrieNode:
    __slots__ = ("branches", "payload")

    def __init__(self) -> None:
        self.branches: dict[str, _TrieNode] = {}
        self.payload: str | None = None


class Terms:
    """Terms of one or more words, each with a payload. `skipped` words may occur between the words of a term."""

    def __init__(self, skipped: Iterable[str] = ()) -> None:
        self._root = _TrieNode()
        self._skipped = frozenset(skipped)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, term: str, payload: str) -> None:
        """Store a term, unless it has no letter or digit."""
        self.add_words([word.folded for word in folded_words(term)], payload)

    def add_words(self, words: Sequence[str], payload: str) -> None:
        node = self._root
        for word in words:
            if word not in self._skipped:
                node = node.branches.setdefault(word, _TrieNode())
        if node is not self._root:
            self._count += node.payload is None
            node.payload = payload

    def find(self, text: str, words: Sequence[FoldedWord] | None = None) -> list[TermMatch]:
        """The longest term at each word, from left to right, without overlaps."""
        words = folded_words(text) if words is None else words
        found: list[TermMatch] = []
        i = 0
        while i < len(words):
            last, payload = self._longest(text, words, i)
            if payload is None:
                i += 1
            else:
                found.append(TermMatch(words[i].start, words[last].end, payload))
                i = last + 1
        return found

    def _longest(self, text: str, words: Sequence[FoldedWord], first: int) -> tuple[int, str | None]:
        """The last word and the payload of the longest term that begins at word `first`."""
        node, last, payload, skipped = self._root, first, None, 0
        for i in range(first, len(words)):
            if i > first and not are_adjacent(text, words[i - 1], words[i]):
                break
            branch = node.branches.get(words[i].folded)
            if branch is None:
                skipped += 1
                if i > first and skipped <= _MOST_SKIPPED and words[i].folded in self._skipped:
                    continue
                break
            node, skipped = branch, 0
            if node.payload is not None:
                last, payload = i, node.payload
        return last, payload
