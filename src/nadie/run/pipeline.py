"""A detector with its preprocessing and postprocessing: view, lists, thresholds, overlaps, completing, engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from string import ascii_letters
from typing import TYPE_CHECKING, Any, TypeVar
from unicodedata import combining

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.detector import Detector, Probabilistic, ReadsTwice
from nadie.document import DOUBTFUL, FIELD, FIELDS, Document, Span
from nadie.errors import ConfigError, SpanError
from nadie.labels import Label
from nadie.options import Spans
from nadie.resolve.common_words import without_common_words
from nadie.resolve.completing import complete
from nadie.resolve.eponyms import protect
from nadie.resolve.lists import Lists
from nadie.resolve.overlaps import disjoint, outside, with_fields
from nadie.resolve.roles import with_one_role
from nadie.resolve.split_names import with_rest_of_names
from nadie.resolve.thresholds import Thresholds
from nadie.tokens.view import View, view_of

if TYPE_CHECKING:
    from nadie.resolve.own_patterns import OwnPatterns
    from nadie.run.explaining import Explanation
    from nadie.run.second_look import SecondLook

_BATCH = 16
_LONG_NUMBER = re.compile(r"\d(?:[ .-]?\d){5,}+(?:-?[A-Za-z]++)?+")
_MOST_BEFORE = 4  # letters before the digits of a number, as in a CURP or an RFC

T = TypeVar("T")
_SpansOfEach = list[tuple[Span, ...]]
Recogniser = Callable[[str], Iterable[tuple[int, int, str]]]


@dataclass(frozen=True)
class Pipeline:
    """A detector with its preprocessing and postprocessing. Thread-safe.

    >>> model = load("fast")                                         # doctest: +SKIP
    >>> model.anonymize("Paciente de 70 años, natural de Cuenca.")   # doctest: +SKIP
    'Paciente de [EDAD_SUJETO_ASISTENCIA], natural de [TERRITORIO].'

    `about` describes the model and the detection options for the audit. With `labels`, detected spans with other labels
    are dropped; known identities and denied terms are always found. `scan_detector` is for texts read from pixels.
    `second` is used if the engine invents names; if the pipeline is strict, every word that looks like a name is found.
    """

    detector: Detector
    engine: Engine = field(default_factory=lambda: Engine(read_policy("default"), Key.random()))
    known: Detector | None = None
    lists: Lists | None = None
    thresholds: Thresholds | None = None
    about: dict[str, Any] = field(default_factory=dict)
    spans: Spans = Spans.GIVEN
    patterns: OwnPatterns | None = None
    labels: frozenset[str] | None = None
    scan_detector: Detector | None = None
    second: SecondLook | None = None
    is_strict: bool = False
    recognisers: tuple[Recogniser, ...] = ()
    countries: tuple[str, ...] = ()

    def with_recogniser(self, recogniser: Recogniser) -> Pipeline:
        """The same with a recogniser of one's own: a function of a text that gives (start, end, label) of each span."""
        return replace(self, recognisers=(*self.recognisers, recogniser))

    def explain(self, text: str | Document) -> list[Explanation]:
        """Why each span of a text is found: the stage, what is behind it, and the label that came second."""
        from nadie.run.explaining import explanations  # on demand: few callers ask

        return list(explanations(self.annotate(text), self.detector))

    def annotate(self, text: str | Document) -> Document:
        """The document with the spans found in it: disjoint, in order, in the offsets of the original text.

        Spans that the document came with are not used, except those of the fields of its file.
        """
        return next(self.annotate_all([text]))

    def annotate_all(self, documents: Iterable[str | Document]) -> Iterator[Document]:
        """Annotate many texts or documents, lazily and in order, one batch at a time."""
        for batch in batches(_documents(documents)):
            views = [_view(document.text) for document in batch]
            seen = [Document(d.id, view.text, (), d.meta, d.known) for d, view in zip(batch, views, strict=True)]
            first, again = self._detected(seen)
            found, more = self._found(seen, first), self._second_look(seen, again)
            for document, view, spans, others in zip(batch, views, found, more, strict=True):
                once = document.with_spans(disjoint(with_fields(document, _moved(spans, view, document.text))))
                moved = _moved(others, view, document.text)
                second = list(self.second.outside(once, moved)) if self.second else []
                certain = [span for span in second if span.source != DOUBTFUL]
                spans = _with_alphanumerics(disjoint((*once.spans, *certain)), document.text)
                doubtful = [span for span in second if span.source == DOUBTFUL]
                found_once = with_one_role(with_rest_of_names(document.with_spans(spans)))
                yield self._with_doubtful(self._completed(found_once), doubtful)

    def anonymize(self, text: str | Document) -> str:
        """The text with every span replaced: the spans of the document, or, if it has none, those found in it."""
        return next(self.anonymize_all([text])).text

    def anonymize_all(self, documents: Iterable[str | Document]) -> Iterator[Anonymized]:
        """Anonymize many texts or documents, lazily and in order; each result lists its replacements."""
        for batch in batches(_documents(documents)):
            found = self.annotate_all([self._to_search(each) for each in batch if not self._is_given(each)])
            for document in batch:
                if self._is_given(document):
                    yield self.engine.run(self._completed(document.with_spans(disjoint(document.spans))))
                else:
                    yield self.engine.run(next(found))

    def _is_given(self, document: Document) -> bool:
        """Whether a document came with spans to be used as they are, other than spans from the fields of its file."""
        return self.spans is Spans.GIVEN and any(span.source not in FIELDS for span in document.spans)

    def _completed(self, document: Document) -> Document:
        with_dates = self.labels is None or Label.FECHAS in self.labels
        return complete(document, self.engine.kept, with_dates=with_dates)

    def _second_look(self, seen: Sequence[Document], again: Sequence[tuple[Span, ...]]) -> list[tuple[Span, ...]]:
        """The spans of a second look, if names are invented, without eponyms and below thresholds, as the first."""
        if not any(again):
            return list(again)
        found = [without_common_words(each, protect(each, spans)) for each, spans in zip(seen, again, strict=True)]
        if self.thresholds:
            found = [self.thresholds.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        if self.labels is not None:
            found = [tuple(span for span in spans if span.label in self.labels) for spans in found]
        if self.lists:
            found = [self.lists.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        return found

    def _with_doubtful(self, document: Document, doubtful: Iterable[Span]) -> Document:
        """The document with doubtful names outside its spans; if strict, also with all words that look like names."""
        if self.is_strict:
            from nadie.resolve.name_like import name_like  # it reads the tables of names

            words = tuple(Span(*place, Label.NOMBRE_SUJETO_ASISTENCIA, 0.0, DOUBTFUL) for place in name_like(document))
            doubtful = (*doubtful, *(self.lists.apply(document, words) if self.lists else words))
        pieces = _with_alphanumerics(disjoint(sorted(outside(document, doubtful))), document.text)
        return document.with_spans((*document.spans, *pieces)) if pieces else document

    def _to_search(self, document: Document) -> Document:
        if self.spans is not Spans.BOTH:
            return document
        fields = (span if span.source in FIELDS else replace(span, source=FIELD) for span in document.spans)
        return document.with_spans(disjoint(fields))

    def _found(self, seen: Sequence[Document], detected: Sequence[tuple[Span, ...]]) -> list[tuple[Span, ...]]:
        """The detector's spans without eponyms and other medical terms, plus what other stages find.

        These are numbers whose check digits hold, known identities, and the user's patterns and lists.
        """
        found = [without_common_words(each, protect(each, spans)) for each, spans in zip(seen, detected, strict=True)]
        found = [(*spans, *_overlooked(each, spans, self.countries)) for each, spans in zip(seen, found, strict=True)]
        if self.countries:
            found = [(*spans, *more) for spans, more in zip(found, _national(self.countries, seen), strict=True)]
        if self.labels is not None:
            found = [tuple(span for span in spans if span.label in self.labels) for spans in found]
        if self.known:
            found = [(*spans, *more) for spans, more in zip(found, self.known.detect(seen), strict=True)]
        found = [(*spans, *_of_known(each)) if each.known else spans for each, spans in zip(seen, found, strict=True)]
        if self.patterns:
            found = [(*spans, *self.patterns.find(each)) for each, spans in zip(seen, found, strict=True)]
        for own in self.recognisers:
            found = [(*spans, *_recognised(own, each)) for each, spans in zip(seen, found, strict=True)]
        if self.lists:
            found = [self.lists.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        return found

    def _detected(self, seen: Sequence[Document]) -> tuple[_SpansOfEach, _SpansOfEach]:
        """The spans of each document, those of scans by their own detector; and those of a second look."""
        is_scan = [self.scan_detector is not None and "scan" in each.meta for each in seen]
        found: _SpansOfEach = [()] * len(seen)
        again = list(found)
        for detector, scans in ((self.detector, False), (self.scan_detector, True)):
            some = [n for n in range(len(seen)) if is_scan[n] is scans]
            if detector is not None and some:
                for n, *both in zip(some, *self._by(detector, [seen[n] for n in some]), strict=True):
                    found[n], again[n] = both
        return found, again

    def _by(self, detector: Detector, seen: Sequence[Document]) -> tuple[_SpansOfEach, _SpansOfEach]:
        second = self.second if self.engine.invents_names else None
        if second and second.is_same and isinstance(detector, ReadsTwice):
            read = detector.detect_twice(seen, second.bias, second.least_of_suspected)
            found = [first for first, *_ in read]
            again = [
                (*second.taken(more), *second.suspected(each, first, words))
                for each, (first, more, words) in zip(seen, read, strict=True)
            ]
        else:
            found, again = detector.detect(seen), second.detect(seen) if second else [()] * len(seen)
        return self._above_thresholds(detector, seen, found), again

    def _above_thresholds(self, detector: Detector, seen: Sequence[Document], found: _SpansOfEach) -> _SpansOfEach:
        if self.thresholds is None:
            return found
        if not isinstance(detector, Probabilistic):
            return [self.thresholds.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        probabilities = detector.token_probabilities(seen)
        return [
            self.thresholds.apply(each, spans, tokens)
            for each, spans, tokens in zip(seen, found, probabilities, strict=True)
        ]


def _overlooked(document: Document, spans: Sequence[Span], countries: tuple[str, ...]) -> Iterator[Span]:
    """Numbers with valid check digits, if a number that is long enough for them is outside all spans."""
    text = document.text
    covered = bytearray(len(text))
    for span in spans:
        covered[span.start : span.end] = b"\1" * len(span)
    if not any(0 in covered[_with_letters(text, *match.span())] for match in _LONG_NUMBER.finditer(text)):
        return iter(())
    from nadie.detectors.patterns.verified import verified  # loads the checksums of many countries

    return verified(document, countries)


def _national(countries: tuple[str, ...], documents: Sequence[Document]) -> list[tuple[Span, ...]]:
    """The identity numbers of these countries by their shape."""
    from nadie.detectors.patterns import Patterns
    from nadie.detectors.patterns.countries import national

    return Patterns(patterns=national(countries)).detect(documents)


def _with_letters(text: str, start: int, end: int) -> slice:
    """The range of a number with the few letters right before it."""
    first = max(0, start - _MOST_BEFORE)
    letters = len(text[first:start]) - len(text[first:start].rstrip(ascii_letters))
    return slice(start - letters, end)


def _documents(given: Iterable[str | Document]) -> Iterator[Document]:
    """Each text as a document. One text in place of many is refused: its characters would be read one by one."""
    if isinstance(given, str | Document | Mapping):
        raise ConfigError(f"a list of texts is needed, not one {type(given).__name__}")
    return map(_document, given)


def _document(given: str | Document) -> Document:
    if isinstance(given, Document):
        return given
    if not isinstance(given, str):
        raise ConfigError(f"a text is a string or a Document, not {type(given).__name__}")
    return Document("", given)


def _recognised(recogniser: Recogniser, document: Document) -> Iterator[Span]:
    name = f"own:{getattr(recogniser, '__name__', 'recogniser')}"
    for start, end, label in recogniser(document.text):
        if end > len(document.text):
            raise SpanError(f"{name} gives a span that ends after the text")
        yield Span(start, end, label, 1.0, name)


def _of_known(document: Document) -> tuple[Span, ...]:
    """The spans of the identities that a document came with."""
    from nadie.detectors.known import Known  # on demand: most documents come with none

    return Known.of(document.known).detect([document])[0]


def batches(items: Iterable[T], size: int = _BATCH) -> Iterator[list[T]]:
    """The items in lists, by default of the batch size that every stage uses."""
    waiting = iter(items)
    while batch := list(islice(waiting, size)):
        yield batch


@lru_cache(maxsize=4096)
def _is_unchanged(character: str) -> bool:
    """Whether the normalised view never changes this character, whatever its neighbours are."""
    return view_of(character).starts is None and not combining(character)


_UNCHANGED = bytes(code for code in range(256) if _is_unchanged(chr(code)))


def _view(text: str) -> View:
    """The normalised view of a text. Most texts stay as they are, which this recognises faster than `view_of`."""
    try:
        is_same = not text.encode("latin-1").translate(None, _UNCHANGED)
    except UnicodeEncodeError:
        is_same = all(map(_is_unchanged, set(text)))
    return View(text, None, None) if is_same else view_of(text)


def _with_alphanumerics(spans: Iterable[Span], text: str) -> tuple[Span, ...]:
    """The spans that have a letter or a digit: cutting overlaps may leave a span that is only a comma."""
    return tuple(
        span for span in spans if text[span.start].isalnum() or any(map(str.isalnum, text[span.start : span.end]))
    )


def _moved(spans: Iterable[Span], view: View, text: str) -> Iterator[Span]:
    """The spans of a view in the offsets of the original text."""
    moved = spans if view.starts is None else map(view.span_to_original, spans)
    return (_trimmed(span, text) for span in moved)


def _trimmed(span: Span, text: str) -> Span:
    """The span without white space at its ends, which a view may have added."""
    start, end = span.start, span.end
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    if end - start == len(span):
        return span
    return Span(start, end, span.label, span.score, span.source)
