"""Writing shifted atoms in the form of the original: as edits, so that the rest of the text is unchanged."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nadie.spanish import calendar, languages
from nadie.spanish.dates.atoms import Atom, Grain
from nadie.spanish.dates.corrections import as_words, is_month_first
from nadie.spanish.dates.forms import DECADES
from nadie.spanish.dates.reading import Expression
from nadie.spanish.folding import same_length, words_of
from nadie.spanish.numbers import in_words
from nadie.surrogates.dates.feasts import feast_again
from nadie.surrogates.dates.moving import Moved
from nadie.surrogates.spelling import in_case_of, spelled_like

_SPRING = 1
_CODED_DAY = re.compile(r"\d\d-[A-Z]{3}\b(?!-)(?<![IVX])")
_SHORTEST_DAY = 4  # letters of a day of the week that is not abbreviated
_MASCULINE = frozenset("el del al este ese pasado proximo ultimo un pleno mismo".split())
_FEMININE = frozenset("la esta esa pasada proxima ultima una plena misma".split())
_ORDINALS = ("primer", "segundo", "tercer", "cuarto")
_ENGLISH_ORDINALS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
# In Basque a number that ends in a consonant when spoken takes -eko and -ean: 1, 5, 10 and numbers ending in them.
_BASQUE_CONSONANTS = frozenset({1, 5, 10, 15})


@dataclass(frozen=True, slots=True)
class DateEdit:
    """The replacement of `start:end` of the text."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Page:
    """The text and the whole expression."""

    text: str
    expression: Expression
    moved: list[Moved]

    def old(self, atom: Atom, name: str) -> str:
        start, end = atom.fields[name]
        old = self.text[start:end]
        folded = same_length(old)
        is_misread = name in ("name", "weekday") and as_words(folded) != folded
        return in_case_of(as_words(folded), old) if is_misread else old

    def source(self, atom: Atom) -> Atom:
        """The atom of a list that has the month and year for this one: the 7 for the 3 in `3, 5 y 7 de julio`."""
        while atom.donor is not None:
            atom = self.expression.atoms[atom.donor]
        return atom

    def pads(self) -> bool:
        """Whether numbers below ten have a leading zero, as far as the original shows."""
        places = [a.fields[n] for a in self.expression.atoms for n in ("d", "m") if a.is_numeric and a.says(n)]
        return all(end - start > 1 for start, end in places)


def edits(text: str, expression: Expression, moved: list[Moved]) -> list[DateEdit] | None:
    """All edits that write the shifted atoms; None if they cannot be expressed."""
    page = _Page(text, expression, moved)
    found: list[DateEdit] = []
    for atom, new in zip(expression.atoms, moved, strict=True):
        if atom.grain is Grain.SEASON:
            season = _season(page, atom, new)
            if season is None:
                return None
            found += season
        elif atom.grain is Grain.FEAST:
            replacement = feast_again(page.old(atom, "feast"), text[max(0, atom.start - 20) : atom.start], new)
            found.append(DateEdit(atom.start, atom.end, replacement + (f" de {new.year}" if atom.says_year else "")))
        else:
            found += _fields(page, atom, new)
    return [edit for edit in found if text[edit.start : edit.end] != edit.text]


def apply(text: str, start: int, end: int, changes: list[DateEdit]) -> str:
    """`text[start:end]` after the edits that are within it."""
    new, at = "", start
    for edit in sorted((e for e in changes if start <= e.start and e.end <= end), key=lambda e: (e.start, e.end)):
        new += text[at : edit.start] + edit.text
        at = edit.end
    return new + text[at:end]


def _fields(page: _Page, atom: Atom, new: Moved) -> list[DateEdit]:
    fields = atom.fields
    if _is_month_first(atom) and (new.day or 0) <= 12 and not is_month_first(page.text):
        # Readers could no longer see that the month comes first, so the day is written first.
        fields = {**fields, "d": fields["m"], "m": fields["d"]}
    found = [DateEdit(*fields[name], _field(page, name, atom, new)) for name in fields]
    said = _no_longer_shared(page, atom, new)
    return [*found, DateEdit(atom.end, atom.end, said)] if said else found


