"""The dates of one document: parsed once, shifted together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from functools import cached_property

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish.dates.atoms import Atom, Grain, some_day
from nadie.spanish.dates.forms import LINK
from nadie.spanish.dates.reading import Expression, read
from nadie.spanish.folding import same_length
from nadie.spanish.languages import INITIALS
from nadie.spanish.sentence_language import language_around
from nadie.surrogates.dates.coded_births import birth_by_number
from nadie.surrogates.dates.editions import is_count, is_edition
from nadie.surrogates.dates.feasts import is_kept, is_public, some_feast
from nadie.surrogates.dates.moving import Surroundings, move
from nadie.surrogates.dates.placing import all_located, nearest_day, not_after
from nadie.surrogates.dates.shifting import Shift
from nadie.surrogates.dates.writing import DateEdit, apply, edits
from nadie.surrogates.decision import KEEP, REFUSE, Outcome

_BIRTH = re.compile(
    r"(?:nacimiento|nacid[oa]|nacio|naci|nace|f\.? ?nac|fec\.? ?nac|fnac|\bfn|\bf\.? ?n|\bnac|\bdob|\bd\.?n|naixement|"
    r"nascut|nascuda|nacemento)\b[^\d\n]{0,20}$|\bnacid[oa] (?:en|a) [^\d\n.;]{0,90}\bel $"
)
_LETTER = re.compile(r"[^\W\d_]")
_SENTENCE_END = re.compile(r"[.;!?]\s|\n")
# These are so unspecific that they may be unchanged after a shift: a Monday is still a Monday.
_MIDDLE = (1, 16)  # without any full date, bare day numbers are placed in one month of 31 days
_COARSE = frozenset({Grain.WEEKDAY, Grain.RELATIVE, Grain.DECADE})
_SOME_YEAR = 2015
_LONGEST_LINK = 25
_LONGEST_DATE = 1000
_MOST_LINKED = 40
_MOST_BOUND = 8
_LONGEST_SENTENCE = 300
_NEAR_BIRTH = 110
_BEFORE_FEAST = 20
_BEFORE_DATE = 50
_WEEK = 7
_AMONG_DAYS = 300
_DAYS = re.compile(r"\b(?:lun|mie|jue|vie|sab|dom)\b(?! ?\d)")


class Calendar:
    """Parses the date spans of a document and shifts them all by the same number of days."""

    def __init__(self, document: Document, shift: Shift) -> None:
        self._document = document
        self.shift = shift
        self._named_birth: dict[Span, bool] = {}
        self._groups = list(self._linked([s for s in document.spans if s.label == Label.FECHAS]))
        self._group_of = {span: n for n, (spans, _) in enumerate(self._groups) for span in spans}
        self._groups = [(spans, e or self._read(spans, self._year_near(spans[0].start))) for spans, e in self._groups]
        self._groups = self._born_before()

    def _born_before(self) -> list[tuple[list[Span], Expression | None]]:
        """The groups, with no birth after the other dates, or after today: `31` is 1931 in a document of 2024."""
        born = [e for spans, e in self._groups if e is not None and self._is_named_birth(spans[0])]
        days = [day for expression in born for day in expression.days()]
        if not any(atom.says("yy", "six") for expression in born for atom in expression.atoms):
            return self._groups
        births = [e is not None and (e in born or any(day in days for day in e.days())) for _, e in self._groups]
        others = [e for (_, e), is_birth in zip(self._groups, births, strict=True) if e is not None and not is_birth]
        last = max((year for expression in others for year in expression.years()), default=date.today().year)
        return [
            (spans, not_after(last, e) if e is not None and is_birth else e)
            for (spans, e), is_birth in zip(self._groups, births, strict=True)
        ]

    def _linked(self, spans: list[Span]) -> Iterable[tuple[list[Span], Expression | None]]:
        """Groups of spans that together are one date, or the dates of one list: `3` and `5 y 7 de julio de 2019`."""
        group: list[Span] = []
        expression: Expression | None = None
        for span in spans:
            own = self._read([span])
            is_near = 0 < len(group) < _MOST_LINKED and self._is_link(group[-1].end, span.start)
            is_near = is_near and not any(map(self._is_tuesday, (group[-1], span)))
            joined = self._read([*group, span]) if is_near else None
            if joined is not None and ((expression and expression.is_open) or (own and own.is_open) or not own):
                group, expression = [*group, span], joined
                continue
            if group:
                yield group, expression
            group, expression = [span], own
        if group:
            yield group, expression

    def _is_link(self, start: int, end: int) -> bool:
        between = same_length(self._document.text[start:end])
        is_column = "  " in between  # the dates of a table are not one list
        return len(between) <= _LONGEST_LINK and not is_column and LINK.fullmatch(between) is not None

    def _read(self, spans: list[Span], near: int | None = None) -> Expression | None:
        start, end = spans[0].start, spans[-1].end
        if self._document.text[start:end] == "Dieciocho":
            return None  # the feast of Chile
        return read(self._document.text, start, end, near=near) if end - start <= _LONGEST_DATE else None

    def written(self, span: Span) -> Expression | None:
        """The expression that the span is, or is part of."""
        place = self._group_of.get(span)
        return None if place is None else self._groups[place][1]

    def moved(self, span: Span) -> Outcome:
        """The span's date after the shift. Impossible dates and other text are refused, as whole groups."""
        place = self._group_of.get(span)
        if self._document.text_of(span).upper() in INITIALS:  # `L-M-V`
            return KEEP if self.shift.days % _WEEK == 0 else REFUSE
        text, start, end = self._document.text, span.start, span.end
        before = text[max(0, start - _BEFORE_DATE) : start]
        if is_edition(text, start, end) or is_count(text, start, end) or is_kept(text[start:end], before):
            return KEEP
        if is_public(before):
            return REFUSE
        if place is None:
            return REFUSE
        outcomes = self._outcomes[place]
        return REFUSE if outcomes is None else outcomes[span]

    @cached_property
    def _outcomes(self) -> list[dict[Span, Outcome] | None]:
        return [self._of_group(spans, expression) for spans, expression in self._groups]

    def _of_group(self, spans: list[Span], expression: Expression | None) -> dict[Span, Outcome] | None:
        if expression is None:
            feast = self._feast(spans)
            return {spans[0]: feast} if feast else None
        if self._is_tuesday(spans[0]):
            return {spans[0]: KEEP} if self.shift.days % _WEEK == 0 else None
        around = self._surroundings(expression)
        atoms = all_located(expression.atoms, around)
        moved = [new for atom in atoms if (new := move(atom, self.shift, around)) is not None]
        if len(moved) < len(atoms):
            return None
        changes = edits(self._document.text, replace(expression, atoms=tuple(atoms)), moved)
        if changes is None or not all(_inside(edit, spans) for edit in changes):
            return None
        may_stay = all(self._may_stay(atom) for atom in atoms)
        if not changes and not may_stay:
            return None
        texts = {span: apply(self._document.text, span.start, span.end, changes) for span in spans}
        return {span: KEEP if text == self._document.text_of(span) else text for span, text in texts.items()}

    def _is_tuesday(self, span: Span) -> bool:
        """Whether `mar` is a Tuesday and not March: other days of the week are named beside it."""
        text = self._document.text
        around = same_length(text[max(0, span.start - _AMONG_DAYS) : span.start] + " " + text[span.end :][:_AMONG_DAYS])
        return same_length(self._document.text_of(span)) == "mar" and _DAYS.search(around) is not None

    def _feast(self, spans: list[Span]) -> str | None:
        """The replacement of a span that is only the name of an unknown feast."""
        before = self._document.text[max(0, spans[0].start - _BEFORE_FEAST) : spans[0].start]
        if len(spans) > 1:
            return None
        language = language_around(self._document.text, spans[0].start, spans[0].end)
        return some_feast(self._document.text_of(spans[0]), before, language)

    def _may_stay(self, atom: Atom) -> bool:
        """Whether an atom may stay unchanged: a month alone, a bare day number, a year if shifts are short."""
        if atom.grain is Grain.DAY and not atom.says_month:
            return True
        if atom.grain in _COARSE or (atom.grain in (Grain.SEASON, Grain.MONTH, Grain.PART) and not atom.says_year):
            return True
        per_year = {Grain.YEAR: 1, Grain.MONTH: 12, Grain.SEASON: 4, Grain.PART: atom.per_year}.get(atom.grain)
        return per_year is not None and self.shift.part(0, 0, per_year) == (0, 0)

    def _surroundings(self, expression: Expression) -> Surroundings:
        placed = self._placed_days
        place = bisect_right(placed, (expression.start, date.max))
        near = placed[max(0, place - _MOST_BOUND) : place + _MOST_BOUND]
        nearest = nearest_day(self._probable_days, expression.start, self._document.text)
        year = self._year_near(expression.start)
        is_one = sum(atom.grain is not Grain.WEEKDAY for atom in expression.atoms) == 1
        is_list = _LETTER.search(self._document.text, expression.start, expression.end) is not None  # `1,5` is none
        if nearest is None and (is_one or is_list) and self._all_read:
            nearest = date(year, *_MIDDLE)
        return Surroundings(year, nearest, self._bound(expression.start, near))

    @cached_property
    def _all_read(self) -> bool:
        return all(expression is not None or self._feast(spans) for spans, expression in self._groups)

    def _bound(self, start: int, near: list[tuple[int, date]]) -> tuple[date, ...]:
        """The days in the same sentence, the nearest first."""
        placed = sorted((abs(place - start), place, day) for place, day in near)
        ranges = [(min(start, place), max(start, place), day) for far, place, day in placed if far <= _LONGEST_SENTENCE]
        return tuple(day for low, high, day in ranges if not _SENTENCE_END.search(self._document.text, low, high))

    def _year_near(self, start: int) -> int:
        """The most probable year of a day without a year: that of the nearest date before it, or else after it."""
        if not self._with_year:
            return _SOME_YEAR
        place = bisect_right(self._with_year, (start, _SOME_YEAR * 9))
        return self._with_year[max(0, place - 1)][1]

    @cached_property
    def _with_year(self) -> list[tuple[int, int]]:
        return sorted((e.start, e.years()[-1]) for _, e in self._groups if e is not None and e.years())

    @cached_property
    def _placed_days(self) -> list[tuple[int, date]]:
        return sorted((e.start, day) for _, e in self._groups if e is not None for day in e.days())

    @cached_property
    def _probable_days(self) -> list[tuple[int, date]]:
        """The complete dates, and those without a year, each in its most probable year."""
        days = list(self._placed_days)
        for _, expression in self._groups:
            for atom in expression.atoms if expression else ():
                if atom.grain is Grain.DAY and atom.year is None and atom.month is not None:
                    day = some_day(self._year_near(atom.start), atom.month, atom.day or 1)
                    days += [(atom.start, day)] if day else []
        return sorted(days)

    def tells(self, pattern: re.Pattern[str]) -> bool:
        """Whether a folded expression stands in the document."""
        return pattern.search(same_length(self._document.text)) is not None

    def is_birth(self, span: Span) -> bool:
        """Whether the span is the patient's date of birth: a form or a sentence says so, or it is the same day."""
        written = self.written(span)
        if written is None or not written.years():
            return False
        return self._is_named_birth(span) or (self.birth is not None and written.days() == [self.birth])

    def _is_named_birth(self, span: Span) -> bool:
        if span not in self._named_birth:
            before = self._document.text[max(0, span.start - _NEAR_BIRTH) : span.start]
            self._named_birth[span] = _BIRTH.search(same_length(before)) is not None
        return self._named_birth[span]

    @cached_property
    def birth(self) -> date | None:
        """The patient's date of birth, if a form or a sentence names it as such, or a number tells it."""
        named = (e for spans, e in self._groups if e is not None and e.days() and self._is_named_birth(spans[0]))
        if (day := next((expression.days()[0] for expression in named), None)) is not None:
            return day
        years = (e.years()[-1] for _, e in self._groups if e is not None and e.years())
        return birth_by_number(self._document, max(years, default=date.today().year))

    @cached_property
    def birth_year(self) -> int | None:
        """The year of birth, also if it is given without the day."""
        if self.birth is not None:
            return self.birth.year
        named = (e for spans, e in self._groups if e is not None and e.years() and self._is_named_birth(spans[0]))
        return next((expression.years()[0] for expression in named), None)

    @cached_property
    def days(self) -> list[date]:
        """All full dates of the document."""
        return [day for _, day in self._placed_days]

    def tells_more_than_years(self) -> bool:
        """Whether a date gives a day, a week, a month, a quarter, a season or a feast, in figures or in words."""
        atoms = (atom for _, expression in self._groups if expression is not None for atom in expression.atoms)
        return any(atom.grain not in _COARSE and atom.grain is not Grain.YEAR for atom in atoms)

    @cached_property
    def latest_year(self) -> int:
        """The latest year of all dates except the birth; 0 if there is none."""
        others = (e for spans, e in self._groups if e is not None and not self._is_named_birth(spans[0]))
        return max((year for expression in others for year in expression.years()), default=0)

    @cached_property
    def reference(self) -> date | None:
        """The latest date except the birth: its day, or the middle of the latest year if that has no day."""
        if not self.latest_year:
            return None
        days = [day for day in self.days if day.year == self.latest_year and day != self.birth]
        return max(days, default=date(self.latest_year, 7, 1))


def _inside(edit: DateEdit, spans: list[Span]) -> bool:
    return any(span.start <= edit.start and edit.end <= span.end for span in spans)


def years_between(birth: date, day: date) -> int:
    """The age in full years."""
    return day.year - birth.year - ((day.month, day.day) < (birth.month, birth.day))
