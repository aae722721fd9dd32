"""Where the name of a hospital, health centre or institution ends that begins at a given place."""

from __future__ import annotations

import re

from nadie.detectors.patterns.plain_text import PlainText
from nadie.spanish.names import ROMANCE_PARTICLES
from nadie.spanish.tables import words
from nadie.spanish.word_lists import Lists

_WORD = re.compile(r"[\"'(]{0,2}[A-Za-z]+(?:['-][A-Za-z]+)*[\"')]{0,2}")
_NUMBERED = re.compile(r"\"?\d{1,2} de [A-Za-z]{4,10}\"?|[XVI]{1,5}\b|\d{1,3}\b(?!\s*de\b)")
_GAP = re.compile(r" {0,2}")
_HOUSE = re.compile(r",? (?:[Nn][\x01.o]{1,2} ?)?(?:\d{1,4}\b(?! de )|s/n)")
_SHORT = frozenset("dr dra sta sto univ gral ntra sra prof st h u ma".split())
_INNER = ROMANCE_PARTICLES | {"para", "d'"}
# Words that belong to such names, though they end the names of persons.
_KINDS = Lists("places", "nadie.detectors.patterns").words("kinds within names")


def institution_end(note: PlainText, start: int, limit: int = 9) -> int:
    """Where the run of capitalised words and particles that begins at `start` ends; `start` where there is none."""
    limit = {"mixed": limit, "upper": 6, "lower": 4}[note.casing(start)]
    ends = [start]
    at, quoted = start, False
    while len(ends) <= limit:
        if numbered := _NUMBERED.match(note.plain, at):
            if (
                len(ends) > 3
                or (len(numbered.group()) > 3 and not numbered.group()[0].isupper())
                or len(ends) == 1
                or numbered.group()[0].isupper()
            ):
                ends.append(numbered.end())
            break
        word = _WORD.match(note.plain, at)
        if word is None:
            break
        text = word.group()
        bare = text.strip("\"'()")
        if quoted or bare.lower() not in _INNER or (bare[0].isupper() and len(bare) > 2):
            if not quoted and not _belongs(bare, note, at):
                break
            ends.append(word.end())
        quoted = (quoted or text[0] in "\"'") and text[-1] not in "\"'"
        at = _next(note.plain, word.end(), bare)
        if at < 0:
            break
    return _without_town(note, start, _without_street(note, start, ends))


def _next(text: str, end: int, bare: str) -> int:
    """Where the next word begins, or -1 where the run is over."""
    if text[end : end + 1] == "." and bare.lower() in _SHORT:
        end += 1
        return end + 1 if text[end : end + 1] == " " else end
    gap = _GAP.match(text, end)
    return gap.end() if gap and gap.end() > end else -1


def _belongs(bare: str, note: PlainText, at: int) -> bool:
    folded = bare.lower()
    if folded in _KINDS:
        return note.casing(at) != "mixed" or bare[0].isupper()
    if folded in words("headings"):
        return False
    if note.casing(at) == "mixed":
        return bare[0].isupper()
    return folded not in words("running_words")


def _without_street(note: PlainText, start: int, ends: list[int]) -> list[int]:
    """The ends without the street whose number follows: `Hospital de León Altos de Nava, s/n`."""
    if not _HOUSE.match(note.plain, ends[-1]):
        return ends
    proper = len(proper_words(note.plain[start : ends[-1]]))
    return ends[: -2 if proper > 2 else -1] if proper > 1 else ends


def proper_words(text: str) -> list[str]:
    """The words of a name that are neither particles nor say what kind of institution it is."""
    return [word for word in text.lower().split() if word.strip("\"'().") not in _KINDS | _INNER]


def _is_town(text: str) -> bool:
    return text.strip().lower() in words("places")


def _without_town(note: PlainText, start: int, ends: list[int]) -> int:
    """The end without a town that merely follows: `Hospital San Roque Córdoba`, but not `Hospital de Navarra`."""
    end = ends[-1]
    while len(ends) > 2 and proper_words(note.plain[start : ends[-2]]) and _is_town(note.plain[ends[-2] : end]):
        ends.pop()
        end = ends[-1]
    if len(ends) > 2:
        tail = note.plain[ends[-2] : end].strip().lower()
        if (
            tail.startswith("de ")
            and tail[3:] in words("places")
            and len(proper_words(note.plain[start : ends[-2]])) > 1
        ):
            return ends[-2]
    return end
