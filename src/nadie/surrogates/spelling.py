"""Writing a surrogate like the word it replaces: in the same case, and without accents if the original lacks them."""

from __future__ import annotations

import unicodedata

from nadie.spanish.folding import TILDE, key_of, without_accents


def carelessly(text: str) -> str:
    """The text without accents but with ñ, which people type even when they leave out accents."""
    return without_accents(text, keep=TILDE)


def in_case_of(word: str, like: str) -> str:
    """`word` in capitals, in lower case, or with an initial capital, as `like` is."""
    if like.islower():
        return word.lower()
    letters = like.replace("º", "").replace("ª", "")
    if letters.isupper() and sum(map(str.isalpha, letters)) > 1:
        return word.upper()
    first = next((c for c in like if c.isalpha()), "")
    return word[:1].upper() + word[1:] if first.isupper() else word


def is_careless(written: str, spelled: str | None) -> bool:
    """Whether a word that is `spelled` with an accent was written without it."""
    if spelled is None or spelled.isascii() or spelled == carelessly(spelled) or key_of(spelled) != key_of(written):
        return False
    return carelessly(written) == unicodedata.normalize("NFC", written)


def spelled_like(word: str, like: str, spelled: str | None = None) -> str:
    """`word` written as `like` is; `spelled` is how `like` is properly spelled, where that is known."""
    return in_case_of(carelessly(word) if is_careless(like, spelled) else word, like)