def _is_month_first(atom: Atom) -> bool:
    if not (atom.says("m") and atom.says("d") and atom.says("y", "yy")):
        return False
    year = atom.fields.get("y") or atom.fields["yy"]
    return atom.fields["m"] < atom.fields["d"] < year


def _no_longer_shared(page: _Page, atom: Atom, new: Moved) -> str:
    """The month or year that an atom must state itself because it no longer shares that of another atom."""
    if atom.donor is None:
        return ""
    source, other = page.source(atom), page.moved[atom.donor]
    is_other_month = atom.grain is Grain.DAY and not atom.says_month
    is_other_month = is_other_month and (new.year, new.month) != (other.year, other.month)
    year = new.year if source.says_year and not source.says("pair") and new.year != other.year else None
    numeric = atom if atom.is_numeric else source
    if numeric.is_numeric:
        mark = page.text[_end_of_first(numeric) : _start_of_second(numeric)].strip() or "/"
        month = f"{mark}{_padded(page, new.month or 1)}" if is_other_month else ""
        figures = year if year is None or not source.says("yy") else f"{year % 100:02d}"
        return month + ("" if year is None else f"{mark}{figures}")
    of = " de " if " de" in same_length(page.text[source.start : source.end]) else " "
    name = _month_name(page.old(source, "name"), source, new.month or 1) if source.says("name") else ""
    of = of.upper() if name.isupper() else of
    return (of + name if is_other_month and name else "") + ("" if year is None else f"{of}{year}")


def _end_of_first(atom: Atom) -> int:
    return min(end for name, (_, end) in atom.fields.items() if name in ("d", "m", "y", "yy"))


def _start_of_second(atom: Atom) -> int:
    return sorted(start for name, (start, _) in atom.fields.items() if name in ("d", "m", "y", "yy"))[1]


def _padded(page: _Page, number: int) -> str:
    return f"{number:02d}" if page.pads() else str(number)


def _field(page: _Page, name: str, atom: Atom, new: Moved) -> str:
    old = page.old(atom, name)
    if name in ("y", "yy", "yw", "pair", "six"):
        return _year_field(name, old, atom, new)
    if name in ("d", "m"):
        return _figures(page, old, atom, (new.day if name == "d" else new.month) or 1)
    if name == "ord":
        english = _ENGLISH_ORDINALS.get(new.day or 1, "th")
        return english if atom.language == "en" else old if new.day == 1 else ""
    if name == "dw":
        return _in_words(new.day or 1, old)
    if name == "name":
        return _month_name(old, atom, new.month or 1)
    if name == "of":
        return _of(old, atom.language, new.month or 1)
    if name == "weekday":
        names = languages.weekdays_like(old, atom.language)
        name = spelled_like(names[new.weekday or 0], old, names[atom.place])
        is_after_plural = page.text[max(0, atom.start - 4) : atom.start].endswith("los ")
        is_plural = is_after_plural and len(name) > _SHORTEST_DAY and not name.endswith("s")
        return f"{name}s" if is_plural else name
    if name in ("ko", "case"):
        return _basque(name, old, new)
    return _part_field(name, old, atom, new)


def _in_words(number: int, old: str) -> str:
    words = in_words(number)
    is_title = len(old.split()) > 1 and old.replace(" y ", " ").istitle()
    return words.title().replace(" Y ", " y ") if is_title else in_case_of(words, old)


def _year_field(name: str, old: str, atom: Atom, new: Moved) -> str:
    year = new.year or 0
    if name == "yw":
        return _in_words(year, old)
    if name == "pair":
        figures = len([c for c in old if c.isdigit()])
        return old[: len(old) - figures] + (f"{(year + 1) % 100:02d}" if figures == 2 else str(year + 1))
    if name == "six":
        parts = {"y": year % 100, "m": new.month or 1, "d": new.day or 1}
        return "".join(f"{parts[letter]:02d}" for letter in atom.word)
    if "." in old:
        return f"{year // 1000}.{year % 1000:03d}"
    return str(year) if len(old) == 4 else f"{year % 100:02d}"


