"""Conversion between code points and UTF-16 units, which JavaScript, Java and C# count."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from nadie.document import Span
from nadie.service.problems import ProblemError
from nadie.service.schemas import AnnotateRequest, AnonymizeRequest, ChosenBody, Replacement, SpanBody, Unit

_LAST_OF_ONE_UNIT = "\uffff"

Placed = TypeVar("Placed", SpanBody, ChosenBody, Replacement)


class Offsets:
    """The offsets of one text in the unit of the caller."""

    def __init__(self, text: str, unit: Unit) -> None:
        has_pairs = unit == "utf16"
        pairs = [at for at, character in enumerate(text) if character > _LAST_OF_ONE_UNIT] if has_pairs else []
        self._pairs = pairs
        self._units = [at + before for before, at in enumerate(pairs)]

    def read(self, spans: Iterable[SpanBody]) -> list[Span]:
        """The spans of a request in code points."""
        return [replace(span.span(), start=self._points(span.start), end=self._points(span.end)) for span in spans]

    def read_chosen(self, chosen: Iterable[ChosenBody]) -> list[ChosenBody]:
        """The replacements for single spans in a request, in code points."""
        return [_moved(each, self._points) for each in chosen]

    def write(self, placed: Sequence[Placed]) -> list[Placed]:
        """Convert an answer from code points to the unit of the caller."""
        return [_moved(each, self._to_units) for each in placed] if self._pairs else list(placed)

    def _points(self, unit: int) -> int:
        before = bisect_left(self._units, unit)
        if before and self._units[before - 1] + 1 == unit:
            raise ProblemError("invalid", f"the offset {unit} is within a surrogate pair")
        return unit - before

    def _to_units(self, point: int) -> int:
        return point + bisect_left(self._pairs, point)


def _moved(placed: Placed, offset: Callable[[int], int]) -> Placed:
    return placed.model_copy(update={"start": offset(placed.start), "end": offset(placed.end)})


def offsets_of(request: AnnotateRequest | AnonymizeRequest) -> Offsets:
    """The offsets of the request's text in the unit that it asks for."""
    return Offsets(request.text, request.offsets)
