"""Formatting of numbers for the page."""

from __future__ import annotations

from nadie.evaluation.statistics import Interval

_SPACE = "\u202f"  # narrow non-breaking space


def count(number: int) -> str:
    return f"{number:,}".replace(",", _SPACE)


def percent(share: float | None, digits: int = 1) -> str:
    """A share in per cent; values near 0 or 100 are never rounded to exactly that."""
    if share is None:
        return "–"
    value = 100 * share
    step = 10.0**-digits
    if 0 < value < step / 2:
        return f"<{_SPACE}{step:.{digits}f}{_SPACE}%"
    if 100 - step / 2 < value < 100:
        return f">{_SPACE}{100 - step:.{digits}f}{_SPACE}%"
    return f"{value:.{digits}f}{_SPACE}%"


def number(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}f}"


def between(interval: Interval | None, digits: int = 1, scale: int = 100) -> str:
    if interval is None:
        return "–"
    return f"{scale * interval.low:.{digits}f}–{scale * interval.high:.{digits}f}"


def signed(value: float | None, digits: int, scale: int = 100) -> str:
    """A difference, with a true minus sign."""
    return "–" if value is None else f"{scale * value:+.{digits}f}".replace("-", "−")


def signed_between(interval: Interval | None, digits: int, scale: int = 100) -> str:
    return (
        "–" if interval is None else f"{signed(interval.low, digits, scale)} … {signed(interval.high, digits, scale)}"
    )


def chance(p: float, smallest: float) -> str:
    """A p-value; the smallest possible value of the test is shown as a bound."""
    return f"≤{_SPACE}{smallest:.4f}" if p <= smallest else f"{p:.4f}"
