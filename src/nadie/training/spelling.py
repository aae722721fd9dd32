"""Other ways of typing the same word: a tagger must not live on capitals and accents."""

from __future__ import annotations

import unicodedata


def _without_accents(word: str) -> str:
    if word.isascii():
        return word
    kept = (c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
    return unicodedata.normalize("NFC", "".join(kept))


VARIANTS = (str.lower, str.upper, _without_accents)
"""Each keeps a word one word: its length may change, its boundaries do not."""
