"""The folds of a cross-validation, all notes of a patient in one, and all copies of a note.

No model is tested on a patient, or on a text, that it has seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from nadie.document import Document
from nadie.errors import ConfigError
from nadie.labels import Label
from nadie.spanish.folding import fold

_NUMBERS = frozenset({Label.ID_SUJETO_ASISTENCIA, Label.ID_ASEGURAMIENTO})


def folds_of(notes: Sequence[Document], count: int, seed: int) -> list[frozenset[str]]:
    """The ids of the notes in so many folds, or as many as there are patients; they are about equally large."""
    groups = _patients(notes)
    if len(groups) == 1 < count:
        raise ConfigError("all notes are of one patient, or copies: there is no other to test a model on")
    Random(seed).shuffle(groups)  # noqa: S311
    folds: list[set[str]] = [set() for _ in range(min(count, len(groups)))]
    for group in sorted(groups, key=len, reverse=True):
        min(folds, key=len).update(group)
    return [frozenset(each) for each in folds]


def _patients(notes: Sequence[Document]) -> list[set[str]]:
    """The ids of notes that share a patient's number, a patient's name of two words or more, or their whole text."""
    groups: list[tuple[set[str], set[str]]] = []
    for note in notes:
        ids, values = {note.id}, set(_identifying(note))
        for group in [each for each in groups if not values.isdisjoint(each[1])]:
            groups.remove(group)
            ids, values = ids | group[0], values | group[1]
        groups.append((ids, values))
    return [ids for ids, _ in groups]


def _identifying(note: Document) -> Iterator[str]:
    yield " ".join(fold(note.text).split())
    for span in note.spans:
        value = " ".join(fold(note.text_of(span)).split())
        if span.label in _NUMBERS or (span.label == Label.NOMBRE_SUJETO_ASISTENCIA and " " in value):
            yield value
