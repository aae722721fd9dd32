"""Quarters, villages and estates: a part of a town is replaced by a part of a town, and not by a city."""

from __future__ import annotations

import re

from nadie.spanish.folding import same_length
from nadie.spanish.word_lists import Lists

_LISTS = Lists("quarters", "nadie.surrogates")
_KIND = _LISTS.pattern("kinds")
_BEFORE = re.compile(rf"(?:^|[^\w]){_KIND}(?:\b|(?<=/))[.:\"]{{0,3}}\s*(?:de\s+|la\s+)?\"?$")
_WITHIN = re.compile(rf"{_KIND}\b[.:]?\s+(?=\S)")
_ARTICLE = re.compile(r"\b(el|la)\s$")


def quarters() -> tuple[str, ...]:
    """Names of quarters that are found in any town."""
    return _LISTS["quarters"]


def regions_after(before: str) -> tuple[str, ...]:
    """Names of regions that follow the article before them: `por el Darién` → `por el Altiplano`."""
    article = _ARTICLE.search(before)
    return _LISTS[article[1]] if article else ()


def kind_within(name: str) -> int:
    """The offset of the name after a word for the kind of quarter: 4 in `Bo. Guadalupe`; 0 without such a word."""
    match = _WITHIN.match(same_length(name))
    return match.end() if match else 0


def is_after_kind(before: str) -> bool:
    """Whether the text before a name says that it is a quarter: `vereda`, `col.`"""
    return _BEFORE.search(same_length(before)) is not None
