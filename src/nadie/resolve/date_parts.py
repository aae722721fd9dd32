"""The uncovered parts of dates that a span covers only partly, and dates in figures that nothing else can be.

A detector may find only `9 de mayo` in `del 2 al 9 de mayo de 2019`. If only that part were shifted, the range would
begin and end in different years, and comparing the two would reveal the shift. The same holds for a day of the week
next to a date that moves to another weekday, for a season in the same sentence, and for a feast anywhere in the
document.

A day and a month with its zero, as in `control 15/05`, is a date wherever it stands: doses, pain scores and blood
pressures are written without zero. So is a year with letters from a scan, `2Ol9`; `2OOO` is rather an amount.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter

from nadie.document import Span
from nadie.expressions import compiled
from nadie.labels import Label
from nadie.resolve.outside import COMPLETED, Candidate, Outside
from nadie.spanish import languages
from nadie.spanish.calendar import AMBIGUOUS, DATED_FEASTS, SEASONS
from nadie.spanish.dates.atoms import Atom, Grain
from nadie.spanish.dates.reading import read
from nadie.spanish.folding import key_of, same_length

SOURCE = f"{COMPLETED}dates"
_WINDOW = 60
_MONTH = rf"(?:{'|'.join(languages.month_words())})"
_DAY = r"(?:(?:el|los|dia|dias)\s+)*"
_LAST_JOINT = rf"(?:\s+(?:y|e|o|al?|hasta)\s+{_DAY}|\s?[-–/]\s?)"
_DAYS_BEFORE = rf"(?<![\d.,/:%-])(\d{{1,2}}(?:(?:\s?,\s?|\s+y\s+)\d{{1,2}}){{0,9}}){_LAST_JOINT}$"
_MONTH_BEFORE = rf"\b((?:\d{{1,2}}\s+de\s+)?{_MONTH})(?:\s?,\s?{_DAY}|{_LAST_JOINT})$"
_WEEKDAY = rf"({'|'.join(languages.weekday_words())})"
_WEEKDAY_BEFORE = rf"\b{_WEEKDAY}\b\.?,?\s+(?:dia\s+)?$"
_WEEKDAY_AFTER = re.compile(rf"\s?(?:\(|,\s)(?:(?:un|era)\s)?{_WEEKDAY}\b")
_DATE_AFTER = re.compile(
    rf"(?:\s?,\s{_DAY}|{_LAST_JOINT})(\d{{1,2}}\s+de\s+{_MONTH}\b(?:\s+del?\s+\d{{4}})?|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?)(?![\d/])"
)
_YEAR_AFTER = re.compile(r"(?:,?\s+del?\s+(?:ano\s+)?|\s|[-/])((?:19|20)\d{2})(?!\d|[/-]\d)")
_SEASON = re.compile(rf"\b(?:{'|'.join(same_length(name) for name in SEASONS)})\b")
_SENTENCE_END = re.compile(r"[.;!?]\s|\n")
# If none of these is found, no part of a date can be uncovered.
_BEFORE = re.compile(rf"{_MONTH_BEFORE}|{_DAYS_BEFORE}|{_WEEKDAY_BEFORE}")
_JOINT_BEFORE = re.compile(
    rf"(?:[,–/-]|\b(?:y|e|o|al?|hasta|el|los|dias?|{_WEEKDAY})\.?,?)$"
)  # at their ends, without blanks
_LONGEST_JOINT = 16
_AFTER = re.compile(rf"{_WEEKDAY_AFTER.pattern}|{_DATE_AFTER.pattern}|{_YEAR_AFTER.pattern}")
# Feasts whose name is unambiguous: it is not a surname, town, hospital or street.
_NAMES = {key_of(name) for name in AMBIGUOUS} | {"candelaria", "fallas", "posadas", "diada", "virgen de guadalupe"}
_FEASTS = re.compile(
    rf"\b((?:{'|'.join(name for name in DATED_FEASTS if name not in _NAMES)})(?:\s+del?\s+(?:19|20)\d{{2}})?)\b"
)
# The zero of the month and other figures may be letters after a scan: `l4/O2`.
_MONTH_OF_TWO = "/[0o][1-9li]"
_MISREAD_YEAR = r"(?:2o[0-3oli][\doli]|20(?:[oli][\doli]|[0-3][oli])|[li]9[\doli]{2}|19(?:[oli][\doli]|\d[oli]))"
_IN_FIGURES = re.compile(
    rf"(?<![\w.,/:%#+-])(?=[oli/]*\d)(?:[0o]?[1-9li]|[12li][\doli]|3[01oli]){_MONTH_OF_TWO}(?![\w/%-]|[.,:]\d)|"
    rf"(?<![\w.,/-])(?!2ooo){_MISREAD_YEAR}(?![\w/-])"
)
_MAYBE_IN_FIGURES = rf"(?:^|[^\w/])(?:[\doli]{{1,2}}{_MONTH_OF_TWO}|{_MISREAD_YEAR})(?:[^\w/]|$)"
_AT_SEA = re.compile(r"\b(?:no|ao|do|o|el|al|del|la) $")
_NAME_BEFORE = re.compile(
    r"(?:hospital|calle|c/|avda|avenida|plaza|centro|clinica|colegio|residencia|barrio|isla)\b.{0,15}$"
)


def date_parts(text: Outside) -> Iterator[Candidate]:
    """The parts of dates outside all spans, seasons in the sentence of a date, feasts, and dates in figures."""
    document, folded = text.document, text.folded
    dates = [span for span in document.spans if span.label == Label.FECHAS and span.source != SOURCE]
    for span in dates:
        for start, end in _beside(document.text, folded, span):
            yield Candidate(start, end, (Label.FECHAS,), span.score)
    encoded = folded.encode("utf-8", "replace")  # for RE2, which tells sooner whether anything is there
    places = [(place, span.score) for span in dates for place in (span.start, span.end)]
    for match in _SEASON.finditer(folded) if places and compiled(_SEASON.pattern).search(encoded) else ():
        near = places[max(0, bisect(places, match.start(), key=itemgetter(0)) - 1) :][:2]
        scores = [score for place, score in near if _is_in_sentence(folded, *sorted((place, match.start())))]
        if scores:
            yield Candidate(*match.span(), (Label.FECHAS,), max(scores))
    for match in _FEASTS.finditer(folded) if compiled(_FEASTS.pattern).search(encoded) else ():
        before = folded[max(0, match.start() - _WINDOW) : match.start()]
        if document.text[match.start()].isupper() and not _NAME_BEFORE.search(before):
            yield Candidate(*match.span(1), (Label.FECHAS,), 1.0)
    for match in _IN_FIGURES.finditer(folded) if compiled(_MAYBE_IN_FIGURES).search(encoded) else ():
        yield Candidate(*match.span(), (Label.FECHAS,), 1.0)


def _is_in_sentence(folded: str, low: int, high: int) -> bool:
    """Whether a place is near another and in one sentence with it: `ingresa el 12/07/2019, en pleno verano`."""
    return high - low <= 2 * _WINDOW and not _SENTENCE_END.search(folded, low, high)


def _beside(text: str, folded: str, span: Span) -> Iterator[tuple[int, int]]:
    """The parts of a date just before and just after a span of it."""
    before = folded[max(0, span.start - _WINDOW) : span.start]
    is_next = _JOINT_BEFORE.search(before.rstrip()[-_LONGEST_JOINT:]) and _BEFORE.search(before)
    if len(span) > _WINDOW or not (is_next or _AFTER.match(folded, span.end)):
        return
    expression = read(text, span.start, span.end)
    if expression is not None:
        yield from _before(before, span.start - len(before), expression.atoms[0])
        yield from _after(folded, span.end, expression.atoms[-1])


def _before(window: str, low: int, first: Atom) -> Iterator[tuple[int, int]]:
    if first.grain not in (Grain.DAY, Grain.MONTH):
        return
    months = re.search(_MONTH_BEFORE, window)
    is_sea = months is not None and months[1] == "mar" and _AT_SEA.search(window[: months.start(1)])
    if months is not None and not is_sea:
        yield months.start(1) + low, months.end(1) + low
    if first.grain is Grain.DAY:
        weekday = re.search(_WEEKDAY_BEFORE, window)
        if weekday is not None:
            yield weekday.start(1) + low, weekday.end(1) + low
        days = re.search(_DAYS_BEFORE, window)
        if days is not None and _ascends([*map(int, re.findall(r"\d+", days[1])), first.day or 0]):
            numbers = re.compile(r"\d+").finditer(window, *days.span(1))
            yield from ((number.start() + low, number.end() + low) for number in numbers)


def _after(folded: str, end: int, last: Atom) -> Iterator[tuple[int, int]]:
    patterns: list[re.Pattern[str]] = []
    if last.grain is Grain.DAY:
        patterns += [_WEEKDAY_AFTER, _DATE_AFTER]
    if last.grain in (Grain.DAY, Grain.MONTH) and not last.says_year:
        patterns.append(_YEAR_AFTER)
    matches = (pattern.match(folded, end) for pattern in patterns)
    yield from (match.span(1) for match in matches if match is not None)


def _ascends(days: Iterable[int]) -> bool:
    numbers = list(days)
    return numbers[0] >= 1 and all(one < two <= 31 for one, two in pairwise(numbers))
