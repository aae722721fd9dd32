"""An attacker who looks for the shift in what the calendar leaves: days of the week, seasons and feasts beside dates.

For every shift that the policy allows, the attacker moves the dates of the output back and counts how many of the words
beside them would then be right. If words stayed as they were while dates moved, the true shift would win.
"""

from __future__ import annotations

import random
import re
from datetime import date, timedelta
from functools import cache

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import Policy, parse_policy
from nadie.document import Document
from nadie.spanish import calendar
from nadie.spanish.folding import key_of

from .marked import KEY, anonymized, context_of, marked

NOTES = 250
FEASTS = ("navidad", "nochebuena", "semana santa", "nochevieja", "sanfermines", "halloween")
WEEKDAYS = [key_of(name) for name in calendar.WEEKDAYS[0]]
SEASONS = [key_of(name) for name in calendar.SEASONS]
_DATE = re.compile(r"\b(\d{2})/(\d{2})/(\d{4})\b")
_SOLSTICES = ((3, 21), (6, 21), (9, 23), (12, 21))


def season_of(day: date) -> str:
    return SEASONS[sum((day.month, day.day) >= start for start in _SOLSTICES) % 4]


_feast = cache(calendar.feast)


def note_about(day: date, feast: str, number: int) -> Document:
    """Every second note has spans for the dates alone, as a detector that misses the rest would give them."""
    weekday, season = calendar.WEEKDAYS[0][day.weekday()], calendar.SEASONS[SEASONS.index(season_of(day))]
    marks = ("{%s|D}", "%s")[number % 2]
    later = day + timedelta(days=3)
    text = (
        f"Ingresa el {marks % weekday} {{{day:%d/%m/%Y}|D}}, en {marks % season}. "
        f"En {marks % feast.title()} estaba bien. Alta el {{{later:%d/%m/%Y}|D}} "
        f"({marks % calendar.WEEKDAYS[0][later.weekday()]})."
    )
    return marked(text, f"nota {number}", patient=f"p{number}")


def notes() -> list[tuple[Document, date]]:
    """Notes of days that lie at a feast."""
    dice = random.Random(7)
    found = []
    for number in range(NOTES):
        feast = dice.choice(FEASTS)
        day = calendar.feast(feast, dice.randint(2008, 2022)) + timedelta(days=dice.randint(-2, 2))
        found.append((note_about(day, feast, number), day))
    return found


def clues(text: str, shifts: list[int]) -> dict[int, int]:
    """How many words would be right if the dates had been moved by each of these shifts."""
    folded = key_of(text)
    dates = [date(int(y), int(m), int(d)) for d, m, y in _DATE.findall(text)]
    weekdays = [word for word in folded.split() if word in WEEKDAYS]
    seasons = [word for word in folded.split() if word in SEASONS]
    near = [name for name in FEASTS if name in folded]

    def right(shift: int) -> int:
        days = [day - timedelta(days=shift) for day in dates]
        count = sum(WEEKDAYS[day.weekday()] == word for day, word in zip(days, weekdays, strict=False))
        count += sum(season_of(days[0]) == word for word in seasons)
        return count + sum(abs((_feast(name, days[0].year) - days[0]).days) <= 3 for name in near)

    return {shift: right(shift) for shift in shifts}


def rank_of_the_true_shift(text: str, shift: int, possible: list[int], dice: random.Random) -> float:
    """0 where the attacker finds it at once, 1 where it comes last; ties are broken by chance."""
    scores = {days: (-count, dice.random()) for days, count in clues(text, possible).items()}
    return sorted(possible, key=lambda days: scores[days]).index(shift) / (len(possible) - 1)


def attack(policy: Policy, *, naive: bool = False) -> tuple[float, float]:
    """The mean rank of the true shift, and how often it comes first compared with chance."""
    engine = Engine(policy, KEY)
    possible = policy.options.dates.possible()
    dice = random.Random(1)
    ranks = []
    for document, _ in notes():
        shift = context_of(document, patient=document.meta["patient"], options=policy.options).shift.days
        text = anonymized(engine, document).text
        if naive:
            moved = iter(_DATE.findall(text))
            text = _DATE.sub(lambda _, moved=moved: "/".join(next(moved)), document.text)  # type: ignore[misc]
        ranks.append(rank_of_the_true_shift(text, shift, possible, dice))
    return sum(ranks) / len(ranks), sum(rank == 0 for rank in ranks) / len(ranks) * len(possible)


DATES = {
    "weeks": "",
    "days": 'weekday = "move"',
    "short": "least_days = 28\nmost_days = 182",
    "short days, both ways": 'least_days = 14\nmost_days = 120\nweekday = "move"\ndirection = "both"',
    "years": 'season = "keep"\nmost_days = 3640\ndirection = "both"',
}


@pytest.mark.parametrize("dates", DATES.values(), ids=list(DATES))
def test_the_shift_is_not_found(dates: str) -> None:
    policy = parse_policy(f'scope = "patient"\ndefault = "surrogate"\n[dates]\n{dates}', "here")
    mean, first = attack(policy)
    assert 0.42 < mean < 0.58
    assert first < 4


@pytest.mark.parametrize("dates", [DATES["days"], DATES["short days, both ways"]])
def test_the_attack_would_find_it_if_the_words_stayed(dates: str) -> None:
    policy = parse_policy(f'scope = "patient"\ndefault = "surrogate"\n[dates]\n{dates}', "here")
    mean, first = attack(policy, naive=True)
    assert mean < 0.02
    assert first > 20
