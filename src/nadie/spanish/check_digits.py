"""Check digits that python-stdnum has no module for, and the letters used in numbers."""

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
    """The check digits of a Spanish NASS, modulo 97. Leading zeros of a number below ten million are left out."""
    counted = number if int(number) >= 10_000_000 else str(int(number))
    return f"{int(province + counted) % 97:02}"


def chassis(number: str) -> str:
    """The correct ninth character of a VIN of seventeen (ISO 3779); the ninth character given is ignored."""
    return "0123456789X"[sum(weight * _VALUES[c] for weight, c in zip(_WEIGHTS, number, strict=True)) % 11]


def is_uruguayan(number: str) -> bool:
    """Whether the last of eight digits is the check digit of a Uruguayan identity number."""
    weighted = sum(weight * int(digit) for weight, digit in zip((2, 9, 8, 7, 6, 3, 4), number[:7], strict=True))
    return -weighted % 10 == int(number[7])
