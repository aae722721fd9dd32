"""Words, tags, characters and types ↔ numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nadie.errors import ModelError
from nadie.papers.tccnn.candidates import kind
from nadie.papers.tccnn.note import LINE_TAG, NEW_LINE, TaggedWords

PADDING = 0
NO_ENTITY = "O"
_UNKNOWN_CHARACTER = 1

Ints = npt.NDArray[np.int64]


def shape(word: str) -> str:
    """The shape that replaces a rare word; the brackets distinguish it from words."""
    if word == NEW_LINE:
        return word
    return f"<{kind(word)}>" if word[0].isalnum() else "<sign>"


@dataclass(frozen=True)
class CandidateVocabulary:
    """`words` and `tags` count from 1 (0: padding), `characters` from 2 (1: any other), `labels` from 0 (O)."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    characters: str
    labels: tuple[str, ...]

    @cached_property
    def _words(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, 1)}

    @cached_property
    def _tags(self) -> dict[str, int]:
        return {tag: i for i, tag in enumerate(self.tags, 1)}

    @cached_property
    def _characters(self) -> dict[str, int]:
        return {c: i for i, c in enumerate(self.characters, 2)}

    @cached_property
    def label_ids(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self.labels)}

    def word_id(self, word: str) -> int:
        """Look up a word as written, then in other written forms, then by its shape."""
        known = self._words
        for form in (word, word.lower(), word.capitalize(), shape(word)):
            if (found := known.get(form)) is not None:
                return found
        return PADDING

    def word_ids(self, note: TaggedWords) -> Ints:
        return np.array([self.word_id(word) for word in note.words], dtype=np.int64)

    def tag_ids(self, note: TaggedWords) -> Ints:
        return np.array([self._tags.get(tag, PADDING) for tag in note.tags], dtype=np.int64)

    def character_ids(self, text: str) -> Ints:
        ids = self._characters
        return np.array([ids.get(c, _UNKNOWN_CHARACTER) for c in text], dtype=np.int64)

    def shape_ids(self) -> Ints:
        """(words + 1,): the shape of each word."""
        return np.array([PADDING, *(self._words.get(shape(w), PADDING) for w in self.words)], dtype=np.int64)

    @property
    def word_count(self) -> int:
        return len(self.words) + 1

    @property
    def tag_count(self) -> int:
        return len(self.tags) + 1

    @property
    def character_count(self) -> int:
        return len(self.characters) + 2

    def dump(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def parse(cls, content: bytes) -> CandidateVocabulary:
        try:
            read = json.loads(content)
            words, tags, labels = (tuple(map(str, read[name])) for name in ("words", "tags", "labels"))
            return cls(words, tags, str(read["characters"]), labels)
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError("the vocabulary of the model cannot be read") from error


def frequent_words(notes: Iterable[Iterable[str]], rarest: int) -> list[str]:
    """The words seen at least `rarest` times, in alphabetical order."""
    counts = Counter(word for words in notes for word in words)
    return sorted(word for word, n in counts.items() if n >= rarest)


def build_vocabulary(
    words: Iterable[str],
    texts: Iterable[str],
    tags: Iterable[str],
    labels: Iterable[str],
    *,
    rarest: int = 3,
    shapes: bool = True,
) -> CandidateVocabulary:
    """`words`, with all shapes unless an unknown word is to be zero; frequent characters of `texts`, tags, labels."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(text)
    names = {f"<{k}>" for k in ("xx", "X", "XX", "Xx", *("0" * n for n in range(1, 10)))} | {"<sign>"}
    return CandidateVocabulary(
        tuple(sorted({*words, NEW_LINE, *(names if shapes else ())})),
        tuple(sorted({*tags, LINE_TAG})),
        "".join(sorted(c for c, n in counts.items() if n >= rarest)),
        (NO_ENTITY, *sorted(set(labels) - {NO_ENTITY})),
    )
