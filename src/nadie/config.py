"""The config that a model stores: dataclasses composed of groups, flat on disk and on the command line; and presets.

A preset is a complete set of values for a config, each with its reason: `paper.toml` beside a system has those of its
paper.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields, is_dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from nadie.errors import ConfigError

T = TypeVar("T")
LOCAL = {"local": True}
"""Metadata of a field that names local folders: only the last part of each path is stored with a model."""
_PRESET = "paper.toml"
_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def setting(default: T, meaning: str, *, local: bool = False) -> T:
    """A field of a config with its meaning; `local` as in `LOCAL`."""
    return field(default=default, metadata={"meaning": meaning, "local": local})


@dataclass(frozen=True)
class Setting:
    """One setting of a system, for `nadie train SYSTEM --settings`."""

    name: str
    default: Any
    meaning: str


def settings_of(config: Any) -> list[Setting]:
    """Every setting of a config, with the config's values as defaults."""
    found: list[Setting] = []
    for each in fields(config):
        value = getattr(config, each.name)
        inner = settings_of(value) if is_dataclass(value) else []
        found += inner or [Setting(each.name, value, each.metadata.get("meaning", ""))]
    return found


@dataclass(frozen=True)
class Choice:
    """The value of a setting in a preset: where the `paper` says it, or why it is `ours` where the paper does not."""

    value: Any
    paper: str = ""
    ours: str = ""


@dataclass(frozen=True)
class Preset:
    """The configuration of a published system: its paper, the choice for every setting, and what else is ours."""

    name: str
    paper: str
    besides: tuple[str, ...]
    choices: Mapping[str, Choice]

    @property
    def options(self) -> dict[str, Any]:
        """The options that `parse_config` takes."""
        return {name: choice.value for name, choice in self.choices.items()}

    @classmethod
    def beside(cls, system: type[Any], name: str = "paper") -> Preset:
        """The preset in the package of a system."""
        path = files(system.__module__.rpartition(".")[0]) / _PRESET
        if name != "paper" or not path.is_file():
            raise ConfigError(f"{system.__name__} has no preset {name[:60]!r}")
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        choices = {name: Choice(**each) for name, each in content["settings"].items()}
        return cls(name, content["paper"], tuple(content["besides"]), choices)


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
    for each in fields(config):
        value = getattr(config, each.name)
        found |= flat_config(value) if is_dataclass(value) else {each.name: _stored(each, value)}
    return found


def _stored(of: Field[Any], value: Any) -> Any:
    return ",".join(Path(part).name for part in value.split(",")) if of.metadata.get("local") else value


def _leaves(kind: Any, group: str = "") -> Iterator[tuple[str, _Leaf]]:
    hints = get_type_hints(kind)
    for each in fields(kind):
        if is_dataclass(hints[each.name]):
            yield from _leaves(hints[each.name], each.name)
        else:
            yield each.name, _Leaf(group, hints[each.name])


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
