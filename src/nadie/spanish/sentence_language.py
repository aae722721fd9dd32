"""Whether the words around a place in a text are Spanish: notes quote and mix other languages."""

from __future__ import annotations

import re
from collections import Counter

PROVINCES_OF = {
    "ca": ("03", "07", "08", "12", "17", "25", "43", "46"),
    "gl": ("15", "27", "32", "36"),
    "eu": ("01", "20", "31", "48"),
}
"""The provinces in which notes are written in Catalan, Galician and Basque."""
_REACH = 120
_BEGINNING = 4000
# Words that only one language has, as they are written: no capitals, which may be Roman numerals or drugs.
_WORDS = {
    "es": "y el los las su sus desde hasta muy con por hace del una se al",
    "ca": "amb i dels els les seva seu pel als aquest sense fins són és té va",
    "gl": "do da na ao unha coa pola polo non moi os aos foi ten",
    "pt": "não uma em com ela ele dela dele às é são do da na ao os tem está",
    "eu": "eta du dago dira ez behar dute ondo egin bat zen ditu da dator",
    "en": "the with and of to for at she he her his was has is in on by from",
}
_LANGUAGES_OF = {
    word: [language for language, words in _WORDS.items() if word in words.split()]
    for word in " ".join(_WORDS.values()).split()
}
_RUN = re.compile(r"[\w'’]+")
_CATALAN = re.compile(rf"(?:{_WORDS['ca'].replace(' ', '|')}|[dl]['’]\w+)(?!\w)")  # of words with an apostrophe


def language_around(text: str, start: int, end: int) -> str:
    """`es`, `ca`, `gl`, `pt`, `eu` or `en`, whichever the words beside a range are; `es` where nothing tells."""
    return language_of(f"{text[max(0, start - _REACH) : start]} | {text[end : end + _REACH]}")


def language_of(text: str) -> str:
    """The language that most words of a text are of, judged by its beginning."""
    words = Counter(_RUN.findall(text[:_BEGINNING]))
    counts = dict.fromkeys(_WORDS, 0)
    for word in _LANGUAGES_OF.keys() & words:
        for language in _LANGUAGES_OF[word]:
            counts[language] += words[word]
    counts["ca"] += sum(n for word, n in words.items() if ("'" in word or "’" in word) and _CATALAN.match(word))
    spanish = counts.pop("es")
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] > max(1, spanish) else "es"
