"""Quantities: numbers with a unit after them, or a scale before them, are no identifiers."""

from __future__ import annotations

from nadie.detectors.patterns.plain_text import PlainText, compiled
from nadie.spanish.word_lists import Lists

_WORDS = Lists("measures", "nadie.detectors.patterns")

# Units of more than one letter, with which no other word begins.
_LONG = _WORDS.pattern("units")
_SHORT = r"[glmhu]\b"
_SCALE = _WORDS.pattern("scales")
_COUNTED = (
    r"(?:plaquetas|plaq|plq|leucocitos|leucos|hematies|eritrocitos|neutrofilos|linfocitos|plt|wbc|bnp|ferritina|ck|ldh|"
    r"copias|carga viral|ufc|recuento|celulas|cfu)"
)


def has_unit(note: PlainText, end: int, *, short: bool = True) -> bool:
    """Whether a unit follows `end`; with `short`, one-letter units count (`12 g`), which may be another field (`H`)."""
    units = f"{_LONG}|{_SHORT}" if short else _LONG
    return compiled(rf"(?i)\A ?(?:{units})").search(note.raw[end : end + 16]) is not None


def has_scale(note: PlainText, start: int) -> bool:
    """Whether a clinical scale or measurement is named right before `start`: `Glasgow 15/15`, `TA: 120/80`."""
    context = note.raw[max(0, start - 40) : start]
    return (
        compiled(rf"(?i)\b{_SCALE}(?: (?:de|del|a|en))?[ :=(]{{0,4}}(?:\d[\d,.]{{0,5}}[ /-]{{1,3}})?\z").search(context)
        is not None
    )


def is_count(note: PlainText, start: int) -> bool:
    """Whether something is named before `start` that is counted in thousands and millions: `plaquetas 4.500.000`."""
    context = note.raw[max(0, start - 48) : start]
    return compiled(rf"(?i)\b{_COUNTED}[^\n;]{{0,12}}\z").search(context) is not None
