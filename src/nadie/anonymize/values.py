"""The values of spans: how they are compared, which of them identify somebody, and where one would stay readable.

`JOSE  PEREZ`, `José Pérez` and `jose-perez` are the same value to a person who searches for somebody, so they must be
the same to the engine: values are compared and searched squashed, without case, accents, spacing and punctuation.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from nadie.anonymize.name_words import FIELDS, is_eponym, is_written_as_name
from nadie.document import Document, Span
from nadie.labels import NAMES, Label, Parent
from nadie.spanish import tables
from nadie.spanish.folding import NOTHING, same_length, words_of
from nadie.spanish.name_forms import capitals_in, initials_in, pet_names
from nadie.spanish.name_use import is_rather_a_word
from nadie.spanish.names import PARTICLES, SAINTS, SHORT_GIVEN, SHORT_SURNAMES, short_surnames
from nadie.surrogates.centre_words import KINDS, LINKS

SOURCE = "leak-check"
"""The source of spans that the engine finds itself."""
WALL = "\x01"
"""A character in a folded text that no value may cross."""


class _Bare(dict[int, str | None]):
    """Keeps letters, digits and walls, and removes everything else."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        bare = self[code] = character if character.isalnum() or character == WALL else None
        return bare


_BARE = _Bare()
_LATIN_NOISE = bytes(c for c in range(256) if not chr(c).isalnum() and chr(c) != WALL)
_RUN_OR_WALL = re.compile(r"(?:[^\W\d_]|\x00)+|\d+|\x01+")
_LONG = 20_000_000
# Short lists of words that many people share: their occurrence reveals nothing about a person.
CLOSED = frozenset(
    {
        Label.SEXO_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA, Label.FAMILIARES_SUJETO_ASISTENCIA,
        Label.PROFESION, Label.OTROS_SUJETO_ASISTENCIA, Label.FECHAS, Label.PAIS,
    }
)  # fmt: skip
_CENTRES = frozenset({Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION})
_IDS = frozenset(label for label in Label if label.parent is Parent.ID)
_KIND_WORDS = KINDS | LINKS
_LEAST_LETTERS = 3
_LEAST_DIGITS = 5
_LEAST_OF_A_PART = 3
_LEAST_GLUED = 8
_SHORT_FORMS = {name: short_surnames(name) for name in SHORT_SURNAMES.values()}
_PLAIN_NAME = re.compile(r"(?:[^\W\d_ºª]|[\s,-]|\.(?!\w))*")
_BETWEEN_NAMES = {word for word in PARTICLES | SAINTS if len(word) > 1}


def _bare(folded: str) -> str:
    try:
        return folded.encode("latin-1").translate(None, _LATIN_NOISE).decode("latin-1")
    except UnicodeEncodeError:
        return folded.translate(_BARE)


def squash(text: str) -> str:
    """The folded words, joined without separators."""
    return _bare(same_length(text))


class Found(NamedTuple):
    """A range of the original text."""

    start: int
    end: int


