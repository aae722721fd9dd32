"""A second detector, which errs in other places than the first one, run where names are invented.

In an output with invented names a missed one must not be told from them, but whoever runs the same detector on the
output sees what it does not find again (see `nadie.risk.parrot`). So what is replaced there is the union of two
detectors that differ. The second one is biased towards names. What it alone takes for a name, without being certain, is
replaced by the label: a surrogate could falsify a clinical term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from nadie.detector import Biased, Detector, Model
from nadie.document import DOUBTFUL, Document, Span
from nadie.errors import ConfigError
from nadie.labels import NAMES
from nadie.resolve.eponyms import is_known_eponym
from nadie.resolve.overlaps import outside
from nadie.spanish.folding import fold
from nadie.spanish.names import FEMALE_TITLES, MALE_TITLES

AUTO, NONE = "auto", "none"
_MODEL = "convnet-lstm"  # as quick as a second detector can be that is no copy of `fast`
_BIAS = 4.6  # these three were set on the development notes, see docs/en/reference/anonymize.md
_LEAST_SCORE = 0.65  # for labels other than names
_CERTAIN = 0.6
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 4
_TITLES_AND_ARTICLES = MALE_TITLES | FEMALE_TITLES | frozenset("el la los las un una del al y e su sus".split())


@dataclass(frozen=True)
class SecondLook:
    """The second detector by the name of its model, which is loaded on first use."""

    model: str

    @classmethod
    def beside(cls, first: Model, second: str = AUTO) -> SecondLook | None:
        """The second look beside a first detector; None if it is not wanted, or the first is no trained model."""
        if second == NONE or (second == AUTO and (first.folder is None or first.name == _MODEL)):
            return None
        return cls(_MODEL if second == AUTO else second)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """The spans of the second detector. Names that it is not certain about have the source `DOUBTFUL`."""
        return [tuple(_taken(spans)) for spans in _detector(self.model).detect(documents)]

    @staticmethod
    def outside(document: Document, spans: Iterable[Span]) -> Iterator[Span]:
        """The parts of its spans outside those of the document, without parts of names that name nobody: `La Sra.`."""
        for span in outside(document, spans):
            words = _WORD.findall(document.text_of(span)) if span.label in NAMES else []
            is_one_letter = span.source == DOUBTFUL and sum(map(len, words)) == 1  # the `p` of a folder `p1`
            is_no_name = _is_no_name if span.source == DOUBTFUL else _is_title
            if span.label not in NAMES or not (is_one_letter or all(map(is_no_name, words))):
                yield span


def _taken(spans: Iterable[Span]) -> Iterator[Span]:
    for span in spans:
        if span.score >= (_CERTAIN if span.label in NAMES else _LEAST_SCORE):
            yield span
        elif span.label in NAMES:
            yield replace(span, source=DOUBTFUL)


def _is_title(word: str) -> bool:
    return fold(word) in _TITLES_AND_ARTICLES


def _is_no_name(word: str) -> bool:
    """Whether a word is no name, or a known eponym. A fragment of a word may be one of a name."""
    from nadie.spanish.name_use import is_ordinary_word  # it reads the lexicon

    folded = fold(word)
    if _is_title(word) or is_known_eponym(folded):
        return True
    return len(word) >= _SHORTEST and word.islower() and is_ordinary_word(folded)


@lru_cache(maxsize=2)
def _detector(name: str) -> Detector:
    detector = Model.of(name).detector()
    if not isinstance(detector, Biased):
        raise ConfigError(f"{name!r} cannot be the second detector: it has no bias")
    return cast(Detector, detector.with_bias(_BIAS))
