"""Whether a word that looks like part of a name is one: by its case, its neighbours, and its other uses.

A surname that is not a Spanish word (`fernandez`) counts in lower case too; `Blanco` counts in the middle of a
sentence, unless it is next to another capitalised word (`Costa Blanca`); `gil` and `blanco` do not count.
"""

from __future__ import annotations

import re

from nadie.anonymize.squash import Found
from nadie.spanish.calendar import MONTHS, WEEKDAYS
from nadie.spanish.folding import fold, same_length
from nadie.spanish.name_use import is_name_in_lower_case, is_rather_a_word

FIELDS = frozenset(
    "pais calle centro sexo edad fecha nombre medico provincia localidad domicilio hospital servicio historia".split()
)
"""Words that are surnames, but titles of fields if a colon follows."""
_DATES = frozenset(fold(name) for names in (*MONTHS, *WEEKDAYS) for name in names)
_REACH = 40
_MID_SENTENCE = re.compile(r"(?:[^\W_]|[,;()'\"«»/])[ \t]{1,2}[(\"«']?$|[(\"«'/]$")
_BEFORE = re.compile(r"(?P<word>[^\W\d_]+)[ \t]{1,2}$")
_AFTER = re.compile(r"[ \t]{1,2}(?P<word>[^\W\d_]+)")


def is_written_as_name(text: str, place: Found, folded: str) -> bool:
    """Whether this occurrence of the folded part of a name is really a name."""
    written = text[place.start : place.end]
    if folded in FIELDS and text[place.end : place.end + 1] == ":":
        return False
    if written[:1].islower():
        return folded not in _DATES and is_name_in_lower_case(folded)
    if folded in _DATES or is_rather_a_word(folded):
        return not written.isupper() and folded not in _DATES and _stands_alone(text, place)
    return True


def _stands_alone(text: str, place: Found) -> bool:
    """Whether it is in the middle of a sentence and not part of a longer name such as `Cruz Roja`."""
    before, after = text[max(0, place.start - _REACH) : place.start], text[place.end : place.end + _REACH]
    if not _MID_SENTENCE.search(before):
        return False
    beside = (_BEFORE.search(before), _AFTER.match(after))
    return not any(match and match["word"][0].isupper() and not _is_title(match["word"]) for match in beside)


def _is_title(word: str) -> bool:
    return same_length(word) in (
        "sr",
        "sra",
        "srta",
        "dr",
        "dra",
        "don",
        "dona",
        "senor",
        "senora",
        "doctor",
        "doctora",
    )
