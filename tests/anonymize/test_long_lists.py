"""Documents with thousands of values take time in proportion to their number: the work is counted, not timed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from nadie import Document
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import Span
from nadie.surrogates.addresses import addresses

MOST = 50


class Counted(tuple[Span, ...]):
    """Spans that count how many of them are read one after the other."""

    read = 0

    def __iter__(self) -> Iterator[Span]:
        for span in super().__iter__():
            Counted.read += 1
            yield span

    def __reversed__(self) -> Iterator[Span]:
        return iter(Counted(self[::-1]))

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        return Counted(found) if isinstance(place, slice) else found


def _listed(values: Sequence[str], label: str, count: int) -> Document:
    text, spans = "", []
    for number in range(count):
        value = values[number % len(values)]
        spans.append(Span(len(text), len(text) + len(value), label))
        text += value + ", "
    return Document("", text, tuple(spans))


def _read(document: Document) -> int:
    """How many spans are read to anonymize a document."""
    object.__setattr__(document, "spans", Counted(document.spans))
    Counted.read = 0
    Engine(read_policy("research"), Key(bytes(range(32)))).run(document)
    return Counted.read


@pytest.mark.parametrize(
    ("values", "label"),
    [(("soldador", "albañil"), "PROFESION"), (("Hospital Norte", "Clínica Sur"), "HOSPITAL")],
)
def test_each_value_reads_as_many_spans_in_a_long_list(values: Sequence[str], label: str) -> None:
    few, many = (_read(_listed(values, label, count)) for count in (100, 400))
    assert few >= 100
    assert many <= 5 * few


def test_a_long_list_of_places_is_no_address() -> None:
    found = addresses(_listed(("Cuenca", "Soria"), "TERRITORIO", 400))
    assert len(found) == 400
    assert max(len(address.towns) for address in found.values()) == MOST
