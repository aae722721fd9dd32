"""No function of the package is long or takes many parameters, except those listed here; the list only shrinks."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "nadie"
LINES, PARAMETERS = 50, 9  # fewer lines than this, at most so many parameters

TOO_LONG: set[str] = set()
TOO_MANY_PARAMETERS: set[str] = set()

Function = ast.FunctionDef | ast.AsyncFunctionDef


def test_no_function_is_long() -> None:
    found = {name: size for name, function in functions() if (size := lines(name, function)) >= LINES}
    assert set(found) == TOO_LONG, found


def test_no_function_takes_many_parameters() -> None:
    found = {name: count for name, function in functions() if (count := parameters(name, function)) > PARAMETERS}
    assert set(found) == TOO_MANY_PARAMETERS, found


def functions() -> Iterator[tuple[str, Function]]:
    """Every function, as module:qualified.name."""
    for path in sorted(PACKAGE.rglob("*.py")):
        module = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        yield from _inside(ast.parse(path.read_text(encoding="utf-8")), f"{module}:")


def _inside(node: ast.AST, prefix: str) -> Iterator[tuple[str, Function]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield prefix + child.name, child
        inner = f"{prefix}{child.name}." if isinstance(child, Function | ast.ClassDef) else prefix
        yield from _inside(child, inner)


def is_command(name: str) -> bool:
    """Whether a function is a command: its parameters are its options, and its docstring is its help."""
    module, _, function = name.partition(":")
    return module == f"cli.{function}"


def lines(name: str, function: Function) -> int:
    """From `def` to the last line; of a command, the statements alone."""
    first = function.body[:2][-1].lineno if is_command(name) else function.lineno
    return (function.end_lineno or first) - first + 1


def parameters(name: str, function: Function) -> int:
    if is_command(name):
        return 0
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    extra = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    return len([argument for argument in named if argument.arg not in ("self", "cls")]) + len(extra)
