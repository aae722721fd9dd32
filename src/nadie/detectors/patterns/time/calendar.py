"""The words of the calendar, in Spanish and, for months, Catalan and Galician, as pieces of patterns."""

from __future__ import annotations

MONTH = (
    r"(?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|"
    r"gener|febrer|marc|maig|juny|juliol|agost|setembre|novembre|desembre|"
    r"xaneiro|febreiro|maio|xuno|xullo|setembro|outubro|novembro|decembro)"
)
SHORT_MONTH = r"(?:ene|feb|mar|abr|may|jun|jul|ago|set|sep|sept|oct|nov|dic)"
ROMAN_MONTH = r"(?:viii|vii|vi|v|iv|iii|ii|ix|xii|xi|x|i)"
WEEKDAY = r"(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo)"

_UNITS = r"(?:uno|un|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve)"
_TEENS = (
    r"(?:diez|once|doce|trece|catorce|quince|dieciseis|diecisiete|dieciocho|diecinueve|veintiun[oa]?|"
    r"veintidos|veintitres|"
    r"veinticuatro|veinticinco|veintiseis|veintisiete|veintiocho|veintinueve)"
)
_TENS = r"(?:veinte|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)"
# One to ninety-nine in words.
COUNT = rf"(?:{_TEENS}|{_TENS}(?: y {_UNITS})?|{_UNITS})"
TENS = _TENS

DAY = rf"(?:0?[1-9]|[12]\d|3[01])(?:º|ª|er|ro)?|primero|{COUNT}"
YEAR = r"(?:1[89]\d{2}|20[0-4]\d)"
SPELT_YEAR = rf"(?:dos mil(?: {COUNT})?|mil (?:ochocientos|novecientos)(?: {COUNT})?)"


def number_of_day(text: str) -> bool:
    """Whether digits may be the day of a month."""
    return text.isdigit() and 1 <= int(text) <= 31


def number_of_month(text: str) -> bool:
    return text.isdigit() and 1 <= int(text) <= 12


def number_of_year(text: str) -> bool:
    """Four digits of a year somebody alive or on file may have seen, or any two."""
    return len(text) == 2 or (len(text) == 4 and 1850 <= int(text) <= 2049)
