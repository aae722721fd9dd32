"""Names and numbers of a scanned document where they stand once more, read with an error: `Iturra1de`, `447190B`.

Recognisers of characters take letters and digits for others of the same shape, lose accents, and now and then a letter.
So a word of a name is also found with other letters of the same shape and with one letter more, less or changed, and a
number with one digit changed. Ordinary words and words in lower case are left alone.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from nadie.labels import NAMES, Label, Parent
from nadie.resolve.eponyms import is_known_eponym
from nadie.resolve.outside import Candidate, Outside
from nadie.spanish.folding import fold, words_of
from nadie.spanish.name_use import is_ordinary_word
from nadie.spanish.squashing import squash

_WORD = re.compile(r"[^\W_]{4,}")
_FIGURES = re.compile(r"(?<![^\W_])[\dOoQIlSsBbZzg]+(?![^\W_])")
_GROUP = re.compile(r"[ .-]?")  # between groups of figures
_LEAST_LETTERS, _LEAST_DIGITS = 5, 6
_MOST_VALUES, _MOST_GROUPS = 2_000, 5
_NUMBERED = frozenset(label for label in Label if label.parent in (Parent.ID, Parent.CONTACT))
_AS_LETTERS = str.maketrans("0158|!i", "olsblll")
_AS_DIGITS = str.maketrans("oqilsbzg", "00115829")

_Values = dict[str, list[tuple[str, str, float]]]
"""The shapes of values, whole and without one character, each with the value's shape, label and score."""


def misread_again(text: Outside) -> Iterator[Candidate]:
    """Names and numbers of the document's spans that stand once more with an error."""
    names, numbers = _names(text), _numbers(text)
    written = text.document.text
    for match in _WORD.finditer(written) if names else ():
        word = match.group()
        if (word[:1].isupper() or any(map(str.isdigit, word))) and not text.squashed.hides(*match.span()):
            found = _nearest(names, _letters(word))
            if found and not is_ordinary_word(fold(word)) and not is_known_eponym(fold(word)):
                yield Candidate(*match.span(), (found[1],), found[2])
    for start, end in sorted(_runs(written), key=lambda run: run[0] - run[1]) if numbers else ():
        found = _nearest(numbers, _digits(written[start:end]), is_number=True)
        if found and not text.squashed.hides(start, end):
            yield Candidate(start, end, (found[1],), found[2])


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Where figures stand, or letters that look like them: every run of some groups with enough digits."""
    before: list[re.Match[str]] = []
    for match in _FIGURES.finditer(text):
        if before and not _GROUP.fullmatch(text, before[-1].end(), match.start()):
            before = []
        before = [*before[-_MOST_GROUPS:], match]
        for first in before:
            if sum(map(str.isdigit, text[first.start() : match.end()])) >= _LEAST_DIGITS - 2:
                yield first.start(), match.end()


def _letters(word: str) -> str:
    return fold(word).translate(_AS_LETTERS).replace("rn", "m")


def _digits(number: str) -> str:
    return squash(number).translate(_AS_DIGITS)


def _names(text: Outside) -> _Values:
    spans = [span for span in text.detected.spans if span.label in NAMES]
    words = ((word, span) for span in spans for word in words_of(text.detected.text_of(span)))
    return _indexed((_letters(word), span.label, span.score) for word, span in words if len(word) >= _LEAST_LETTERS)


def _numbers(text: Outside) -> _Values:
    spans = [span for span in text.detected.spans if span.label in _NUMBERED]
    values = ((text.detected.text_of(span), span) for span in spans)
    longest = (
        (max((_digits(value[a:b]) for a, b in _runs(value)), key=len, default=""), span) for value, span in values
    )
    return _indexed((run, span.label, span.score) for run, span in longest if len(run) >= _LEAST_DIGITS)


def _indexed(values: Iterable[tuple[str, str, float]]) -> _Values:
    index: _Values = defaultdict(list)
    for n, value in enumerate(dict.fromkeys(values)):
        if n == _MOST_VALUES:
            break
        for shape in _shapes(value[0]):
            index[shape].append(value)
    return index


def _shapes(shape: str) -> set[str]:
    """The shape, and the shape without each of its characters: two that differ in one have one of these in common."""
    return {shape, *(shape[:n] + shape[n + 1 :] for n in range(len(shape)))}


def _nearest(values: _Values, shape: str, *, is_number: bool = False) -> tuple[str, str, float] | None:
    """The value that differs from the shape in one character at most: in numbers a changed one, never one more."""
    if values.get(shape):
        same = [value for value in values[shape] if value[0] == shape]
        if same:
            return same[0]
    for each in sorted(_shapes(shape)):
        for value in values.get(each, ()):
            if len(value[0]) == len(shape):
                if sum(a != b for a, b in zip(value[0], shape, strict=True)) <= 1:
                    return value
            elif not is_number:
                return value
    return None
