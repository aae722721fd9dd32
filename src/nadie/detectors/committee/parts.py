"""Documents in parts of limited length, so that a committee needs memory for some of the text at a time."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nadie.document import Document
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tokenizer import Token

_LONG = 1 << 17
_LINE_END, _TOKEN_END = re.compile(r"(?<=\S)\s*\n"), re.compile(r"(?<=\S)\s")


@dataclass(frozen=True)
class Part:
    """The text of a document from `start`; `number` is the index of the document."""

    number: int
    start: int
    document: Document


def parts_of(documents: Iterable[Document]) -> Iterator[list[Part]]:
    """All parts, in lists of limited length. Only a long document has several; it is cut after a line or a token."""
    some: list[Part] = []
    length = 0
    for number, document in enumerate(documents):
        for start, end in _ranges(document.text):
            if some and length + end - start > _LONG:
                yield some
                some, length = [], 0
            whole = end - start == len(document.text)
            some.append(Part(number, start, document if whole else Document(document.id, document.text[start:end])))
            length += end - start
    if some:
        yield some


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    while len(text) - begin > _LONG:
        middle, latest = begin + _LONG // 2, begin + _LONG
        cut = _LINE_END.search(text, middle, latest) or _TOKEN_END.search(text, middle)
        if cut is None:
            break
        yield begin, cut.start()
        begin = cut.start()
    yield begin, len(text)


def together(parts: Sequence[tuple[Part, TokenProbabilities]]) -> TokenProbabilities:
    """The token probabilities of a document from those of its parts."""
    if len(parts) == 1:
        return parts[0][1]
    tokens = [Token(t.start + part.start, t.end + part.start, t.text) for part, own in parts for t in own.tokens]
    return replace(parts[0][1], tokens=tokens, values=np.concatenate([own.values for _, own in parts]))
