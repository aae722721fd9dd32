"""Feasts after the shift: the shifted date is not a feast, so the name is replaced by the new month or day.

`Navidad de 2010` → `noviembre de 2009`, `la Semana Santa` → `la primera quincena de marzo`, `el día de Reyes` →
`el 3 de diciembre`, `Jueves Santo` → `jueves 5 de marzo`. Nothing of the feast is kept, because it would reveal the
shift.
"""

from __future__ import annotations

import re

from nadie.spanish import calendar
from nadie.spanish.folding import same_length, words_of
from nadie.surrogates.dates.moving import Moved
from nadie.surrogates.spelling import in_case_of

_WEEKDAYS = frozenset(word for name in calendar.WEEKDAYS[0] for word in words_of(name))
_HALF = 15
# By the preceding article, for the first and the second half of the month.
_AFTER_ARTICLE = {
    "el": ("mes de", "mes de"),
    "del": ("mes de", "mes de"),
    "al": ("mes de", "mes de"),
    "la": ("primera quincena de", "segunda quincena de"),
    "las": ("primeras semanas de", "últimas semanas de"),
    "los": ("primeros días de", "últimos días de"),
}
_NAMED = re.compile(r"[^\W\d_]+(?:[ '’-][^\W\d_]+){0,6}")
_BEGINS = frozenset(
    "san santa santo virgen fiestas feria romeria senor cruz vispera visperas noche entierro toros".split()
)
_FEAST_OF = re.compile(r"(?:fiestas?|fest|feria|romeria|verbena|puente)\.?\s+(de los|de la|del|de)\s+$")
_FASTS = re.compile(r"(?:el )?(?:mes de )?(?:ramadan|cuaresma|yom kipp?ur)")
_FASTING = re.compile(r"\bayun\w+ (?:\w+ )?(?:en|de|del|por|durante)(?: el| la)? ?$")
_SEASON_OF_VACCINE = re.compile(r"\b(?:gripe|gripal|antigripal|influenza)\b[^.;\n]{0,30}$")
_PUBLIC = re.compile(
    r"\b(?:terremoto|sismo|temblor|atentados?|huracan|tsunami|maremoto|riadas?|"
    r"golpe de estado|(?:suen[ao]|pesadillas?) con)\b[^.;\n]{0,20}$"
)
_DAY_OF = re.compile(r"(?:dia|noche|tarde|vispera|fin de semana)\s+de(?:\s+la)?\s+$")
_ONLY_FEAST = re.compile(r"\($")  # `13/07 (San Fermín)`
_OF_WEEKDAY = re.compile(r"\b(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo) de $")
_BEFORE_FEASTS = re.compile(r"\b(?:por|tras|antes de|despues de)\s+$")
_FEASTS = {"en": "the holidays", "ca": "les festes", "gl": "as festas", "pt": "as festas"}
_ENGLISH = re.compile(r"easter|christmas|thanksgiving|memorial day|labor day|good friday|(?:ash|palm|holy) [a-z]+day")
_OF = {"de los": "vecinos", "de la": "localidad", "del": "pueblo", "de": "barrio"}
_AFTER = {
    "el": "día de fiesta", "del": "día de fiesta", "al": "día de fiesta", "la": "fiesta", "las": "fiestas",
    "los": "días de fiesta", "plena": "fiesta", "mismo": "día de fiesta", "fest": "local", "festivo": "local",
}  # fmt: skip


_BEGINS_SENTENCE = re.compile(r"[.;¿?!]\s*$")
# Prepositions after which the feasts, in the plural, can be named in Spanish and its neighbours.
_BEFORE_PLURAL = frozenset(
    "por en tras durante desde hasta para de a con entre pasadas ante segun y o per fins des abans amb "
    "before after during since until for over".split()
)


def feast_again(name: str, before: str, moved: Moved) -> str:
    """The replacement of a feast, without its year; `before` is the text before it."""
    month, day = calendar.MONTHS[0][(moved.month or 1) - 1], moved.day or 1
    words = words_of(name)
    if _DAY_OF.search(same_length(before)):
        return f"fiesta del {day} de {month}"
    if _ONLY_FEAST.search(before):
        return "fiestas"
    if _OF_WEEKDAY.search(same_length(before)):
        return "fiesta"
    if words[0] == "dia":
        return f"{day} de {month}"
    if words[:2] == ["noche", "de"]:
        return f"noche del {day} de {month}"
    if words[0] in _WEEKDAYS:
        return f"{calendar.WEEKDAYS[0][moved.weekday or 0]} {day} de {month}"
    if _BEFORE_FEASTS.search(same_length(before)):
        return f"las fiestas de {month}"
    has_article = words[0] in _AFTER_ARTICLE
    article = words[0] if has_article else (words_of(before) or [""])[-1]
    said = _AFTER_ARTICLE.get(article)
    phrase = f"{said[day > _HALF]} {month}" if said else month
    if not said and _BEGINS_SENTENCE.search(before):
        return f"{in_case_of('en', 'X' if name.isupper() else name[0].upper() + 'x')} {month}"
    return f"{article} {phrase}" if has_article else phrase


def is_kept(value: str, before: str) -> bool:
    """Whether a feast names a fast, or a month the season of a vaccine: `ayuno en Ramadán`, `gripe hasta octubre`."""
    folded = same_length(before)
    if value.isalpha() and _SEASON_OF_VACCINE.search(folded):
        return True
    return _FASTS.fullmatch(same_length(value)) is not None and _FASTING.search(folded) is not None


def is_public(before: str) -> bool:
    """Whether a day is that of an event which everybody knows: `el terremoto del 19 de septiembre`."""
    return _PUBLIC.search(same_length(before)) is not None


def some_feast(value: str, before: str, language: str = "es") -> str | None:
    """The replacement of the name of a feast whose date is unknown: `antes de Fiestas Patrias` → `las fiestas`.

    None if the value is not the name of a feast: digits, or lower-case words that do not begin such a name. In other
    languages, `language`, it is told by its capital letter alone, and has no article.
    """
    words = words_of(value)
    if not _NAMED.fullmatch(value) or not (any(c.isupper() for c in value) or words[0] in _BEGINS):
        return None
    if words[0] in ("vispera", "visperas"):
        return in_case_of(f"{value.split()[0].lower()} de la fiesta", value if value.isupper() else "x")
    if _ENGLISH.match(" ".join(words)):
        return _FEASTS["en"]
    last = (words_of(before) or [""])[-1]
    if language != "es":
        is_plural = last in _BEFORE_PLURAL and last != "de" and before[-1:].isspace()  # not `la festa de les festes`
        return _FEASTS.get(language) if is_plural else None
    folded = same_length(before)
    if found := _FEAST_OF.search(folded):
        return in_case_of(_OF[found[1]], value if value.isupper() else "x")
    if _DAY_OF.search(folded):
        return in_case_of("fiesta", value if value.isupper() else "x")
    has_article = words[0] in ("el", "la", "las", "los")
    said = "las fiestas" if has_article or last in _BEFORE_PLURAL else _AFTER.get(last)
    return said and in_case_of(said, value if value.isupper() else "x")
