"""Words of other languages that are names as well: `haizea` is the wind in a Basque sentence."""

from __future__ import annotations

from nadie.spanish.folding import fold
from nadie.spanish.sentence_language import language_around
from nadie.spanish.word_lists import Lists

_LISTS = Lists("words_elsewhere")
_LANGUAGES = ("eu", "ca", "gl", "pt", "en")
_REACH = 300


def is_word_elsewhere(text: str, start: int, end: int) -> bool:
    """Whether a range in lower case is a word of the language around it, in a text that writes names with capitals."""
    if not text[start:end].islower() or not any(map(str.isupper, text[max(0, start - _REACH) : start])):
        return False
    word = fold(text[start:end])
    languages = [language for language in _LANGUAGES if word in _LISTS.words(language)]
    return bool(languages) and language_around(text, start, end) in languages
