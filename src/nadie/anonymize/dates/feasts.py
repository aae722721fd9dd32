"""Feasts after the shift: a feast that has moved is none, so it becomes the month or the day that it has moved to.

`Navidad de 2010` → `noviembre de 2009`, `la Semana Santa` → `la primera quincena de marzo`, `el día de Reyes` →
`el 3 de diciembre`, `Jueves Santo` → `jueves 5 de marzo`. Nothing of the feast stays, for it would tell the shift.
"""

from __future__ import annotations

from nadie.anonymize.dates.moving import Moved
from nadie.spanish import calendar
from nadie.spanish.folding import words_of

_WEEKDAYS = frozenset(word for name in calendar.WEEKDAYS[0] for word in words_of(name))
_HALF = 15
# By the article before it, in the first and in the second half of the month.
_AFTER_ARTICLE = {
    "el": ("mes de", "mes de"),
    "del": ("mes de", "mes de"),
    "al": ("mes de", "mes de"),
    "la": ("primera quincena de", "segunda quincena de"),
    "las": ("primeras semanas de", "últimas semanas de"),
    "los": ("primeros días de", "últimos días de"),
}


def feast_again(name: str, before: str, moved: Moved) -> str:
    """What is written for a feast, without its year; `before` is the text before it."""
    month, day = calendar.MONTHS[0][(moved.month or 1) - 1], moved.day or 1
    words = words_of(name)
    if words[0] == "dia":
        return f"{day} de {month}"
    if words[:2] == ["noche", "de"]:
        return f"noche del {day} de {month}"
    if words[0] in _WEEKDAYS:
        return f"{calendar.WEEKDAYS[0][moved.weekday or 0]} {day} de {month}"
    has_article = words[0] in _AFTER_ARTICLE
    article = words[0] if has_article else (words_of(before) or [""])[-1]
    said = _AFTER_ARTICLE.get(article)
    told = f"{said[day > _HALF]} {month}" if said else month
    return f"{article} {told}" if has_article else told
