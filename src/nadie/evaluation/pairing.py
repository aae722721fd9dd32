"""Pairs of gold documents and the corresponding documents of a system."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nadie.document import Document, Span
from nadie.errors import CorpusError

_NAMED = 5


@dataclass(frozen=True, slots=True)
class Pair:
    """One document twice: with its gold spans, and with the system's spans."""

    gold: Document
    system: Document

    def __post_init__(self) -> None:
        if self.gold.text != self.system.text:
            place = _first_difference(self.gold.text, self.system.text)
            raise CorpusError(
                f"document {self.gold.id}: the system's text differs from gold's at character {place}, "
                "so their offsets cannot be compared"
            )

    @property
    def id(self) -> str:
        return self.gold.id

    @property
    def text(self) -> str:
        return self.gold.text

    @property
    def expected(self) -> tuple[Span, ...]:
        return self.gold.spans

    @property
    def found(self) -> tuple[Span, ...]:
        return self.system.spans


@dataclass(frozen=True, slots=True)
class Pairing:
    """The pairs in the order of gold, and the ids of the gold documents that the system lacks."""

    pairs: tuple[Pair, ...]
    missing: tuple[str, ...] = ()


def pair(gold: Iterable[Document], system: Iterable[Document]) -> Pairing:
    """Pair documents with the same id.

    A document that the system lacks counts as one without spans: everything in it would have leaked. A document that
    only the system has is an error, because it usually means that the wrong folders are compared.
    """
    found = _by_id(system, "system")
    expected = _by_id(gold, "gold")
    if not expected:
        raise CorpusError("gold has no documents, so there is nothing to evaluate against")
    if extra := [name for name in found if name not in expected]:
        raise CorpusError(f"the system has {_listed(extra)} that gold lacks")
    missing = tuple(name for name in expected if name not in found)
    pairs = tuple(Pair(doc, found.get(name, doc.with_spans(()))) for name, doc in expected.items())
    return Pairing(pairs, missing)


def _by_id(documents: Iterable[Document], side: str) -> dict[str, Document]:
    found: dict[str, Document] = {}
    for document in documents:
        if document.id in found:
            raise CorpusError(f"{side} has document {document.id} twice")
        found[document.id] = document
    return found


def _listed(ids: Sequence[str]) -> str:
    names = ", ".join(sorted(ids)[:_NAMED])
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return f"{len(ids)} document{'s' if len(ids) > 1 else ''} ({names}{more})"


def _first_difference(one: str, other: str) -> int:
    for i, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return i
    return min(len(one), len(other))
