"""Surrogates for distinguishing marks: another tattoo, a scar without its shape, fame without its reason."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from nadie.spanish.folding import key_of, same_length
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.rules import Rule, by_first
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("marks", "nadie.surrogates")

_TATTOO = re.compile(r"\btat\b|tatuajes?\b|tatu(?:ad[oa]s?|aron|aje|o)\b")
_TATTOO_WITHIN = re.compile(r"(?:un |el )?tatuaje (?:de |con )?")
_MARK = re.compile(r"(?:una? )?(?:quemadura|cicatriz|lunar|mancha|marca de nacimiento|angioma)\b")
_FAMOUS = re.compile(
    rf"(?:el |la |un |una )?{_LISTS.pattern('famous')}\b|ex[ -]?{_LISTS.pattern('once was')}|pitcher\b|"
    r"(?:el|la) (?:del|de la)\b"
)
_SOMETHING = re.compile(r"[a-z]+(?:[,.'’-]* [a-z\d'’&+-]+){2,20}")
_SHORT = re.compile(r"(un|una) [a-z]+")
_LONG = 4
_AFTER_ARTICLE = re.compile(r"\b(una?) $")
_IS = re.compile(r"\b(?:es|fue|era|llaman|dicen|conocen|conocid[oa]|como|apodad[oa])\s+(?:como\s+)?$")
_SHOWN_IN = re.compile(r"\b(?:sale|salio|aparece|aparecio|figura|sali)\s+(?:en|por)\s+(?:el |la |un |una )?$")
_SHAPE = re.compile(r"(?:en |con )?(?:la |su )?forma de ")
_BAND = re.compile(r"(?:la|el|un|una) (?:banda|grupo|equipo|cuadrilla|orquesta|coro)\b")
_CALLED = re.compile(r"\b(?:llaman|dicen|apodan)\s+$")
_DID = re.compile(r"(?:su foto|toco|salio|sobrevivio|cargo|hizo|pinto|canto|encontro|subio|salvo|actuo|jugo)\b")
_STAGE_NAME = re.compile(r"nombre artistico (?:de )?\W*$")
_QUOTES = re.compile(r"[\"“«]")
_ENDS = re.compile(r"[\"”»]")


class _Mark(NamedTuple):
    """A value and the text before it, each as written and folded."""

    value: str
    before: str
    folded: str
    around: str
    key: Draws
    scope: str

    def another(self, kind: str, pool: tuple[str, ...], accept: Callable[[str], bool]) -> str | None:
        return self.key.choose(pool, accept, kind, self.scope, key_of(self.value))

    def is_other(self, name: str) -> bool:
        return key_of(name) not in key_of(self.value)


def another_mark(value: str, before: str, key: Draws, scope: str) -> str | None:
    """The replacement of a tattoo, a scar, a nickname or what somebody is famous for; None for any other value."""
    new = by_first(_RULES, _Mark(value, before, same_length(value), same_length(before), key, scope))
    return new.upper() if new and value.isupper() else new


def _stage_name(mark: _Mark, _: Any) -> str | None:
    return mark.another("stage", _LISTS["stage names"], lambda name: key_of(name) != key_of(mark.value))


def _shape(mark: _Mark, shape: re.Match[str]) -> str | None:
    other = mark.another("shape", _LISTS["shapes"], mark.is_other)
    return other and mark.value[: shape.end()] + other


def _short(mark: _Mark, short: re.Match[str]) -> str | None:
    alike = tuple(drawing for drawing in _LISTS["drawings"] if drawing.split()[0] == short[1])
    return mark.another("tattoo", alike, mark.is_other)


def _tattoo(mark: _Mark, _: Any) -> str | None:
    value, within = mark.value, _TATTOO_WITHIN.match(mark.folded)
    article = _AFTER_ARTICLE.search(mark.around)
    alike = tuple(drawing for drawing in _LISTS["drawings"] if not article or drawing.startswith(article.group()))
    drawing = mark.another("tattoo", alike, mark.is_other)
    if drawing is None:
        return None
    drawing = drawing.removeprefix(article.group()) if article else drawing
    if len(_QUOTES.findall(value)) > len(_ENDS.findall(value)) or value.count('"') % 2:
        quote = (_QUOTES.search(value) or _ENDS.search(value) or [""])[0]
        drawing += f" y la palabra {quote}paz"  # the quotation ends after the span
    if within is None:
        return in_case_of(drawing, value)
    start = value[: within.end()].rstrip()
    return f"{start if start.lower().endswith(('de', 'con')) else f'{start} de'} {in_case_of(drawing, value)}"


def _free_text(mark: _Mark, _: Any) -> str | None:
    is_person = _IS.search(mark.around) or mark.before[-1:] in ('"', "«", "“")
    return in_case_of("una persona conocida", mark.value) if is_person else None


def _is_free_text(mark: _Mark) -> bool:
    """Whether the value is a phrase without a name, for which there is no closer surrogate."""
    is_long = mark.value.isupper() and mark.value.count(" ") >= _LONG
    return _SOMETHING.fullmatch(mark.folded) is not None and (is_long or mark.value[:1].islower())


def _said(text: str) -> Callable[[_Mark, Any], str | None]:
    return lambda mark, found: text


_RULES: tuple[Rule[_Mark], ...] = (
    (lambda mark: _STAGE_NAME.search(mark.around), _stage_name),
    (
        lambda mark: mark.value[:1].islower() and _SHOWN_IN.search(mark.around),
        lambda mark, _: f"{'' if mark.around.endswith(('el ', 'un ')) else 'un '}programa de televisión",
    ),
    (lambda mark: _SHAPE.match(mark.folded), _shape),
    (
        lambda mark: _BAND.match(mark.folded),
        lambda mark, _: None if mark.around.endswith(("el ", "la ", "los ")) else "un grupo conocido",
    ),
    (lambda mark: _DID.match(mark.folded), _said("es una persona conocida")),
    (
        lambda mark: _CALLED.search(mark.around) and mark.folded.startswith(("el ", "la ")),
        lambda mark, _: "el Rubio" if mark.folded.startswith("el ") else "la Rubia",
    ),
    (lambda mark: mark.folded.startswith("en "), _said("en un programa de televisión")),
    (lambda mark: _FAMOUS.match(mark.folded), _said("una persona conocida")),
    (
        lambda mark: _MARK.match(mark.folded),
        lambda mark, found: mark.value[: found.end()] if found.end() < len(mark.value) else None,
    ),
    (lambda mark: _SHORT.fullmatch(mark.folded), _short),
    (lambda mark: mark.folded.startswith("gano "), _said("ganó un premio")),
    (lambda mark: _TATTOO_WITHIN.match(mark.folded) or _TATTOO.search(mark.around), _tattoo),
    (_is_free_text, _free_text),
)
