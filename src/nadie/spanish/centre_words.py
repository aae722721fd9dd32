"""The words for kinds of hospitals and institutions, which do not identify one of them."""

from __future__ import annotations

from nadie.spanish import tables
from nadie.spanish.names import JOINING

KINDS = tables.words("centre_words")
LINKS = JOINING | {"el", "y", "en"}


def is_only_kind(words: list[str]) -> bool:
    """Whether all words name a kind of institution and none a particular one: `hospital general`."""
    return all(word in KINDS or word in LINKS for word in words)
