"""A written date, moved and written again in the same form."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from nadie.anonymize.dates.atoms import Atom, Grain, find_atoms
from nadie.anonymize.dates.shifting import Shift
from nadie.anonymize.surrogates.spelling import in_case_of
from nadie.spanish import calendar
from nadie.spanish.folding import same_length, words_of
from nadie.spanish.numbers import in_words

# What may stand around dates without being one, and therefore stays.
_AROUND = re.compile(
    r"(?:\s|[-–/.,;:()'’ºª°]|\b(?:y|e|o|a|al|el|la|los|las|lo|de|del|desde|hasta|entre|en|por|para|ano|anos|mes|meses|"
    r"dia|dias|fecha|semana|fin|fines|finales|final|principio|principios|primeros|comienzos|inicio|inicios|mediado|"
    r"mediados|ultimo|ultimos|primera|segunda|tercera|cuarta|quincena|mitad|hacia|sobre|aproximadamente|aprox|tarde|"
    r"noche|madrugada|pasado|pasada|proximo|proxima|proximos|siguiente|mismo|presente|actual|corriente|este|esta|del)"
    r"\b|t?\d{1,2}:\d{2}(?::\d{2})?(?:\.\d{1,6})?\s?(?:z|h|hs|hrs|horas)?|\d{1,2}h)*"
)


_SPRING = 1
_MASCULINE = frozenset("el del al este ese pasado proximo ultimo un".split())
_FEMININE = frozenset("la esta esa pasada proxima ultima una".split())


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """The atoms of a written date, each knowing the year and month that it shares with a later one."""

    text: str
    atoms: tuple[Atom, ...]

    def days(self) -> list[date]:
        """The days that are told in full."""
        return [d for a in self.atoms if a.grain is Grain.DAY and (d := _day_of(a)) is not None]

    def years(self) -> list[int]:
        return [atom.year for atom in self.atoms if atom.year is not None]


def read(text: str) -> WrittenDate | None:
    """The date in `text`, or None when it is impossible or says more than dates."""
    atoms = find_atoms(text)
    if not atoms or not all(atom.is_possible() for atom in atoms):
        return None
    folded = same_length(text)
    ends = [0, *(atom.end for atom in atoms)]
    starts = [*(atom.start for atom in atoms), len(text)]
    if not all(_AROUND.fullmatch(folded[a:b]) for a, b in zip(ends, starts, strict=True)):
        return None
    return WrittenDate(text, tuple(_inherit(atoms)))


def _inherit(atoms: list[Atom]) -> list[Atom]:
    """`3 y 5 de mayo de 2010`: the 3 is of that month; `diciembre y enero de 2010`: December is of the year before."""
    full: list[Atom] = []
    for atom in reversed(atoms):
        later = full[0] if full else None
        if later is not None and atom.grain is Grain.DAY_OF_MONTH and later.day is not None:
            atom = replace(atom, month=later.month, year=later.year)
        elif later is not None and atom.grain in (Grain.DAY_OF_YEAR, Grain.MONTH_OF_YEAR) and later.year is not None:
            before = (atom.month or 0) > (later.month or 12)
            atom = replace(atom, year=later.year - int(before))
        full.insert(0, atom)
    return full


def rewrite(written: WrittenDate, shift: Shift, year: int, before: str = "") -> str | None:
    """The date moved; `year` is taken for days that do not say theirs, `before` is the word before the date."""
    text = written.text
    moved = [_moved(atom, shift, year) for atom in written.atoms]
    for place in reversed(range(len(moved))):
        atom, new = written.atoms[place], moved[place]
        if new is None:
            return None
        later = moved[place + 1] if place + 1 < len(moved) else None
        day = next((m for m in moved[place + 1 :] if m is not None and m.weekday is not None), None)
        new = replace(new, weekday=day.weekday) if atom.grain is Grain.WEEKDAY and day is not None else new
        again = _written_again(text, atom, new, later)
        if new.season is not None:
            article = text[: atom.start] if text[: atom.start].strip() else before
            again = _agreeing(again, atom, new, article) or ""
            if not again:
                return None
        text = text[: atom.start] + again + text[atom.end :]
    return text


def _agreeing(again: str, atom: Atom, new: _New, before: str) -> str | None:
    """`el otoño de 2020` cannot become `el primavera de 2018`: then it becomes a half of that year."""
    article = (words_of(before) or [""])[-1]
    is_spring = new.season == _SPRING
    if is_spring and article in _MASCULINE:
        return f"primer semestre de {new.year}" if atom.year is not None else None
    if not is_spring and article in _FEMININE:
        half = "primera" if new.season == 0 else "segunda"
        return f"{half} mitad de {new.year}" if atom.year is not None else None
    return again


@dataclass(frozen=True, slots=True)
class _New:
    """The values of an atom after moving."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    season: int | None = None


