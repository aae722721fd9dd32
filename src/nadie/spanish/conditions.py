"""Words for what many people are: an age, a state of the body, handedness, habits. They identify nobody.

A model may label one of them as a people, a profession or another identifier. It is then dropped or kept, because
another word in its place would change a clinical fact.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from nadie.labels import Label
from nadie.spanish.folding import fold, same_length
from nadie.spanish.word_lists import Lists

LABELS = frozenset((Label.ID_SUJETO_ASISTENCIA, Label.OTROS_SUJETO_ASISTENCIA, Label.PROFESION))
"""The labels that models give to such words."""

_LISTS = Lists("conditions")
_NEVER_LABELLED = ("reproduction", "handedness", "carrying", "habit", "body")
_KINDS = (*_NEVER_LABELLED, "age", "family", "looks")
_LONGEST = 60


@cache
def _pattern(*kinds: str) -> re.Pattern[str]:
    word = "|".join(entry for kind in kinds for entry in _LISTS[kind])
    before = "|".join(_LISTS["before"])
    return re.compile(rf"(?:(?:{before}) )*(?:{word})(?:(?:,? (?:y|e|o) |, | |/)(?:{word}))*")


@lru_cache(maxsize=4096)
def is_condition(value: str, kinds: tuple[str, ...] = _KINDS) -> bool:
    """Whether the value says only such things: `Lactante`, `posmenopáusica`, `gestante fumadora`, `diestro`."""
    if len(value) > _LONGEST or not value[:1].isalpha():
        return False
    return _pattern(*kinds).fullmatch(fold(value).strip(" .,;:")) is not None


def is_mislabelled(value: str, label: str) -> bool:
    """Whether a label is wrong for such words.

    MEDDOCAN labels ages, looks and ranks among siblings in words (`lactante`, `hijo único`) like numbers of a patient.
    """
    return label in LABELS and is_condition(value, _NEVER_LABELLED if label == Label.ID_SUJETO_ASISTENCIA else _KINDS)


def begins_condition(text: str, start: int, end: int) -> bool:
    """Whether a word is such a thing with the words after it: `dependiente` of `dependiente para las ABVD`."""
    found = _continued().match(same_length(text[start : end + _LONGEST]))
    return found is not None and found.end() > end - start


@cache
def _continued() -> re.Pattern[str]:
    return re.compile(rf"{_LISTS.pattern('continued')}\b")
