"""The words that say what kind of place a hospital or an institution is, and not which one."""

from __future__ import annotations

from nadie.spanish import tables
from nadie.spanish.names import JOINING

KINDS = tables.words("centre_words")
LINKS = JOINING | {"el", "y", "en"}


def is_only_kind(words: list[str]) -> bool:
    """`hospital general`: a kind of place that every town has, and no place."""
    return all(word in KINDS or word in LINKS for word in words)
