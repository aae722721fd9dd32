"""What an object of a PDF is; pikepdf is imported when a PDF is opened, not before."""

from __future__ import annotations

from typing import Any


def is_string(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.String)


def is_dictionary(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Dictionary)


def is_array(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Array)


def is_stream(value: Any) -> bool:
    import pikepdf

    return isinstance(value, pikepdf.Stream)


def listed(value: Any) -> list[Any]:
    """The items of an array, or the one thing that stands in its place; of nothing, none."""
    return [] if value is None else list(value) if is_array(value) else [value]
