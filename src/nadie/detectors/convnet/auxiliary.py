"""Auxiliary tasks: named entities of other corpora, with other labels. They share all layers except the last.

A task is a file with one token and its BIO tag per line, separated by a tab, and an empty line after each sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nadie.document import Document
from nadie.errors import ConfigError
from nadie.tokens.codec import OUTSIDE, tag_set
from nadie.tokens.tokenizer import tokenize
from nadie.tokens.view import view_of

_SENTENCES_TOGETHER = 8
TASK = "task"
"""The field of a document's metadata that names the task it belongs to."""


@dataclass(frozen=True)
class AuxiliaryTask:
    """Texts without spans of nadie's labels, each with a tag of this task for every token."""

    name: str
    tags: tuple[str, ...]
    documents: list[Document]
    targets: dict[str, npt.NDArray[np.int64]]


def read_task(path: Path) -> AuxiliaryTask:
    """Read the task from a file; it is named after the file."""
    sentences = list(_sentences(path))
    tags = tuple(tag_set({tag[2:] for sentence in sentences for _, tag in sentence if tag != OUTSIDE}))
    numbers = {tag: number for number, tag in enumerate(tags)}
    documents, targets = [], {}
    for begin in range(0, len(sentences), _SENTENCES_TOGETHER):
        some = sentences[begin : begin + _SENTENCES_TOGETHER]
        text = "\n".join(" ".join(token for token, _ in sentence) for sentence in some)
        if view_of(text).text != text:
            continue  # skip: the offsets would have to be adjusted, and there are enough other sentences
        name = f"{path.stem}-{begin}"
        documents.append(Document(name, text, (), {TASK: path.stem}))
        targets[name] = _targets(text, [pair for sentence in some for pair in sentence], numbers)
    return AuxiliaryTask(path.stem, tags, documents, targets)


def _sentences(path: Path) -> Iterator[list[tuple[str, str]]]:
    lines = path.read_text(encoding="utf-8").split("\n")
    for filled, some in groupby(lines, key=bool):
        if not filled:
            continue
        pairs = [tuple(line.split("\t")) for line in some]
        if any(len(pair) != 2 for pair in pairs):
            raise ConfigError(f"{path.name}: a line must have a token, a tab and a tag")
        yield [(token, tag) for token, tag in pairs]


def _targets(text: str, pairs: Sequence[tuple[str, str]], numbers: dict[str, int]) -> npt.NDArray[np.int64]:
    """The tag of each token of `tokenize`; if a token of the file is split, its entity begins only once."""
    ends = np.cumsum([len(token) + 1 for token, _ in pairs])
    targets = []
    for start, *_ in tokenize(text):
        own = int(np.searchsorted(ends, start, side="right"))
        tag = pairs[own][1]
        goes_on = tag[:2] == "B-" and own > 0 and start > ends[own - 1]
        targets.append(numbers[f"I-{tag[2:]}" if goes_on else tag])
    return np.array(targets, dtype=np.int64)
