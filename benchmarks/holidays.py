"""How many shifts remain possible for a patient with many visits on working days.

The figures of docs/en/understand/surrogates.md.

    python benchmarks/holidays.py [--patients 50]

Invented patients have visits on working days of Spain over four years. Their dates are shifted as the engine does, and
the attacker of `nadie.risk.dates` counts the shifts that put the fewest visits on a national holiday.
"""

from __future__ import annotations

import argparse
import random
from datetime import date, timedelta
from statistics import median

from nadie.anonymize.context import Context, PolicyOptions
from nadie.anonymize.secret import Key
from nadie.document import Document
from nadie.risk.dates import is_holiday, possible_shifts
from nadie.surrogates.dates.shifting import ShiftOptions
from nadie.surrogates.originals import Originals


def visits(count: int, draw: random.Random) -> list[date]:
    first = date(2018, 1, 1)
    every = [first + timedelta(days=n) for n in range(4 * 365)]
    return draw.sample([day for day in every if day.weekday() < 5 and not is_holiday(day)], count)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--patients", type=int, default=50)
    options = parser.parse_args()
    key = Key(bytes(range(32)))
    for series in ("keep", "vary"):
        dates = ShiftOptions(series=series)
        for count in (20, 50, 100, 200):
            draw, left, exact = random.Random(count), [], 0
            for number in range(options.patients):
                context = Context(Document("", ""), key, "", str(number), PolicyOptions(dates), Originals(set()))
                moved = [context.shift.day(day) for day in visits(count, draw)]
                possible = possible_shifts(moved, dates)[0]
                left.append(possible)
                exact += possible == 1
            fit = f"{median(left):.0f} of {len(dates.possible())} shifts fit best"
            print(f"series {series}, {count} visits: {fit}, one alone for {exact} patients", flush=True)


if __name__ == "__main__":
    main()
