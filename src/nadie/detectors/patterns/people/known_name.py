"""Names known by their words: a first name of the lexicon together with a surname of the lexicon.

Without a cue of whose name it is, it gets the label of the patient, whom notes name most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nadie.detectors.patterns.base import follows, pattern_span
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.names import JOINING, SAINTS
from nadie.spanish.word_lists import Lists

_WORDS = Lists("people", "nadie.detectors.patterns")

_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_JOINING = JOINING | SAINTS
# A lower-case word this frequent is an ordinary word even if it is a name as well.
_ORDINARY = 3
_SHORTEST = 3
# Things that are named after persons.
_NAMED_AFTER = rf"\b{_WORDS.pattern('named after people')}(?: [a-z]{{2,14}}){{0,2}}(?: de| del)? "
_ACTS = (
    r"(?:,? (?:no |se |ha |es |esta |presenta|refiere|tiene|acude|come|duerme|vive|consulta|fue |habia |comenta|niega|"
    r"mantiene|desarrollo|inicia|continua|permanece)|, de \d)"
)


@dataclass(frozen=True)
class KnownName:
    """`Lucía Arrieta Etxeberria`, `GARCIA LOPEZ MARIA`, `pérez gil, josé luis`."""

    name: str = "known_name"

    def find(self, note: PlainText) -> Iterator[Span]:
        words = list(_WORD.finditer(note.plain))
        kinds = Lexicon.shared().kinds
        stop = 0
        for i in [i for i, word in enumerate(words) if kinds(word.group().lower())]:
            if i < stop or len(words[i].group()) < _SHORTEST:
                continue
            stop, is_name = self._run(note, words, i)
            if is_name and not follows(note, words[i].start(), _NAMED_AFTER):
                score = 0.75 if note.casing(words[i].start()) == "mixed" else 0.65
                yield from self._spans(note, words[i:stop], score)

    def _run(self, note: PlainText, words: Sequence[re.Match[str]], first: int) -> tuple[int, bool]:
        """One past the last word of the run of names from `first`, and whether it has a first name and a surname."""
        mixed = note.casing(words[first].start()) == "mixed"
        stop, kinds = first, [0, 0]
        for i in range(first, min(first + 8, len(words))):
            gap = note.plain[words[i - 1].end() : words[i].start()] if i > first else " "
            text = words[i].group()
            if gap not in (" ", "  ", ", ", ",") or text.lower() in tables.words("headings"):
                break
            surname, given = _is_surname(text, mixed), _is_first_name(text, mixed)
            if "," in gap and (not given or kinds[1] > 1 or not kinds[0]):
                break
            if surname or given:
                kinds[0] += surname
                kinds[1] += given and not (surname and kinds[1])
                stop = i + 1
            elif not (i > first and text.lower() in _JOINING):
                break
        return stop, stop - first > 1 and kinds[0] > 0 and kinds[1] > 0 and (kinds[0] + kinds[1] > 1)

    def _spans(self, note: PlainText, words: Sequence[re.Match[str]], score: float) -> Iterator[Span]:
        """One span, or two where a comma parts the surnames from the first name."""
        start = words[0].start()
        for before, here in pairwise(words):
            if "," in note.plain[before.end() : here.start()]:
                yield pattern_span(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, (start, before.end()), score)
                start = here.start()
        yield pattern_span(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, (start, words[-1].end()), score)


def _given_name(note: PlainText, start: int, end: int) -> float:
    """The score of a first name alone that does something: `refiere que Edurne no come`, `Hugo, de 5 meses`."""
    if note.casing(start) != "mixed" or not _is_first_name(note.plain[start:end].lower(), mixed=False):
        return 0.0
    return 0.0 if follows(note, start, rf"{_NAMED_AFTER}|[A-Z][a-z]+ ") else 0.6


def _is_first_name(text: str, mixed: bool) -> bool:
    return any(kind.startswith("first_name") for kind in _kinds(text, mixed))


def _is_surname(text: str, mixed: bool) -> bool:
    return all("surname" in _kinds(part, mixed) for part in text.split("-"))


def _kinds(text: str, mixed: bool) -> tuple[str, ...]:
    """The lists of the lexicon that hold a word; none for an ordinary word."""
    lexicon = Lexicon.shared()
    if len(text) < _SHORTEST or (mixed and not text[0].isupper()):
        return ()
    folded = text.lower()
    if not mixed and lexicon.rarity(folded) <= _ORDINARY:
        return ()
    return lexicon.kinds(folded)


PATTERNS = (
    KnownName(),
    ContextPattern("given_name", Label.NOMBRE_SUJETO_ASISTENCIA, rf"\b([A-Z][a-z]{{2,14}}){_ACTS}", _given_name),
)
