"""Candidates: the n-grams of a note that could be an entity.

The paper's filters (section 3), relaxed according to the training notes, because taken literally they lose one entity
in twenty: many e-mail addresses end in a "verb" (`es`), and some surnames begin with a preposition.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields

from nadie.errors import ModelError
from nadie.papers.tccnn.note import NEW_LINE, TaggedWords

# Parts of speech at which no noun phrase begins or ends, and verbs, which no noun phrase contains.
_NO_EDGE = frozenset({"PUNCT", "SYM", "ADP", "ADV", "DET", "CCONJ", "SCONJ", "PRON", "PART", "INTJ"})
_VERBS = frozenset({"VERB", "AUX", "AUX:part"})
_OPENING = {")": "(", "]": "[", "}": "{", "»": "«", "”": "“"}
_QUOTES = frozenset("\"'")
_ADDRESS_SIGNS = frozenset("@._-")

Place = tuple[int, int]


@dataclass(frozen=True)
class Generator:
    """Rules, learned from the training notes, about where an entity can be.

    `stop_words` never occur in an entity. `first`, `last` and `inside` are words that occur at its beginning, at its
    end or inside although their part of speech excludes it. `before` and `after` are the signs that may be adjacent to
    it. `hopeless` are pairs (the neighbour before and the kind of the first word; the kind of the last word and the
    neighbour after) that occurred in many candidates but never in an entity. If `literal`, only the paper's rules
    apply: `stop_words` and parts of speech.
    """

    longest: int
    stop_words: frozenset[str]
    first: frozenset[str]
    last: frozenset[str]
    inside: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]
    hopeless: frozenset[str] = frozenset()
    literal: bool = field(default=False, kw_only=True)

    def places(self, note: TaggedWords) -> list[Place]:
        """Candidates as ranges of words, in the order of the text."""
        within = [self._may_be_inside(note, i) for i in range(len(note))]
        begins = [within[i] and self._may_begin(note, i) for i in range(len(note))]
        ends = [within[i] and self._may_end(note, i) for i in range(len(note))]
        found: list[Place] = []
        for first in range(len(note)):
            if not begins[first] or before_pair(note, first) in self.hopeless:
                continue
            open_signs: list[str] = []
            for last in range(first, min(first + self.longest, len(note))):
                if not within[last] or not _pairs(note.words[last], open_signs):
                    break
                if ends[last] and not open_signs:
                    found.append((first, last + 1))
        return found

    def _may_be_inside(self, note: TaggedWords, i: int) -> bool:
        word = note.words[i]
        if word == NEW_LINE or word in self.stop_words:
            return False
        return note.tags[i] not in _VERBS or word in self.inside or _is_of_address(note, i)

    def _may_begin(self, note: TaggedWords, i: int) -> bool:
        if not self.literal and note.glued[i] and touch(note.words[i - 1]) not in self.before:
            return False
        return note.tags[i] not in _NO_EDGE or note.words[i] in self.first

    def _may_end(self, note: TaggedWords, i: int) -> bool:
        follows = i + 1 < len(note) and note.glued[i + 1]
        if not self.literal and follows and touch(note.words[i + 1]) not in self.after:
            return False
        if note.tags[i] in _NO_EDGE and note.words[i] not in self.last:
            return False
        return after_pair(note, i) not in self.hopeless

    def dump(self) -> bytes:
        content = {f.name: v if isinstance(v := getattr(self, f.name), int) else sorted(v) for f in fields(self)}
        return json.dumps(content, ensure_ascii=False, indent=0).encode()

    @classmethod
    def parse(cls, content: bytes) -> Generator:
        try:
            read = json.loads(content)
            names = (f.name for f in fields(cls) if f.name not in ("longest", "literal"))
            sets = {name: frozenset(map(str, read[name])) for name in names}
            return cls(longest=int(read["longest"]), literal=bool(read.get("literal", False)), **sets)
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError("the candidate filter of the model cannot be read") from error


def touch(word: str) -> str:
    """The class of a word adjacent to a candidate: a sign is its own class, letters and digits share one class."""
    return "a" if word.isalnum() else word


def kind(word: str) -> str:
    """The kind of a word: digits by their number, letters by their case, a sign as itself."""
    if word.isdigit():
        return "0" * min(len(word), 9)
    if not word[0].isalpha():
        return word
    if word.islower():
        return "xx"
    return "X" if len(word) == 1 else "XX" if word.isupper() else "Xx"


def before_pair(note: TaggedWords, first: int) -> str:
    before = note.words[first - 1] if first else NEW_LINE
    return f"{before.lower()} <{kind(note.words[first])}"


def after_pair(note: TaggedWords, last: int) -> str:
    after = note.words[last + 1] if last + 1 < len(note) else NEW_LINE
    return f"{kind(note.words[last])}> {after.lower()}"


def recall(generator: Generator, notes: Sequence[TaggedWords], gold: Iterable[Iterable[Place]]) -> tuple[float, float]:
    """The share of the entities that are candidates, and the share of the candidates that are not entities."""
    wanted = found = candidates = 0
    for note, places in zip(notes, gold, strict=True):
        expected, given = set(places), set(generator.places(note))
        wanted += len(expected)
        found += len(expected & given)
        candidates += len(given)
    return found / max(wanted, 1), 1.0 - found / max(candidates, 1)


def _is_of_address(note: TaggedWords, i: int) -> bool:
    """Whether a word is part of an e-mail or web address, which can contain any word."""
    left = note.glued[i] and note.words[i - 1] in _ADDRESS_SIGNS
    return left or (i + 1 < len(note) and note.glued[i + 1] and note.words[i + 1] in _ADDRESS_SIGNS)


def _pairs(word: str, open_signs: list[str]) -> bool:
    """Update the open signs with a word; False if it closes a sign that is not open."""
    if word in _OPENING.values():
        open_signs.append(word)
    elif word in _OPENING:
        return bool(open_signs) and open_signs.pop() == _OPENING[word]
    elif word in _QUOTES:
        if open_signs and open_signs[-1] == word:
            open_signs.pop()
        else:
            open_signs.append(word)
    return True
