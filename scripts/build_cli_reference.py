"""Generate docs/en/reference/cli.md from the commands.

python scripts/build_cli_reference.py
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from textwrap import fill
from typing import Any

import typer.main

from nadie.cli.main import build

PAGE = Path(__file__).resolve().parent.parent / "docs" / "en" / "reference" / "cli.md"
_HEAD = """# The command line

This page is generated from the help of the commands by `scripts/build_cli_reference.py`. Progress and summaries go to
stderr, data to stdout. Exit code 0: every input was processed; 1: some failed, or a kept table column looks like PHI,
and they are named; 2: the command could not run.

Help, errors, progress and summaries are in English or, with `--lang es`, `NADIE_LANG=es` or a Spanish locale (`LANG`),
in Spanish. Data, names of options and exit codes are the same in both. Errors about trainings and damaged parts of
models, and the purposes of `models`, are in English only; reports in HTML have both languages.
"""


_SHARED = """## Options of several commands

| option | meaning |
| --- | --- |
"""
_MANY = 6  # commands with the same option, which is then described once


def reference() -> str:
    root = typer.main.get_command(build())
    counts = Counter(row for command in _commands(root) for row in _rows(command) if row.startswith("| `--"))
    shared = sorted(row for row, count in counts.items() if count >= _MANY)
    rows = "".join(f"{row}\n" for row in shared)
    return "\n".join([_HEAD, _SHARED + rows, *_sections(root, "nadie", frozenset(shared))]).rstrip() + "\n"


def _commands(command: Any) -> Iterator[Any]:
    children = getattr(command, "commands", {})
    if not children:
        yield command
    for child in children.values():
        yield from _commands(child)


def _rows(command: Any) -> list[str]:
    return [_row(parameter) for parameter in command.params if parameter.name != "help"]


def _sections(command: Any, path: str, shared: Collection[str]) -> list[str]:
    children = getattr(command, "commands", {})
    if children:
        lines = [] if path == "nadie" else [f"## {path}\n", f"{command.help or ''}\n"]
        return lines + [line for name, child in children.items() for line in _sections(child, f"{path} {name}", shared)]
    lines = [f"## {path}\n", "```text", _usage(command, path), "```\n", _help(command), ""]
    rows = _rows(command)
    own = [row for row in rows if row not in shared]
    if len(own) < len(rows) - 1:
        names = ", ".join(row.split(" | ")[0].removeprefix("| ") for row in rows if row in shared)
        own.append(f"| {names} | [as in several commands](#options-of-several-commands) |")
        rows = own
    return [*lines, "| option | meaning |", "| --- | --- |", *rows, ""] if rows else lines


def _usage(command: Any, path: str) -> str:
    words = [path]
    for parameter in command.params:
        name = parameter.metavar or parameter.name.upper()
        if parameter.param_type_name == "argument":
            words.append(name if parameter.required else f"[{name}]")
        elif parameter.required:
            words.append(f"{parameter.opts[0]} {name}")
    return " ".join([*words, "[OPTIONS]"])


def _help(command: Any) -> str:
    """The help text; its examples become code."""
    lines: list[str] = []
    for paragraph in (command.help or "").split("\n\n"):
        is_code = paragraph.startswith("\b\n")
        lines.append(f"```text\n{inspect.cleandoc(paragraph[2:])}\n```" if is_code else fill(paragraph, 120))
    return "\n\n".join(lines)


def _row(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = f"`{parameter.metavar or parameter.name.upper()}`"
    else:
        name = ", ".join(f"`{flag}`" for flag in parameter.opts)
    default = parameter.default
    shown = "" if default in (None, False, ()) or callable(default) or parameter.required else f" Default: `{default}`."
    return f"| {name} | {(parameter.help or '').replace('|', '/')}{shown} |"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