class Squashed:
    """A text squashed once, for searching many values. The ranges in `hidden` are not searched."""

    def __init__(self, text: str, hidden: Sequence[tuple[int, int]] = ()) -> None:
        folded = same_length(text)
        if hidden:
            pieces, end = [], 0
            for start, stop in hidden:
                pieces += [folded[end:start], WALL * (stop - start)]
                end = stop
            folded = "".join((*pieces, folded[end:]))
        self._folded = folded
        self._text = _bare(folded)

    def __contains__(self, value: str) -> bool:
        """Whether the squashed `value` occurs, also inside longer words."""
        return value in self._text

    def hides(self, start: int, end: int) -> bool:
        """Whether part of this range of the original text is hidden."""
        return WALL in self._folded[start:end]

    def find(self, value: str, *, glued: bool = False) -> list[Found]:
        """The occurrences of the squashed `value` as whole words; with `glued`, also inside longer words."""
        found: list[Found] = []
        at = self._text.find(value) if value else -1
        while at >= 0:
            start, end = self._places[at], self._places[at + len(value) - 1] + 1
            if glued or (self._is_edge(start) and self._is_edge(end)):
                found.append(Found(start, end))
            at = self._text.find(value, at + 1)
        return found

    def find_all(self, values: Collection[str]) -> dict[str, list[Found]]:
        """The occurrences of each value as whole words; values that do not occur are omitted.

        In a short text each value is searched separately, which is fastest. In a long text with many values this would
        take the product of both, so all are searched at once, word by word.
        """
        if len(values) * len(self._text) < _LONG:
            return {value: places for value in values if (places := self.find(value))}
        found: dict[str, list[Found]] = defaultdict(list)
        longest = max(map(len, values))
        open_pieces: list[tuple[int, str]] = []  # those that end at this word and are not longer than all values
        for match in _RUN_OR_WALL.finditer(self._folded):
            if match.group()[0] == WALL:
                open_pieces = []
                continue
            word = match.group().replace(NOTHING, "")
            joined = [(start, piece + word) for start, piece in (*open_pieces, (match.start(), ""))]
            open_pieces = [(start, piece) for start, piece in joined if len(piece) <= longest]
            for start, piece in open_pieces:
                if piece in values:
                    found[piece].append(Found(start, match.end()))
        return found

    @cached_property
    def _places(self) -> array[int]:
        """The offset of each squashed character in the text; needed only if something was found."""
        return array("I", (place for place, c in enumerate(self._folded) if c.isalnum() or c == WALL))

    def _is_edge(self, at: int) -> bool:
        """Whether a word ends or begins here; so it is between a letter and a digit."""
        before, after = self._folded[at - 1 : at], self._folded[at : at + 1]
        return not (before.isalnum() and after.isalnum()) or before.isdigit() != after.isdigit()


def outside(document: Document) -> Squashed:
    """The text of a document without its spans."""
    return Squashed(document.text, [(span.start, span.end) for span in document.spans])


def telling(value: str, label: str) -> str | None:
    """The squashed value if its occurrence would identify somebody, None if it is too short or too common."""
    squashed = squash(value)
    if label in _CENTRES and _KIND_WORDS.issuperset(words_of(value)):
        return None
    if squashed.isdigit():
        return squashed if len(squashed) >= _LEAST_DIGITS else None
    if label == Label.FECHAS:
        return squashed if sum(c.isdigit() for c in squashed) >= 4 and len(squashed) >= 6 else None
    if label == Label.PAIS:
        return squashed if len(squashed) > _LEAST_LETTERS else None
    if label in CLOSED or len(squashed) < _LEAST_LETTERS:
        return None
    if label in _IDS and not any(c.isdigit() for c in squashed):
        return None
    return squashed if label in NAMES or len(squashed) > _LEAST_LETTERS else None


def told_by(document: Document) -> dict[Span, str]:
    """The identifying value of each span that has one."""
    identifying = ((span, telling(document.text_of(span), span.label)) for span in document.spans)
    return {span: value for span, value in identifying if value is not None}


def values_of(identifying: Mapping[Span, str]) -> set[str]:
    """The values of the open classes: names, places, contacts, numbers."""
    return {value for span, value in identifying.items() if span.label not in CLOSED}


