"""What marks out one person: what is tattooed changes, a scar loses its shape, and a fame what it is for."""

from __future__ import annotations

import re

from nadie.spanish.folding import key_of, same_length
from nadie.surrogates.draws import Draws
from nadie.surrogates.lists import Lists
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("marks")

_TATTOO = re.compile(r"\btat\b|tatuajes?\b|tatuad[oa]s?\b")
_TATTOO_WITHIN = re.compile(r"(?:un |el )?tatuaje (?:de |con )?")
_MARK = re.compile(r"(?:una? )?(?:quemadura|cicatriz|lunar|mancha|marca de nacimiento|angioma)\b")
_FAMOUS = re.compile(
    r"(?:el |la |un |una )?(?:primera?|ultim[oa]|unic[oa]|campeona?|ganadora?|fundadora?|autora?|que|"
    r"man|tipo|senor|senora)\b"
    r"|ex[ -]?(?:portero|futbolista|jugador|campeon|boxeador|alcald|pelotero|ciclista)|pitcher\b|(?:el|la) "
    r"(?:del|de la)\b"
)
_SOMETHING = re.compile(r"[a-z]+(?:[,.'’-]* [a-z\d'’&+-]+){2,20}")
_SHORT = re.compile(r"(un|una) [a-z]+")
_LONG = 4
_IS = re.compile(r"\b(?:es|fue|era|llaman|dicen|conocen|conocid[oa]|como|apodad[oa])\s+(?:como\s+)?$")
_SHOWN_IN = re.compile(r"\b(?:sale|salio|aparece|aparecio|figura|sali)\s+(?:en|por)\s+(?:el |la |un |una )?$")
_SHAPE = re.compile(r"(?:en |con )?(?:la |su )?forma de ")
_BAND = re.compile(r"(?:la|el|un|una) (?:banda|grupo|equipo|cuadrilla|orquesta|coro)\b")
_CALLED = re.compile(r"\b(?:llaman|dicen|apodan)\s+$")
_DID = re.compile(r"(?:su foto|toco|salio|sobrevivio|cargo|hizo|pinto|canto|encontro|subio|salvo|actuo|jugo)\b")
_STAGE_NAME = re.compile(r"nombre artistico (?:de )?\W*$")
_QUOTES = re.compile(r"[\"“«]")
_ENDS = re.compile(r"[\"”»]")


def another_mark(value: str, before: str, key: Draws, scope: str) -> str | None:
    """Another drawing for a tattoo, a scar without its shape, nothing of a fame; None for what is none of these."""
    folded = same_length(value)
    around = same_length(before)
    if _STAGE_NAME.search(around):
        return key.choose(
            _LISTS["stage names"], lambda name: key_of(name) != key_of(value), "stage", scope, key_of(value)
        )
    if _SHOWN_IN.search(around) and value[:1].islower():
        has_article = around.endswith(("el ", "un "))
        return "programa de televisión" if has_article else "un programa de televisión"
    if shape := _SHAPE.match(folded):
        other = key.choose(
            _LISTS["shapes"], lambda name: key_of(name) not in key_of(value), "shape", scope, key_of(value)
        )
        return other and value[: shape.end()] + other
    if _BAND.match(folded):
        return "un grupo conocido" if not around.endswith(("el ", "la ", "los ")) else None
    if _DID.match(folded):
        return "es una persona conocida"
    if _CALLED.search(around) and folded.startswith(("el ", "la ")):
        return "el Rubio" if folded.startswith("el ") else "la Rubia"
    if folded.startswith("en "):
        return "en un programa de televisión"
    if _FAMOUS.match(folded):
        return "una persona conocida"
    if mark := _MARK.match(folded):
        return value[: mark.end()] if mark.end() < len(value) else None
    if short := _SHORT.fullmatch(folded):
        alike = tuple(drawing for drawing in _LISTS["drawings"] if drawing.split()[0] == short[1])
        return key.choose(alike, lambda d: key_of(d) not in key_of(value), "tattoo", scope, key_of(value))
    if folded.startswith("gano "):
        return "ganó un premio"
    within = _TATTOO_WITHIN.match(folded)
    if within is None and not _TATTOO.search(same_length(before)):
        told = (
            "una persona conocida" if _IS.search(around) or before[-1:] in ('"', "«", "“") else "una señal particular"
        )
        return in_case_of(told, value) if _is_free_text(value, folded) else None
    drawing = key.choose(_LISTS["drawings"], lambda d: key_of(d) not in key_of(value), "tattoo", scope, key_of(value))
    if drawing is None:
        return None
    if len(_QUOTES.findall(value)) > len(_ENDS.findall(value)) or value.count('"') % 2:
        quote = (_QUOTES.search(value) or _ENDS.search(value) or [""])[0]
        drawing += f" y la palabra {quote}paz"  # the quotation ends after the span
    if within is None:
        return in_case_of(drawing, value)
    start = value[: within.end()].rstrip()
    return f"{start if start.lower().endswith(('de', 'con')) else f'{start} de'} {in_case_of(drawing, value)}"


def _is_free_text(value: str, folded: str) -> bool:
    """Words without a name among them, which no other surrogate fits."""
    is_long = value.isupper() and value.count(" ") >= _LONG
    return _SOMETHING.fullmatch(folded) is not None and (is_long or value[:1].islower())
