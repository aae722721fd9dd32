"""The rest of a name that white space or the end of a line splits: `Zamu dio`, `Uria-` and `rte` in the next line.

A detector that finds one part leaves the other, from which the name can be guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from nadie.document import Document, Span
from nadie.labels import NAMES

_GAP = r"(?:[ ]{1,2}|-[ ]?\n[ ]{0,3})"
_SMALL = r"[a-záéíóúüñ]"
_PART_AFTER = re.compile(rf"(?P<gap>{_GAP})(?P<part>{_SMALL}{{2,7}})(?![^\W_])")
_PART_BEFORE = re.compile(rf"(?<![^\W_])(?P<part>[A-ZÁÉÍÓÚÜÑ]{_SMALL}{{1,6}})(?P<gap>{_GAP})\Z")
_LAST = re.compile(rf"(?<![^\W_])(?:[^\W\d_]{{1,7}} {_SMALL}{{1,2}}|[^\W\d_]{{1,9}})\Z")
_FIRST = re.compile(rf"{_SMALL}{{2,9}}(?![^\W_])")
_REACH = 16
_FEW = 100  # bearers


def with_rest_of_names(document: Document) -> Document:
    """The document with its names extended by the part that was split off, if both are one known name together."""
    if not any(span.label in NAMES for span in document.spans):
        return document
    return document.with_spans(_extended(document.text, document.spans))


def _extended(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    ordered: list[Span | None] = [None, *sorted(spans), None]
    for (before, span), (_, after) in pairwise(pairwise(ordered)):
        if span is None:
            continue
        if span.label in NAMES:
            first = _start(text, span, before.end if before else 0)
            last = _end(text, span, after.start if after else len(text))
            span = replace(span, start=first, end=last)
        yield span


def _end(text: str, span: Span, limit: int) -> int:
    rest = _PART_AFTER.match(text, span.end, limit)
    last = _LAST.search(text, max(span.start, span.end - _REACH), span.end)
    if rest and last and _is_one_name(last.group(), rest["part"], rest["gap"]):
        return rest.end()
    return span.end


def _start(text: str, span: Span, limit: int) -> int:
    first = _FIRST.match(text, span.start, span.end)
    part = first and _PART_BEFORE.search(text, max(limit, span.start - _REACH), span.start)
    if first and part and _is_one_name(part["part"], first.group(), part["gap"]):
        return part.start()
    return span.start


def _is_one_name(one: str, other: str, gap: str) -> bool:
    """Whether two parts are a name together, and, in one line, the first alone is none or the second no word."""
    from nadie.spanish.folding import fold
    from nadie.spanish.name_use import is_ordinary_word
    from nadie.spanish.population import bearers, surname_bearers  # tables that few runs need this early

    def is_name(word: str) -> bool:
        return max(bearers(word), surname_bearers(word)) >= _FEW

    one, other = fold(one).replace(" ", ""), fold(other)
    if not is_name(one + other):
        return False
    return "-" in gap or not (is_name(other) or (is_name(one) and is_ordinary_word(other)))
