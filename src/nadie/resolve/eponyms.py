"""Removal of eponyms: `enfermedad de Wilson` is not a person, but `Dr. Wilson` and `la paciente Norton` are.

A name is dropped from the spans only if its context makes it a medical term, and never if its context makes it a
person: a form of address, a label, a first name. If neither is clear, the span is kept: a masked eponym is a nuisance,
an unmasked person is a leak.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from operator import attrgetter

from nadie.document import Document, Span
from nadie.expressions import compiled
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.conditions import is_mislabelled
from nadie.spanish.folding import fold, same_length, same_length_of_note
from nadie.spanish.population import bearers, surname_bearers
from nadie.spanish.word_lists import Lists

# Other labels are never dropped: a number or a date is not an eponym, and a street or a hospital may have any name.
PROTECTED = frozenset(
    (
        Label.NOMBRE_SUJETO_ASISTENCIA,
        Label.NOMBRE_PERSONAL_SANITARIO,
        Label.FAMILIARES_SUJETO_ASISTENCIA,
        Label.TERRITORIO,
        Label.PAIS,
        Label.INSTITUCION,
    )
)
# A maker of devices is an institution, and a town may have the same name as a product; only a person's label is wrong.
_NAMES = frozenset((Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO))
_REACH = 72
_place = attrgetter("start", "end", "label")
_NAME_LISTS = ("first_names_male", "first_names_female", "first_names_any", "surnames")
_THINGS = frozenset(("drug", "organism", "device"))
_CONTEXT = Lists("eponym_context")
_CELL_BREAK = re.compile(r"[ \t]*\|?[ \t]*\n\|[ \t]+\|[ \t]+")
_BETWEEN = re.compile(r"-| y | e |/|, ")
# Most spans need none of these expressions, so each is compiled when it is first used.
# Words before a product that is taken, or before a species that is cultured.
_GIVEN = rf"\b{_CONTEXT.pattern('before products and species')}(?: (?:de|con|por|para|a|frente a))? $"
_OF = r"(?:\.? ?(?:de(?: la| los| las| el)?|del|d'|tipo|segun|,)? {0,2}[\"'(]?)"
# Other parts of the same eponym: `Charcot-Marie-` before `Tooth`, `Hoehn y ` before `Yahr`, `von ` before the rest.
_EARLIER = r"(?:[a-z][a-z']+(?:-| y | e |, |/)){0,3}(?:v[ao]n |di |le |de )?"
_STRONG, _WEAK = _CONTEXT.pattern("strong"), _CONTEXT.pattern("weak")
_AFTER_STRONG = rf"\b{_STRONG}{_OF}{_EARLIER}$"
_AFTER_WEAK = rf"\b{_WEAK}{_OF}{_EARLIER}$"
_AFTER_OTHERS = rf"\b{_CONTEXT.pattern('before eponyms with other words')} $"
_HEAD_INSIDE = re.compile(rf"(?:{_STRONG}|{_WEAK}) (?:de(?: la| los)?|del) (?P<name>.+)$")
_RESULT = (
    r" ?(?:[:=]? ?\(?(?:\d|[+-]{1,3}(?:\W|$)|>|<|i{1,3}\b|iv\b|positiv|negativ|neg\b|pos\b|bilateral|normal|dudos|"
    r"ausente|presente|[bcfi]\d\b|grado|bajo\b|alto\b|moderado|intermedio|tipo)|(?:derech|izquierd)[oa]s?|modificad[oa]|simplificad[oa]|spp?\b)"
)
_PERSON_BEFORE = (
    rf"(?:\b{_CONTEXT.pattern('before persons')}(?:\.ª?|\.?a)?(?: (?:clinico|tratante|de guardia|por))?[ .:,]{{1,3}}|"
    rf"\b{_CONTEXT.pattern('done by persons')}[oa]s? por (?:el |la |los )?)$"
)
_PERSON_AFTER = (
    r"(?:,? ?(?:\d{1,3} ?anos|nhc|dni|nº ?col|ncol|col\.)|, (?:nacid|natural|de \d{1,3} anos)|\^[a-z]|"
    r",? (?:de|es|=|era|que es)(?: \w+){0,3} apel)"
)
# Staff who are told something or do something: `avisar a Coombs`, `Coombs indica`.
_TOLD = rf"\b{_CONTEXT.pattern('told to persons')}\w*(?: \w+)? (?:a|al|con) (?:el |la )?$"
_WITH = (
    rf"(?:\b(?:citas?|turno|guardia|tutora?|jef[ea]|equipo|a cargo)(?: de| con)?(?: el| la)?|"
    rf"\b{_CONTEXT.pattern('done by persons')}[oa]s?\b[^.,;\n]{{0,25}} por(?: el| la)?) $"
)
_SAYS = r"[ ,]*(?:(?:que |ya )?(?:me|nos|le|les|se lo|lo) )?(?:ha|han|dice|dijo|pauta|avisa|vio|vera)\b"
_NAME_BEFORE = re.compile(r"(?P<word>\b[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+|\b[A-Z]\.) $")
_NAME_AFTER = re.compile(r" (?:de |del |y )?(?P<word>[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+)")
_SOME = 1_000  # bearers
_MANY = 5_000  # `Alvarado 8` is a score within a sentence only, and not in a list of patients and beds
_FIGURE = r" ?:? ?\(?\d"
_LOW_SCORE = re.compile(rf"{_FIGURE[:-2]}(?:\d|1[0-3])(?![\d/.-]|[ºª]| ?(?:a|anos|m|h)\b)")
_IN_SENTENCE = re.compile(r"[^\s|:;][.,:;(]? ?\Z")
_ACTS = rf",? {_CONTEXT.pattern('done after persons')}\b"
# What only a sign, a fluid or an illness is: `Coombs directo`, `Ringer lactato`, `Paget óseo`.
_QUALITY = rf"(?:(?: y | e |, |/)[a-z]{{4,}})? ?(?:\([+-]|[+-]{{1,3}}(?:\W|$)|{_CONTEXT.pattern('after eponyms')})"
_TITLE_INSIDE = r"^(?:dra?|sra?|don|dona|dna|d|prof|lic)\.? "
_INITIAL = r"(?:^|\s)[a-z]\."


def protect(document: Document, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans that are neither medical terms nor words of a condition (`fumadora`), in order."""
    kept = (span for span in spans if not _is_dropped(document, span))
    return tuple(sorted(kept, key=_place))


