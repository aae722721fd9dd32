"""The dates of one document: read once, moved together."""

from __future__ import annotations

import re
from bisect import bisect_right
from datetime import date
from functools import cached_property

from nadie.anonymize.dates.atoms import Grain
from nadie.anonymize.dates.shifting import Shift
from nadie.anonymize.dates.written import WrittenDate, read, rewrite
from nadie.anonymize.decision import KEEP, REFUSE, Outcome
from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish.folding import same_length

_BIRTH = re.compile(r"(?:nacimiento|nacid[oa]|nacio|f\.? ?nac|fnac|\bfn)\b[^\d\n]{0,20}$")
# These say so little that they may come out of a shift as they were: a Monday is still a Monday.
_COARSE = frozenset({Grain.WEEKDAY, Grain.SEASON_OF_YEAR, Grain.MONTH_OF_YEAR, Grain.RELATIVE})
_SOME_YEAR = 2015


class Calendar:
    """Reads the date spans of a document and moves them all by the same shift."""

    def __init__(self, document: Document, shift: Shift) -> None:
        self._document = document
        self.shift = shift
        self._dates = {s: read(document.text_of(s)) for s in document.spans if s.label == Label.FECHAS}

    def written(self, span: Span) -> WrittenDate | None:
        return self._dates.get(span)

    def moved(self, span: Span) -> Outcome:
        """The span's date after the shift. Impossible dates, and what is no date, are refused."""
        written = self._dates.get(span)
        if written is None:
            return REFUSE
        before = self._document.text[max(0, span.start - 20) : span.start]
        new = rewrite(written, self.shift, self._year_near(span), before)
        if new is None:
            return REFUSE
        if new == written.text:
            return KEEP if all(atom.grain in _COARSE for atom in written.atoms) else REFUSE
        return new

    def _year_near(self, span: Span) -> int:
        """The year that a day without one most likely is of: that of the nearest date before it, or after it."""
        if not self._with_year:
            return _SOME_YEAR
        place = bisect_right(self._with_year, (span.start, _SOME_YEAR * 9))
        return self._with_year[max(0, place - 1)][1]

    @cached_property
    def _with_year(self) -> list[tuple[int, int]]:
        return sorted((s.start, d.years()[-1]) for s, d in self._dates.items() if d is not None and d.years())

    @cached_property
    def birth(self) -> date | None:
        """The patient's day of birth, where a form or a sentence names it as such."""
        for span, written in self._dates.items():
            before = self._document.text[max(0, span.start - 40) : span.start]
            if written and written.days() and _BIRTH.search(same_length(before)):
                return written.days()[0]
        return None

    @cached_property
    def days(self) -> list[date]:
        """All days that the document tells in full."""
        return [day for written in self._dates.values() if written for day in written.days()]

    @cached_property
    def latest_year(self) -> int:
        """The year of the latest of these days; 0 where there is none."""
        return max((day.year for day in self.days), default=0)


def years_between(birth: date, day: date) -> int:
    """How old somebody is, in full years."""
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))
