"""Generalizes a span: an age to its band, a date to its year, a town to its province."""

from __future__ import annotations

from nadie.anonymize.context import Context
from nadie.anonymize.decision import KEEP, REFUSE, Outcome
from nadie.anonymize.operator import Traits
from nadie.anonymize.surrogates.age_forms import Age, read
from nadie.document import Span
from nadie.errors import ConfigError
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.calendar import MONTHS
from nadie.spanish.folding import key_of


class GeneralizeOperator:
    """`72 años` → `70-79 años`, `93 años` → `90 años o más`, `03/11/2023` → `2023`, `13600` → `Ciudad Real`.

    `band` is the width of a band of ages in years, or 0 to leave ages below `top` as they are; from `top` on all ages
    are one. `date` is `year` or `month`. `place` is `province` or `region`. A date that would tell the age of a patient
    of `top` years or more, such as the year of birth, is refused, as HIPAA asks.
    """

    name = "generalize"
    traits = Traits.NONE

    def __init__(self, *, band: int = 10, top: int = 90, date: str = "year", place: str = "province") -> None:
        if date not in ("year", "month"):
            raise ConfigError("generalize: date is year or month")
        if place not in ("province", "region"):
            raise ConfigError("generalize: place is province or region")
        if not 0 <= band <= 50 or not 18 <= top <= 120:
            raise ConfigError("generalize: band is from 0 to 50 years, top from 18 to 120")
        self._band, self._top, self._date, self._place = band, top, date, place

    def replace(self, value: str, span: Span, context: Context) -> Outcome:
        if span.label == Label.EDAD_SUJETO_ASISTENCIA:
            return self._age(value)
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
        return self._years(ages[0].number if ages[0].unit == "year" else 0, is_infant=ages[0].unit != "year")

    def _several(self, ages: list[Age]) -> Outcome:
        """`2 años y 3 meses` is two years; two ages in years are not one age."""
        years = [age.number for age in ages if age.unit == "year"]
        return self._years(years[0], is_infant=False) if len(years) == 1 else REFUSE

    def _years(self, years: int, *, is_infant: bool) -> Outcome:
        if years >= self._top:
            return f"{self._top} años o más"
        if not self._band:
            return KEEP
        if is_infant or years < 1:
            return "menor de 1 año" if not is_infant or self._band else KEEP
        low = years // self._band * self._band
        return f"{max(low, 1)}-{min(low + self._band, self._top) - 1} años"

    def _moment(self, span: Span, context: Context) -> Outcome:
        written = context.calendar.written(span)
        if written is None or not written.years() or self._tells_great_age(span, context):
            return REFUSE
        year, month = written.years()[-1], written.atoms[-1].month
        if len(written.atoms) > 1 and len(set(written.years())) > 1:
            return REFUSE
        value = context.document.text_of(span)
        general = str(year)
        if self._date == "month" and month is not None:
            general = f"{MONTHS[0][month - 1]} de {year}"
        return KEEP if key_of(general) == key_of(value) else general

    def _tells_great_age(self, span: Span, context: Context) -> bool:
        """Whether the date lies so far before the others that it tells of an age of `top` or more."""
        written = context.calendar.written(span)
        if written is None or not written.years():
            return False
        latest = context.calendar.latest_year or written.years()[-1]
        return context.years_lived >= self._top and latest - written.years()[0] >= self._top - 2

    def _territory(self, value: str, span: Span, context: Context) -> Outcome:
        folded = key_of(value)
        if folded in tables.regions() and folded not in tables.province_codes():
            return KEEP if self._place == "region" else REFUSE
        address = context.places.address(span)
        if address.country not in (None, "ES"):
            return REFUSE
        code = folded[:2] if folded.isdigit() and len(folded) == 5 else tables.town_codes().get(folded, "")
        province = tables.provinces().get(code)
        if province is None:
            return REFUSE
        general = province.name if self._place == "province" else province.region
        return KEEP if key_of(general) == folded else general
