"""Candidates as the channels of the network: left context, candidate, right context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nadie.papers.tccnn.candidates import Place
from nadie.papers.tccnn.note import TaggedWords
from nadie.papers.tccnn.vocabulary import PADDING, CandidateVocabulary, Ints

CONTEXT_CHARACTERS = 24
CANDIDATE_CHARACTERS = 48

Channels = dict[str, Ints]


@dataclass(frozen=True)
class EncodedCandidates:
    """Candidates of any number of notes, with one flat array for words, one for tags and one for characters.

    The notes are concatenated in these arrays with padding between them, so that the context of a candidate is always
    the range before and after it, and padding beyond the note. `places` (N, 4) are the first word and the end of each
    candidate, then the same for its characters.
    """

    words: Ints
    tags: Ints
    characters: Ints
    places: Ints
    room: int

    def __len__(self) -> int:
        return len(self.places)

    def channels(self, rows: Ints | slice = slice(None), *, tags: bool = False, characters: bool = False) -> Channels:
        """The inputs of the network for some of the candidates, (B, length) each."""
        first, stop, begin, end = self.places[rows].T
        found = _three(self.words, first, stop, (self.room, self.room), "words")
        if tags:
            found |= _three(self.tags, first, stop, (self.room, self.room), "tags")
        if characters:
            lengths = (CONTEXT_CHARACTERS, CANDIDATE_CHARACTERS)
            found |= _three(self.characters, begin, end, lengths, "characters")
        return found


def encode(
    notes: Sequence[TaggedWords],
    texts: Sequence[str],
    candidates: Sequence[Sequence[Place]],
    vocabulary: CandidateVocabulary,
    room: int,
) -> EncodedCandidates:
    """Encode the candidates of the notes, in order; `room` is the length of a channel in words."""
    words, tags, characters, places = [], [], [], []
    word_at = character_at = 0
    gap, wide = np.full(room, PADDING, np.int64), np.full(CONTEXT_CHARACTERS, PADDING, np.int64)
    for note, text, found in zip(notes, texts, candidates, strict=True):
        words += [gap, vocabulary.word_ids(note)]
        tags += [gap, vocabulary.tag_ids(note)]
        characters += [wide, vocabulary.character_ids(text)]
        word_at += room
        character_at += len(wide)
        for first, stop in found:
            begin, end = note.starts[first] + character_at, note.ends[stop - 1] + character_at
            places.append((first + word_at, stop + word_at, begin, end))
        word_at += len(note)
        character_at += len(text)
    return EncodedCandidates(
        np.concatenate([*words, gap]),
        np.concatenate([*tags, gap]),
        np.concatenate([*characters, wide]),
        np.array(places, dtype=np.int64).reshape(-1, 4),
        room,
    )


def _three(flat: Ints, first: Ints, stop: Ints, lengths: tuple[int, int], name: str) -> Channels:
    """The ranges before, between and after `first` and `stop`; each context is `lengths[0]` long.

    The word next to the candidate is always at the same position: at the end of the left context, at the beginning of
    the right. The middle of a candidate that is too long is left out.
    """
    context, room = lengths
    near = np.arange(context)
    left = flat[first[:, None] - context + near]
    right = flat[stop[:, None] + near]
    inside = np.arange(room)
    index = first[:, None] + inside
    too_long = (stop - first > room)[:, None] & (inside >= room - room // 2)
    index = np.where(too_long, stop[:, None] - room + inside, index)
    middle = np.where(index < stop[:, None], flat[np.minimum(index, len(flat) - 1)], PADDING)
    return {f"left_{name}": left, f"candidate_{name}": middle, f"right_{name}": right}
