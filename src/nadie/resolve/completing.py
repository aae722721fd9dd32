"""What the spans of a document say, found wherever else the document says it: the last stage that finds.

A detector reads passages; who is named and which day is meant is known only from the whole document. So persons are
looked for in other forms (`APS`, `aperez` and `Sra. Pérez` after `Ana Pérez Soto`), values where they stand once more,
and the rest of dates of which only a part was found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator

from nadie.document import Document, Span
from nadie.labels import NAMES
from nadie.persons.mending import as_letters
from nadie.resolve.date_parts import date_parts
from nadie.resolve.outside import COMPLETED, Candidate, Outside
from nadie.resolve.values import values_again
from nadie.spanish.folding import words_of
from nadie.spanish.name_forms import has_title_or_initial, pet_names
from nadie.spanish.names import PARTICLES, SAINTS, SHORT_GIVEN, SHORT_SURNAMES
from nadie.spanish.squashing import LONG

_PLAIN_NAME = re.compile(r"(?:[^\W\d_ºª]|[\s,-]|\.(?!\w))*|(?:[^\W\d_]\.)+[^\W\d_]?")
_REACH = 6  # characters between a name and a span of it: `, de `
_MOST_BEFORE, _MOST_AFTER = 7, 3  # letters beside a name, more than an account has: `jmperezs`
_BETWEEN_NAMES = {word for word in PARTICLES | SAINTS if len(word) > 1}


def complete(document: Document, kept: Collection[str] = (), *, with_dates: bool = True) -> Document:
    """The document with spans added that repeat or complete its own, which are disjoint.

    The source of a new span is `complete:` and the stage: `names`, `values`, `dates` or, in scans, `misread`. Its score
    is the highest score of the spans that it follows from. `kept` are labels that a policy keeps: they change nothing
    in what is found, but where a value has two labels, the new span has one that is not kept.
    """
    stages: list[tuple[str, Callable[[Outside], Iterable[Candidate]]]]
    stages = [("names", _names_again), ("values", values_again), *([("dates", date_parts)] if with_dates else [])]
    stages += [("misread", _misread_again)] if "scan" in document.meta else []
    text = Outside(document)
    for name, stage in stages:
        found = tuple(_free(text.document, stage(text), kept, COMPLETED + name))
        text = Outside(text.document.with_spans((*text.document.spans, *found))) if found else text
    return text.document


def _free(document: Document, candidates: Iterable[Candidate], kept: Collection[str], source: str) -> Iterator[Span]:
    """A span for each candidate that overlaps no span and no earlier candidate."""
    taken = bytearray(len(document.text))
    for span in document.spans:
        taken[span.start : span.end] = b"\1" * len(span)
    for start, end, labels, score, own in candidates:
        if not any(taken[start:end]):
            taken[start:end] = b"\1" * (end - start)
            label = next((label for label in labels if label not in kept), labels[0])
            yield Span(start, end, label, score, own or source)


def _names_again(text: Outside) -> Iterable[Candidate]:
    if not may_be_named_again(text):
        return ()
    from nadie.resolve.names_again import names_again  # it reads the tables of names

    return names_again(text)


def _misread_again(text: Outside) -> Iterable[Candidate]:
    from nadie.resolve.misread import misread_again  # it reads the lexicon

    return misread_again(text)


def may_be_named_again(text: Outside) -> bool:
    """Whether a patient or a member of staff may be named outside all spans; a quick test before names are parsed.

    It is false only if no word of these names, no pet name and no full form of a word stands there with a few letters
    (`aperezs`) or beside a name, a title or an initial (`anaperez`, `Sra. Pérez`), and no initials could be theirs.
    Unusual names, such as those with apostrophes, are always parsed, and so are the names of a long text with very many
    of them.
    """
    document = text.detected
    values = {document.text_of(span) for span in document.spans if span.label in NAMES}
    values = {value if _PLAIN_NAME.fullmatch(value) else as_letters(value) for value in values}
    if not values or not all(map(_PLAIN_NAME.fullmatch, values)):
        return bool(values)
    words: set[str] = set()
    for value in values:
        *others, last = words_of(value) or [""]
        for word in (*(other for other in others if other not in _BETWEEN_NAMES), last):
            words.update((word, SHORT_GIVEN.get(word, ""), SHORT_SURNAMES.get(word, "")))
    if len(words) * len(document.text) > LONG:
        return True
    initials = {word[:1] for word in words}
    words = {word for word in words if len(word) > 1}
    forms = [form for word in words for form in (word, *pet_names(word)) if form in text.squashed]
    if any(_may_name(form, words, text) for form in forms):
        return True
    return any(initials.issuperset(letters) for _, _, letters in text.initials)


def _may_name(form: str, words: Collection[str], text: Outside) -> bool:
    """Whether a name or pet name that occurs in the text may be more than a word, or some letters of a longer word."""
    if any(form + word in text.squashed or word + form in text.squashed for word in words):
        return True
    may_be_account = any(word in form and word != form for word in words)
    for start, end in text.squashed.find(form, glued=True):
        before, after = text.folded[max(0, start - _MOST_BEFORE) : start], text.folded[end : end + _MOST_AFTER]
        if (len(before) == _MOST_BEFORE and before.isalpha()) or (len(after) == _MOST_AFTER and after.isalpha()):
            continue
        is_glued = before[-1:].isalnum() or after[:1].isalnum() or before[-1:] == "_" or after[:1] == "_"
        is_word = not is_glued and not may_be_account and end - start == len(form)
        if not is_word or _is_beside_name(start, end, text):
            return True
    return False


def _is_beside_name(start: int, end: int, text: Outside) -> bool:
    """Whether a word stands beside a title, an initial or a span: `Sra. Rubio`, `A. Rubio`, `Rubio` after `[Ana]`."""
    if text.squashed.hides(max(0, start - _REACH), start) or text.squashed.hides(end, end + _REACH):
        return True
    return has_title_or_initial(text.document.text, text.folded, start, end)
