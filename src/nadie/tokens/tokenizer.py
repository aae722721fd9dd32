"""The tokenizer for clinical Spanish: every change of character class is a boundary.

Clinical notes glue what other text keeps apart (`Edad:68`, `NºCol:28/28/12345`, `1-A`, `12mayo`), and a protected
span may begin or end at any of those seams. So a token is a run of letters, a run of digits, or one other character;
a lower-case letter followed by an upper-case one (`MadridEspaña`) is a seam as well. Dates, mail addresses and
numbers become several tokens, and a tagger puts them together again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

# Letters with their combining marks; º and ª are letters to Python, but ordinal signs to a clinical note.
_LETTER = r"[^\W\d_ºª]"
_TOKEN = re.compile(rf"(?:{_LETTER}[\u0300-\u036f]*)+|\d+|[^\s]")
_SEAM = re.compile(r"(?<=[a-zà-öø-ÿ])(?=[A-ZÀ-ÖØ-Þ])")


class Token(NamedTuple):
    """A token and its place, in code points."""

    start: int
    end: int
    text: str


def tokenize(text: str) -> list[Token]:
    """The tokens of `text` in order; white space belongs to none of them."""
    tokens: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, word = match.start(), match.group()
        if len(word) > 1 and not word.islower() and (seams := [m.start() for m in _SEAM.finditer(word)]):
            for a, b in zip([0, *seams], [*seams, len(word)], strict=True):
                tokens.append(Token(start + a, start + b, word[a:b]))
        else:
            tokens.append(Token(start, match.end(), word))
    return tokens


def is_aligned(start: int, end: int, tokens: Sequence[Token]) -> bool:
    """Whether a token begins at `start` and another, or the same, ends at `end`."""
    return any(t.start == start for t in tokens) and any(t.end == end for t in tokens)
