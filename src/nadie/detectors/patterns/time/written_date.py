"""Dates with words: months in letters or Roman numerals, weekdays, feasts, seasons, decades."""

from __future__ import annotations

from functools import partial

from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.time.calendar import (
    DAY,
    MONTH,
    ROMAN_MONTH,
    SEASON,
    SHORT_MONTH,
    SPELT_YEAR,
    TENS,
    WEEKDAY,
    YEAR,
)
from nadie.labels import Label
from nadie.spanish.calendar import AMBIGUOUS, FEASTS, SAINTS
from nadie.spanish.folding import fold
from nadie.spanish.word_lists import Lists

_WORDS = Lists("time", "nadie.detectors.patterns")

_date = partial(Shape, label=Label.FECHAS)
_ANY_MONTH = rf"(?:{MONTH}|{SHORT_MONTH}\b\.?)"
_OF = r"[ ,./-]{0,3}(?:de(?:l)? )?(?:mes de )?(?:ano )?"
_ANY_YEAR = rf"(?:{YEAR}|{SPELT_YEAR})"
_TEMPORAL = _WORDS.pattern("before dates")
_FEASTS = "|".join(sorted((fold(name) for name in FEASTS if name not in AMBIGUOUS), key=len, reverse=True))
_SAINTS = "|".join(map(fold, SAINTS))
_DECADE = rf"(?:'?(?:19|20)?[0-9]0'?s?|{TENS})"
_DATE_WRITTEN = (
    rf"(?i)\b((?:{WEEKDAY},? (?:dia )?)?(?:{DAY})(?:[ ./-]{{0,2}}(?:de(?:l)? )?(?"
    rf":mes de )?){MONTH}(?:{_OF}{_ANY_YEAR}|(?: de(?:l)? |[/.-]|[ ,]?')\d{{2}})?)\b"
)
_DATE_SHORT = (
    rf"(?i)\b((?:{WEEKDAY},? )?(?:0?[1-9]|[12]\d|3[01])[ ./-]{{0,2}}(?:de )?{SHORT_MONTH}\b\.?"
    rf"[ ,./-]{{0,2}}(?:de(?:l)? )?(?:{YEAR}|'?\d{{2}}))\b"
)
_DATE_GLUED = rf"(?i)\b((?:0[1-9]|[12]\d|3[01])(?:{MONTH}|{SHORT_MONTH})(?:{YEAR}|\d{{2}}))\b"
_MONTH_FIRST = rf"(?i)\b({_ANY_MONTH}[ ./-]{{1,2}}(?:0?[1-9]|[12]\d|3[01])(?:,? ?(?:de(?:l)? )?|[/-]){YEAR})\b"
_DAY_OF_RANGE = (
    r"(?i)\b((?:0?[1-9]|[12]\d|3[01]))(?: y| al| a| hasta el| -|-|,) ?(?:el )?(?:dia )?(?:0?[1-9]|"
    rf"[12]\d|3[01]) de {MONTH}"
)
_DATE_ROMAN = rf"(?i)\b((?:0?[1-9]|[12]\d|3[01]) ?[./-] ?{ROMAN_MONTH} ?[./-] ?(?:(?:19|20)\d{{2}}|\d{{2}}))\b"
_WEEKDAY = rf"(?i)\b({WEEKDAY}s?)\b"
_WEEKDAY_CUE = r"el|este|pasado|proximo|desde el|hasta el|noche del|tarde del|manana del|madrugada del|dia"
_SAINT = rf"(?i)\b(?:en|por|vispera de|dia de|festividad de|fiesta de) ({_SAINTS})\b"
_SAINT_CUE = r"vispera de|dia de|festividad de|fiestas? de"
_SEASON = rf"(?i)\b({SEASON})\b"
_SEASON_CUE = r"pasado|ultimo|este|proximo|en el|desde el|durante el|mediados de|finales de|principios de"

PATTERNS = (
    _date("date_written", regex=_DATE_WRITTEN, score=0.96),
    _date("date_short", regex=_DATE_SHORT, score=0.94),
    _date("date_glued", regex=_DATE_GLUED, score=0.95),
    _date("day_month_short", regex=rf"(?i)\b((?:0?[1-9]|[12]\d|3[01])[ ./-]{{1,2}}(?:de )?{SHORT_MONTH})\b", score=0.6),
    # Colombia and Mexico put the month first: `mayo 3 de 2015`.
    _date("month_first", regex=_MONTH_FIRST, score=0.95),
    _date("month_of_year", regex=rf"(?i)\b({MONTH}{_OF}{_ANY_YEAR})\b", score=0.97),
    _date("short_month_of_year", regex=rf"(?i)\b({SHORT_MONTH}\b\.?[ ,./-]{{0,2}}(?:de(?:l)? )?{YEAR})\b", score=0.94),
    _date("month_short_year", regex=rf"(?i)\b({MONTH}[ ./-]{{1,2}}(?:de(?:l)? )?'?\d{{2}})\b", score=0.85),
    _date("short_month_short_year", regex=rf"(?i)\b({SHORT_MONTH}[./'-]{{1,2}}\d{{2}})\b", score=0.8),
    _date("month", regex=rf"(?i)\b({MONTH})\b", score=0.3, cue=_TEMPORAL, cued=0.8),
    # The first day of a stretch whose second day carries the month: `del 12 al 15 de mayo`.
    _date("day_of_range", regex=_DAY_OF_RANGE, score=0.88),
    _date("date_roman", regex=_DATE_ROMAN, score=0.94),
    _date("date_roman_spaced", regex=rf"(?i)\b((?:0?[1-9]|[12]\d|3[01]) {ROMAN_MONTH} (?:19|20)\d{{2}})\b", score=0.85),
    # The guidelines mark weekdays; they also stand in prescriptions, so alone they have a low score.
    _date("weekday_and_day", regex=rf"(?i)\b({WEEKDAY},? (?:dia )?(?:0?[1-9]|[12]\d|3[01]))\b", score=0.85),
    _date("weekday", regex=_WEEKDAY, score=0.55, cue=_WEEKDAY_CUE, cued=0.7),
    _date("feast", regex=rf"(?i)\b((?:dia de )?(?:{_FEASTS})(?: de(?:l)? (?:19|20)\d{{2}})?)\b", score=0.75),
    # A saint is a hospital or a street as well: only where the word before says it is a day.
    _date("saint", regex=_SAINT, score=0.4, cue=_SAINT_CUE, cued=0.8),
    _date("season_of_year", regex=rf"(?i)\b({SEASON}(?: de(?:l)?)?(?: ano)? {YEAR})\b", score=0.96),
    _date("season_of_short_year", regex=rf"(?i)\b({SEASON} del? '?\d{{2}})\b", score=0.8),
    _date("season", regex=_SEASON, score=0.3, cue=_SEASON_CUE, cued=0.65),
    _date("decade", regex=rf"(?i)\blos (?:primeros |ultimos )?(anos {_DECADE})\b", score=0.9),
    _date("decade_named", regex=rf"(?i)\bdecadas? de (?:los )?(?:anos )?({_DECADE})\b", score=0.9),
    _date("decade_plural", regex=r"(?i)\blos ('?(?:19)?[2-9]0'?s)\b", score=0.9),
)
