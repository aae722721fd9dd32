"""Changes of the spelling: case, accents, newlines, typing errors, scanning errors."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

from nadie.augment.edits import TextEdit, borders, map_characters, rewrite, substitution
from nadie.augment.passage import fused_names
from nadie.augment.vocabulary import table
from nadie.document import Document
from nadie.spanish.folding import without_accents as _without_accents

_ON_A_LINE = re.compile(r"[^\n\W](?:[^\n]*?[^\W\n])?(?=-?\n|[^\n\w]*\Z)")


def upper(document: Document, rng: Random) -> Document:
    return map_characters(document, str.upper)


def lower(document: Document, rng: Random) -> Document:
    return map_characters(document, str.lower)


def mixed_case(document: Document, rng: Random) -> Document:
    """Whole lines in capitals or in lower case, or every word capitalised."""
    edits = []
    at = 0
    for line in document.text.splitlines(keepends=True):
        change = rng.choices((None, str.upper, str.lower, str.title), (5, 2, 2, 1))[0]
        if change is not None:
            for i, character in enumerate(line, at):
                start_of_word = i == at or not document.text[i - 1].isalpha()
                new = (
                    (character.upper() if start_of_word else character.lower())
                    if change is str.title
                    else change(character)
                )
                if new != character:
                    edits.append(substitution(i, i + 1, new))
        at += len(line)
    return rewrite(document, edits)


def without_accents(document: Document, rng: Random) -> Document:
    """The note without accents; half of the copies keep the ñ."""
    kept = "ñÑ" if rng.random() < 0.5 else ""
    return map_characters(document, lambda c: c if c in kept or c in "ºª" else _without_accents(c) or c)


def decomposed(document: Document, rng: Random) -> Document:
    """Accents as separate combining characters (NFD), as some systems export them."""
    return map_characters(document, lambda c: unicodedata.normalize("NFD", c))


def crlf(document: Document, rng: Random) -> Document:
    """Windows line ends."""
    ends = [i for i, c in enumerate(document.text) if c == "\n" and document.text[max(0, i - 1) : i] != "\r"]
    return rewrite(document, (substitution(i, i, "\r") for i in ends))


def typos(document: Document, rng: Random, rate: float = 0.006) -> Document:
    """Letters swapped, omitted, doubled or replaced by a neighbouring key, in words of four letters and more."""
    seams = borders(document)
    text = document.text
    edits: list[TextEdit] = []
    last = -2
    for i in range(1, len(text) - 2):
        if rng.random() >= rate or i <= last + 2 or not text[i - 1 : i + 2].isalpha():
            continue
        edit = _slip(text, i, seams, rng)
        if edit is not None:
            edits.append(edit)
            last = edit.end
    return rewrite(document, edits)


def _slip(text: str, i: int, seams: set[int], rng: Random) -> TextEdit | None:
    kind = rng.random()
    if kind < 0.3:
        return None if i + 1 in seams else substitution(i, i + 2, text[i + 1] + text[i])
    if kind < 0.55:
        return substitution(i, i + 1, "")
    if kind < 0.75:
        return substitution(i, i + 1, text[i] * 2)
    near = table("neighbouring_keys.tsv").get(text[i].lower())
    if near is None:
        return None
    hit = rng.choice(near)
    return substitution(i, i + 1, hit.upper() if text[i].isupper() else hit)


def scanned(document: Document, rng: Random, rate: float = 0.01) -> Document:
    """Letters and digits replaced by similar ones that OCR confuses them with."""
    return _misread(document, rng, dict.fromkeys(table("scanning_errors.tsv"), rate))


def misread(document: Document, rng: Random) -> Document:
    """The note as a poor reader gives it: some confusions often or nearly always, words in pieces, lines broken."""
    rates = {sign: rng.choice((0.0, 0.0, 0.1, 0.5, 0.9)) for sign in ("0", "1", "I", "O", "o", "l", "i", "m", "rn")}
    document = _misread(document, rng, {**dict.fromkeys(table("scanning_errors.tsv"), 0.01), **rates})
    document = _in_pieces(document, rng, rng.choice((0.0, 0.01, 0.03, 0.06)), (" ",))
    return _hyphenated(document, rng) if rng.random() < 0.4 else document


def _misread(document: Document, rng: Random, rates: Mapping[str, float]) -> Document:
    """Replace signs, alone or in pairs, by those that OCR takes them for, each at its rate."""
    confusions = table("scanning_errors.tsv")
    seams = borders(document)
    text = document.text
    edits: list[TextEdit] = []
    at = 0
    while at < len(text):
        for size in (2, 1):
            sign = text[at : at + size]
            seen = confusions.get(sign)
            if seen is None or len(sign) < size or (size == 2 and at + 1 in seams):
                continue
            if rng.random() < rates[sign]:
                edits.append(substitution(at, at + size, seen))
                at += size - 1
                break
        at += 1
    return rewrite(document, edits)


def _in_pieces(document: Document, rng: Random, rate: float, gaps: Sequence[str]) -> Document:
    """Gaps inside words and numbers."""
    text, seams = document.text, borders(document)
    places = (i for i in range(1, len(text)) if text[i - 1].isalnum() and text[i].isalnum() and i not in seams)
    return rewrite(document, (substitution(i, i, rng.choice(gaps)) for i in places if rng.random() < rate))


def _hyphenated(document: Document, rng: Random) -> Document:
    """Long lines broken at one width, with words divided at the ends."""
    text, seams = document.text, borders(document)
    width = rng.choice((60, 72, 84))
    edits, begin = [], 0
    for i, sign in enumerate(text):
        if sign == "\n":
            begin = i + 1
        elif i - begin >= width and i not in seams:
            if sign == " ":
                edits.append(substitution(i, i + 1, "\n"))
                begin = i + 1
            elif text[i - 2 : i + 2].isalpha() and text[i : i + 2].islower():
                edits.append(substitution(i, i, "-\n"))
                begin = i
    return _cut_at_lines(rewrite(document, edits))


def _cut_at_lines(document: Document) -> Document:
    """A span that crosses a line break becomes one on each line, as in annotated notes."""
    spans = [
        replace(span, start=span.start + part.start(), end=span.start + part.end())
        for span in document.spans
        for part in _ON_A_LINE.finditer(document.text_of(span))
    ]
    return document.with_spans(spans)


def badly_scanned(document: Document, rng: Random) -> Document:
    """The note as after copying, faxing and scanning: many errors, broken words, stray marks."""
    document = scanned(document, rng, rng.choice((0.02, 0.05, 0.1)))
    document = _in_pieces(document, rng, 0.006, (" ", " ", "-", "."))
    spaces = (i for i, sign in enumerate(document.text) if sign == " " and rng.random() < 0.01)
    return rewrite(document, (substitution(i, i, rng.choice((" .", " |", " '", " -", " _"))) for i in spaces))


def dictated(document: Document, rng: Random) -> Document:
    """The note as from a speech recogniser: lower case, hardly any punctuation, sometimes one line."""
    text = document.text
    edits = []
    kept = rng.choice((0.0, 0.0, 0.3))
    for i, sign in enumerate(text):
        beside_figures = 0 < i < len(text) - 1 and text[i - 1].isdigit() and text[i + 1].isdigit()
        if (
            sign in ".,;:()[]|*"
            and not beside_figures
            and "@" not in text[max(0, i - 30) : i + 30]
            and rng.random() >= kept
        ):
            glue = 0 < i < len(text) - 1 and not text[i - 1].isspace() and not text[i + 1].isspace()
            edits.append(substitution(i, i + 1, " " if glue else ""))
        elif sign == "\n" and rng.random() < 0.9:
            edits.append(substitution(i, i + 1, " "))
    heard = _trimmed(rewrite(document, edits))
    return lower(heard.with_spans(fused_names(heard.text, heard.spans)), rng)


def _trimmed(document: Document) -> Document:
    """The spans without white space at their ends, where a sign was removed."""
    spans = []
    for span in document.spans:
        covered = document.text_of(span)
        start = span.start + len(covered) - len(covered.lstrip())
        end = span.end - (len(covered) - len(covered.rstrip()))
        if end > start:
            spans.append(replace(span, start=start, end=end))
    return document.with_spans(spans)


def spacing(document: Document, rng: Random) -> Document:
    """Spaces doubled, or removed after punctuation or next to a digit, where the tokenizer still splits."""
    text = document.text
    lost, doubled = rng.choice(((0.3, 0.02), (0.1, 0.1), (0.0, 0.15), (0.6, 0.0)))
    edits = []
    for i in range(1, len(text) - 1):
        if text[i] != " ":
            continue
        before, after = text[i - 1], text[i + 1]
        glued = before in ":;,./" or (before.isdigit() and after.isalpha()) or (before.isalpha() and after.isdigit())
        if glued and rng.random() < lost * 0.5:
            edits.append(substitution(i, i + 1, ""))
        elif rng.random() < doubled:
            edits.append(substitution(i, i + 1, rng.choice(("  ", "  ", "   ", " \u00a0", "\t"))))
    return rewrite(document, edits)
