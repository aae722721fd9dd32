"""Whether notes have become unlike those that a sample was drawn from, so that its figures no longer hold for them.

A profile has the mean of some figures of a note and their variance: labels per 1,000 words, words that are no ordinary
Spanish ones, scores, language, length and layout. It has no text. Two profiles differ in a figure if the difference is
much larger than chance makes it, and large enough to matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2, sqrt
from typing import NamedTuple

from nadie.document import Document
from nadie.errors import FormatError
from nadie.labels import Label, Parent
from nadie.risk.kinds import language_of
from nadie.spanish.folding import fold
from nadie.spanish.name_use import is_ordinary_word

_WORD = re.compile(r"[^\W\d_]{4,}")
_MOST_WORDS = 400
_DOUBTFUL = 0.5
_Z, _MOST_Z = 3.5, 99.0
_ROUNDING = 1e-9
_LEAST_CHANGE = 0.2
_LEAST_NOTES = 20


@dataclass
class Moments:
    """The sum of weights, the mean, and the sum of the weighted squared distances from it (West 1979)."""

    count: float = 0
    mean: float = 0.0
    squares: float = 0.0

    def add(self, value: float, weight: float = 1.0) -> None:
        self.count += weight
        distance = value - self.mean
        self.mean += weight * distance / self.count
        self.squares += weight * distance * (value - self.mean)

    @property
    def error(self) -> float:
        """The squared standard error of the mean."""
        return self.squares / max(1, self.count - 1) / max(1, self.count)


class Drift(NamedTuple):
    """One figure then and now; `z` is the difference in standard errors."""

    name: str
    before: float
    now: float
    z: float
    is_drift: bool


@dataclass
class Profile:
    """The figures of the notes that were added."""

    figures: dict[str, Moments] = field(default_factory=dict)

    @classmethod
    def drawn(cls, documents: Sequence[Document], chances: Sequence[float]) -> Profile:
        """The profile of all notes, from some that were drawn with these chances.

        Notes that were drawn more often than others would otherwise look like drift. The weights add up to the number
        of notes that equal chances would need for the same precision (Kish 1965).
        """
        weights = [1 / chance for chance in chances]
        scale = sum(weights) / sum(weight * weight for weight in weights) if weights else 1.0
        profile = cls()
        for document, weight in zip(documents, weights, strict=True):
            profile.add(document, weight * scale)
        return profile

    def add(self, document: Document, weight: float = 1.0) -> None:
        """Add a note with the spans that were found in it."""
        for name, value in _figures(document):
            self.figures.setdefault(name, Moments()).add(value, weight)

    def plain(self) -> dict[str, list[float]]:
        return {name: [each.count, each.mean, each.squares] for name, each in self.figures.items()}

    @classmethod
    def of(cls, plain: Mapping[str, list[float]]) -> Profile:
        try:
            return cls(
                {name: Moments(float(n), float(mean), float(squares)) for name, (n, mean, squares) in plain.items()}
            )
        except (TypeError, ValueError, AttributeError):
            raise FormatError("has no profile of its notes", where="sample.json") from None


def drifts(validated: Profile, run: Profile) -> list[Drift]:
    """Each figure then and now, those that changed most first."""
    found = []
    for name, before in validated.figures.items():
        now = run.figures.get(name, Moments())
        spread = max(sqrt(before.error + now.error), _ROUNDING)
        difference = now.mean - before.mean
        z = max(-_MOST_Z, min(_MOST_Z, difference / spread))
        is_large = abs(difference) > _LEAST_CHANGE * max(abs(before.mean), abs(now.mean))
        is_known = min(before.count, now.count) >= _LEAST_NOTES
        found.append(Drift(name, before.mean, now.mean, z, is_known and is_large and abs(z) > _Z))
    return sorted(found, key=lambda each: -abs(each.z))


def _figures(document: Document) -> Iterator[tuple[str, float]]:
    text, spans = document.text, document.spans
    words = _WORD.findall(text)[:_MOST_WORDS]
    thousands = max(1, len(text.split())) / 1000
    for parent in Parent:
        yield f"{parent} per 1,000 words", sum(Label(span.label).parent is parent for span in spans) / thousands
    yield "share of unknown words", sum(not is_ordinary_word(fold(word)) for word in words) / max(1, len(words))
    if spans:
        yield "mean score", sum(span.score for span in spans) / len(spans)
        yield "share of doubtful spans", sum(span.score < _DOUBTFUL for span in spans) / len(spans)
    yield "share of notes not in Spanish", float(language_of(text) != "es")
    yield "length, as a power of two", log2(max(1, len(text)))
    yield "characters of a line", len(text) / (text.count("\n") + 1)
    letters = [character for character in text if character.isalpha()]
    yield "share of capitals", sum(map(str.isupper, letters)) / max(1, len(letters))
