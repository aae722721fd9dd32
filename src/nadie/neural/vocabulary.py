"""Words and characters ↔ numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from nadie.errors import ModelError
from nadie.spanish.folding import CEDILLA, TILDE, without_accents
from nadie.spanish.folding import fold as lexicon_fold
from nadie.spanish.lexicon import Lexicon

UNKNOWN_WORD = 0
PADDING, UNKNOWN_CHARACTER = 0, 1
_LONGEST = 40
_DIGITS = str.maketrans("123456789", "000000000")


@lru_cache(maxsize=1 << 16)
def fold(word: str) -> str:
    """The key of a word in the vocabulary: lower case, no accents, every digit a 0.

    Words in capitals or without accents get the same vectors; only their character features differ.
    """
    return without_accents(word.lower(), keep=TILDE + CEDILLA).translate(_DIGITS)


# Folded Latin-1, in which nearly all words are written: a table of 256 bytes folds many words at once.
_LATIN = bytes(ord(fold(chr(code))) for code in range(256))


def fold_all(words: Sequence[str]) -> list[str]:
    """`fold` of many words, which must not have line breaks; several times as fast."""
    latin = "\n".join(words).encode("latin-1", "replace").translate(_LATIN).decode("latin-1")
    pairs = zip(words, latin.split("\n"), strict=False)  # of no words, `split` gives an empty one
    return [fold(word) if "?" in folded else folded for word, folded in pairs]


@dataclass(frozen=True)
class Forms:
    """Written forms as numbers, one row for each.

    words (U,); characters (U, L) padded, lengths (U,); lists (U, N): 1 if the form is in a list of the lexicon;
    clusters (U, 2): its Brown clusters in lower case and capitalised, 0 if there is none.
    """

    words: npt.NDArray[np.int64]
    characters: npt.NDArray[np.int64]
    lengths: npt.NDArray[np.int64]
    lists: npt.NDArray[np.float32]
    clusters: npt.NDArray[np.int64]

    def take(self, rows: npt.NDArray[np.int64]) -> Forms:
        """Some of the rows, with only as many character columns as they need."""
        longest = int(self.lengths[rows].max(initial=1))
        return Forms(
            self.words[rows],
            self.characters[rows, :longest],
            self.lengths[rows],
            self.lists[rows],
            self.clusters[rows],
        )


@dataclass(frozen=True)
class Vocabulary:
    """`words` are folded forms, numbered from 1 (0 is any other); `characters` from 2 (0 is padding, 1 is any other).

    `lists` and `clusters` name the parts of the lexicon in use; they may be empty. Words are looked up in the lexicon
    in lower case, so that capitals do not change their features. If not `folded`, `words` are as written.
    """

    words: tuple[str, ...]
    characters: str
    lists: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()
    folded: bool = True

    @cached_property
    def _word_ids(self) -> dict[str, int]:
        return {word: i for i, word in enumerate(self.words, 1)}

    @cached_property
    def _character_ids(self) -> dict[str, int]:
        return {c: i for i, c in enumerate(self.characters, 2)}

    @cached_property
    def _cluster_ids(self) -> dict[str | None, int]:
        return {cluster: i for i, cluster in enumerate(self.clusters, 1)}

    @property
    def word_count(self) -> int:
        return len(self.words) + 1

    @property
    def character_count(self) -> int:
        return len(self.characters) + 2

    @property
    def cluster_count(self) -> int:
        return len(self.clusters) + 1

    def word_id(self, word: str) -> int:
        if len(word) > 2 * _LONGEST:
            return UNKNOWN_WORD
        return self._word_ids.get(fold(word) if self.folded else word, UNKNOWN_WORD)

    def character_ids(self, word: str) -> list[int]:
        """The numbers of the characters; a very long word is reduced to its two ends."""
        if len(word) > _LONGEST:
            word = word[: _LONGEST // 2] + word[-_LONGEST // 2 :]
        ids = self._character_ids
        return [ids.get(c, UNKNOWN_CHARACTER) for c in word]

    def forms(self, written: Sequence[str]) -> Forms:
        """The numbers of written forms."""
        spelled = [self.character_ids(word) for word in written]
        lengths = np.array([len(ids) for ids in spelled], dtype=np.int64)
        characters = np.full((len(written), int(lengths.max(initial=1))), PADDING, dtype=np.int64)
        for row, ids in enumerate(spelled):
            characters[row, : len(ids)] = ids
        words = np.array([self.word_id(word) for word in written], dtype=np.int64)
        return Forms(words, characters, lengths, *self._knowledge(written))

    def _knowledge(self, written: Sequence[str]) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
        lists = np.zeros((len(written), len(self.lists)), dtype=np.float32)
        clusters = np.zeros((len(written), 2), dtype=np.int64)
        if not self.lists and not self.clusters:
            return lists, clusters
        for row, word in enumerate(written):
            if word[0].isalpha() and len(word) <= _LONGEST:
                clusters[row], columns = self._known(word)
                lists[row, columns] = 1.0
        return lists, clusters

    @cached_property
    def _known(self) -> Callable[[str], tuple[tuple[int, int], list[int]]]:
        """The clusters of a word and the columns of its lists, cached for many words."""
        lexicon = Lexicon.shared()
        columns = {name: i for i, name in enumerate(self.lists)}

        @lru_cache(maxsize=1 << 15)
        def known(word: str) -> tuple[tuple[int, int], list[int]]:
            lowered = word.lower()
            lower, capital = (
                self._cluster_ids.get(lexicon.cluster(each), 0) for each in (lowered, lowered.capitalize())
            )
            kinds = lexicon.kinds(lexicon_fold(word))
            return (lower, capital), [columns[kind] for kind in kinds if kind in columns]

        return known

    def to_json(self) -> bytes:
        content = {
            "words": self.words,
            "characters": self.characters,
            "lists": self.lists,
            "clusters": self.clusters,
        } | ({} if self.folded else {"folded": False})
        return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()

    @classmethod
    def from_json(cls, content: bytes) -> Vocabulary:
        try:
            read = json.loads(content)
            words, lists, clusters = (tuple(map(str, read[name])) for name in ("words", "lists", "clusters"))
            return cls(words, str(read["characters"]), lists, clusters, bool(read.get("folded", True)))
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError("the vocabulary of the model cannot be read") from error


def build_vocabulary(
    words: Iterable[str], counts: Mapping[str, int], *, lexicon: bool, folded: bool = True, rarest: int = 3
) -> Vocabulary:
    """A vocabulary of `words`, and of the characters that are frequent enough in forms with these counts."""
    seen: Counter[str] = Counter()
    for form, count in counts.items():
        for character in form:
            seen[character] += max(1, count)
    frequent = "".join(sorted(c for c, count in seen.items() if count >= rarest))
    known = tuple(sorted({fold(word) if folded else word for word in words}))
    if not lexicon:
        return Vocabulary(known, frequent, folded=folded)
    asked = Lexicon.shared()
    lists = {kind for word in known for kind in asked.kinds(lexicon_fold(word))}
    clusters = {asked.cluster(written) for word in known for written in (word, word.capitalize())} - {None}
    return Vocabulary(known, frequent, tuple(sorted(lists)), tuple(sorted(str(c) for c in clusters)), folded)
