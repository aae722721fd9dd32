"""Words that identify the country of a note: documents, insurers and offices that only one country has."""

from __future__ import annotations

import re
from functools import cache

from nadie.spanish import tables
from nadie.spanish.folding import key_of, letters_of, words_of
from nadie.spanish.word_lists import Lists

_CUES = Lists("country_cues")
_COUNTRY_OF = {cue: country for country in _CUES.names() for cue in _CUES[country]}
_MOST_WORDS = 4000
_DOMAIN = re.compile(
    r"(?i)(?:@|://|www\.)[\w.-]{1,80}?\.(ar|bo|cl|co|cr|cu|do|ec|gt|hn|mx|ni|pa|pe|pr|py|sv|uy|ve)(?![\w.-]*\w)"
)

_DIALLED = re.compile(r"\+\s?(\d{2,3})(?=[ (.-])")
_SPANISH_NUMBER = re.compile(
    r"\d(?<![\w.]\d)(?:\d{7}|\d\.\d{3}\.\d{3})-?[A-HJ-NP-TV-Z]\b|[XYZ](?<!\w[XYZ])-?\d{7}-?[A-Z]\b"
)  # DNI, NIE; they begin with a class of characters, which makes searching fast


@cache
def _dialling() -> dict[str, str]:
    """The dialling code → country, of the Spanish-speaking countries with regions and of Equatorial Guinea."""
    return {c.dialling: c.code for c in tables.countries() if c.code in tables.states() or c.code == "GQ"}


@cache
def nationalities() -> frozenset[str]:
    """The folded adjectives of countries: `Caribe mexicano`."""
    return frozenset(key_of(word) for c in tables.countries() for word in (c.masculine, c.feminine) if word)


def country_by_words(text: str) -> str | None:
    """The one country, of America or Spain, that words, numbers and web domains point to; None if there is not one."""
    text = text[: _MOST_WORDS * 8]
    words = letters_of(text) if len(text) <= _MOST_WORDS else words_of(text)[:_MOST_WORDS]
    found = {_COUNTRY_OF[word] for word in _COUNTRY_OF.keys() & words}
    if "+" in text:
        found |= {_dialling()[match[1]] for match in _DIALLED.finditer(text) if match[1] in _dialling()}
    found |= {"ES"} if _SPANISH_NUMBER.search(text) else set()
    found |= {match[1].upper() for match in _DOMAIN.finditer(text)}
    return found.pop() if len(found) == 1 else None
