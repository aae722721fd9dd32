"""The sentence splitter: at line breaks, and at full stops that end a sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from nadie.spanish import tables
from nadie.tokens.tokenizer import Token

_ABBREVIATIONS = tables.words("abbreviations")
_CLOSERS = frozenset("\"')]»”")
_ENDERS = frozenset(".?!…")
_LAST = _CLOSERS | _ENDERS
_NEWLINE = re.compile(r"[\n\r\u2028\u2029\x85]")


class Sentence(NamedTuple):
    """Tokens `first` up to, not including, `stop`."""

    first: int
    stop: int


def split_sentences(text: str, tokens: Sequence[Token]) -> list[Sentence]:
    """Sentences as ranges of tokens; together they hold every token once."""
    sentences: list[Sentence] = []
    first = 0
    for i, (before, here) in enumerate(pairwise(tokens), 1):
        if here.start == before.end or (
            here.start == before.end + 1 and before.text not in _LAST and text[before.end] == " "
        ):
            continue  # quick to tell, and true of most tokens
        if _is_break(text, tokens, i):
            sentences.append(Sentence(first, i))
            first = i
    if tokens:
        sentences.append(Sentence(first, len(tokens)))
    return sentences


def split_lines(text: str, tokens: Sequence[Token]) -> list[Sentence]:
    """Lines as ranges of tokens; empty lines have none."""
    lines: list[Sentence] = []
    first = 0
    for i in range(1, len(tokens)):
        if _NEWLINE.search(text, tokens[i - 1].end, tokens[i].start):
            lines.append(Sentence(first, i))
            first = i
    if tokens:
        lines.append(Sentence(first, len(tokens)))
    return lines


def _is_break(text: str, tokens: Sequence[Token], i: int) -> bool:
    """Whether a sentence begins at token `i`."""
    here = tokens[i]
    if _NEWLINE.search(text, tokens[i - 1].end, here.start):
        return True
    last = i - 1
    while last > 0 and tokens[last].text in _CLOSERS:
        last -= 1
    if tokens[last].text not in _ENDERS or not _may_begin(here.text):
        return False
    return tokens[last].text != "." or last == 0 or not _is_abbreviation(tokens, last - 1)


def _may_begin(word: str) -> bool:
    return word[0].isupper() or word[0].isdigit() or word[0] in "¿¡\"'(«“-*•"


def _is_abbreviation(tokens: Sequence[Token], i: int) -> bool:
    """Whether the full stop after token `i` belongs to an abbreviation or an initial."""
    word = tokens[i]
    if tokens[i + 1].start != word.end:
        return False
    if word.text in "ºª" and i > 0 and tokens[i - 1].end == word.start:
        return tokens[i - 1].text.lower() in {"n", "m", "d", "avd", "p", "dñ"}
    lowered = word.text.lower()
    if len(word.text) == 1 and word.text.isupper():
        return not (i > 0 and tokens[i - 1].text.isdigit() and tokens[i - 1].end == word.start)
    return lowered in _ABBREVIATIONS
