"""Names after a cue, and where a name ends that begins at a given place.

No list of names is used: a name is a run of capitalised words with its particles and initials, up to a word that
cannot be part of one. In text that is all in capitals or all in lower case, fewer words are taken and common words end
the run as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from nadie.detectors.patterns.base import pattern_span
from nadie.detectors.patterns.plain_text import Casing, PlainText
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.folding import FEMININE
from nadie.spanish.names import PARTICLES, SHORT_GIVEN, SHORT_SAINTS, SHORT_SURNAMES, SIGNED
from nadie.spanish.tables import words

_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*")
_GAP = re.compile(r" {0,2}")
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]{2})")
_JOINT = re.compile(r" ?(?:,|/| y| e|;) {1,2}(?=[A-Za-z])")
_ADDRESS = re.compile(r"(?:[Dd]\.?|[Dd]on|[Dd]ona|[Dd]na\.|[Ss]ra?\.|[Dd]\.?\x02) {1,2}(?=[A-Z])")
_ABBREVIATED = {*SHORT_GIVEN, *SHORT_SURNAMES, *SHORT_SAINTS} - {SIGNED}
# Words that are surnames as well: they end a name only in text without mixed case.
_SURNAMES = frozenset(
    "nino mayor prima primo nieto marzo abril mayo julio junio casado soltero joven "
    "vecino natural bueno buena sala domingo pais barrio "
    "camino plaza ronda sobrino bajo izquierdo derecho portal tutor carrera agosto alta calle director seguro".split()
)
_LONGEST: dict[Casing, int] = {"mixed": 6, "upper": 5, "lower": 4}


class NameMatch(NamedTuple):
    """`[start:end]` is a name; `full_words` counts its words without the initials."""

    start: int
    end: int
    full_words: int


@dataclass(frozen=True)
class NamePattern:
    """An expression after whose matches names stand. `names` gives those of a match, with their scores."""

    name: str
    label: Label
    regex: str
    names: Callable[[PlainText, Any], Iterable[tuple[NameMatch, float]]]

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(self.regex):
            for name, score in self.names(note, match):
                yield pattern_span(self.name, self.label, (name.start, name.end), score)


def name_at(note: PlainText, start: int, *, title_case: bool = False, several: bool = False) -> NameMatch | None:
    """The name that begins at `start`, if there is one.

    With `title_case` its first word has to be in title case. With `several`, `y` separates persons, not surnames.
    """
    if address := _ADDRESS.match(note.plain, start):
        start = address.end()
    casing = note.casing(start)
    end, at, taken, full, initials, proper_end = start, start, 0, 0, 0, start
    while taken < _LONGEST[casing] and (word := _WORD.match(note.plain, at)):
        text = word.group()
        after = _after_sign(note.plain, word.end(), text)
        if after > word.end():
            end, taken, initials = after, taken + 1, initials + 1
        elif several and text.lower() in ("y", "e"):
            break
        elif text.lower() in PARTICLES and (taken or at > start or (text[0].isupper() and not title_case)):
            pass
        elif not _is_label(note.plain, word.end()) and (
            stop := _name_stop(text, casing, plain_first=title_case and taken == 0)
        ):
            end, taken, full, initials = at + stop, taken + 1, full + 1, 0
            proper_end = end
            if stop < len(text):
                break
        else:
            break
        gap = _GAP.match(note.plain, after)
        at = gap.end() if gap else after
        if at == after and note.plain[at - 1] != ".":
            break
    # Two initials after a name belong to what follows: `Juan Gil M.N. 1234`.
    return NameMatch(start, proper_end if initials > 1 else end, full) if full else None


def names_from(note: PlainText, start: int, *, several: bool = False) -> Iterator[NameMatch]:
    """The name at `start` and those that commas, `y` or `e` join to it: `Pérez Ruiz, Ana`, `Ruiz y Gil`."""
    name = name_at(note, start, several=several)
    while name:
        yield name
        if note.casing(name.start) == "lower":
            return
        joint = _JOINT.match(note.plain, name.end)
        name = name_at(note, joint.end(), several=several) if joint else None


def _name_stop(text: str, casing: Casing, *, plain_first: bool) -> int:
    """How many letters of a word belong to a name: all, none, or those before a heading glued to it."""
    seam = _SEAM.search(text)
    if seam and text[seam.start() :].lower() in words("headings"):
        return seam.start() if _is_name_word(text[: seam.start()], casing, plain_first=plain_first) else 0
    return len(text) if _is_name_word(text, casing, plain_first=plain_first) else 0


def _is_name_word(text: str, casing: Casing, *, plain_first: bool) -> bool:
    folded = text.lower()
    surname = casing == "mixed" and text.istitle() and folded in _SURNAMES
    if len(text) < 2 or (folded in words("headings") and not surname):
        return False
    common = folded in words("running_words")
    if casing != "mixed":
        return len(text) > 2 and not common
    if not text[0].isupper() or (plain_first and text.isupper()):
        return False
    return (surname or not common) and (len(text) > 3 or not text.isupper() or text in ("GIL", "RUA"))


def _is_label(text: str, end: int) -> bool:
    """Whether a colon follows, so that the word is the label of the next field."""
    return text[end : end + 2].lstrip(" ").startswith(":")


def _after_sign(text: str, at: int, word: str) -> int:
    """The place after the signs of an abbreviation, `M.`, `Mª`, `Fco.`; `at` if the word is not abbreviated."""
    end = at
    if len(word) == 1:
        while end < len(text) and text[end] in (".", FEMININE):
            end += 1
    elif word.lower() in _ABBREVIATED and text[at : at + 1] == ".":
        end += 1
    return end
