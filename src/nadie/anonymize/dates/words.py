"""Months, days, seasons and feasts by their names, and numbers by their words."""

from __future__ import annotations

from datetime import date, timedelta

from nadie.spanish.folding import key_of

MONTHS: tuple[tuple[str, ...], ...] = (
    ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
     "diciembre"),
    ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    ("ene", "febr", "mar", "abr", "may", "jun", "jul", "agos", "sept", "oct", "nov", "dic"),
    ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "setiembre", "octubre", "noviembre",
     "diciembre"),
    ("gener", "febrer", "març", "abril", "maig", "juny", "juliol", "agost", "setembre", "octubre", "novembre",
     "desembre"),
    ("xaneiro", "febreiro", "marzo", "abril", "maio", "xuño", "xullo", "agosto", "setembro", "outubro", "novembro",
     "decembro"),
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december"),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"),
)  # fmt: skip
ROMAN = len(MONTHS) - 1

WEEKDAYS = (
    ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
)
SEASONS = ("invierno", "primavera", "verano", "otoño")

_UNITS = (
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete "
    "dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete "
    "veintiocho veintinueve"
).split()
_TENS = ("treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa")

# Feasts that move with Easter, in days from it, and feasts that do not.
_FROM_EASTER = {
    "carnaval": -47, "carnavales": -47, "miercoles de ceniza": -46, "domingo de ramos": -7, "semana santa": -3,
    "jueves santo": -3, "viernes santo": -2, "pascua": 0, "domingo de resurreccion": 0, "lunes de pascua": 1,
    "pentecostes": 49, "corpus": 60, "corpus christi": 60,
}  # fmt: skip
_FIXED = {
    "ano nuevo": (1, 1), "reyes": (1, 6), "dia de reyes": (1, 6), "san valentin": (2, 14), "san jose": (3, 19),
    "dia del padre": (3, 19), "sant jordi": (4, 23), "san juan": (6, 24), "san pedro": (6, 29), "san fermin": (7, 7),
    "santiago": (7, 25), "la asuncion": (8, 15), "el pilar": (10, 12), "dia del pilar": (10, 12),
    "todos los santos": (11, 1), "la constitucion": (12, 6), "la inmaculada": (12, 8), "nochebuena": (12, 24),
    "navidad": (12, 25), "navidades": (12, 25), "san esteban": (12, 26), "nochevieja": (12, 31), "fin de ano": (12, 31),
}  # fmt: skip
FEASTS = tuple(sorted({*_FROM_EASTER, *_FIXED}, key=len, reverse=True))


def number_word(number: int) -> str:
    """0 to 99 in words: `treinta y dos`."""
    if number < len(_UNITS):
        return _UNITS[number]
    tens, unit = divmod(number, 10)
    return _TENS[tens - 3] + (f" y {_UNITS[unit]}" if unit else "")


NUMBERS = {
    **{key_of(number_word(n)): n for n in range(100)}, "un": 1, "una": 1, "primero": 1, "veintiun": 21, "veintiuna": 21,
    **{key_of(f"{tens} y un"): 31 + 10 * i for i, tens in enumerate(_TENS)},
    **{key_of(f"{tens} y una"): 31 + 10 * i for i, tens in enumerate(_TENS)},
}  # fmt: skip

_MONTH_OF = {
    key_of(name): (place + 1, form)
    for form in range(len(MONTHS) - 1, -1, -1)
    for place, name in enumerate(MONTHS[form])
}  # fmt: skip


def month_of(word: str) -> tuple[int, int] | None:
    """The number of a month and the form in which it is named."""
    return _MONTH_OF.get(key_of(word))


def month_words() -> list[str]:
    """All folded names of months but the Roman ones, the longest first."""
    return sorted({key_of(name) for names in MONTHS[:ROMAN] for name in names}, key=len, reverse=True)


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the algorithm of Butcher and Meeus."""
    golden, century, of_century = year % 19, year // 100, year % 100
    leap, left = century // 4, century % 4
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - moon + 15) % 30
    weekday = (32 + 2 * left + 2 * (of_century // 4) - epact - of_century % 4) % 7
    correction = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * correction + 114, 31)
    return date(year, month, day + 1)


def feast(name: str, year: int) -> date:
    """The day of a feast, by its folded name."""
    if name in _FROM_EASTER:
        return easter(year) + timedelta(days=_FROM_EASTER[name])
    return date(year, *_FIXED[name])
