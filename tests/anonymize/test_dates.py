"""Dates in every written form, shifted and written again."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.anonymize.context import PolicyOptions
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.labels import Label
from nadie.resolve.completing import complete
from nadie.resolve.outside import is_completed
from nadie.spanish import calendar, numbers
from nadie.spanish.dates.reading import read
from nadie.surrogates.dates import shifting
from nadie.surrogates.dates.calendar import Calendar
from nadie.surrogates.dates.shifting import Shift
from nadie.surrogates.decision import KEEP, REFUSE

from .marked import KEY, anonymized, context_of, marked

REFUSED = "[FECHAS]"
TABLE = [
    line.split("\t")
    for line in (Path(__file__).parent / "date_forms.tsv").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def shifted(text: str, days: int) -> str:
    """The text with its spans moved; a text without spans is one."""
    note = marked(text if "{" in text else f"{{{text}|D}}")
    calendar_of_note = Calendar(note, Shift(days))
    new, end = "", 0
    for span in note.spans:
        outcome = calendar_of_note.moved(span)
        value = outcome if isinstance(outcome, str) else REFUSED if outcome is REFUSE else note.text_of(span)
        new, end = new + note.text[end : span.start] + value, span.end
    return new + note.text[end:]


@pytest.mark.parametrize(("days", "old", "new"), TABLE, ids=[f"{row[1]} {row[0]}" for row in TABLE])
def test_every_written_form(days: str, old: str, new: str) -> None:
    assert shifted(old, int(days)) == new


def test_the_counts_of_the_table_in_the_docs() -> None:
    moved = [row for row in TABLE if REFUSED not in row[2]]
    page = (Path(__file__).parents[2] / "docs" / "en" / "understand" / "surrogates.md").read_text(encoding="utf-8")
    assert len(TABLE) >= 129
    assert len(moved) >= 125
    assert f"{len(TABLE)} written forms" in page
    assert f"{len(moved)} of them" in page


@pytest.mark.parametrize(
    "value",
    ["31/02/2010", "23/010/1990", "26708/2017", "0/10/2017", "14/14/2014", "29/02/2011", "10:30", "3 de 5",
     "Hospital 12 de octubre", "tío paterno", "963 862 700", "39 años", " ", "99/99/9999", "120 mg", "\u0301",
     "12/12/2016 y Ana", "9" * 400, "5 y 40 de mayo", "segundo de bachillerato", "1,5", "quinto semestre de 2019"],
)  # fmt: skip
def test_impossible_dates_and_other_things_are_refused(value: str) -> None:
    assert shifted(value, -399) == REFUSED


@pytest.mark.parametrize(
    ("text", "days", "new"),
    [
        ("desde el {otoño de 2020|D}", -914, "primer semestre de 2018"),
        ("en la {primavera de 2020|D}", -364, "primavera de 2019"),
        ("en la {primavera de 2020|D}", -270, "segunda mitad de 2019"),
        ("en {primavera de 2020|D}", -270, "verano de 2019"),
        ("desde el {otoño|D}", -914, "mes de mayo"),
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
    anyhow = PolicyOptions(dates=shifting.ShiftOptions(weekday="move"))
    seen = {context_of(note, options=anyhow, patient=str(n)).calendar.moved(note.spans[0]) for n in range(40)}
    assert {"martes", "domingo"} <= seen


@pytest.mark.parametrize(
    ("text", "covered"),
    [
        ("del 2 al {9 de mayo|D} de 2019", ["2", "2019"]),
        ("los días 3, 5 y {7 de julio de 2019|D}", ["3", "5"]),
        ("12-{14/05/2019|D}", ["12"]),
        ("30 de abril al {3 de mayo de 2019|D}", ["30 de abril"]),
        ("{3 de mayo|D} y 5 de junio de 2019", ["5 de junio de 2019"]),
        ("lunes {4 de enero de 2010|D}, {5/1/2010|D} (martes)", ["lunes", "martes"]),
        (
            "el {12/07/2019|D}, en pleno verano. En Navidad de 2018 empeora en la calle Navidad",
            ["verano", "Navidad de 2018"],
        ),
        ("dosis 2, {12 de mayo de 2019|D}", []),
        ("a 8 y {5 de mayo de 2019|D}", []),
        ("TA 120/80 {12/05/2019|D}", []),
        ("{12/05/2019|D}. Rinitis en primavera", []),
        ("Dra. Reyes, de Posadas, {12/05/2019|D}", []),
    ],
)
def test_parts_that_no_span_covers(text: str, covered: list[str]) -> None:
    note = marked(text)
    found = (span for span in complete(note).spans if is_completed(span))
    assert sorted(map(note.text_of, found)) == sorted(covered)


def test_a_list_moves_as_one_whatever_the_spans() -> None:
    policy = read_policy("research")
    news = {
        anonymized(Engine(policy, KEY), marked(text)).text
        for text in (
            "{3, 5 y 7 de julio de 2019|D}",
            "{3|D}, {5 y 7 de julio de 2019|D}",
            "3, 5 y {7 de julio|D} de 2019",
        )
    }
    assert len(news) == 1


def test_a_season_agrees_with_the_day_beside_it() -> None:
    for days in range(-1400, -200, 7):
        new = shifted("el {01/07/2019|D}, en {verano|D}", days)
        day = read(new[3:13]).days()[0]  # type: ignore[union-attr]
        season = sum((day.month, day.day) >= start for start in ((3, 21), (6, 21), (9, 23), (12, 21))) % 4
        assert new.endswith(calendar.SEASONS[season])


def test_patients_have_their_own_shift() -> None:
    note = marked("{12/12/2016|D}")
    assert len({context_of(note, patient=str(n)).shift for n in range(60)}) > 30
    assert context_of(note, scope="a").shift == context_of(note, scope="b").shift


@pytest.mark.parametrize(
    ("options", "check"),
    [
        (shifting.ShiftOptions(), lambda d: d < 0 and d % 7 == 0),
        (shifting.ShiftOptions(weekday="move"), lambda d: d < 0),
        (shifting.ShiftOptions(direction="future"), lambda d: d > 0),
        (shifting.ShiftOptions(season="keep", most_days=3700), lambda d: d % 364 == 0),
        (shifting.ShiftOptions(direction="both", least_days=300, most_days=400), lambda d: 300 <= abs(d) <= 400),
        (shifting.ShiftOptions(least_days=28, most_days=182), lambda d: 28 <= -d <= 182 and d % 7 == 0),
    ],
)
def test_possible_shifts(options: shifting.ShiftOptions, check: object) -> None:
    possible = options.possible()
    assert len(possible) >= 4
    assert all(check(days) for days in possible)  # type: ignore[operator]
    assert options.least_days < 190 or all(abs(Shift(days).years) >= 1 for days in possible)


@pytest.mark.parametrize(
    "wrong",
    [
        {"direction": "up"},
        {"weekday": "x"},
        {"season": "x"},
        {"least_days": 5},
        {"most_days": 190},
        {"most_days": 1},
        {"most_days": 10**9},
    ],
)
def test_impossible_settings(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        shifting.ShiftOptions(**wrong)  # type: ignore[arg-type]


@given(st.dates(date(1900, 1, 1), date(2060, 12, 31)), st.integers(-4000, -1), st.sampled_from("/-. "))
def test_any_day_moves_by_exactly_the_shift(day: date, days: int, sign: str) -> None:
    again = read(shifted(f"{day.day:02d}{sign}{day.month:02d}{sign}{day.year}", days))
    assert again is not None
    assert again.days()[0].toordinal() == day.toordinal() + days


@given(st.integers(1950, 2030), st.integers(1, 12), st.integers(1, 60), st.integers(-4000, 4000))
def test_intervals_of_months_and_years_stay(year: int, month: int, later: int, days: int) -> None:
    shift = Shift(days)
    total = year * 12 + month - 1
    first, second = shift.part(year, month - 1, 12), shift.part(*divmod(total + later, 12), 12)
    assert (second[0] * 12 + second[1]) - (first[0] * 12 + first[1]) == later


@given(st.text(alphabet="0123456789 /-.,yeal'dmsoñº:hunrtVXIpbfcjzg{}"[:-2], min_size=1, max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    note = Document("x", text, (Span(0, len(text), Label.FECHAS),))
    for days in (-399, 30):
        Calendar(note, Shift(days)).moved(note.spans[0])


@pytest.mark.parametrize(
    ("year", "day"), [(2000, (4, 23)), (2010, (4, 4)), (2019, (4, 21)), (2024, (3, 31)), (1998, (4, 12))]
)
def test_easter(year: int, day: tuple[int, int]) -> None:
    assert calendar.easter(year) == date(year, *day)


def test_numbers_in_words() -> None:
    assert [numbers.in_words(n) for n in (1, 16, 21, 30, 31, 99)] == [
        "uno", "dieciséis", "veintiuno", "treinta", "treinta y uno", "noventa y nueve",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("least", "most", "ok"), [(7, 60, True), (6, 60, False), (190, 36_525, True), (190, 36_526, False), (7, 20, False)]
)
def test_the_limits_of_shifts(least: int, most: int, ok: bool) -> None:
    if ok:
        sizes = {-shift for shift in shifting.ShiftOptions(least, most).possible()}
        assert least <= min(sizes)
        assert max(sizes) <= most
    else:
        with pytest.raises(ConfigError, match="least_days"):
            shifting.ShiftOptions(least, most)


def test_no_shift_is_of_whole_years() -> None:
    sizes = set(shifting.ShiftOptions(7, 1500, "both", "move").possible())
    assert sizes.isdisjoint({365, -365, 366, 730, 731, -731, 1096, 1461})
    assert {364, -364, 367, 729, 732, -1500, 1500, 7} <= sizes
