"""The options that a caller sets: how spans are detected, and how they are replaced."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from os import PathLike
from pathlib import Path
from typing import Any, Self, TypedDict, Unpack

from nadie.errors import ConfigError
from nadie.labels import Label


class Mode(StrEnum):
    """The operating point: balanced, fewer misses (recall) or fewer false alarms (precision)."""

    BALANCED = "balanced"
    RECALL = "recall"
    PRECISION = "precision"


class Spans(StrEnum):
    """Which spans are replaced: those a document came with, those found in it, or both.

    With `given`, spans are detected in documents that came without any. With `both`, given spans take precedence where
    they overlap detected ones.
    """

    GIVEN = "given"
    FOUND = "found"
    BOTH = "both"


class Rename(StrEnum):
    """How files and folders are named in the output.

    AUTO: names with PHI are replaced by a hash, others are kept. NUMBER, HASH: all are replaced. KEEP: none is
    replaced.
    """

    AUTO = "auto"
    NUMBER = "number"
    HASH = "hash"
    KEEP = "keep"


class Images(StrEnum):
    """What to do with images that may show text, such as scanned pages.

    READ: read them, and paint what identifies somebody. REFUSE: refuse the file. BLANK: blank them. KEEP: keep and list
    them.
    """

    READ = "read"
    REFUSE = "refuse"
    BLANK = "blank"
    KEEP = "keep"


class Form(StrEnum):
    """How anonymized texts are written: every file in its own format, or all texts as JSON lines."""

    TEXT = "text"
    JSONL = "jsonl"


File = str | PathLike[str]
Fields = tuple[tuple[str, str], ...]


class DetectionArguments(TypedDict, total=False):
    """The keyword arguments about detection of `nadie.load` and of every integration; see `DetectionOptions`."""

    mode: Mode | str
    known: File | Mapping[str, str] | Sequence[Mapping[str, str] | str] | None
    allow: File | Sequence[str] | None
    deny: File | Mapping[str, Sequence[str]] | Sequence[str | tuple[str, str]] | None
    thresholds: File | Mapping[str, float] | None
    patterns: File | Sequence[Mapping[str, Any]] | None
    scan_mode: Mode | str
    second: str
    strict: bool
    country: str | Sequence[str] | None


@dataclass(frozen=True)
class DetectionOptions:
    """How spans are detected.

    `known` are identities to find in any spelling: a CSV file, one identity, or a list of names or of fields
    (`{"nombre": ..., "dni": ...}`). `allow` are terms that are never PHI, and `deny` terms that always are, each with
    its label if it is a pair of label and term: a file, a list, or for `deny` a dictionary of labels with their terms.
    `thresholds` are the minimum confidences of labels: a TOML file, or a dictionary, in which `default` is that of all
    others. `patterns` are custom patterns (see `nadie.resolve.own_patterns`): a TOML file, or a list of dictionaries
    with the settings of each. A string is the name of a file. `scan_mode` is the mode for texts that are read from
    scans and other images, if the model has it. `second` is the model that is run as well where names are invented,
    `auto` or `none` (see `nadie.run.second_look`), and with `strict` every word that looks like a name is masked.
    `country` are codes such as `ES`: identity numbers of these countries are found by their shape as well, and those of
    other countries only by the model.
    """

    mode: Mode = Mode.BALANCED
    known: Path | tuple[Fields, ...] | None = field(default=None, repr=False)
    allow: Path | tuple[str, ...] | None = None
    deny: Path | tuple[tuple[str, str], ...] | None = field(default=None, repr=False)
    thresholds: Path | tuple[tuple[str, float], ...] | None = None
    patterns: Path | tuple[str, ...] | None = field(default=None, repr=False)
    scan_mode: Mode = Mode.RECALL
    second: str = "auto"
    strict: bool = False
    country: tuple[str, ...] = ()

    @classmethod
    def of(cls, **given: Unpack[DetectionArguments]) -> Self:
        """The options from what a caller writes: names of files, lists and dictionaries."""
        made: dict[str, Any] = dict(given)
        if unknown := sorted(set(made) - {each.name for each in fields(cls)}):
            known = ", ".join(each.name for each in fields(cls))
            raise ConfigError(f"there is no option {unknown[0][:40]!r}; about detection there are: {known}")
        for name in ("mode", "scan_mode"):
            if name in made:
                made[name] = _mode(made[name])
        if isinstance(made.get("known"), Mapping):
            made["known"] = [made["known"]]
        if isinstance(denied := made.get("deny"), Mapping):
            made["deny"] = [(label, term) for label, terms in denied.items() for term in _terms(terms)]
        for name, of in (("known", _fields), ("allow", str), ("deny", _denied), ("patterns", _settings)):
            if made.get(name) is not None:
                made[name] = _file_or(made[name], of, name)
        if "country" in made:
            codes = made["country"] or ()
            made["country"] = (codes,) if isinstance(codes, str) else tuple(codes)
        if isinstance(made.get("thresholds"), Mapping):
            made["thresholds"] = tuple(sorted(made["thresholds"].items()))
        elif made.get("thresholds") is not None:
            made["thresholds"] = _file(made["thresholds"], "thresholds must be the name of a file, or a dictionary")
        return cls(**made)


def _fields(identity: Mapping[str, str] | str) -> Fields:
    """The fields of an identity; a string is a name."""
    return tuple(identity.items()) if isinstance(identity, Mapping) else (("nombre", str(identity)),)


def _denied(given: str | tuple[str, str]) -> tuple[str, str]:
    return (Label.OTROS_SUJETO_ASISTENCIA, given) if isinstance(given, str) else (str(given[0]), str(given[1]))


def _terms(given: str | Iterable[str]) -> Iterable[str]:
    return [given] if isinstance(given, str) else given


def _settings(pattern: Any) -> str:
    """The settings of a pattern as JSON."""
    try:
        if isinstance(pattern, Mapping):
            return json.dumps(dict(pattern), ensure_ascii=False)
    except TypeError:
        pass
    raise ConfigError("a pattern is a dictionary of its settings, such as label and regex")


def _file_or(given: Any, of: Callable[[Any], Any], name: str) -> Any:
    """The path of a file, or the items of a list."""
    if isinstance(given, Mapping | str | PathLike) or not isinstance(given, Iterable):
        return _file(given, f"{name} must be the name of a file, or a list")
    return tuple(map(of, given))


def _file(given: Any, problem: str) -> Path:
    if not isinstance(given, str | PathLike):
        raise ConfigError(problem)
    return Path(given)


def _mode(given: Mode | str) -> Mode:
    try:
        return Mode(given)
    except ValueError:
        raise ConfigError(f"there is no mode {str(given)[:40]!r}: {', '.join(Mode)}") from None
