"""The check of every output: nothing that was to be replaced is left in it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from nadie.document import Span
from nadie.resolve.name_words import is_eponym
from nadie.resolve.values import is_value
from nadie.spanish.squashing import Found, Squashed
from nadie.spanish.words_elsewhere import is_word_elsewhere


def hidden_values(told: Mapping[Span, str], spans: Iterable[tuple[Span, bool]]) -> set[str]:
    """The values that must not occur in the output: those of the spans that are not kept, unless one is kept as well.

    `spans` are the spans of the output, each with whether it is kept.
    """
    values: dict[bool, set[str]] = {True: set(), False: set()}
    for span, is_kept in spans:
        if span in told:
            values[is_kept].add(told[span])
    return values[False] - values[True]


def survivors(output: str, values: Collection[str], constant: Sequence[tuple[int, int]]) -> list[Found]:
    """The occurrences of the squashed values in the output; `constant` are ranges that cannot contain a value."""
    return [
        place
        for squashed, places in Squashed(output, constant).find_all(values).items()
        for place in places
        if is_value(squashed, output[place.start : place.end + 1])
        and not is_eponym(output, *place)
        and not is_word_elsewhere(output, *place)
    ]