def _day_of(atom: Atom, year: int | None = None) -> date | None:
    try:
        return date(atom.year or year or 2001, atom.month or 1, atom.day or 1)
    except ValueError:
        return None


def _moved(atom: Atom, shift: Shift, year: int) -> _New | None:
    if atom.grain in (Grain.DAY, Grain.DAY_OF_YEAR, Grain.DAY_OF_MONTH):
        if atom.month is None:
            return None
        day = _day_of(atom, year) or _day_of(atom, year - year % 4)
        if day is None or not 400 < day.year < 9000:
            return None
        day = shift.day(day)
        return _New(day.year, day.month, day.day, day.weekday())
    if atom.grain in (Grain.MONTH, Grain.MONTH_OF_YEAR):
        return _New(*shift.month(atom.year or year, atom.month or 1))
    if atom.grain is Grain.YEAR:
        return _New((atom.year or year) + shift.years)
    if atom.grain in (Grain.SEASON, Grain.SEASON_OF_YEAR):
        names = [same_length(name) for name in calendar.SEASONS]
        new_year, season = shift.season(atom.year or year, names.index(atom.word))
        return _New(year=new_year, season=season)
    if atom.grain is Grain.FEAST:
        day = shift.day(calendar.feast(atom.word, atom.year or year))
        return _New(day.year, day.month)
    if atom.grain is Grain.WEEKDAY:
        return _New(weekday=(_weekday(atom.word) + shift.days) % 7)
    return _New()


def _weekday(word: str) -> int:
    return next(n[same_length(word)] for n in _WEEKDAYS if same_length(word) in n)


_WEEKDAYS = [{same_length(name): place for place, name in enumerate(names)} for names in calendar.WEEKDAYS]


def _written_again(text: str, atom: Atom, new: _New, later: _New | None) -> str:
    piece = text[atom.start : atom.end]
    fields = atom.fields
    if _is_month_first(atom) and (new.day or 0) <= 12:
        # Nobody would see any more that the month comes first, so it no longer does.
        fields = {**fields, "d": fields["m"], "m": fields["d"]}
    for name, (start, end) in sorted(fields.items(), key=lambda item: -item[1][0]):
        field = _field(name, text[start:end], atom, new)
        piece = piece[: start - atom.start] + field + piece[end - atom.start :]
    return piece + _no_longer_shared(atom, new, later)


def _is_month_first(atom: Atom) -> bool:
    return (
        "m" in atom.fields
        and "d" in atom.fields
        and "y" in atom.fields
        and (atom.fields["m"] < atom.fields["d"] < atom.fields["y"])
    )


def _no_longer_shared(atom: Atom, new: _New, later: _New | None) -> str:
    """What an atom has to say itself, once it no longer lies in the month or year of the one after it."""
    said = ""
    if later is None or (atom.year is None and atom.month is None):
        return said
    is_other_year = atom.year is not None and "y" not in atom.fields and "yy" not in atom.fields
    is_other_year = is_other_year and new.year != later.year
    if atom.grain is Grain.DAY_OF_MONTH and ((new.year, new.month) != (later.year, later.month)):
        said = f" de {calendar.MONTHS[0][(new.month or 1) - 1]}"
    return said + (f" de {new.year}" if is_other_year else "")


def _field(name: str, old: str, atom: Atom, new: _New) -> str:
    if name in ("y", "yy"):
        return str(new.year) if len(old) == 4 else f"{(new.year or 0) % 100:02d}"
    if name == "m":
        return _padded(new.month or 0, old, atom)
    if name == "d":
        return _padded(new.day or 0, old, atom)
    if name == "ord":
        return old if new.day == 1 else ""
    if name == "dw":
        return in_case_of(in_words(new.day or 1), old)
    if name == "name":
        return _month_name(new.month or 1, old)
    if name == "season":
        return in_case_of(calendar.SEASONS[new.season or 0], old)
    if name == "feast":
        return in_case_of(calendar.MONTHS[0][(new.month or 1) - 1], old.lower())
    form = next(n for n, names in enumerate(_WEEKDAYS) if same_length(old) in names)
    return in_case_of(calendar.WEEKDAYS[form][new.weekday or 0], old)


def _padded(number: int, old: str, atom: Atom) -> str:
    """With a zero before one figure where the original does so, or does not show that it would not."""
    numeric = [atom.fields[name] for name in ("d", "m") if name in atom.fields]
    bare = any(end - start == 1 for start, end in numeric)
    zero = old.startswith("0") or ("m" in atom.fields and not bare)
    return f"{number:02d}" if zero else str(number)


def _month_name(month: int, old: str) -> str:
    named = calendar.month_of(old)
    form = named[1] if named else 0
    name = calendar.MONTHS[form][month - 1]
    return name if form == calendar.ROMAN else in_case_of(name, old)
