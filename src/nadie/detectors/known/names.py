"""Names of known persons: their words in any order, with initials, particles and typing errors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import nsmallest
from typing import NamedTuple

from nadie.resolve.terms import FoldedWord, are_adjacent, folded_words
from nadie.spanish.name_forms import full_name, is_slip, one_letter_less, sound
from nadie.spanish.names import PARTICLES, SAINTS, SHORT_GIVEN, SHORT_SAINTS, SHORT_SURNAMES, SIGNED

_BETWEEN = PARTICLES | SAINTS
_SPELT_OUT = {short: name for short, name in (SHORT_GIVEN | SHORT_SURNAMES | SHORT_SAINTS).items() if short != SIGNED}
_SENTENCE_END = re.compile(r"[.:!?]\s")
_LONGEST_RUN = 10
_SHORTEST_ALONE = 3
_MANY = 64
_REMEMBERED = 20_000


class NameFound(NamedTuple):
    """Words `first` to `stop` (exclusive) name one of `persons`; `full` of them are whole names."""

    first: int
    stop: int
    persons: frozenset[int]
    full: int
    initials: int


class Names:
    """An index of the words of many names. The order of the words in a name does not matter."""

    def __init__(self) -> None:
        self._names: list[frozenset[str]] = []
        self._initials: list[str] = []
        self._owners: dict[str, set[int]] = defaultdict(set)
        self._by_key: dict[str, set[str]] = defaultdict(set)
        self._seen: dict[str, tuple[frozenset[str], frozenset[int]]] = {}

    def add(self, parts: Iterable[str]) -> int:
        """Store a person's name, given in one or more parts, and return the person's number."""
        words = [_spelt_out(word.folded) for part in parts for word in folded_words(part)]
        names = frozenset(word for word in words if word not in _BETWEEN and len(word) > 1 and word.isalpha())
        person = len(self._names)
        self._names.append(names)
        self._initials.append("".join(word[0] for word in words if word not in _BETWEEN))
        for name in names:
            if name not in self._owners:
                for key in (sound(name), *one_letter_less(name)):
                    self._by_key[key].add(name)
            self._owners[name].add(person)
        self._seen.clear()
        return person

    def owners(self, folded: str) -> frozenset[int]:
        """The persons with exactly this word in their name."""
        return frozenset(self._owners.get(folded, ()))

    def initials(self, person: int) -> str:
        """The first letters of a person's names, in the order in which they were given."""
        return self._initials[person]

    def find(self, text: str, words: Sequence[FoldedWord]) -> list[NameFound]:
        """Runs of words that belong to one person's name, the longest first, from left to right.

        The length of a run is bounded and each word is looked up by its own keys, so the time is linear in the text.
        """
        found = []
        i = 0
        while i < len(words):
            best = self._longest(text, words, i)
            if best is None:
                i += 1
            else:
                found.append(best)
                i = best.stop
        return found

    def _longest(self, text: str, words: Sequence[FoldedWord], first: int) -> NameFound | None:
        persons = self._persons(words[first].folded) or self._by_initial(text, words, first)
        if not persons:
            return None
        narrowed = self._narrowed(text, words, first, persons)
        # Of many persons with the same words, a few are enough: the spans are the same.
        some = nsmallest(_MANY, narrowed)
        runs = [run for person in some if (run := self._run(text, words, first, person))]
        if not runs:
            return None
        best = max(runs, key=lambda run: (run.full, run.initials, run.stop))
        alike = (run.persons for run in runs if run[:2] == best[:2] and run[3:] == best[3:])
        return best._replace(persons=frozenset().union(*alike) if best.stop - first > 1 else narrowed)

    def _narrowed(self, text: str, words: Sequence[FoldedWord], first: int, persons: frozenset[int]) -> frozenset[int]:
        """The persons whose names also have the words that follow."""
        for i in range(first + 1, min(first + _LONGEST_RUN, len(words))):
            if not _may_be_one_name(text, words[i - 1], words[i]):
                break
            both = persons & self._persons(words[i].folded)
            if both:
                persons = both
            elif words[i].folded not in _BETWEEN and not _is_initial(text, words[i]):
                break
        return persons

    def _by_initial(self, text: str, words: Sequence[FoldedWord], first: int) -> frozenset[int]:
        """The persons with the next full word in their name, if the run begins with initials: `M. J. Pérez`."""
        i = first
        while i < len(words) and i - first < 4 and _is_initial(text, words[i]):
            i += 1
        return self._persons(words[i].folded) if first < i < len(words) else frozenset()

    def _persons(self, folded: str) -> frozenset[int]:
        """The persons with this word in their name, or with a word of similar sound or spelling."""
        return self._known(folded)[1]

    def _known(self, folded: str) -> tuple[frozenset[str], frozenset[int]]:
        """The names that this word is, or is a spelling of, and the persons who have them. Cached."""
        if folded not in self._seen:
            if len(self._seen) >= _REMEMBERED:
                self._seen.clear()
            self._seen[folded] = self._looked_up(_spelt_out(folded))
        return self._seen[folded]

    def _looked_up(self, word: str) -> tuple[frozenset[str], frozenset[int]]:
        if len(word) < 2 or word in _BETWEEN or not word.isalpha():
            return frozenset(), frozenset()
        alike = {full for full in (full_name(word),) if full in self._owners}
        alike = alike.union(*(self._by_key.get(key, ()) for key in (sound(word), *one_letter_less(word))))
        meant = {word, full_name(word)}
        names = frozenset(name for name in alike if name in meant or sound(name) == sound(word) or is_slip(name, word))
        return names, frozenset().union(*(self._owners[name] for name in names))

    def _run(self, text: str, words: Sequence[FoldedWord], first: int, person: int) -> NameFound | None:
        used: set[str] = set()
        stop, initials = first, 0
        for i in range(first, min(first + _LONGEST_RUN, len(words))):
            if i > first and not _may_be_one_name(text, words[i - 1], words[i]):
                break
            word = _spelt_out(words[i].folded)
            meant = self._known(words[i].folded)[0] & self._names[person] - used
            if meant:
                used.add(word if word in meant else min(meant))
            elif _is_initial(text, words[i]) and word in self._initials[person]:
                initials += 1
            elif word in _BETWEEN and i > first:
                continue
            else:
                break
            stop = i + 1
        if not used or not _is_enough(used, initials):
            return None
        return NameFound(first, stop, frozenset((person,)), len(used), initials)


def _may_be_one_name(text: str, first: FoldedWord, second: FoldedWord) -> bool:
    """Whether two words may belong to one name: no sentence ends between them, except at an abbreviation."""
    gap = text[first.end : second.start]
    is_short = len(first.folded) == 1 or first.folded in _SPELT_OUT or text[first.end - 1] in "ªº"
    return are_adjacent(text, first, second) and not (_SENTENCE_END.search(gap) and not is_short) and ";" not in gap


def _is_enough(used: set[str], initials: int) -> bool:
    return len(used) + initials > 1 or max(map(len, used)) >= _SHORTEST_ALONE


def _is_initial(text: str, word: FoldedWord) -> bool:
    return len(word.folded) == 1 and text[word.start].isupper()


def _spelt_out(folded: str) -> str:
    return _SPELT_OUT.get(folded, folded)
