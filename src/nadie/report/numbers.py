"""Formatting of numbers for a page, and their notation in each language."""

from __future__ import annotations

from nadie.report.markup import Markup, say

Interval = tuple[float, float]

_SPACE = "\u202f"  # narrow non-breaking space


def comma(figures: str) -> str:
    """The figures with a decimal comma, as in Spanish."""
    return figures.replace(".", ",")


def written(figures: str, element: str = "span") -> Markup:
    """The figures in both languages: with a decimal point, and with a decimal comma."""
    return say(figures, comma(figures), element)


def count(number: int) -> str:
    """`16 370`; four digits are not separated, as is usual in Spanish."""
    return str(number) if number < 10_000 else f"{number:,}".replace(",", _SPACE)


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
    return f"{scale * interval[0]:.{digits}f}–{scale * interval[1]:.{digits}f}"


def signed(value: float | None, digits: int, scale: int = 100) -> str:
    """A difference, with a true minus sign."""
    return "–" if value is None else f"{scale * value:+.{digits}f}".replace("-", "−")


def signed_between(interval: Interval | None, digits: int, scale: int = 100) -> str:
    return "–" if interval is None else " … ".join(signed(bound, digits, scale) for bound in interval)


def chance(p: float, smallest: float) -> str:
    """A p-value; the smallest possible value of the test is shown as a bound."""
    return f"≤{_SPACE}{smallest:.4f}" if p <= smallest else f"{p:.4f}"
