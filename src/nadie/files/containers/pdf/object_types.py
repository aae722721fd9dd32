"""Types of PDF objects; pikepdf is imported only when a PDF is opened."""

from __future__ import annotations

from typing import Any

import pikepdf


def is_string(value: Any) -> bool:
    return isinstance(value, pikepdf.String)


def is_dictionary(value: Any) -> bool:
    return isinstance(value, pikepdf.Dictionary)


def is_array(value: Any) -> bool:
    return isinstance(value, pikepdf.Array)


def is_stream(value: Any) -> bool:
    return isinstance(value, pikepdf.Stream)


def name_of(value: Any) -> str:
    """A name without its slash, whose bytes may be in any encoding."""
    try:
        return str(value).lstrip("/")
    except UnicodeDecodeError:
        return bytes(value.unparse()).decode("latin-1").lstrip("/")


def listed(value: Any) -> list[Any]:
    """The items of an array, or a single object as a list; empty for None."""
    return [] if value is None else list(value) if is_array(value) else [value]
