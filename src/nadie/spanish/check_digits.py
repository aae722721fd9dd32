"""Check digits that python-stdnum has no module for, and the letters that numbers are made of."""

from __future__ import annotations

CONSONANTS = "BCDFGHJKLMNPRSTVWXYZ"
"""The letters of Spain's number plates, which make no words."""
MEXICAN_STATES = (
    "AS BC BS CC CS CH CL CM DF DG GT GR HG JC MC MN MS NT NL OC PL QT QR SP SL SR TC TS TL VZ YN ZS".split()
)
_VALUES = {str(n): n for n in range(10)} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True)
)
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def social_security(province: str, number: str) -> str:
    """The last two digits of a Spanish NASS: a rest by 97. A number under ten million counts without its zeros."""
    counted = number if int(number) >= 10_000_000 else str(int(number))
    return f"{int(province + counted) % 97:02}"


def chassis(number: str) -> str:
    """The ninth of the seventeen characters of a VIN (ISO 3779), whatever stands there."""
    return "0123456789X"[sum(weight * _VALUES[c] for weight, c in zip(_WEIGHTS, number, strict=True)) % 11]
