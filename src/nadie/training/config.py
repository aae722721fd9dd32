"""Settings from outside → the config dataclass of a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

from nadie.errors import ConfigError

T = TypeVar("T")
_TRUE, _FALSE = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0"})


def configure(kind: type[T], settings: Mapping[str, Any]) -> T:
    """`kind` with `settings` in place of its defaults; text, as from a command line, is read as the field's type."""
    hints = get_type_hints(kind)
    known = {field.name: hints[field.name] for field in fields(kind)}  # type: ignore[arg-type]
    values: dict[str, Any] = {}
    for name, value in settings.items():
        if name not in known:
            raise ConfigError(f"there is no setting {name[:60]!r}; there are: {', '.join(sorted(known))}")
        values[name] = _read(name, value, known[name])
    return kind(**values)


def _read(name: str, value: Any, kind: Any) -> Any:
    """`value` as a bool, int, float or str; other types (literals) are left to whoever uses them."""
    try:
        if kind is bool and isinstance(value, str):
            if value.lower() in _TRUE | _FALSE:
                return value.lower() in _TRUE
            raise ValueError
        if kind in (bool, int) and isinstance(value, bool):
            return value
        if kind in (int, float, str):
            return kind(value)
    except (TypeError, ValueError):
        raise ConfigError(f"setting {name!r} must be {kind.__name__}") from None
    return value
