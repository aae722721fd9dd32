"""The files of accepted suggestions: lists, patterns and thresholds that every command reads."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from nadie.errors import ConfigError
from nadie.files.disk import write_bytes
from nadie.labels import LABELS
from nadie.resolve.own_patterns import OwnPatterns
from nadie.resolve.thresholds import Thresholds
from nadie.training.suggestions import ALLOW, PATTERN, THRESHOLD, Suggestion

ALLOWED, DENIED, PATTERNS, THRESHOLDS = "allow.txt", "deny.txt", "patterns.toml", "thresholds.toml"


def write_accepted(folder: Path, accepted: Iterable[Suggestion]) -> dict[str, Path]:
    """Add the suggestions to the files of a folder, readable by its owner only; return the files by their option."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    chosen = list(accepted)
    allow = [each.value for each in chosen if each.kind == ALLOW]
    deny = [f"{each.label}\t{each.value}" for each in chosen if each.kind not in (ALLOW, PATTERN, THRESHOLD)]
    _add_lines(folder / ALLOWED, allow)
    _add_lines(folder / DENIED, deny)
    _add_patterns(folder / PATTERNS, [each for each in chosen if each.kind == PATTERN])
    _set_thresholds(folder / THRESHOLDS, {each.label: float(each.value) for each in chosen if each.kind == THRESHOLD})
    options = {"--allow": ALLOWED, "--deny": DENIED, "--patterns": PATTERNS, "--thresholds": THRESHOLDS}
    return {option: folder / name for option, name in options.items() if (folder / name).is_file()}


def _add_lines(file: Path, lines: list[str]) -> None:
    before = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    new = [line for line in dict.fromkeys(lines) if line not in before]
    if new:
        _write(file, "\n".join([*before, *new]) + "\n")


def _add_patterns(file: Path, patterns: list[Suggestion]) -> None:
    before = file.read_text(encoding="utf-8") if file.is_file() else ""
    known = {each.expression for each in OwnPatterns.read(file).patterns} if before else set()
    for number, each in enumerate((each for each in patterns if each.value not in known), len(known) + 1):
        # A string of JSON is a string of TOML.
        name, label, regex = (json.dumps(text) for text in (f"own-{number}", each.label, each.value))
        before += f"[[pattern]]\nname = {name}\nlabel = {label}\nregex = {regex}\n\n"
    if patterns:
        _write(file, before)
        OwnPatterns.read(file)


def _set_thresholds(file: Path, labels: dict[str, float]) -> None:
    if not labels:
        return
    before = Thresholds.read(file) if file.is_file() else Thresholds()
    values = {**before.labels, **labels}
    if not set(values) <= LABELS:
        raise ConfigError("a threshold is for one of the 29 labels")
    default = "" if before.default is None else f"default = {before.default}\n\n"
    lines = [f"{label} = {value}" for label, value in sorted(values.items())]
    _write(file, f"{default}[labels]\n" + "\n".join(lines) + "\n")


def _write(file: Path, text: str) -> None:
    write_bytes(file, text.encode(), 0o600)
