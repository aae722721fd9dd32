"""Universal Dependencies treebanks (CoNLL-U) as words of this tokenizer with their tags.

A treebank writes `del` as two words and `16,5` as one; this tokenizer sees one and three. So the tags are laid over
the text of each sentence, and every token takes the tag of the treebank's word in which it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from nadie.errors import FormatError
from nadie.tokens.tokenizer import tokenize

_VERBS = frozenset({"VERB", "AUX"})
_SIGNS = frozenset({"PUNCT", "SYM"})


class TreebankWord(NamedTuple):
    """A word as written, the tag of it, and the number of this tokenizer's first token in it."""

    form: str
    tag: str
    first: int


class TaggedSentence(NamedTuple):
    """A sentence in the treebank's words and in this tokenizer's."""

    words: tuple[TreebankWord, ...]
    tokens: tuple[str, ...]
    tags: tuple[str, ...]


def read_treebank(path: Path) -> Iterator[TaggedSentence]:
    """The sentences of a CoNLL-U file."""
    rows: list[list[str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        if not line.strip():
            if rows:
                yield _sentence(rows)
            rows = []
        elif not line.startswith("#"):
            row = line.split("\t")
            if len(row) != 10:
                raise FormatError(f"a row has 10 fields, not {len(row)}", where=path.name, line=number)
            rows.append(row)
    if rows:
        yield _sentence(rows)


def _sentence(rows: list[list[str]]) -> TaggedSentence:
    words: list[TreebankWord] = []
    tokens: list[str] = []
    tags: list[str] = []
    for form, tag in _surface(rows):
        words.append(TreebankWord(form, tag, len(tokens)))
        for token in tokenize(form):
            tokens.append(token.text)
            tags.append(tag if token.text[0].isalnum() or tag in _SIGNS else "PUNCT")
    return TaggedSentence(tuple(words), tuple(tokens), tuple(tags))


def _surface(rows: list[list[str]]) -> Iterator[tuple[str, str]]:
    """Words as written; one that stands for several (`del`, `verlo`) has the tag of the first of them."""
    covered, waiting = 0, ""
    for row in rows:
        number, form, tag, features = row[0], row[1], row[3], row[5]
        if "." in number:  # an empty node, which is not in the text
            continue
        if "-" in number:
            covered, waiting = int(number.partition("-")[2]), form
            continue
        if tag in _VERBS and "VerbForm=Part" in features:
            tag += ":part"
        if waiting:
            yield waiting, tag
            waiting = ""
        elif int(number) > covered:
            yield form, tag
