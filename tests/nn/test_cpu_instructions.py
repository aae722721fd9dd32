"""Every import of torch sets the safe default for oneDNN, which a user may override."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parents[2] / "src"
MODULES = {
    ".".join(path.relative_to(SOURCES).with_suffix("").parts).removesuffix(".__init__"): path
    for path in SOURCES.rglob("*.py")
}


@cache
def imported(module: str) -> frozenset[str]:
    """The modules that importing this one imports, by the statements at its top."""
    found: set[str] = set()
    for node in ast.parse(MODULES[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Try):
            found |= {"torch"} if "import torch" in ast.unparse(node) else set()
    return frozenset(found | {name.rpartition(".")[0] for name in found if name.startswith("nadie.")})


def everything(module: str) -> set[str]:
    seen: set[str] = set()
    waiting = [module, *(module.rsplit(".", n)[0] for n in range(1, module.count(".") + 1))]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += imported(name) if name in MODULES else ()
    return seen


TRAINING = sorted(name for name in MODULES if name.endswith(".fitting") and "torch" in everything(name))


@pytest.mark.parametrize("module", TRAINING)
def test_what_trains_sets_the_default(module: str) -> None:
    assert "nadie.nn" in everything(module)


@pytest.mark.parametrize(("given", "kept"), [(None, "AVX512_CORE"), ("AVX2", "AVX2")])
def test_the_environment_overrules_the_default(given: str | None, kept: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "ONEDNN_MAX_CPU_ISA"}
    environment |= {"ONEDNN_MAX_CPU_ISA": given} if given else {}
    program = "import os, nadie.nn; print(os.environ['ONEDNN_MAX_CPU_ISA'])"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == kept
