"""Dates in figures: day, month and year in any order, with any separator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import SEPARATOR, ends_alone, follows, hit, precedes, stands_alone
from nadie.detectors.patterns.measures import has_scale, has_unit
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.time.calendar import WEEKDAY, number_of_day, number_of_month, number_of_year
from nadie.document import Span
from nadie.labels import Label

_FULL = r"\b((\d{1,4}) {0,2}([./-]) {0,2}(\d{1,2}) {0,2}([./-]) {0,2}(\d{1,4}))"
_SPACED = r"\b(([0-3]\d) ([01]\d) ((?:19|20)\d{2}))\b"
_CUE = (
    r"(?:f(?:ech?a?|\.)? ?(?:de )?(?:l )?(?:nac(?:imiento|\.|to)?|n\b\.?|ingreso|alta|informe|"
    r"consulta|visita|intervencion|cirugia|defuncion|"
    r"exitus|atencion|solicitud|firma|impresion|registro|emision|toma|realizacion|estudio|nota)|"
    r"fecha(?:/hora| y hora)?|f\.? ?n|fnac|fec\.? ?nac|"
    r"nacimiento|nacid[oa](?: el)?|nac\.|dob|ingreso|alta|fur|f\.u\.r|fpp|f\.p\.p|fum|vencimiento|caducidad)"
)


def _order(first: str, second: str, third: str) -> bool:
    """Whether three numbers are a date as written in Spain, in the USA, or by ISO 8601."""
    if len(first) == 4:
        return number_of_year(first) and number_of_month(second) and number_of_day(third)
    if len(first) > 2 or len(third) not in (2, 4) or not number_of_year(third):
        return False
    day_first = number_of_day(first) and number_of_month(second)
    return day_first or (number_of_month(first) and number_of_day(second))


@dataclass(frozen=True)
class FullDate:
    """Three numbers that are a day, a month and a year."""

    name: str = "date"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(_FULL):
            place = match.span(1)
            first, one, second, other, third = (note.plain[slice(*match.span(i))] for i in range(2, 7))
            if not _order(first, second, third) or not self._is_whole(note, *place):
                continue
            yield hit(self.name, Label.FECHAS, place, self._worth(len(first) == 4 or len(third) == 4, one, other))
        for match in note.scan(_SPACED):
            if _order(*(note.plain[slice(*match.span(i))] for i in (2, 3, 4))) and stands_alone(note, *match.span(1)):
                yield hit(self.name, Label.FECHAS, match.span(1), 0.75)

    def _is_whole(self, note: PlainText, start: int, end: int) -> bool:
        if follows(note, start, r"[a-z0-9_]|\d[.,/-]", 2) or precedes(note, end, r"[./-]\d", 2):
            return False
        return ends_alone(note, end) or precedes(note, end, r"t\d{2}:|[a-z]{2}", 4)

    def _worth(self, century: bool, one: str, other: str) -> float:
        if one != other:
            return 0.85 if century else 0.6
        if century:
            return 0.98
        return {"/": 0.95, "-": 0.85}.get(one, 0.55)


@dataclass(frozen=True)
class MonthYear:
    """A month and a year of four digits: `03/2016`, `2016-03`."""

    name: str = "month_year"

    def find(self, note: PlainText) -> Iterator[Span]:
        regex = r"\b((?:0?[1-9]|1[0-2]) ?[/-] ?(?:19|20)\d{2}|(?:19|20)\d{2}[/-](?:0[1-9]|1[0-2]))\b"
        for match in note.scan(regex):
            if stands_alone(note, *match.span(1)) and not has_unit(note, match.end(1)):
                month_first = note.plain[match.start(1) : match.start(1) + 4].isdigit() is False
                yield hit(self.name, Label.FECHAS, match.span(1), 0.88 if month_first else 0.6)


@dataclass(frozen=True)
class DayMonth:
    """A day and a month, which are also how fractions and scores are written: only where something says so."""

    name: str = "day_month"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"\b((\d{1,2}) ?[/-] ?(\d{1,2}))\b"):
            start, end = match.span(1)
            day, month = (note.plain[slice(*match.span(i))] for i in (2, 3))
            if not (number_of_day(day) and number_of_month(month)) or not stands_alone(note, start, end):
                continue
            if has_scale(note, start) or has_unit(note, end) or not (score := self._worth(note, start, end)):
                continue
            yield hit(self.name, Label.FECHAS, (start, end), score)

    def _worth(self, note: PlainText, start: int, end: int) -> float:
        if follows(note, start, rf"\b(?:fecha|dia|{WEEKDAY}|lun|mie|jue|vie|sab|dom)[.,]?[ :]{{1,2}}"):
            return 0.92
        if "/" in note.plain[start:end]:
            if precedes(note, end, r",? {1,2}(?:a las )?(?:[01]?\d|2[0-3])[:.h][0-5]\d"):
                return 0.9
            if follows(
                note, start, r"\b(?:el|del|desde(?: el)?|hasta(?: el)?|al|con fecha|hoy|ayer|anteayer|manana)[ (]{1,2}"
            ):
                return 0.8
            line = follows(note, start, r"(?:\A|\n) {0,3}[(*-]? ?", 6)
            if line and precedes(note, end, r" ?[:.)-][ \n]|\)| (?-i:[A-Z])"):
                return 0.75
        return 0.0


@dataclass(frozen=True)
class CuedDate:
    """Whatever figures stand after the name of a date, mistyped or not."""

    name: str = "date_cued"

    def find(self, note: PlainText) -> Iterator[Span]:
        value = (
            r"\d{1,4} {0,2}[./ -]{1,3} {0,2}\d{1,3} {0,2}[./ -]{1,3} {0,2}\d{1,4}|\d{4,6}[/.-]\d{2,4}|"
            r"\d{1,2}[/.-]\d{4,6}|(?:\d{8}|\d{6})|(?:19|20)\d{2}"
        )
        for match in note.scan(rf"(?i)\b{_CUE}{SEPARATOR}({value})"):
            whole = ends_alone(note, match.end(1)) or precedes(note, match.end(1), r"[a-z]{2}")
            if whole and not precedes(note, match.end(1), r"[./-]\d| ?de "):
                yield hit(self.name, Label.FECHAS, match.span(1), 0.93)


@dataclass(frozen=True)
class CompactDate:
    """Eight digits without separators, as machines write: `20160312`, alone or before a time."""

    name: str = "date_compact"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"\b((?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))"):
            if precedes(note, match.end(1), r"[ t]?\d{4,6}\b|t\d{2}:", 8):
                yield hit(self.name, Label.FECHAS, match.span(1), 0.9)
            elif stands_alone(note, *match.span(1)):
                yield hit(self.name, Label.FECHAS, match.span(1), 0.5)


PATTERNS = (FullDate(), MonthYear(), DayMonth(), CuedDate(), CompactDate())
