"""Whether a word that reads like part of a name is one: by its case, its neighbours, and how else it is used.

A surname that is no word of the language (`fernandez`) is one in lower case too; `Blanco` is one in the middle of a
sentence, unless another capital word stands beside it (`Costa Blanca`); `gil` and `blanco` are left alone.
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
"""Words that are surnames, and titles of fields where a colon follows."""
_DATES = frozenset(fold(name) for names in (*MONTHS, *WEEKDAYS) for name in names)
_REACH = 40
_MID_SENTENCE = re.compile(r"(?:[^\W_]|[,;()'\"«»/])[ \t]{1,2}[(\"«']?$|[(\"«'/]$")
_BEFORE = re.compile(r"(?P<word>[^\W\d_]+)[ \t]{1,2}$")
_AFTER = re.compile(r"[ \t]{1,2}(?P<word>[^\W\d_]+)")


def is_written_as_name(text: str, place: Found, folded: str) -> bool:
    """Whether the folded part of a name is meant where it stands in the text."""
    written = text[place.start : place.end]
    if folded in FIELDS and text[place.end : place.end + 1] == ":":
        return False
    if written[:1].islower():
        return folded not in _DATES and is_name_in_lower_case(folded)
    if folded in _DATES or is_rather_a_word(folded):
        return not written.isupper() and folded not in _DATES and _stands_alone(text, place)
    return True


def _stands_alone(text: str, place: Found) -> bool:
    """In the middle of a sentence, and no part of a longer name such as `Cruz Roja`."""
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
