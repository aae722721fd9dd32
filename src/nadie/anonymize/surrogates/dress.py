"""An invented word in the clothes of the word it replaces: its case, its missing accents."""

from __future__ import annotations

import unicodedata

from nadie.anonymize.fold import fold


def without_accents(text: str) -> str:
    """Without accents, but with ñ, which is a letter of its own and is typed even in a hurry."""
    marks = unicodedata.normalize("NFD", text)
    plain = "".join(c for i, c in enumerate(marks) if not unicodedata.combining(c) or _is_tilde_of_n(marks, i))
    return unicodedata.normalize("NFC", plain)


def _is_tilde_of_n(marks: str, at: int) -> bool:
    return marks[at] == "\u0303" and at > 0 and marks[at - 1] in "nN"


def in_case_of(word: str, like: str) -> str:
    """`word` in capitals, in lower case, or with a capital letter first, after the letters of `like`."""
    if like.islower():
        return word.lower()
    if like.isupper() and sum(map(str.isalpha, like)) > 1:
        return word.upper()
    first = next((c for c in like if c.isalpha()), "")
    return word[:1].upper() + word[1:] if first.isupper() else word


def is_careless(written: str, spelled: str | None) -> bool:
    """Whether a word that is `spelled` with an accent was written without it."""
    if spelled is None or spelled.isascii() or spelled == without_accents(spelled) or fold(spelled) != fold(written):
        return False
    return without_accents(written) == unicodedata.normalize("NFC", written)


def dress(word: str, like: str, spelled: str | None = None) -> str:
    """`word` written as `like` is; `spelled` is how `like` is properly spelled, where that is known."""
    return in_case_of(without_accents(word) if is_careless(like, spelled) else word, like)
