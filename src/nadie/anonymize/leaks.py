"""Values that would be left readable: found before and after replacing."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from nadie.anonymize.name_words import FIELDS, is_written_as_name
from nadie.anonymize.squash import Found, Squashed
from nadie.document import Document, Span
from nadie.labels import Label
from nadie.resolve.eponyms import is_medicine
from nadie.spanish import tables
from nadie.spanish.folding import fold, words_of
from nadie.spanish.name_forms import pet_names
from nadie.spanish.name_use import is_rather_a_word
from nadie.spanish.names import short_surnames

SOURCE = "leak-check"
_NAMES = frozenset({Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO})
_COMPOUND = re.compile(r"(?:-[^\W\d_]+)*")
_HEAD = re.compile(
    r"\b(?:gangrena|neuralgia|patr[oó]n|[aá]ngulo|figura|puntaje|intradermorreacci[oó]n|prueba|yesos?|m[eé]todo|fx|fract|"
    r"enf|sdr|edema|v[eé]rtigo|demencia|cirrosis|nefritis|neuropat[ií]a|miopat[ií]a|atrofia|epilepsia|parkinsonismo|"
    r"queratosis|nevus|liquen|eccema|vasculitis|cardiopat[ií]a|miocardiopat[ií]a|hepatopat[ií]a|amiloidosis|porfiria|"
    r"sordera|exoftalmos|bocio|raquitismo|artropat[ií]a|monoartritis|pulso|soplo|ritmo|bloqueo|"
    r"[a-záéíóú]{3,}(?:pat[ií]a|itis|osis|oma|emia|ismo|plasia|trofia|algia|ectom[ií]a|otom[ií]a))\b\.?\s(?:de\s)?$",
    re.IGNORECASE,
)  # `fx Colles`
_COMPOUND_HEAD = r"(?i)\b(?:reacci[oó]n|s[ií]ndrome|enfermedad|signo|maniobra|escala|test)\s(?:de\s)?"  # `Arias-Stella`
_CELL = re.compile(r"[ \t]{0,40}\|\s{0,4}(?:\([+-]\)|[+-](?!\w)|positiv|negativ)", re.IGNORECASE)  # `Thomas | (+)`
_REACH = 40
_LEAST_OF_A_PART = 3
_LEAST_GLUED = 8


def missed(document: Document, identifying: Mapping[Span, str], kept: Collection[str]) -> list[Span]:
    """Other occurrences of the document's values outside all spans; labels in `kept` are not searched.

    Case, accents and spacing are ignored. Parts of names and nicknames are also searched, if they are written like a
    name.
    """
    text = Squashed(document.text, [(span.start, span.end) for span in document.spans])
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
                is_written_as_name(document.text, place, squashed)
                if not is_whole
                else _counts(squashed, document.text[place.start : place.end + 1])
            )
            if counts and not any(taken[place.start : place.end]) and not is_eponym(document.text, place, label):
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
        if span.label in _NAMES:
            words = [w for w in words_of(document.text_of(span)) if len(w) >= _LEAST_OF_A_PART]
            parts.update(
                dict.fromkeys(
                    (w for word in words for w in (word, *pet_names(word), *short_surnames(word))), span.label
                )
            )
    yield from ((value, label, True) for value, label in sorted(whole.items(), key=lambda v: (-len(v[0]), v)))
    yield from ((value, label, False) for value, label in sorted(parts.items()) if value not in whole)


def _is_glued(squashed: str, label: str, is_whole: bool) -> bool:
    """Whether a value is also searched inside words, as long names are, for example in an e-mail address."""
    return is_whole and label in _NAMES and len(squashed) >= _LEAST_GLUED


def _counts(squashed: str, seen: str) -> bool:
    """Whether an occurrence is really the value: `dolores` in lower case is not Dolores, `País:` is not Dr. Pais.

    `seen` is the occurrence with the character after it.
    """
    if squashed in FIELDS and seen.endswith(":"):
        return False
    is_word = squashed in tables.ordinary_names() or (squashed.isalpha() and is_rather_a_word(squashed))
    return not (is_word and seen[:-1].islower())


def is_eponym(text: str, place: Found, label: str = Label.NOMBRE_SUJETO_ASISTENCIA) -> bool:
    """Whether a name is part of a medical term at this place: `enfermedad de Wilson`."""
    if label not in _NAMES:
        return False
    rest = _COMPOUND.match(text, place.end)
    if rest and rest.group() and re.search(_COMPOUND_HEAD + re.escape(text[place.start : rest.end()]), text):
        return True
    folded = fold(text[place.start : place.end])
    if folded in _eponyms("bare", "scored", "context") and _HEAD.search(
        text, max(0, place.start - _REACH), place.start
    ):
        return True
    if folded in _eponyms("bare", "scored") and _CELL.match(text, place.end):
        return True
    return is_medicine(text, Span(place.start, rest.end() if rest else place.end, label))


@cache
def _eponyms(*kinds: str) -> frozenset[str]:
    return frozenset(name for name, kind, *_ in tables.rows("eponyms.tsv") if kind in kinds)


def survivors(output: str, values: Collection[str], constant: Sequence[tuple[int, int]]) -> list[Found]:
    """The occurrences of the squashed values in the output; `constant` are ranges that cannot contain a value."""
    text = Squashed(output, constant)
    return [
        place
        for squashed, places in text.find_all(values).items()
        for place in places
        if _counts(squashed, output[place.start : place.end + 1]) and not is_eponym(output, place)
    ]
