"""Terms of staff and centres that a model knows without having them in clear: only keyed hashes of their words.

Whoever has the model can test whether a name is on its list, and can try all names that they know: a hash hides a
name from a reader and not from a guesser.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b

from nadie.errors import ModelError
from nadie.labels import LABELS
from nadie.resolve.terms import TermMatch, are_adjacent, folded_words

_BYTES = 12


@dataclass(frozen=True)
class HashedTerms:
    """Hashes of terms of up to `longest` words, each with its label."""

    salt: bytes
    labels: Mapping[str, str]
    longest: int

    @classmethod
    def of(cls, terms: Mapping[str, str], salt: bytes) -> HashedTerms:
        """The hashes of terms, each with its label."""
        words = {tuple(word.folded for word in folded_words(term)): label for term, label in terms.items()}
        hashed = {_hash(salt, " ".join(each)): label for each, label in words.items() if each}
        return cls(salt, hashed, max(map(len, words), default=0))

    def find(self, text: str) -> Iterator[TermMatch]:
        """The terms in a text, the longest from each place."""
        if not self.labels:
            return
        words, place = folded_words(text), 0
        while place < len(words):
            stop = place + 1
            while stop < len(words) and stop - place < self.longest and are_adjacent(text, *words[stop - 1 : stop + 1]):
                stop += 1
            for end in range(stop, place, -1):
                label = self.labels.get(_hash(self.salt, " ".join(word.folded for word in words[place:end])))
                if label:
                    yield TermMatch(words[place].start, words[end - 1].end, label)
                    place = end - 1
                    break
            place += 1

    def to_bytes(self) -> bytes:
        content = {"salt": self.salt.hex(), "longest": self.longest, "labels": dict(sorted(self.labels.items()))}
        return json.dumps(content, separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, content: bytes) -> HashedTerms:
        try:
            stored = json.loads(content)
            salt, labels, longest = bytes.fromhex(stored["salt"]), dict(stored["labels"]), int(stored["longest"])
        except (ValueError, KeyError, TypeError) as error:
            raise ModelError("the terms of the model cannot be read") from error
        if not set(labels.values()) <= LABELS:
            raise ModelError("the terms of the model have unknown labels")
        return cls(salt, labels, longest)


def _hash(salt: bytes, term: str) -> str:
    return blake2b(term.encode(), key=salt, digest_size=_BYTES).hexdigest()