def _is_dropped(document: Document, span: Span) -> bool:
    if span.label in PROTECTED:
        return is_medicine(document.text, span)
    return is_mislabelled(document.text_of(span), span.label)


def is_medicine(text: str, span: Span) -> bool:
    """Whether the context of a span makes it an eponym, a product or a species."""
    if _is_within_phrase(text, span.start, span.end):
        return True
    inside = fold(text[span.start : span.end]).strip()
    head = _HEAD_INSIDE.match(inside) if " de" in inside else None
    name = head["name"] if head else inside
    if _kind(name) is None and not (span.label in _NAMES and _is_nobody(name)):
        return False  # not an eponym in any context, as is the case for most spans
    before = inside[: head.start("name")] if head else fold(_before(text, span.start))
    after = fold(text[span.end : span.end + 24])
    inside = name
    if re.search(_PERSON_BEFORE, before) or re.match(_PERSON_AFTER, after) or re.match(_TITLE_INSIDE, inside):
        return False
    is_after_head = re.search(_AFTER_STRONG, before) is not None
    if not is_after_head and _is_told(before, after):
        return False
    kind = _kind(inside)
    if kind == "device" and span.label not in _NAMES:
        return False
    if kind == "bare" or kind in _THINGS:
        return True
    if re.search(_INITIAL, inside):
        return False
    if kind == "scored" and _is_scored(inside, before, after):
        return True
    if re.match(_QUALITY, after) or re.search(_AFTER_WEAK, before) or re.search(_AFTER_OTHERS, before):
        return kind is not None
    if not is_after_head:
        return False
    return kind is not None or (span.label in _NAMES and _is_nobody(inside))


def _is_scored(inside: str, before: str, after: str) -> bool:
    """Whether a result stands after a name, or within its span."""
    if re.match(_FIGURE, after) and surname_bearers(inside) >= _MANY:
        return bool(_LOW_SCORE.match(after) and _IN_SENTENCE.search(before))
    return bool(re.match(_RESULT, after) or re.search(r"[ :]\d", inside) or re.search(_GIVEN, before))


