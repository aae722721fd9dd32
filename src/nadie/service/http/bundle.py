"""The modules of the review page in one file: a browser on a slow line fetches one file faster than sixty.

Each module becomes a function that returns its exports, in the order of their imports. The modules use only named
imports and exported declarations at the start of a line; anything else is an error here, when the service starts.
"""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path, PurePosixPath

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async function|function\*?|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:[^*]|\*(?!/))*\*/)\n", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b", re.MULTILINE)


def bundled(folder: Path, entry: str) -> str:
    """The module `entry` of the folder and all that it imports."""
    sources: dict[str, str] = {}
    imports: dict[str, list[tuple[str, str]]] = {}
    waiting = [entry]
    while waiting:
        name = waiting.pop()
        if name in sources:
            continue
        sources[name] = _COMMENT.sub("", (folder / name).read_text(encoding="utf-8"))
        imports[name] = [(names, _resolved(name, path)) for names, path in _IMPORT.findall(sources[name])]
        waiting.extend(path for _, path in imports[name])
    order = TopologicalSorter({name: {path for _, path in found} for name, found in imports.items()}).static_order()
    return "".join(_function(name, sources[name], imports[name]) for name in order)


def _function(name: str, source: str, imports: list[tuple[str, str]]) -> str:
    lines = [f"  const {{{names.replace(' as ', ': ')}}} = {_variable(path)};\n" for names, path in imports]
    exports = ", ".join(_EXPORT.findall(source))
    body = _EXPORT.sub("", _IMPORT.sub("", source))
    if _LEFT.search(body):
        raise ValueError(f"{name} has an import or export that cannot be bundled")
    return f"const {_variable(name)} = (() => {{\n{''.join(lines)}{body}return {{ {exports} }};\n}})();\n"


def _variable(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _resolved(name: str, path: str) -> str:
    """The path of an imported module within the folder."""
    parts: list[str] = []
    for part in (PurePosixPath(name).parent / path).parts:
        parts.pop() if part == ".." else parts.append(part)
    return "/".join(parts)
