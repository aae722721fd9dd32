"""How many leaks nobody found: capture and recapture (Chapman 1951) with the readers and the model as a third finder.

Two finders who work independently find the same leaks only by chance; from how many both found, the number that neither
found follows. Finders are never quite independent: what is easy for one is easy for the other. The estimate is
therefore a lower bound. (The largest estimate of several pairs of finders would be none: chance makes one of them too
large.)
"""

from __future__ import annotations

from collections.abc import Set


def chapman(first: int, second: int, both: int) -> float:
    """The estimated number of all leaks, from the numbers that each of two finders found, and that both found."""
    if not 0 <= both <= min(first, second):
        raise ValueError("both cannot have found more than each")
    return (first + 1) * (second + 1) / (both + 1) - 1


def unseen(known: int, readers: Set[object], model: Set[object]) -> float:
    """The estimated number of leaks beyond the `known` ones, from those that the readers and the model found."""
    return max(0.0, chapman(len(readers), len(model), len(readers & model)) - known)