def _before(text: str, start: int) -> str:
    """The text before a name, across the end of a line in a cell of a drawn table."""
    before = text[max(0, start - _REACH) : start]
    if "|" not in before:
        return before
    return _CELL_BREAK.sub(" ", text[max(0, start - 2 * _REACH) : start])[-_REACH:]


def is_compound(text: str, span: Span) -> bool:
    """Whether a compound (`Mallory-Weiss`) is made of eponyms alone, and nothing around it makes it a person."""
    parts = fold(text[span.start : span.end]).split("-")
    before = fold(text[max(0, span.start - _REACH) : span.start])
    is_person = re.search(_PERSON_BEFORE, before) or re.search(_TOLD, before)
    is_term = "-".join(parts) in _names() or all(part in _names() for part in parts)
    return len(parts) > 1 and is_term and not is_person


def _is_within_phrase(text: str, start: int, end: int) -> bool:
    """Whether a name is a part of a term of several words: `Kleihauer-Betke`, `tendón de Aquiles`."""
    if not _may_have_phrase(text):
        return False
    first = max(0, start - _REACH)
    around = same_length(text[first : end + _REACH])
    for found in _phrases().finditer(around):
        if found.start() <= start - first and end - first <= found.end():
            return re.search(_PERSON_BEFORE, around[: found.start()]) is None
    return False


def is_of_person(text: str, start: int, end: int) -> bool:
    """Whether a form of address, a verb, a number or another name beside a name makes it that of a person."""
    before, after = fold(_before(text, start)), fold(text[end : end + 24])
    if re.search(_PERSON_BEFORE, before) or re.match(_PERSON_AFTER, after) or _is_told(before, after):
        return True
    found = (_NAME_BEFORE.search(text, max(0, start - _REACH), start), _NAME_AFTER.match(text, end))
    beside = [match["word"] for match in found if match]
    return any(word[-1] == "." or max(bearers(fold(word)), surname_bearers(fold(word))) >= _SOME for word in beside)


def _is_told(before: str, after: str) -> bool:
    """Whether somebody is told something, meets somebody, or does something."""
    is_before = re.search(_TOLD, before) or re.search(_WITH, before)
    return bool(is_before or re.match(_ACTS, after) or re.match(_SAYS, after))


def is_known_eponym(folded: str) -> bool:
    """Whether a name is on the list of medical terms, whatever its context."""
    return folded in _names() or folded in _parts()


def _kind(inside: str) -> str | None:
    """The entry in the list for a name, or for all parts of a compound name."""
    unscored = inside if inside[-1:].isalpha() else re.sub(r"[ :]*[\d,./+]+$", "", inside)
    name = unscored.strip(" .,:\"'()")
    names = _names()
    if name in names:
        kind = names[name]
        return "scored" if kind in _THINGS and not _is_nobody(name) else kind
    if name.isalpha():
        return None
    parts = _BETWEEN.split(name)
    return "context" if len(parts) > 1 and all(part in names for part in parts) else None


def _is_nobody(inside: str) -> bool:
    """Whether a name that is not in the list has no word that is a first name or surname."""
    words = re.findall(r"[a-z']+", inside)
    return bool(words) and _borne_names().isdisjoint(words)


@cache
def _names() -> dict[str, str]:
    return {name: kind for name, kind, *_ in tables.rows("eponyms.tsv")}


@lru_cache(32)
def _may_have_phrase(text: str) -> bool:
    """Whether a term of several words may be anywhere in the text; few texts have one."""
    expression = compiled(_any_phrase())
    return expression.search(same_length_of_note(text).encode("utf-8", "replace")) is not None


@cache
def _any_phrase() -> str:
    names = sorted((name for name, kind in _names().items() if not name.isalpha() and kind == "bare"), key=len)
    return "|".join(map(re.escape, reversed(names)))


@cache
def _phrases() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_any_phrase()})\b")


@cache
def _parts() -> frozenset[str]:
    """The parts of compound names: `arnold` of `arnold-chiari`."""
    return frozenset(part for name in _names() for part in _BETWEEN.split(name))


@cache
def _borne_names() -> frozenset[str]:
    """The folded words of the lexicon's lists of first names and surnames only."""
    folder = files("nadie.models") / "lexicon"
    lists = ((folder / f"{name}.txt").read_text(encoding="utf-8") for name in _NAME_LISTS)
    return frozenset(same_length("\n".join(lists)).split("\n"))
