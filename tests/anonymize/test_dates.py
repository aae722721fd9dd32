"""Dates in every writing, moved and written again."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.anonymize.context import Settings
from nadie.anonymize.dates import shifting
from nadie.anonymize.dates.calendar import Calendar
from nadie.anonymize.dates.shifting import Shift
from nadie.anonymize.dates.written import read, rewrite
from nadie.anonymize.decision import KEEP, REFUSE
from nadie.errors import ConfigError
from nadie.spanish import calendar, numbers

from .marked import context_of, marked

MOVED = [
    ("03/03/1946", "28/01/1945"),
    ("12-5-10", "8-4-09"),
    ("07.06.22", "04.05.21"),
    ("2010-05-12", "2009-04-08"),
    ("2010-05-12T10:30:00", "2009-04-08T10:30:00"),
    ("2010/05/12 10:30 h", "2009/04/08 10:30 h"),
    ("20100512", "20090408"),
    ("12052010", "08042009"),
    ("3 de enero de 2010", "30 de noviembre de 2008"),
    ("3 de enero del año 2010", "30 de noviembre del año 2008"),
    ("3 ENERO 2010", "30 NOVIEMBRE 2008"),
    ("feb 2021", "ene 2020"),
    ("Febrero de 2021", "Enero de 2020"),
    ("Sept. 2010", "Agos. 2009"),
    ("diciembre-98", "noviembre-97"),
    ("12/25/2010", "11/21/2009"),
    ("02/13/2010", "10/01/2009"),
    ("2010", "2009"),
    ("año 2010", "año 2009"),
    ("05/2010", "04/2009"),
    ("febrero y abril de 2010", "enero y marzo de 2009"),
    ("enero y marzo de 2010", "diciembre de 2008 y febrero de 2009"),
    ("3 y 5 de mayo de 2010", "30 de marzo y 1 de abril de 2009"),
    ("28 de diciembre y 3 de enero de 2010", "24 de noviembre y 30 de noviembre de 2008"),
    ("12-15 de mayo de 2011", "8-11 de abril de 2010"),
    ("2005-2010", "2004-2009"),
    ("verano de 2010", "verano de 2009"),
    ("Navidad de 2010", "noviembre de 2009"),
    ("Semana Santa de 2010", "febrero de 2009"),
    ("12-XII-2010", "8-XI-2009"),
    ("tres de enero de 2010", "treinta de noviembre de 2008"),
    ("1º de mayo de 2010", "28 de marzo de 2009"),
    ("12mayo2010", "8abril2009"),
    ("03/03//1946", "28/01//1945"),
    ("lunes 4 de enero de 2010", "lunes 1 de diciembre de 2008"),
    ("mediados de mayo de 2010", "mediados de abril de 2009"),
    ("12 de maig de 2010", "8 de abril de 2009"),
    ("29/02/2012", "26/01/2011"),
    ("01/01/2000", "28/11/1998"),
]


@pytest.mark.parametrize(("old", "new"), MOVED, ids=[row[0] for row in MOVED])
def test_the_form_is_kept(old: str, new: str) -> None:
    written = read(old)
    assert written is not None
    assert rewrite(written, Shift(-399), 2015) == new


@pytest.mark.parametrize(
    "value",
    ["31/02/2010", "23/010/1990", "26708/2017", "0/10/2017", "14/14/2014", "29/02/2011", "10:30", "años 90",
     "Hospital 12 de octubre", "tío paterno", "963 862 700", "39 años", "", " ", "99/99/9999", "d'abril", "\u0301",
     "12/12/2016 y Ana", "9" * 400],
)  # fmt: skip
def test_impossible_dates_and_other_things_are_refused(value: str) -> None:
    written = read(value)
    assert written is None or rewrite(written, Shift(-399), 2015) is None


@pytest.mark.parametrize(
    ("text", "days", "new"),
    [
        ("desde el {otoño de 2020|D}", -914, "primer semestre de 2018"),
        ("en la {primavera de 2020|D}", -364, "primavera de 2019"),
        ("en la {primavera de 2020|D}", -270, "segunda mitad de 2019"),
        ("en {primavera de 2020|D}", -270, "verano de 2019"),
        ("desde el {otoño|D}", -914, REFUSE),
        ("{la primavera de 2020|D}", -270, "la segunda mitad de 2019"),
    ],
)
def test_seasons_agree_with_the_article(text: str, days: int, new: object) -> None:
    note = marked(text)
    assert Calendar(note, Shift(days)).moved(note.spans[0]) == new


def test_a_document_moves_as_one() -> None:
    note = marked("Nace el {03/03/1946|D}, ingresa el {12/12/2016|D}, el {15 de diciembre|D} se opera, {31/02/2016|D}")
    context = context_of(note)
    born, admitted, operated, impossible = (context.calendar.moved(span) for span in note.spans)
    assert impossible is REFUSE
    first, second = read(str(born)), read(str(admitted))
    assert first is not None
    assert second is not None
    assert second.days()[0] - first.days()[0] == date(2016, 12, 12) - date(1946, 3, 3)
    three_days_later = second.days()[0].toordinal() + 3
    assert read(f"{operated} de {date.fromordinal(three_days_later).year}").days() == [  # type: ignore[union-attr]
        date.fromordinal(three_days_later)
    ]


def test_weekdays_stay_right_or_move() -> None:
    note = marked("Vino el {lunes|D}")
    assert context_of(note).calendar.moved(note.spans[0]) is KEEP
    anyhow = Settings(dates=shifting.Settings(weekday="move"))
    seen = {context_of(note, settings=anyhow, patient=str(n)).calendar.moved(note.spans[0]) for n in range(40)}
    assert {"martes", "domingo"} <= seen


def test_patients_have_their_own_shift() -> None:
    note = marked("{12/12/2016|D}")
    assert len({context_of(note, patient=str(n)).shift for n in range(60)}) > 30
    assert context_of(note, scope="a").shift == context_of(note, scope="b").shift


@pytest.mark.parametrize(
    ("settings", "check"),
    [
        (shifting.Settings(), lambda d: d < 0 and d % 7 == 0),
        (shifting.Settings(weekday="move"), lambda d: d < 0),
        (shifting.Settings(direction="future"), lambda d: d > 0),
        (shifting.Settings(season="keep", most_days=3700), lambda d: d % 364 == 0),
        (shifting.Settings(direction="both", least_days=300, most_days=400), lambda d: 300 <= abs(d) <= 400),
    ],
)
def test_possible_shifts(settings: shifting.Settings, check: object) -> None:
    possible = settings.possible()
    assert len(possible) >= 4
    assert all(check(days) for days in possible)  # type: ignore[operator]
    assert all(abs(Shift(days).years) >= 1 for days in possible)


@pytest.mark.parametrize(
    "wrong",
    [{"direction": "up"}, {"weekday": "x"}, {"season": "x"}, {"least_days": 5}, {"most_days": 190}, {"most_days": 1}],
)
def test_impossible_settings(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        shifting.Settings(**wrong)  # type: ignore[arg-type]


@given(st.dates(date(1900, 1, 1), date(2060, 12, 31)), st.integers(-4000, 4000), st.sampled_from("/-. "))
def test_any_day_moves_by_exactly_the_shift(day: date, days: int, sign: str) -> None:
    written = read(f"{day.day:02d}{sign}{day.month:02d}{sign}{day.year}")
    assert written is not None
    again = read(str(rewrite(written, Shift(days), 2015)))
    assert again is not None
    assert again.days()[0].toordinal() == day.toordinal() + days


@given(st.integers(1950, 2030), st.integers(1, 12), st.integers(1, 60), st.integers(-4000, 4000))
def test_intervals_of_months_and_years_stay(year: int, month: int, later: int, days: int) -> None:
    shift = Shift(days)
    total = year * 12 + month - 1
    first, second = shift.month(year, month), shift.month(*((total + later) // 12, (total + later) % 12 + 1))
    assert (second[0] * 12 + second[1]) - (first[0] * 12 + first[1]) == later


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    written = read(text)
    if written is not None:
        rewrite(written, Shift(-399), 2015)


@pytest.mark.parametrize(
    ("year", "day"), [(2000, (4, 23)), (2010, (4, 4)), (2019, (4, 21)), (2024, (3, 31)), (1998, (4, 12))]
)
def test_easter(year: int, day: tuple[int, int]) -> None:
    assert calendar.easter(year) == date(year, *day)


def test_numbers_in_words() -> None:
    assert [numbers.in_words(n) for n in (1, 16, 21, 30, 31, 99)] == [
        "uno", "dieciséis", "veintiuno", "treinta", "treinta y uno", "noventa y nueve",
    ]  # fmt: skip
