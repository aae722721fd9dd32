"""Generalizes a span: an age to its band, a date to its year, a town to its province."""

from __future__ import annotations

import datetime
import re

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Span
from nadie.errors import ConfigError
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.calendar import MONTHS
from nadie.spanish.dates.atoms import Atom, Grain
from nadie.spanish.dates.reading import Expression
from nadie.spanish.folding import key_of
from nadie.surrogates.age_forms import Age, read
from nadie.surrogates.clinical_ages import is_clinical
from nadie.surrogates.dates.births import AgeRule, birth_outcome
from nadie.surrogates.dates.shifting import Shift
from nadie.surrogates.decision import KEEP, REFUSE, Outcome

_POSTCODE = re.compile(r"(?:(?:E|es)-)?(\d{5})(?:-\d{4})?")
# The first three digits of ZIP codes with at most 20,000 inhabitants, in any of the censuses of 2000, 2010 and 2020.
_SMALL_ZIP3 = frozenset("036 059 063 102 203 205 369 556 692 753 772 790 821 823 830 831 878 879 884 890 893".split())


class GeneralizeOperator:
    """`72 años` → `70-79 años`, `93 años` → `90 años o más`, `03/11/2023` → `2023`, `13600` → `Ciudad Real`.

    `band` is the width of an age band in years, or 0 to keep ages below `top`; all ages from `top` on are one band.
    `date` is `year` or `month`. `place` is `province` or `region`, and with `postcode = "prefix"` a postcode keeps the
    digits that HIPAA's rule of 20,000 inhabitants allows. A date that would reveal the age of a patient of `top` years
    or more, such as the year of birth, is refused, as HIPAA requires. `now` is the reference year for a document with
    no date except the birth; 0 is the year of the run.
    """

    name = "generalize"
    traits = Traits.NONE

    def __init__(
        self,
        *,
        band: int = 10,
        top: int = 90,
        date: str = "year",
        place: str = "province",
        postcode: str = "place",
        now: int = 0,
    ) -> None:
        if date not in ("year", "month"):
            raise ConfigError("generalize: date must be year or month")
        if place not in ("province", "region"):
            raise ConfigError("generalize: place must be province or region")
        if postcode not in ("place", "prefix"):
            raise ConfigError("generalize: postcode must be place or prefix")
        if not 0 <= band <= 50 or not 18 <= top <= 120:
            raise ConfigError("generalize: band must be from 0 to 50 years, top from 18 to 120")
        self.ages = AgeRule(band, top)
        self._date, self._place, self._postcode, self._now = date, place, postcode, now

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        if span.label == Label.EDAD_SUJETO_ASISTENCIA:
            return KEEP if is_clinical(context.document, span) else self._age(value)
        if span.label == Label.FECHAS:
            return self._moment(span, context)
        if span.label == Label.TERRITORIO:
            return self._territory(value, span, context)
        return REFUSE

    def _age(self, value: str) -> Outcome:
        ages = read(value)
        if ages is None or len(ages) > 1:
            return REFUSE if ages is None else self._several(ages)
        if not ages:
            return KEEP
        return self._years(ages[0].number if ages[0].unit == "year" else 0)

    def _several(self, ages: list[Age]) -> Outcome:
        """`2 años y 3 meses` is two years; two ages in years are not one age."""
        years = [age.number for age in ages if age.unit == "year"]
        return self._years(years[0]) if len(years) == 1 else REFUSE

    def _years(self, years: int) -> Outcome:
        if years >= self.ages.top:
            return f"{self.ages.top} años o más"
        if not self.ages.band:
            return KEEP
        low, high = self.ages.bounds(years)
        return f"{low}-{high} años" if years else "menor de 1 año"

    def _moment(self, span: Span, context: Context) -> Outcome:
        written = context.calendar.written(span)
        if written is None or not written.years() or self._reveals_great_age(written, span, context):
            return REFUSE
        birth = birth_outcome(context.calendar, span, context.options.ages, context.stated_ages, Shift(0))
        if birth is not None:
            return birth
        own = [a for a in written.atoms if span.start <= a.start < span.end and a.year and not a.is_assumed]
        if not any(atom.says("decade") or (atom.says_year and _says_year_in(span, atom)) for atom in own):
            return REFUSE
        if all(atom.grain in (Grain.YEAR, Grain.DECADE) for atom in own):
            return KEEP
        general = self._general(own)
        return KEEP if key_of(general) == key_of(context.document.text_of(span)) else general

    def _general(self, atoms: list[Atom]) -> str:
        if self._date == "month" and all(atom.month for atom in atoms):
            months = dict.fromkeys(f"{MONTHS[0][(atom.month or 1) - 1]} de {atom.year}" for atom in atoms)
            return " y ".join(months)
        years = sorted({atom.year or 0 for atom in atoms})
        return str(years[0]) if len(years) == 1 else f"{years[0]}-{years[-1]}"

    def _reveals_great_age(self, written: Expression, span: Span, context: Context) -> bool:
        """Whether the date is so far before the others that it reveals an age of `top` or more.

        The reference is the latest date of the document. If the document has only a date of birth, or states such an
        age, the reference is this year.
        """
        calendar, year, top = context.calendar, min(written.years()), self.ages.top
        is_old, now = context.years_lived >= top, self._now or datetime.date.today().year
        if calendar.is_birth(span):
            return is_old or (not calendar.latest_year and now - year >= top)
        return max(calendar.latest_year, now) - year >= top - 2 if is_old else calendar.latest_year - year >= top

    def _territory(self, value: str, span: Span, context: Context) -> Outcome:
        folded = key_of(value)
        address = context.places.address(span)
        if self._postcode == "prefix" and (code := _POSTCODE.fullmatch(value.strip())):
            return _prefix(code[1], address.country)
        if folded in tables.regions() and folded not in tables.province_codes():
            return KEEP if self._place == "region" else REFUSE
        if address.country not in (None, "ES"):
            return REFUSE
        code_of_town = folded[:2] if folded.isdigit() and len(folded) == 5 else tables.town_codes().get(folded, "")
        province = tables.provinces().get(code_of_town)
        if province is None:
            return REFUSE
        general = province.name if self._place == "province" else province.region
        return KEEP if key_of(general) == folded else general


def _says_year_in(span: Span, atom: Atom) -> bool:
    """Whether the year itself is in the span, and not in another span of the same list."""
    return any(span.start <= atom.fields[name][0] < span.end for name in ("y", "yy", "yw") if atom.says(name))


def _prefix(code: str, country: str | None) -> Outcome:
    """The part of a postcode that covers more than 20,000 people: three digits in the USA, two in Spain."""
    if country == "US":
        return f"{'000' if code[:3] in _SMALL_ZIP3 else code[:3]}**"
    return f"{code[:2]}***" if country in (None, "ES") and code[:2] in tables.provinces() else REFUSE
