"""Names by the words themselves: a first name of the lexicon with a surname of the lexicon after it.

Nothing announces such a name, so nothing says whose it is; it is taken for the patient's, whom a note names most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit
from nadie.detectors.patterns.data import words as headings
from nadie.detectors.patterns.note import Note
from nadie.document import Span
from nadie.labels import Label
from nadie.lexicon import Lexicon

_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_PARTICLES = frozenset("de del la las los y i e san santa".split())
# A lower-case word this frequent is an ordinary word, whatever else it is.
_ORDINARY = 3
# What a person gave his name to.
_NAMED_AFTER = (
    r"\b(?:hospital|clinica|calle|c/|avda?\.?|av\.|avenida|plaza|paseo|colegio|centro|instituto|residencia|universidad|"
    r"universitari[oa]?|virgen|santa|santo|san|fundacion|sindrome|enfermedad|signo|escala|test|"
    r"maniobra|tecnica|metodo|ley)"
    r"(?: [a-z]{2,14}){0,2}(?: de| del)? "
)


@dataclass(frozen=True)
class KnownName:
    """`Lucía Arrieta Etxeberria`, `MARIA GARCIA`, `josé luis pérez`."""

    name: str = "known_name"

    def find(self, note: Note) -> Iterator[Span]:
        words = list(_WORD.finditer(note.plain))
        i = 0
        while i < len(words):
            stop = self._stop(note, words, i)
            if stop - i > 1 and not follows(note, words[i].start(), _NAMED_AFTER):
                place = (words[i].start(), words[stop - 1].end())
                score = 0.75 if note.casing(place[0]) == "mixed" else 0.65
                yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, place, score)
            i = max(stop, i + 1)

    def _stop(self, note: Note, words: Sequence[re.Match[str]], first: int) -> int:
        """One past the last word of the name that begins at word `first`, or `first` where none does."""
        opening = words[first].group()
        if not _is_first_name(opening, mixed=False, frequent=True):
            return first
        mixed = note.casing(words[first].start()) == "mixed"
        if not _is_first_name(opening, mixed):
            return first
        stop, surnames = first + 1, 0
        for i in range(first + 1, min(first + 8, len(words))):
            if note.plain[words[i - 1].end() : words[i].start()] not in (" ", "  "):
                break
            text = words[i].group()
            if text.lower() in headings("headings"):
                break
            if _is_surname(text, mixed):
                surnames += 1
                stop = i + 1
            elif _is_first_name(text, mixed):
                stop = i + 1
            elif text.lower() not in _PARTICLES:
                break
        return stop if surnames else first


def _is_first_name(text: str, mixed: bool, *, frequent: bool = False) -> bool:
    return any(kind.startswith("first_name") for kind in _kinds(text, mixed, frequent=frequent))


def _is_surname(text: str, mixed: bool) -> bool:
    return all("surname" in _kinds(part, mixed) for part in text.split("-"))


def _kinds(text: str, mixed: bool, *, frequent: bool = False) -> tuple[str, ...]:
    """The lists a word stands in, unless it is an ordinary word; with `frequent`, ordinary or not."""
    lexicon = Lexicon.shared()
    if len(text) < 3 or (mixed and not text[0].isupper()):
        return ()
    folded = text.lower()
    if not mixed and not frequent and lexicon.rarity(folded) <= _ORDINARY:
        return ()
    return lexicon.kinds(folded)


PATTERNS = (KnownName(),)
