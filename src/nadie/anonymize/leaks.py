"""Values that would leave the engine as they came in: found before and after replacing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from nadie.anonymize.squash import Found, Squashed
from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.folding import words_of

SOURCE = "leak-check"
_NAMES = frozenset({Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO})
_FIELDS = frozenset(
    "pais calle centro sexo edad fecha nombre medico provincia localidad domicilio hospital servicio historia".split()
)
_LEAST_OF_A_PART = 4
_LEAST_GLUED = 8


def missed(document: Document, told: Mapping[Span, str], kept: Collection[str]) -> list[Span]:
    """Where a value of the document stands once more, outside all spans; labels in `kept` are not looked for.

    Values are searched without regard to case, accents and spacing; the parts of names as well, where they are written
    with a capital letter.
    """
    text = Squashed(document.text, [(span.start, span.end) for span in document.spans])
    found: list[Span] = []
    taken = bytearray(len(document.text))
    values = list(_values(document, told, kept))
    places = text.find_all(
        {squashed for squashed, label, is_whole in values if not _is_glued(squashed, label, is_whole)}
    )
    for squashed, label, is_whole in values:
        is_glued = _is_glued(squashed, label, is_whole)
        for place in text.find(squashed, glued=True) if is_glued else places.get(squashed, ()):
            seen = document.text[place.start : place.end + 1]
            if _counts(squashed, seen, is_whole=is_whole) and not any(taken[place.start : place.end]):
                taken[place.start : place.end] = b"\1" * (place.end - place.start)
                found.append(Span(place.start, place.end, label, 1.0, SOURCE))
    return found


def _values(document: Document, told: Mapping[Span, str], kept: Collection[str]) -> Iterable[tuple[str, str, bool]]:
    """Squashed values with their labels, whole ones first, each once."""
    whole: dict[str, str] = {}
    parts: dict[str, str] = {}
    for span in document.spans:
        if span.label in kept:
            continue
        if span in told:
            whole.setdefault(told[span], span.label)
        if span.label in _NAMES:
            parts.update(
                dict.fromkeys((w for w in words_of(document.text_of(span)) if len(w) >= _LEAST_OF_A_PART), span.label)
            )
    yield from ((value, label, True) for value, label in sorted(whole.items(), key=lambda v: (-len(v[0]), v)))
    yield from ((value, label, False) for value, label in sorted(parts.items()) if value not in whole)


def _is_glued(squashed: str, label: str, is_whole: bool) -> bool:
    """Long names are looked for inside of words too, as in a mail address."""
    return is_whole and label in _NAMES and len(squashed) >= _LEAST_GLUED


def _counts(squashed: str, seen: str, *, is_whole: bool) -> bool:
    """Whether a place that reads like a value is one: `dolores` in lower case is no Dolores, `País:` no Dr. Pais.

    `seen` is the place with the character after it.
    """
    if squashed in _FIELDS and seen.endswith(":"):
        return False
    is_word = squashed in tables.ordinary_names()
    if is_whole:
        return not (is_word and seen[:-1].islower())
    return seen[:1].isupper() and not is_word


def survivors(output: str, values: Collection[str], constant: Sequence[tuple[int, int]]) -> list[Found]:
    """Where one of the squashed values stands in the output; `constant` are stretches that say nothing of any value."""
    text = Squashed(output, constant)
    return [
        place
        for squashed, places in text.find_all(values).items()
        for place in places
        if _counts(squashed, output[place.start : place.end + 1], is_whole=True)
    ]
