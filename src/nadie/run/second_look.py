"""A second look, run where names are invented: at another operating point, or by a detector that errs elsewhere.

In an output with invented names a missed one must not be told from them, but whoever runs the same detector on the
output sees what it does not find again (see `nadie.risk.parrot`). So what is replaced there is a union. A network reads
a text once and is decoded twice, the second time biased towards PHI, which takes hardly any time. Recall mode, strict
runs and models that cannot do this have a second model that differs from the first. What only the second look takes for
a name, without being certain, is replaced by the label: a surrogate could falsify a clinical term.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, cast

from nadie.detector import DETECTORS, Biased, Detector, Model, ReadsTwice
from nadie.document import DOUBTFUL, Document, Span
from nadie.errors import ConfigError
from nadie.labels import NAMES, Label
from nadie.resolve.eponyms import is_known_eponym
from nadie.resolve.overlaps import outside
from nadie.spanish.folding import fold
from nadie.spanish.names import FEMALE_TITLES, MALE_TITLES

AUTO, NONE = "auto", "none"
_MODEL = "convnet-lstm"  # as quick as a second detector can be that is no copy of `fast`
_BIAS = 4.6  # these five were set on the development notes, see docs/en/understand/surrogates.md
_LEAST_OF_SUSPECTED = 0.005
_LEAST_SCORE = 0.65  # for labels other than names
_LEAST_SCORE_OF_SAME = 0.5
_CERTAIN = 0.6
_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST = 4
_LONGEST_ABBREVIATION = 3
_UNITS_OF_AGE = frozenset("ano anos mes meses semana semanas dia dias hora horas".split())
_FEW = 300  # bearers of a name that is an ordinary word: `Color`, `Hecho`
_TITLES_AND_ARTICLES = MALE_TITLES | FEMALE_TITLES | frozenset("el la los las un una del al y e su sus".split())


@dataclass(frozen=True)
class SecondLook:
    """The second detector by its model, which is loaded on first use; `is_same` if it is the first with a bias."""

    model: str
    is_same: bool = False
    bias: ClassVar[float] = _BIAS
    least_of_suspected: ClassVar[float] = _LEAST_OF_SUSPECTED

    @classmethod
    def beside(cls, first: Model, second: str = AUTO, *, is_careful: bool = False) -> SecondLook | None:
        """The second look beside a first detector; None if it is not wanted, or the first is no trained model.

        A careful one is by another model even if the first can be read twice.
        """
        if second == NONE or (second == AUTO and first.folder is None):
            return None
        if second == AUTO and not is_careful and issubclass(DETECTORS.get(first.system), ReadsTwice):
            return cls(first.reference, is_same=True)
        if second == AUTO and first.name == _MODEL:
            return None
        return cls(_MODEL if second == AUTO else second)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        """The spans of the second detector. Names that it is not certain about have the source `DOUBTFUL`."""
        return [self.taken(spans) for spans in _detector(self.model).detect(documents)]

    def taken(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        """Those of the spans of a detector with the bias that are used; doubtful names have the source `DOUBTFUL`."""
        least = _LEAST_SCORE_OF_SAME if self.is_same else _LEAST_SCORE
        return tuple(
            replace(span, source=DOUBTFUL) if span.label in NAMES and span.score < _CERTAIN else span
            for span in spans
            if span.label in NAMES or span.score >= least
        )

    def suspected(self, document: Document, found: Iterable[Span], words: Iterable[Span]) -> Iterator[Span]:
        """Those of the suspected words outside the spans found that also look like names by the tables: doubtful ones.

        In the output an attacker with the same model would see them as names that it does not find.
        """
        from nadie.resolve.name_like import is_name_like  # it reads the tables of names

        covered = bytearray(len(document.text))
        for span in found:
            covered[span.start : span.end] = b"\1" * len(span)
        for word in words:
            if not any(covered[word.start : word.end]) and is_name_like(document.text, word.start, word.end):
                yield replace(word, source=DOUBTFUL)

    def outside(self, document: Document, spans: Iterable[Span]) -> Iterator[Span]:
        """The parts of its spans outside those of the document, without parts that identify nobody.

        These are parts of names that name nobody (`La Sra.`), and units of ages without a number: where the first look
        found only `3 años y 5`, the label for `meses` would make the age unreadable.
        """
        for span in outside(document, spans):
            if span.label == Label.EDAD_SUJETO_ASISTENCIA and fold(document.text_of(span)).strip() in _UNITS_OF_AGE:
                continue
            words = _WORD.findall(document.text_of(span)) if span.label in NAMES else []
            is_one_letter = span.source == DOUBTFUL and sum(map(len, words)) == 1  # the `p` of a folder `p1`
            is_no_name = _is_title
            if span.source == DOUBTFUL:
                is_no_name = _is_rather_no_name if self.is_same else _is_no_name
            if span.label not in NAMES or not (is_one_letter or all(map(is_no_name, words))):
                yield span


def _is_title(word: str) -> bool:
    return fold(word) in _TITLES_AND_ARTICLES


def _is_no_name(word: str) -> bool:
    """Whether a word is no name, or a known eponym. A fragment of a word may be one of a name."""
    from nadie.spanish.name_use import is_ordinary_word  # it reads the lexicon

    folded = fold(word)
    if _is_title(word) or is_known_eponym(folded):
        return True
    return len(word) >= _SHORTEST and word.islower() and is_ordinary_word(folded)


def _is_rather_no_name(word: str) -> bool:
    """Whether a word is no name, or rather an abbreviation or an ordinary word than a name."""
    from nadie.spanish.name_use import is_ordinary_word  # it reads the lexicon
    from nadie.spanish.population import bearers, surname_bearers

    folded = fold(word)
    if _is_no_name(word) or (word.isupper() and len(word) <= _LONGEST_ABBREVIATION):
        return True
    return is_ordinary_word(folded) and max(bearers(folded), surname_bearers(folded)) < _FEW


@lru_cache(maxsize=2)
def _detector(name: str) -> Detector:
    detector = Model.of(name).detector()
    if not isinstance(detector, Biased):
        raise ConfigError(f"{name!r} cannot be the second detector: it has no bias")
    return cast(Detector, detector.with_bias(_BIAS))