def may_be_named_again(document: Document) -> bool:
    """Whether a patient or a member of staff may be named outside all spans; a quick test before names are parsed.

    It is false only if no word of these names, no pet name and no full form of a word is part of the text there, and no
    initials could be theirs. Unusual names, such as those with digits that a scan read for letters, are always parsed,
    and so are the names of a long text with very many of them.
    """
    values = [document.text_of(span) for span in document.spans if span.label in NAMES]
    if not values or "^" in document.text or not all(map(_PLAIN_NAME.fullmatch, values)):
        return bool(values)
    words: set[str] = set()
    for value in values:
        *others, last = words_of(value) or [""]
        for word in (*(other for other in others if other not in _BETWEEN_NAMES), last):
            words.update((word, SHORT_GIVEN.get(word, ""), SHORT_SURNAMES.get(word, "")))
    if len(words) * len(document.text) > _LONG:
        return True
    text = outside(document)
    if any(form in text for word in words if len(word) > 1 for form in (word, *pet_names(word))):
        return True
    initials = {word[:1] for word in words}
    folded = same_length(document.text).replace(NOTHING, " ")
    return any(
        initials.issuperset(letters) and not text.hides(start, end)
        for start, end, letters in (*initials_in(folded), *capitals_in(document.text))
    )


def missed(document: Document, identifying: Mapping[Span, str], kept: Collection[str]) -> list[Span]:
    """Other occurrences of the document's values outside all spans; labels in `kept` are not searched.

    Case, accents and spacing are ignored. Parts of names and nicknames are also searched, if they are written like a
    name.
    """
    text = outside(document)
    found: list[Span] = []
    taken = bytearray(len(document.text))
    values = list(_values(document, identifying, kept))
    places = text.find_all(
        {squashed for squashed, label, is_whole in values if not _is_glued(squashed, label, is_whole)}
    )
    for squashed, label, is_whole in values:
        is_glued = _is_glued(squashed, label, is_whole)
        for place in text.find(squashed, glued=True) if is_glued else places.get(squashed, ()):
            counts = (
                is_written_as_name(document.text, *place, squashed)
                if not is_whole
                else _counts(squashed, document.text[place.start : place.end + 1])
            )
            if counts and not any(taken[place.start : place.end]) and not is_eponym(document.text, *place, label):
                taken[place.start : place.end] = b"\1" * (place.end - place.start)
                found.append(Span(place.start, place.end, label, 1.0, SOURCE))
    return found


def _values(
    document: Document, identifying: Mapping[Span, str], kept: Collection[str]
) -> Iterable[tuple[str, str, bool]]:
    """Squashed values with their labels, whole ones first, each once."""
    whole: dict[str, str] = {}
    parts: dict[str, str] = {}
    for span in document.spans:
        if span.label in kept:
            continue
        if span in identifying:
            whole.setdefault(identifying[span], span.label)
        if span.label in NAMES:
            words = [w for w in words_of(document.text_of(span)) if len(w) >= _LEAST_OF_A_PART]
            parts.update(
                dict.fromkeys(
                    (w for word in words for w in (word, *pet_names(word), *_SHORT_FORMS.get(word, ()))), span.label
                )
            )
    yield from ((value, label, True) for value, label in sorted(whole.items(), key=lambda v: (-len(v[0]), v)))
    yield from ((value, label, False) for value, label in sorted(parts.items()) if value not in whole)


def _is_glued(squashed: str, label: str, is_whole: bool) -> bool:
    """Whether a value is also searched inside words, as long names are, for example in an e-mail address."""
    return is_whole and label in NAMES and len(squashed) >= _LEAST_GLUED


def _counts(squashed: str, seen: str) -> bool:
    """Whether an occurrence is really the value: `dolores` in lower case is not Dolores, `País:` is not Dr. Pais.

    `seen` is the occurrence with the character after it.
    """
    if squashed in FIELDS and seen.endswith(":"):
        return False
    is_word = squashed in tables.ordinary_names() or (squashed.isalpha() and is_rather_a_word(squashed))
    return not (is_word and seen[:-1].islower())


def survivors(output: str, values: Collection[str], constant: Sequence[tuple[int, int]]) -> list[Found]:
    """The occurrences of the squashed values in the output; `constant` are ranges that cannot contain a value."""
    text = Squashed(output, constant)
    return [
        place
        for squashed, places in text.find_all(values).items()
        for place in places
        if _counts(squashed, output[place.start : place.end + 1]) and not is_eponym(output, *place)
    ]
