"""The written forms of a single date: `3 de enero de 2010`, `07.06.22`, `Mar 15, 2020`, `12-VII-2019`, `2019`.

All forms are matched on the folded text, which has the same offsets as the text itself. At each position the forms are
tried in order, the most complete first. The names of groups are those of the fields of an atom.
"""

from __future__ import annotations

import re
from functools import cache

from nadie.spanish import calendar, languages
from nadie.spanish.dates.atoms import Grain
from nadie.spanish.folding import fold, same_length
from nadie.spanish.numbers import NUMBERS, SMALL, TENS, in_words


def _any(words: list[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


YEARS_IN_WORDS = {fold(in_words(year)): year for year in range(1900, 2060)}
PLACES = {"primer": 0, "primero": 0, "segundo": 1, "tercer": 2, "tercero": 2, "cuarto": 3}
PER_YEAR = {"trimestre": 4, "t": 4, "q": 4, "cuatrimestre": 3, "semestre": 2, "s": 2}
DECADES = {"veinte": 20, **{name: 30 + 10 * place for place, name in enumerate(TENS)}}

_SEP = r"\s?[-/.,·]{1,2}\s?"
_MONTHS = "|".join(languages.month_words())
_NAME = rf"(?P<name>{_MONTHS})(?![a-z])\.?"
_ROMAN = rf"(?P<name>{_any([name.lower() for name in languages.ROMAN])})"
_DAY = r"(?P<d>\d{1,2})(?P<ord>\.?[ºª°]|er\b|ro\b|st\b|nd\b|rd\b|th\b)?"
_WORD = rf"(?P<dw>{_any([word for word, number in NUMBERS.items() if 1 <= number <= 31])})"
# Catalan has `d'abril`; in no other language does the word between day and month change.
_OF_MONTH = (
    r"(?:(?P<of>\s+d(?:e\s+|['’]\s?))(?:mes\s+de\s+)?|(?:\s+dias)?\s+del\s+mes\s+de\s+|\s+of\s+|\s*[-/.,]\s*|\s+|"
    r"(?<=[\dºª°])(?=[a-z]))"
)
_OF = r"(?:\s+de(?:l)?(?:\s+ano|\s+any)?\s+|\s*[-/.,]\s*|\s+|(?<=[a-z])(?=\d))"
_YEAR4 = r"(?P<y>(?:1[89]|20)\d{2}|1\.[89]\d{2}|2\.0\d{2})(?!\d)"
_YEARW = (
    r"(?P<yw>(?:dos\s+mil|mil\s+novecientos)(?:\s+(?:veinti[a-z]+|dieci[a-z]+|"
    rf"(?:{'|'.join(TENS)})\s+y\s+[a-z]+|{_any([fold(word) for word in (*SMALL[1:21], *TENS)])}))?)\b"
)
# Two digits are a year only if they cannot be the day of the next date.
_YEAR2 = (
    r"['’`´]?(?P<yy>\d{2})(?!\d|[:h]|\s?[-/.]\d(?!\d?/\d{1,2}/\d{2}(?!\d))|\s*(?:(?:,|y|e|o|al?|-)\s*(?:el\s+)?\d{1,2}\s*)*"
    rf"(?:de\s+)?(?:{'|'.join(sorted({name[:3] for name in languages.month_words()}))})[a-z]*\b)"
)
_OF2 = r"(?:\s+de(?:l)?(?:\s+ano)?\s+|\s?[-/.]\s?|\s+|(?<=[a-z])(?=\d)|(?=['’]))"
_YEAR = rf"(?:{_OF}{_YEAR4}|{_OF}{_YEARW}|{_OF2}{_YEAR2})"
_DAY_OR_YEAR = rf"(?:{_MONTHS})\.?\s+(?:[12]\d|3[01])(?!\d)"  # `mayo 18`; and `mar 18` may be a Tuesday
_SEASON = rf"(?P<season>{_any([same_length(name) for name in calendar.SEASONS])})"
_PAIR = r"(?P<pair>\s?[-/]\s?(?:(?:19|20)\d{2}|\d{2})(?!\d|[-/.]\d))"
_CLOCK = r"(?:t?\d{4}(?:\d{2}(?:\.\d+)?)?(?:z|[+-]\d{4})?)?(?!\d)"
_FEAST = rf"(?P<feast>(?:dia\s+de\s+(?:la\s+|los\s+)?)?(?:{_any(list(calendar.DATED_FEASTS))}))\b"
_ORDINAL = rf"(?P<part>{_any(list(PLACES))}|[1-4](?:er|\.?º|\.?°)?)"
_DECADE = rf"['’]?(?P<decade>\d0|{_any(list(DECADES))})['’]?s?(?![a-z\d])"
_LIST = r"\s*(?:,|;|-|–|/|y|e|o|i|&|al?|and|to|hasta)\s*(?:(?:el|los|dia|dias)\s+)*"

_TIME_UNIT = r"(?:dia|semana|mes(?:e(?=s))?|ano|fin de semana|noche|tarde|manana|hora)"
_RELATIVE_END = r"(?:\s+(?:pasad[oa]|anterior|previ[oa]|siguiente|proxim[oa]|actual|que viene|en curso))?"
_FORMS: tuple[tuple[Grain, str], ...] = (
    (Grain.WEEK, rf"{_YEAR4}-?w(?P<week>\d{{2}})(?:-?(?P<of_week>[1-7]))?\b"),
    (Grain.WEEK, rf"semana\s+(?P<week>\d{{1,2}})(?:\s+del?(?:\s+ano)?\s+|\s*[/,-]\s*|\s+){_YEAR4}"),
    (Grain.DAY, rf"{_YEAR4}(?P<s>[-/. ])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}})(?!\d)"),
    (Grain.DAY, rf"{_YEAR4}(?:{_SEP}|\s){_NAME}(?:{_SEP}|\s)(?P<d>\d{{1,2}})(?!\d)"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}})(?:{_SEP}|\s|\s+del\s+)(?P<m>\d{{1,2}})(?:{_SEP}|\s|\s+del?\s+){_YEAR4}"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}}){_SEP}(?P<m>\d{{1,2}}){_SEP}{_YEAR2}"),
    (Grain.DAY, rf"(?P<y>(?:19|20)\d{{2}})(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01]){_CLOCK}"),
    (Grain.DAY, r"(?P<d>\d{2})(?P<m>\d{2})(?P<y>(?:19|20)\d{2})(?!\d)"),
    (Grain.DAY, r"(?P<six>\d{6})(?!\d)"),
    (Grain.MONTH, r"(?P<y>(?:19|20)\d{2})(?P<m>0[1-9]|1[0-2])(?!\d)"),
    (Grain.DAY, rf"(?:{_DAY}|{_WORD}){_OF_MONTH}{_NAME}{_YEAR}"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}})(?:{_SEP}|\s){_ROMAN}(?:(?:{_SEP}|\s){_YEAR4}|{_SEP}{_YEAR2})"),
    (Grain.DAY, rf"{_NAME}(?:\s|[-/])?(?<![a-z]){_DAY}(?:\s*,\s*|\s+del?\s+|\s?[-/]\s?|\s+){_YEAR4}"),
    (Grain.DAY, rf"(?P<name>{_any(list(languages.ENGLISH_MONTHS))})\.?\s+{_DAY}(?!\d)"),
    (Grain.DAY, rf"{_YEAR4}(?P<ko>e?ko)\s+{_NAME}\s+(?P<d>\d{{1,2}})(?P<case>ean|an|a)?\b"),
    (Grain.DAY, rf"(?:{_DAY}|{_WORD}){_OF_MONTH}{_NAME}"),
    (Grain.DAY, rf"(?P<d>\d{{1,2}})[-/.]{_ROMAN}\b(?![-/.]\d)"),
    (Grain.MONTH, rf"(?!{_DAY_OR_YEAR}){_NAME}{_YEAR}"),
    (Grain.MONTH, rf"{_ROMAN}(?:{_SEP}|\s){_YEAR4}"),
    (Grain.MONTH, rf"(?P<m>\d{{1,2}})[-/. ]{_YEAR4}"),
    (Grain.YEAR, rf"(?:(?<=curso )|(?<=temporada )|(?<=campana )){_YEAR4}{_PAIR}"),
    (Grain.MONTH, rf"{_YEAR4}[-/](?P<m>0[1-9]|1[0-2])(?!\d)"),
    (Grain.MONTH, rf"{_YEAR4}(?:{_SEP}|\s){_NAME}"),
    (Grain.PART, rf"{_ORDINAL}\s+(?P<unit>trimestre|cuatrimestre|semestre)(?:{_OF}{_YEAR4}|{_OF}{_YEARW})?"),
    (Grain.PART, rf"(?P<part>[1-4])\s?(?P<unit>t|q|s)(?:\s|[-/]|\s+del?\s+)?{_YEAR4}"),
    (Grain.PART, rf"{_YEAR4}[\s-]?(?P<unit>t|q|s)(?P<part>[1-4])\b"),
    (Grain.PART, rf"(?P<unit>t|q|s)(?P<part>[1-4])(?:\s|[-/]|\s+del?\s+)?{_YEAR4}"),
    (Grain.SEASON, rf"{_SEASON}{_OF}{_YEAR4}{_PAIR}"),
    (Grain.SEASON, rf"{_SEASON}{_YEAR}"),
    (Grain.FEAST, rf"{_FEAST}{_OF}{_YEAR4}{_PAIR}?"),
    (Grain.FEAST, rf"{_FEAST}\s+del\s+(?:ano\s+)?{_YEAR2}"),
    (Grain.FEAST, _FEAST),
    (Grain.DECADE, rf"(?:(?<=anos )|(?<=decada de los )|(?<=decada de )|(?<=los )|(?<=0 y )|(?<=a y )){_DECADE}"),
    (Grain.DECADE, r"(?:(?<=decada de )|(?<=decada del )|(?<=los ))(?P<decade>(?:1[89]|20)\d0)(?!\d)"),
    (Grain.DECADE, r"(?P<decade>(?:1[89]|20)\d0)s\b"),
    (Grain.YEAR, rf"{_YEAR4}{_PAIR}"),
    (Grain.YEAR, _YEAR4),
    (Grain.YEAR, _YEARW),
    (Grain.YEAR, r"(?:(?<=ano )|(?<=ano de )|(?<=['’]))(?P<yy>\d{2})(?!\d)"),
    (Grain.YEAR, r"(?:(?<=desde el )|(?<=hasta el )|(?<=en el )|(?<=del ))(?P<yy>3[2-9]|[4-9]\d)(?![\d/.-])"),
    (
        Grain.DAY,
        rf"(?P<d>\d{{1,2}})[-/.](?P<m>\d{{1,2}})(?![\d/]|[-/.]\d{{1,2}}[-/.]\d{{2,4}}(?![-/.\d])|\s+de\s+(?:{_MONTHS}))",
    ),
    (Grain.WEEKDAY, rf"(?P<weekday>{'|'.join(languages.weekday_words())})\b\.?(?=,?\s+(?:dia\s+)?\d{{1,2}}(?:\D|\Z))"),
    (Grain.WEEKDAY, r"(?P<weekday>[lmxjvsd])\.?\s(?=\d{1,2}[-/.])"),
    (Grain.MONTH, _NAME),
    (Grain.SEASON, rf"{_SEASON}\b"),
    (Grain.WEEKDAY, rf"(?P<weekday>{'|'.join(languages.weekday_words())})\b\.?"),
    (Grain.RELATIVE, rf"hace\s+(?:un[oa]s\s+)?(?:\d{{1,3}}|{_any(list(NUMBERS))}|vari[oa]s)\s+{_TIME_UNIT}s?\b"),
    (Grain.RELATIVE, rf"(?:el|la|este|esta)\s+(?:pasad[oa]\s+|proxim[oa]\s+)?{_TIME_UNIT}{_RELATIVE_END}\b"),
    (Grain.RELATIVE, r"(?:veranos|inviernos|otonos|primaveras|fines de semana)\b"),
    (Grain.RELATIVE, r"(?:hoy|ayer|anteayer|antier|anoche|manana|pasado manana)\b"),
    (
        Grain.DAY,
        rf"{_DAY}(?={_LIST}\d)(?!\d|/(?:1[3-9]|[2-9]\d)[-–]\d{{1,2}}/\d{{2}}(?!\d))",
    ),  # `05/23-07/23` are months
    (Grain.DAY, rf"{_WORD}(?=(?:{_LIST}|\s+)(?:{_any(list(NUMBERS))})\b)"),
    (Grain.DAY, rf"{_WORD}\Z"),
    (Grain.DAY, rf"{_DAY}(?![\d:%]|h\b)"),
)
LONE = len(_FORMS) - 1
"""A bare day number, which is a date only after certain words."""
BEFORE_LONE = re.compile(
    rf"(?:\b(?:dia|dias|y|e|o|i|al?|el|del|hasta|and|{'|'.join(languages.weekday_words())})|,)\W*$"
)
TIME = re.compile(
    r"t?\d{1,2}(?::\d{2}(?::\d{2}(?:[.,]\d{1,6})?)?|\.\d{2}(?=\s?h)|\s?h\d{2})"
    r"(?:\s?(?:z|[+-]\d{2}:?\d{2}|horas|hrs|hs|h|[ap]\.?\s?m|gmt|utc)\b\.?)?(?:\s?[+-]\d{4})?"
    r"|(?<=\d{4} )[012]\d\.[0-5]\d(?![.\d])|(?<=\d{8} )\d{4}(?:\d{2})?(?!\d)"
    r"|\d{1,2}\s?(?:horas|hrs|hs|h|[ap]\.?\s?m)\b\.?"
)
LINK = re.compile(rf"{_LIST}|\s*(?:del?|de los|desde el|d['’])?\s*")
"""The text allowed between two spans that are parts of one date, or dates of one list."""


@cache
def patterns() -> tuple[tuple[Grain, re.Pattern[str]], ...]:
    """The forms in order. Compiled on first use, because compiling takes as long as processing several notes."""
    return tuple((grain, re.compile(rf"(?<![^\W_]){form}")) for grain, form in _FORMS)
