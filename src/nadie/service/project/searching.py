"""Search for words and values in all documents of a project, for the review page."""

from __future__ import annotations

import sqlite3
from collections.abc import Set
from dataclasses import dataclass

from nadie.labels import Label
from nadie.service.schemas import LabelName

_ACCENTS = str.maketrans("áéíóúüàèìòùâêîôûäëïöñç", "aeiouuaeiouaeiouaeionc")
_SPACES = str.maketrans(dict.fromkeys("\t\n\v\f\r\x85\xa0\u2028\u2029\u202f", " "))

_MOST_VALUES = 1000


@dataclass(frozen=True, slots=True)
class Hits:
    """The number of occurrences of the words in a document."""

    document: int
    count: int


@dataclass(frozen=True, slots=True)
class FoundValue:
    """The spans of one label with the same words, ignoring case, in all documents.

    `open` of them are undecided; `score` is the lowest of these. `document` is the first document with the value.
    """

    words: str
    label: LabelName
    count: int
    documents: int
    open: int
    score: float
    document: int


def folded(text: str) -> str:
    """The text in lower case and without Spanish accents, without changing offsets."""
    lower = text.lower()
    same = lower if len(lower) == len(text) else "".join(c if len(c.lower()) > 1 else c.lower() for c in text)
    return same.translate(_ACCENTS).translate(_SPACES)


def hits(db: sqlite3.Connection, words: str) -> list[Hits]:
    """The documents whose text has the words."""
    wanted = folded(words)
    found = []
    for document, text in db.execute("SELECT id, text FROM document ORDER BY id"):
        if count := folded(text).count(wanted):
            found.append(Hits(document, count))
    return found


def values(db: sqlite3.Connection, words: str, label: str | None, below: float, hidden: Set[int]) -> list[FoundValue]:
    """The values of all documents except the hidden ones, the most frequent first; at most the first thousand.

    They contain the words, have the label, if one is given, and an undecided score below that (1: any score).
    """
    words = folded(words)
    groups: dict[tuple[str, str], list[tuple[str, int, float, str]]] = {}
    rows = db.execute(
        """SELECT substr(d.text, s.start + 1, s.end - s.start), s.label, d.id, s.score, s.source
           FROM span s JOIN document d ON d.id = s.document WHERE ? IS NULL OR s.label = ? ORDER BY d.id, s.start""",
        (label, label),
    )
    for text, name, document, score, source in rows:
        key = " ".join(text.lower().split())
        if document not in hidden and words in folded(key):
            groups.setdefault((key, name), []).append((text, document, score, source))
    found = [_value(name, spans) for (_, name), spans in groups.items()]
    wanted = [value for value in found if below >= 1 or (value.open and value.score < below)]
    return sorted(wanted, key=lambda value: (-value.count, value.words, value.label))[:_MOST_VALUES]


def _value(label: str, spans: list[tuple[str, int, float, str]]) -> FoundValue:
    scores = [score for _, _, score, source in spans if source != "person"]
    documents = {document for _, document, _, _ in spans}
    words, first = spans[0][0], spans[0][1]
    return FoundValue(words, Label(label), len(spans), len(documents), len(scores), min(scores, default=1.0), first)
