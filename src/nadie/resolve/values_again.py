"""Other occurrences of the values that the spans of a document have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from nadie.document import Document
from nadie.labels import NAMES
from nadie.resolve.name_words import is_eponym, is_written_as_name
from nadie.resolve.outside import Candidate, Outside
from nadie.resolve.values import is_value, told_by
from nadie.spanish.folding import words_of
from nadie.spanish.name_forms import pet_names
from nadie.spanish.names import SHORT_SURNAMES, short_surnames

_LEAST_OF_A_PART = 3
_LEAST_GLUED = 8
_SHORT_FORMS = {name: short_surnames(name) for name in SHORT_SURNAMES.values()}

_Scores = dict[str, float]
"""The labels that a value has, the likeliest first, each with its highest score."""


def values_again(text: Outside) -> Iterator[Candidate]:
    """Values once more, whole ones first; parts of names and nicknames only where they are written like a name.

    Case, accents and spacing are ignored.
    """
    whole, parts = _whole(text.detected), _parts(text.document)
    glued = {value for value, scores in whole.items() if len(value) >= _LEAST_GLUED and next(iter(scores)) in NAMES}
    places = text.squashed.find_all((whole.keys() | parts.keys()) - glued)
    places.update((value, text.squashed.find(value, glued=True)) for value in glued)
    written = text.document.text
    for value in sorted(whole.keys() & places.keys(), key=lambda value: (-len(value), value)):
        scores = whole[value]
        for place in places[value]:
            if is_value(value, written[place.start : place.end + 1]) and not is_eponym(
                written, *place, next(iter(scores))
            ):
                as_part = parts.get(value, {}) if is_written_as_name(written, *place, value) else {}
                others = (label for label in as_part if not is_eponym(written, *place, label))
                yield Candidate(*place, tuple(dict.fromkeys((*scores, *others))), max(scores.values()))
    for value in sorted((parts.keys() - whole.keys()) & places.keys()):
        scores = parts[value]
        for place in places[value]:
            if is_written_as_name(written, *place, value) and not is_eponym(written, *place, next(iter(scores))):
                yield Candidate(*place, tuple(scores), max(scores.values()))


def _whole(document: Document) -> Mapping[str, _Scores]:
    """The identifying values; where one has several labels, that of its first span comes first."""
    whole: dict[str, _Scores] = defaultdict(dict)
    for span, value in told_by(document).items():
        whole[value][span.label] = max(span.score, whole[value].get(span.label, 0.0))
    return whole


def _parts(document: Document) -> Mapping[str, _Scores]:
    """The words of names, and their pet names and short forms; the label of the last span comes first."""
    parts: dict[str, _Scores] = defaultdict(dict)
    for span in reversed(document.spans):
        for word in words_of(document.text_of(span)) if span.label in NAMES else ():
            if len(word) >= _LEAST_OF_A_PART:
                for form in (word, *pet_names(word), *_SHORT_FORMS.get(word, ())):
                    parts[form][span.label] = max(span.score, parts[form].get(span.label, 0.0))
    return parts
