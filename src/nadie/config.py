"""The config that a model stores: dataclasses composed of groups, flat on disk and on the command line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from nadie.errors import ConfigError

T = TypeVar("T")
LOCAL = {"local": True}
"""Metadata of a field that names local folders: only the last part of each path is stored with a model."""
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True)
class _Leaf:
    """One option: the field of the group that has it ("" if the config itself has it), and the field's type."""

    group: str
    type: Any


def parse_config(config_type: type[T], options: Mapping[str, Any]) -> T:
    """A config with `options` in place of its defaults. Strings are converted to the field's type."""
    known = dict(_leaves(config_type))
    groups: dict[str, dict[str, Any]] = {}
    for name, value in options.items():
        if name not in known:
            raise ConfigError(f"there is no setting {name[:60]!r}; there are: {', '.join(sorted(known))}")
        groups.setdefault(known[name].group, {})[name] = _read(name, value, known[name].type)
    own = groups.pop("", {})
    defaults: Any = config_type()
    return config_type(**own, **{name: replace(getattr(defaults, name), **values) for name, values in groups.items()})


def flat_config(config: Any) -> dict[str, Any]:
    """The mapping that `parse_config` reads, for `config.json`."""
    found: dict[str, Any] = {}
    for field in fields(config):
        value = getattr(config, field.name)
        found |= flat_config(value) if is_dataclass(value) else {field.name: _stored(field, value)}
    return found


def _stored(field: Field[Any], value: Any) -> Any:
    return ",".join(Path(part).name for part in value.split(",")) if field.metadata.get("local") else value


def _leaves(kind: Any, group: str = "") -> Iterator[tuple[str, _Leaf]]:
    hints = get_type_hints(kind)
    for field in fields(kind):
        if is_dataclass(hints[field.name]):
            yield from _leaves(hints[field.name], field.name)
        else:
            yield field.name, _Leaf(group, hints[field.name])


def _read(name: str, value: Any, kind: Any) -> Any:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ConfigError(f"setting {name!r} must be one of: {', '.join(map(str, get_args(kind)))}")
        return value
    try:
        if kind is bool:
            return value if isinstance(value, bool) else _WORDS[str(value).lower()]
        return kind(value)
    except (KeyError, TypeError, ValueError):
        raise ConfigError(f"setting {name!r} must be {kind.__name__}") from None
