"""Months, days of the week, seasons and feasts by their names."""

from __future__ import annotations

from datetime import date, timedelta

from nadie.spanish.folding import fold, key_of

# Each form names all twelve; where two share a name, the earlier form is meant.
MONTHS: tuple[tuple[str, ...], ...] = (
    ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
     "diciembre"),
    ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "setiembre", "octubre", "noviembre",
     "diciembre"),
    ("gener", "febrer", "març", "abril", "maig", "juny", "juliol", "agost", "setembre", "octubre", "novembre",
     "desembre"),
    ("xaneiro", "febreiro", "marzo", "abril", "maio", "xuño", "xullo", "agosto", "setembro", "outubro", "novembro",
     "decembro"),
    ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sep", "oct", "nov", "dic"),
    ("ene", "febr", "mar", "abr", "may", "jun", "jul", "agos", "sept", "oct", "nov", "dic"),
    ("ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "set", "oct", "nov", "dic"),
    ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
     "december"),
    ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"),
)  # fmt: skip
FULL = MONTHS[:4]
"""The forms in full, of Spanish, Catalan and Galician."""
SHORT = 4
ROMAN = len(MONTHS) - 1

WEEKDAYS = (
    ("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    ("lun", "mar", "mié", "jue", "vie", "sáb", "dom"),
)
SEASONS = ("invierno", "primavera", "verano", "otoño")

# A feast moves with Easter, in days from it, or has its day, (month, day), or has one that depends on the country.
_EASTER: dict[str, int | tuple[int, int]] = {
    "Carnaval": -47, "Carnavales": -47, "Miércoles de Ceniza": -46, "Domingo de Ramos": -7, "Semana Santa": -3,
    "Jueves Santo": -3, "Viernes Santo": -2, "Sábado Santo": -1, "Pascua": 0, "Domingo de Resurrección": 0,
    "Domingo de Pascua": 0, "Lunes de Pascua": 1, "Pentecostés": 49, "Corpus": 60, "Corpus Christi": 60,
}  # fmt: skip
_FIXED: dict[str, int | tuple[int, int]] = {
    "Año Nuevo": (1, 1), "Reyes": (1, 6), "Día de Reyes": (1, 6), "Noche de Reyes": (1, 5), "Reyes Magos": (1, 6),
    "Candelaria": (2, 2), "San Blas": (2, 3), "San Valentín": (2, 14), "Día de la Mujer": (3, 8), "Fallas": (3, 19),
    "San José": (3, 19), "Día del Padre": (3, 19), "Sant Jordi": (4, 23), "Día del Trabajo": (5, 1),
    "Día del Trabajador": (5, 1), "puente de mayo": (5, 1), "San Isidro": (5, 15), "San Antonio": (6, 13),
    "San Juan": (6, 24), "Noche de San Juan": (6, 23), "San Pedro": (6, 29), "San Fermín": (7, 7),
    "San Fermines": (7, 7), "Sanfermines": (7, 7), "Santiago": (7, 25), "Santiago Apóstol": (7, 25),
    "San Lorenzo": (8, 10), "la Asunción": (8, 15), "San Roque": (8, 16), "Diada": (9, 11),
    "Dieciocho de Septiembre": (9, 18), "la Merced": (9, 24), "San Miguel": (9, 29), "el Pilar": (10, 12),
    "Día del Pilar": (10, 12), "Día de la Hispanidad": (10, 12), "Día de la Raza": (10, 12), "Halloween": (10, 31),
    "Todos los Santos": (11, 1), "puente de Todos los Santos": (11, 1), "puente de noviembre": (11, 1),
    "Día de Difuntos": (11, 2), "Día de Muertos": (11, 2), "Día de los Muertos": (11, 2), "la Constitución": (12, 6),
    "Día de la Constitución": (12, 6), "puente de la Constitución": (12, 6), "puente de diciembre": (12, 6),
    "Purísima": (12, 8), "Epifanía": (1, 6),
    "Urkupiña": (8, 15), "la Inmaculada": (12, 8), "Inmaculada Concepción": (12, 8), "puente de la Inmaculada": (12, 8),
    "Virgen de Guadalupe": (12, 12), "Posadas": (12, 16), "Nochebuena": (12, 24), "Noche Buena": (12, 24),
    "Navidad": (12, 25), "Navidades": (12, 25), "San Esteban": (12, 26), "Nochevieja": (12, 31),
    "Noche Vieja": (12, 31), "fin de año": (12, 31),
}  # fmt: skip
_ELSEWHERE = (
    "Día de la Madre", "Día de la Independencia", "Día de la Virgen", "Día del Niño", "Día del Amor", "Feria de Abril",
    "Fiestas Patrias", "Grito de Independencia", "Black Friday", "Ramadán",
)  # fmt: skip
FEASTS = (*_EASTER, *_FIXED, *_ELSEWHERE)
# Saints, who are people, streets and hospitals as well, and other names that alone are no day.
SAINTS = (
    "San Juan", "San José", "San Pedro", "San Isidro", "San Antonio", "San Roque", "San Miguel", "San Lorenzo",
    "San Blas", "Santiago Apóstol", "la Asunción", "la Merced", "el Pilar",
)  # fmt: skip
AMBIGUOUS = frozenset(
    (*SAINTS, "San Esteban", "Santiago", "Reyes", "Pascua", "Pentecostés", "Corpus", "la Constitución", "la Inmaculada")
)
_RULES = {key_of(name): rule for name, rule in (_EASTER | _FIXED).items()}
DATED_FEASTS = tuple(sorted(_RULES, key=len, reverse=True))
"""The folded names of feasts whose day is known, the longest first."""

_MONTH_OF = {
    fold(name): (place + 1, form)
    for form in range(len(MONTHS) - 1, -1, -1)
    for place, name in enumerate(MONTHS[form])
}  # fmt: skip


def month_of(word: str) -> tuple[int, int] | None:
    """The number of a month and the form in which it is named."""
    return _MONTH_OF.get(key_of(word))


def month_words() -> list[str]:
    """All folded names of months but the Roman ones, the longest first."""
    return sorted({fold(name) for names in MONTHS[:ROMAN] for name in names}, key=len, reverse=True)


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
    """The day of a feast of `DATED_FEASTS`."""
    rule = _RULES[name]
    return easter(year) + timedelta(days=rule) if isinstance(rule, int) else date(year, *rule)
