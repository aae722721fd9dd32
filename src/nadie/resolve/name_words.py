"""Whether a word that looks like part of a name is one: by its case, its neighbours, and its other uses.

A surname that is not a Spanish word (`fernandez`) counts in lower case too; `Blanco` counts in the middle of a
sentence, unless it is next to another capitalised word (`Costa Blanca`); `gil` and `blanco` do not count.
"""

from __future__ import annotations

import re
from functools import cache

from nadie.document import Span
from nadie.labels import NAMES, Label
from nadie.resolve.eponyms import is_compound, is_medicine
from nadie.resolve.unannounced import is_unannounced
from nadie.spanish import tables
from nadie.spanish.calendar import MONTHS, WEEKDAYS
from nadie.spanish.folding import fold, same_length
from nadie.spanish.name_use import is_name_in_lower_case, is_rather_a_word
from nadie.spanish.population import bearers, surname_bearers
from nadie.spanish.word_lists import Lists
from nadie.spanish.words_elsewhere import is_word_elsewhere

_CONTEXT = Lists("eponym_context", "nadie.spanish")

FIELDS = frozenset(
    "pais calle centro sexo edad fecha nombre medico provincia localidad domicilio hospital servicio historia".split()
)
"""Words that are surnames, but titles of fields if a colon follows."""
_TITLES = frozenset("sr sra srta dr dra don dona senor senora doctor doctora".split())
_DATES = frozenset(fold(name) for names in (*MONTHS, *WEEKDAYS) for name in names)
_REACH = 40
_MID_SENTENCE = re.compile(r"(?:[^\W_]|[,;()'\"«»/])[ \t]{1,2}[(\"«']?$|[(\"«'/]$")
_BEFORE = re.compile(r"(?P<word>[^\W\d_]+)[ \t]{1,2}$")
_AFTER = re.compile(r"[ \t]{1,2}(?P<word>[^\W\d_]+)")
_PLURAL = re.compile(r"[a-záéíóúüñ]+ [a-záéíóúüñ]+s")
_COMPOUND = re.compile(r"(?:-[^\W\d_]+)*")
_COMPOUND_BEFORE = re.compile(r"(?:(?<![^\W_])[^\W\d_]+-)+$")
_HEAD = re.compile(
    rf"\b{_CONTEXT.pattern('before eponyms in other forms')}\b\.?\s(?:de\s)?$",
    re.IGNORECASE,
)  # `fx Colles`
_SURE_HEAD = re.compile(rf"\b{_CONTEXT.pattern('never before persons')} (?:de )?$", re.IGNORECASE)
_COMPOUND_HEAD = r"(?i)\b(?:reacci[oó]n|s[ií]ndrome|enfermedad|signo|maniobra|escala|test)\s(?:de\s)?"  # `Arias-Stella`
_NAMED = ("bare", "scored", "context")
_FEW = 20  # bearers: a first name that is nobody's surname makes no term
# The only item of a list of diagnoses, or one of them: `IMPRESIÓN: 1. Caroli. 2. No colangitis.`
_DIAGNOSES = re.compile(
    r"(?i)\b(?:impresi[oó]n|diagn[oó]sticos?|i?dx|juicio cl[ií]nico)\b[^\w\n]{1,8}"
    r"(?:(?:\d[^\n]{0,80})?\b\d{1,2}[.)]\s{0,2})?$"
)
_HAS = re.compile(rf"\b{_CONTEXT.pattern('before illnesses')} $", re.IGNORECASE)
_ANOTHER_NAME = re.compile(r" (?:de |del )?[A-ZÁÉÍÓÚÑ][a-záéíóúñ]{2}")  # `tiene Addison Arce`
_ITEM_ENDS = re.compile(r"\s{0,2}(?:[.;\n]|$)")
_CELL = re.compile(r"[ \t]{0,40}\|\s{0,4}(?:\([+-]\)|[+-](?!\w)|positiv|negativ)", re.IGNORECASE)  # `Thomas | (+)`


def is_written_as_name(text: str, start: int, end: int, folded: str) -> bool:
    """Whether this occurrence of the folded part of a name is really a name."""
    written = text[start:end]
    if folded in FIELDS and text[end : end + 1] == ":":
        return False
    if written[:1].islower():
        is_name = folded not in _DATES and is_name_in_lower_case(folded)
        return is_name and not is_word_elsewhere(text, start, end)
    if folded in _DATES or is_rather_a_word(folded):
        return not written.isupper() and folded not in _DATES and _stands_alone(text, start, end)
    return True


def is_plural(text: str, start: int, end: int) -> bool:
    """Whether a name of two words is only in their plural: `dolores fuertes`, in a note of Dolores Fuerte."""
    return _PLURAL.fullmatch(text, start, end + 1) is not None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether it is in the middle of a sentence and not part of a longer name such as `Cruz Roja`."""
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    if not _MID_SENTENCE.search(before):
        return False
    beside = (_BEFORE.search(before), _AFTER.match(after))
    return not any(match and match["word"][0].isupper() and not _is_title(match["word"]) for match in beside)


def _is_diagnosis(text: str, start: int, end: int) -> bool:
    if _HAS.search(text, max(0, start - _REACH), start) and not _ANOTHER_NAME.match(text, end):
        return True
    return bool(_ITEM_ENDS.match(text, end) and _DIAGNOSES.search(text, max(0, start - 3 * _REACH), start))


def _is_title(word: str) -> bool:
    return same_length(word) in _TITLES


def is_eponym(text: str, start: int, end: int, label: str = Label.NOMBRE_SUJETO_ASISTENCIA) -> bool:
    """Whether a name is part of a medical term at this place: `enfermedad de Wilson`."""
    if label not in NAMES:
        return False
    if start > 1 and text[start - 1] in "'’" and fold(text[start - 2 : end]).replace("’", "'") in _eponyms(*_NAMED):
        return True  # `O'Sullivan`, of Dr. Sullivan
    rest = _COMPOUND.match(text, end)
    before = _COMPOUND_BEFORE.search(text, max(0, start - _REACH), start)
    whole = Span(before.start() if before else start, rest.end() if rest else end, label)
    if len(whole) > end - start and is_compound(text, whole):
        return True
    if rest and rest.group() and re.search(_COMPOUND_HEAD + re.escape(text[start : rest.end()]), text):
        return True
    folded = fold(text[start:end])
    if folded in _eponyms(*_NAMED) and _HEAD.search(text, max(0, start - _REACH), start):
        return True
    if folded in _eponyms("bare", "scored") and _CELL.match(text, end):
        return True
    is_surname = surname_bearers(folded) >= min(_FEW, bearers(folded))
    if is_surname and _SURE_HEAD.search(text, max(0, start - _REACH), start):
        return True  # `ángulo de Baumann`, though no list has it
    if folded in _eponyms(*_NAMED) and _is_diagnosis(text, start, end):
        return True  # `Dx: 1. Caroli.`, `además tiene Addison`
    if rest and not rest.group() and is_unannounced(text, start, end):
        return True
    return is_medicine(text, Span(start, rest.end() if rest else end, label))


@cache
def _eponyms(*kinds: str) -> frozenset[str]:
    return frozenset(name for name, kind, *_ in tables.rows("eponyms.tsv") if kind in kinds)