def _figures(page: _Page, old: str, atom: Atom, number: int) -> str:
    """A number with a leading zero if the original has one, or does not show that it would not."""
    source = page.source(atom)
    is_year_first = atom.says("y", "d") and "-" in page.text[atom.fields.get("y", (atom.end, 0))[0] : atom.end]
    numeric = (source.is_numeric and source.start >= atom.start) or is_year_first
    is_code = _CODED_DAY.match(page.text, atom.start) is not None  # `14-JUL`
    return f"{number:02d}" if old[0] in "0Oo" or is_code else _padded(page, number) if numeric else str(number)


def _month_name(old: str, atom: Atom, month: int) -> str:
    names = languages.months_like(old, atom.language)
    name = names[month - 1]
    if names is languages.ROMAN:
        return name.lower() if old.islower() else name
    return spelled_like(name, old, languages.month_of(old)[1][(atom.month or 1) - 1])


def _of(old: str, language: str, month: int) -> str:
    """Catalan only: `de` before a consonant, `d'` before a vowel."""
    if language != "ca":
        return old
    mark = "’" if "’" in old else "'"
    return f" d{mark}" if languages.CATALAN[month - 1][0] in "aeiou" else " de "


def _basque(name: str, old: str, new: Moved) -> str:
    if name == "ko":
        return "eko" if (new.year or 0) % 20 in _BASQUE_CONSONANTS else "ko"
    if old == "a":
        return old
    return "ean" if (new.day or 1) % 20 in _BASQUE_CONSONANTS else "an"


def _part_field(name: str, old: str, atom: Atom, new: Moved) -> str:
    place = new.place or 0
    if name == "part" and old[0].isdigit():
        suffix = old[1:]
        return f"{place + 1}" + (suffix and ("er", "º")[place % 2])
    if name == "part":
        return in_case_of(_ORDINALS[place], old)
    if name == "week":
        return str(place) if atom.fields["week"] < atom.fields["y"] else f"{place:02d}"
    if name == "of_week":
        return str(new.day)
    if name == "decade":
        return _decade(old, place)
    return old


def _decade(old: str, decade: int) -> str:
    if len(old) == 4 and old.isdigit():
        return f"{decade}0"
    if old.isdigit():
        return f"{decade % 10}0"
    words = {number: word for word, number in DECADES.items()}
    return in_case_of(words.get(decade % 10 * 10, "diez"), old)


def _season(page: _Page, atom: Atom, new: Moved) -> list[DateEdit] | None:
    """`el otoño de 2020` cannot become `el primavera de 2018`: then it becomes a half of that year."""
    place = new.place or 0
    article = (words_of(page.text[max(0, atom.start - 20) : atom.start]) or [""])[-1]
    year, old = new.year or 0, page.old(atom, "season")
    if (article in _MASCULINE) if place == _SPRING else (article in _FEMININE):
        half = "primera" if place == 0 else "segunda"
        half_year = f"primer semestre de {year}" if place == _SPRING else f"{half} mitad de {year}"
        if not atom.says_year:
            replacement = in_case_of("mes de mayo" if place == _SPRING else f"época de {calendar.SEASONS[place]}", old)
            return [DateEdit(*atom.fields["season"], replacement)]
        return [DateEdit(atom.start, atom.end, half_year)]
    names = {same_length(name): name for name in calendar.SEASONS}
    found = [DateEdit(*atom.fields["season"], spelled_like(calendar.SEASONS[place], old, names[same_length(old)]))]
    if atom.says("pair"):
        is_winter = place == 0
        pair = _year_field("pair", page.old(atom, "pair"), atom, Moved(year=year - 1))
        found.append(DateEdit(*atom.fields["y"], str(year - is_winter)))
        return [*found, DateEdit(*atom.fields["pair"], pair if is_winter else "")]
    years = [name for name in ("y", "yy", "yw") if atom.says(name)]
    found += [DateEdit(*atom.fields[name], _year_field(name, page.old(atom, name), atom, new)) for name in years]
    said = _no_longer_shared(page, atom, new)
    return [*found, DateEdit(atom.end, atom.end, said)] if said else found
