"""Words outside all spans that look like the name of a person: what an attacker would read first in an output.

A word looks like a name if it is written like one, people bear it, and it is neither an ordinary word nor a medical
eponym here. This is a suspicion, not a finding: the tables know no context, and nearly all such words are eponyms that
no list has, brands and abbreviations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from nadie.document import Document
from nadie.resolve.eponyms import is_known_eponym
from nadie.resolve.name_words import is_eponym, is_written_as_name
from nadie.spanish.folding import fold
from nadie.spanish.name_use import is_ordinary_word
from nadie.spanish.population import bearers, is_named_elsewhere, surname_bearers

_WORD = re.compile(r"[^\W\d_]{3,}")
_SHORTEST_IN_CAPITALS = 5  # `GERD`, `CREST`: shorter ones are rather abbreviations
_FEW = 20  # bearers: names of the census below this are mostly errors of spelling


def name_like(document: Document) -> Iterator[tuple[int, int]]:
    """The ranges of the words outside the spans of a document that look like names."""
    text, covered = document.text, bytearray(len(document.text))
    for span in document.spans:
        covered[span.start : span.end] = b"\1" * len(span)
    for match in _WORD.finditer(text):
        if not any(covered[match.start() : match.end()]) and is_name_like(text, *match.span()):
            yield match.span()


def is_name_like(text: str, start: int, end: int) -> bool:
    """Whether a word looks like a name at this place."""
    word = text[start:end]
    if word[0].islower() or text[end : end + 1].isdigit() or (word.isupper() and len(word) < _SHORTEST_IN_CAPITALS):
        return False
    folded = fold(word)
    return _is_borne(folded) and is_written_as_name(text, start, end, folded) and not is_eponym(text, start, end)


@lru_cache(1 << 14)
def _is_borne(folded: str) -> bool:
    """Whether people are called so, and it is no word of the language and no known eponym."""
    is_name = max(bearers(folded), surname_bearers(folded)) >= _FEW or is_named_elsewhere(folded)
    return is_name and not is_ordinary_word(folded) and not is_known_eponym(folded)
