"""Terms that no word announces, in a note of somebody who bears the name: `Kussmaul, Glasgow 14` of Dr. Kussmaul.

Only names are read here that a detector has passed over and that a person of the note bears. A name of the list of
medical terms is one unless something beside it is said of persons only; any other name is one only before a result.
"""

from __future__ import annotations

import re

from nadie.resolve.eponyms import is_known_eponym, is_of_person
from nadie.spanish.folding import fold, same_length
from nadie.spanish.population import bearers, surname_bearers

_REACH = 60
_MANY = 5_000  # bearers in Spain: `Castillo` is rather somebody
_RESULT = re.compile(
    r" ?(?:\([+-]|[+]{1,3}(?:\W|$)|(?:tipo|grado|estadio|clase) (?:\d|[iv]+\b|[a-d]\b)|(?:i{2,3}|iv)\b|"
    r"(?:positiv|negativ)[oa]s?\b|compatible (?:con|c/))"
)
_GENE = re.compile(r" ?\([A-Z][A-Z0-9]{2,6}\)")  # `Kirsten (KRAS)`
_LINE_BEFORE = re.compile(r"(?:^|\n|[:|\t]|  )[ \t]*$")
_SIGNED = re.compile(r"[ \t]*(?:$|\n|[,(/] ?(?:m\.?i\.?r|r[1-5]|due|adjunt|medic|col\b|colegiad|n\.?º|busca|ext))")


def is_unannounced(text: str, start: int, end: int) -> bool:
    """Whether a name of somebody in the note is a term at this place, though nothing before it says so."""
    word = fold(text[start:end])
    if surname_bearers(word) >= _MANY or bearers(word) >= _MANY or not text[start].isupper():
        return False
    if is_of_person(text, start, end):
        return False
    after = text[end : end + _REACH]
    folded = same_length(after)
    if _RESULT.match(folded) or _GENE.match(after):
        return True
    is_signed = _LINE_BEFORE.search(text, max(0, start - _REACH), start) and _SIGNED.match(folded)
    return is_known_eponym(word) and not is_signed
