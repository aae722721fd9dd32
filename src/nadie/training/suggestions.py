"""What the corrections of reviewers imply: entries of lists, patterns and thresholds, each with its evidence.

Nothing is applied by itself: a person accepts each suggestion, and the accepted ones are written as the files that
`--allow`, `--deny`, `--patterns` and `--thresholds` read.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from nadie.document import Document, Span
from nadie.evaluation.leaks import readable, visible
from nadie.expressions import compiled
from nadie.labels import Label, Parent
from nadie.resolve.terms import Terms, folded_words

Kind = str
ALLOW, DENY, STAFF, CENTRE, PATTERN, THRESHOLD = "allow", "deny", "staff", "centre", "pattern", "threshold"
KINDS = (STAFF, CENTRE, DENY, ALLOW, PATTERN, THRESHOLD)
_CENTRES = frozenset({Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION})
_NUMBERS = frozenset(label for label in Label if label.parent is Parent.ID)
_LEAST = 2
_LEAST_SHAPED = 3
_LEAST_JUDGED = 8
_SHORTEST = 4
_STEPS = tuple(step / 20 for step in range(1, 20))
_BETTER = 0.2


class Reviewed(NamedTuple):
    """A reviewed document with its gold spans, and the spans that the model had found in it."""

    gold: Document
    found: tuple[Span, ...]


class Suggestion(NamedTuple):
    """One suggestion: `value` is a term, an expression or a threshold, `times` how often it was seen in `notes`.

    `against` is how often the reviewed notes speak against it.
    """

    kind: Kind
    label: str
    value: str
    times: int
    notes: int
    against: int = 0


def suggestions(reviewed: Sequence[Reviewed]) -> list[Suggestion]:
    """All suggestions, those with the most evidence first within each kind."""
    found = [*_missed_terms(reviewed), *_wrong_terms(reviewed), *_shapes(reviewed), *_thresholds(reviewed)]
    return sorted(found, key=lambda each: (KINDS.index(each.kind), -each.times, each.value))


def _missed_terms(reviewed: Sequence[Reviewed]) -> Iterator[Suggestion]:
    """Values that the model left readable again and again, and that are rarely anything else in the notes."""
    seen: dict[tuple[str, str], list[int]] = defaultdict(list)
    written: dict[tuple[str, str], str] = {}
    for number, note in enumerate(reviewed):
        covered = visible(note.gold.text, note.found)
        for span in note.gold.spans:
            if readable(note.gold.text, [span], covered):
                key = (_key(note.gold.text_of(span)), span.label)
                seen[key].append(number)
                written.setdefault(key, " ".join(note.gold.text_of(span).split()))
    for (term, label), notes in seen.items():
        if len(notes) < _LEAST or len(term) < _SHORTEST or label in _NUMBERS:
            continue
        against = _occurrences(term, reviewed)[False]
        if against < len(notes):
            kind = STAFF if label == Label.NOMBRE_PERSONAL_SANITARIO else CENTRE if label in _CENTRES else DENY
            yield Suggestion(kind, label, written[term, label], len(notes), len(set(notes)), against)


def _wrong_terms(reviewed: Sequence[Reviewed]) -> Iterator[Suggestion]:
    """Values that the model found again and again, and that reviewers always took out, also as a part of others."""
    wrong: dict[str, list[int]] = defaultdict(list)
    written: dict[str, tuple[str, str]] = {}
    for number, note in enumerate(reviewed):
        for span in note.found:
            if not any(span.overlaps(other) for other in note.gold.spans):
                term = _key(note.gold.text_of(span))
                wrong[term].append(number)
                written.setdefault(term, (" ".join(note.gold.text_of(span).split()), span.label))
    for term, notes in wrong.items():
        if len(notes) >= _LEAST and term and not _occurrences(term, reviewed)[True]:
            value, label = written[term]
            yield Suggestion(ALLOW, label, value, len(notes), len(set(notes)))


def _shapes(reviewed: Sequence[Reviewed]) -> Iterator[Suggestion]:
    """Expressions for numbers of one form that the model missed: digits become \\d, letters and signs stay."""
    seen: dict[tuple[str, str], list[int]] = defaultdict(list)
    for number, note in enumerate(reviewed):
        for span in note.gold.spans:
            value = note.gold.text_of(span)
            if span.label in _NUMBERS and value not in {note.gold.text_of(each) for each in note.found}:
                seen[_shape(value), span.label].append(number)
    for (shape, label), notes in seen.items():
        if len(notes) < _LEAST_SHAPED or not re.search(r"[A-Za-z]", shape.replace(r"\d", "").replace(r"\b", "")):
            continue
        wrong = sum(_hits_outside(shape, note.gold) for note in reviewed)
        if not wrong:
            yield Suggestion(PATTERN, label, shape, len(notes), len(set(notes)))


def _thresholds(reviewed: Sequence[Reviewed]) -> Iterator[Suggestion]:
    """The lowest threshold of a label above which nearly all of its spans are right, if many below it are wrong."""
    judged: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for note in reviewed:
        for span in note.found:
            judged[span.label].append((span.score, any(span.overlaps(each) for each in note.gold.spans)))
    for label, pairs in judged.items():
        if len(pairs) < _LEAST_JUDGED:
            continue
        gains = [
            (sum(not right for score, right in pairs if score < step), step)
            for step in _STEPS
            if not any(right for score, right in pairs if score < step)
        ]
        dropped, step = max(gains, default=(0, 0.0), key=lambda gain: (gain[0], -gain[1]))
        if dropped >= max(_LEAST, _BETTER * sum(not right for _, right in pairs)):
            yield Suggestion(THRESHOLD, label, f"{step:.2f}", dropped, len(reviewed))


def _key(value: str) -> str:
    return " ".join(word.folded for word in folded_words(value))


def _occurrences(term: str, reviewed: Iterable[Reviewed]) -> Counter[bool]:
    """How often a term occurs in the reviewed notes in a gold span (True), and outside all of them (False)."""
    terms = Terms()
    terms.add(term, "")
    return Counter(
        any(found.start < span.end and span.start < found.end for span in note.gold.spans)
        for note in reviewed
        for found in terms.find(note.gold.text)
    )


def _shape(value: str) -> str:
    shape = re.sub(r"\d", "\0", value.strip())
    return r"\b" + re.escape(shape).replace("\0", r"\d") + r"\b"


def _hits_outside(shape: str, gold: Document) -> int:
    matches = (match.span() for match in compiled(shape).finditer(gold.text))
    return sum(not any(a < span.end and span.start < b for span in gold.spans) for a, b in matches)
