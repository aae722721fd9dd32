"""The tokenizer for clinical Spanish: every change of character class is a boundary.

Clinical notes join what other texts separate (`Edad:68`, `NºCol:28/28/12345`, `1-A`, `12mayo`), and a protected
span may begin or end at each of these places. So a token is a run of letters, a run of digits, or one other character;
a lower-case letter followed by an upper-case one (`MadridEspaña`) is a boundary as well. Dates, mail addresses and
numbers become several tokens, and a tagger puts them together again.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# Letters with their combining marks; º and ª are letters to Python, but ordinal signs to a clinical note.
_LETTER = r"[^\W\d_ºª]"
_MARKS = r"[\u0300-\u036f]"
_LOWER, _UPPER = "[a-zà-öø-ÿ]", "[A-ZÀ-ÖØ-Þ]"
# The first three are what nearly every token is, and quick to match; the fourth is any run of letters up to a seam.
_TOKEN = re.compile(
    rf"{_LOWER}++(?!{_MARKS}|{_LETTER})"
    r"|\d++"
    rf"|{_UPPER}{_LOWER}*+(?!{_MARKS}|{_LETTER})"
    rf"|{_LETTER}{_MARKS}*(?:(?!(?<={_LOWER}){_UPPER}){_LETTER}{_MARKS}*)*"
    r"|\S"
)
_GAP_AND_TOKEN = re.compile(rf"(\s*+)({_TOKEN.pattern})")


class Token(NamedTuple):
    """A token and its place, in code points."""

    start: int
    end: int
    text: str


def tokenize(text: str) -> list[Token]:
    """The tokens of `text` in order; white space belongs to none of them."""
    return [Token(*match.span(), match.group()) for match in _TOKEN.finditer(text)]


def with_gaps(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The white space before each token, and the tokens. Several times quicker than `tokenize`."""
    parts = _GAP_AND_TOKEN.findall(text)
    return tuple(zip(*parts, strict=True)) if parts else ((), ())  # type: ignore[return-value]
