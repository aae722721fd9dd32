"""Ordinary words that a model takes for a name, because somebody in the note bears it: `marcha en garza` of Dr. Garza.

Only words in lower case are dropped, in a note that writes the name with a capital letter, and never where a form of
address or anything else beside the word makes it that of a person.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nadie.document import Document, Span
from nadie.labels import NAMES
from nadie.resolve.eponyms import is_of_person
from nadie.spanish.conditions import is_condition
from nadie.spanish.folding import same_length, words_of
from nadie.spanish.name_forms import TITLED
from nadie.spanish.name_use import is_ordinary_word, is_rather_a_word
from nadie.spanish.population import bearers, surname_bearers

_REACH = 30
_LEAST = 3  # letters: shorter ones may be initials
_PATIENT = re.compile(r"(?:pac|pcte|paciente)\b")
_BLANK = re.compile(r"[ \t]{1,2}")


def without_common_words(document: Document, spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans without such words, and without other ordinary words beside them: `nevus moreno` of Dr. Moreno."""
    text = document.text
    in_lower_case = [span for span in spans if span.label in NAMES and text[span.start : span.end].islower()]
    if not in_lower_case:
        return tuple(spans)
    borne = {word for span in spans if span.label in NAMES for word in _borne(text, span)}
    dropped = {span for span in in_lower_case if _is_common(text, span) and not borne.isdisjoint(_words(text, span))}
    beside = {
        span
        for span in in_lower_case
        if any(_BLANK.fullmatch(text, span.end, other.start) for other in dropped)
        and (_is_common(text, span) or _is_nobody(_words(text, span)))
    }
    return tuple(span for span in spans if span not in dropped | beside)


def _words(text: str, span: Span) -> list[str]:
    return words_of(text[span.start : span.end])


def _borne(text: str, span: Span) -> list[str]:
    return _words(text, span) if text[span.start].isupper() else []


def _is_nobody(words: Sequence[str]) -> bool:
    """Whether nobody bears any of the words as a name: `nevus`."""
    return all(len(word) >= _LEAST and not bearers(word) and not surname_bearers(word) for word in words)


def _is_common(text: str, span: Span) -> bool:
    words = _words(text, span)
    is_long = all(len(word) >= _LEAST for word in words)
    if not words or not is_long or not all(is_rather_a_word(word) or is_ordinary_word(word) for word in words):
        return False
    before = max(0, span.start - _REACH)
    for title in TITLED.finditer(same_length(text[before : span.end])):
        if before + title.end() > span.start:
            return _PATIENT.match(title.group()) is not None and is_condition(words[0])  # `paciente delgado`
    return not is_of_person(text, span.start, span.end)
