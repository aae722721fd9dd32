"""Whether the words around a place in a text are Spanish: notes quote and mix other languages."""

from __future__ import annotations

import re

_REACH = 120
_BEGINNING = 4000
# Words that only one language has, as they are written: no capitals, which may be Roman numerals or drugs.
_SPANISH = re.compile(r"(?<![\w'’])(?:y|el|los|las|su|sus|desde|hasta|muy|con|por|hace|del|una|se|al)(?![\w'’])")
_OTHERS = {
    "ca": re.compile(
        r"(?<![\w'’])(?:amb|i|dels|els|les|seva|seu|pel|als|aquest|sense|fins|són|és|té|va|d['’]\w+|l['’]\w+)(?!\w)"
    ),
    "gl": re.compile(r"(?<![\w'’])(?:do|da|na|ao|unha|coa|pola|polo|non|moi|os|aos|foi|ten)(?![\w'’])"),
    "pt": re.compile(r"(?<![\w'’])(?:não|uma|em|com|ela|ele|dela|dele|às|é|são|do|da|na|ao|os|tem|está)(?![\w'’])"),
    "eu": re.compile(r"(?<![\w'’])(?:eta|du|dago|dira|ez|behar|dute|ondo|egin|bat|zen|ditu|da|dator)(?![\w'’])"),
    "en": re.compile(r"(?<![\w'’])(?:the|with|and|of|to|for|at|she|he|her|his|was|has|is|in|on|by|from)(?![\w'’])"),
}


def language_around(text: str, start: int, end: int) -> str:
    """`es`, `ca`, `gl`, `pt`, `eu` or `en`, whichever the words beside a range are; `es` where nothing tells."""
    return language_of(f"{text[max(0, start - _REACH) : start]} | {text[end : end + _REACH]}")


def language_of(text: str) -> str:
    """The language that most words of a text are of, judged by its beginning."""
    text = text[:_BEGINNING]
    spanish = len(_SPANISH.findall(text))
    counts = {language: len(words.findall(text)) for language, words in _OTHERS.items()}
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] > max(1, spanish) else "es"
