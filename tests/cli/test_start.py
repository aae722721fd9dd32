"""The modules that a command loads and runs, and its start-up time; `benchmarks/bulk.py start` measures the latter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
_HEAVY = ("numpy", "onnxruntime", "rich", "pyarrow", "lxml", "torch", "pydantic", "cryptography", "re2", "phonenumbers")
_SCRIPT = """
import sys
from nadie.cli.main import main
sys.argv = ["nadie", *sys.argv[1:]]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
sys.stderr.write("\\n".join(["", *sys.modules]))
"""


def loaded(*arguments: str) -> set[str]:
    command = [sys.executable, "-c", _SCRIPT, *arguments]
    return set(subprocess.run(command, capture_output=True, check=True, text=True).stderr.splitlines())


def test_help_loads_the_commands_and_little_else() -> None:
    modules = loaded("--help")
    assert not modules.intersection(_HEAVY)
    assert {name for name in modules if name.startswith("nadie.") and not name.startswith("nadie.cli")} <= {
        "nadie.document",
        "nadie.errors",
        "nadie.labels",
        "nadie.options",
    }


def test_one_note_loads_what_it_needs() -> None:
    modules = loaded("anonymize", str(ROOT / "examples" / "urgencias.txt"))
    assert {"numpy", "onnxruntime"} <= modules
    needless = {"rich", "multiprocessing", "sqlite3", "phonenumbers", "stdnum", "pyarrow", "lxml", "torch"}
    assert modules.isdisjoint({*needless, "cryptography"})
    own = {name for name in modules if name.startswith("nadie.")}
    unused = (
        *("nadie.detectors.patterns", "nadie.training", "nadie.service", "nadie.run.workers", "nadie.run.journal"),
        *("nadie.records.records", "nadie.records.report", "nadie.surrogates.age_forms"),
    )
    assert not {name for name in own if name.startswith(unused)}
    assert not {name for name in own if name.startswith("nadie.files.containers.")}
    assert own.isdisjoint(f"nadie.cli.{name}" for name in ("serve", "train", "evaluate", "convert"))


def test_one_note_passes_few_modules() -> None:
    """Persons, dates to shift, surrogates and the tables of names are for other policies, or for names that recur."""
    command = [sys.executable, str(ROOT / "benchmarks" / "modules_passed.py")]
    *lines, summary = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    passed = [line.split()[1] for line in lines]
    needless = ("persons/", "surrogates/", "spanish/population.py", "spanish/lexicon.py")
    assert not [name for name in passed if name.startswith(needless)]
    assert len(passed) == int(summary.split()[0]) <= 58


@pytest.mark.parametrize(("arguments", "most"), [(["--help"], 0.6), (["anonymize", "examples/urgencias.txt"], 1.8)])
def test_a_command_starts_quickly(arguments: list[str], most: float) -> None:
    """Processor seconds, the quickest of five: three times the targets, which are those of an idle machine."""
    taken = []
    for _ in range(5):
        before = os.times()
        subprocess.run([sys.executable, "-m", "nadie", *arguments], capture_output=True, check=True, cwd=ROOT)
        used = os.times()
        taken.append(used.children_user + used.children_system - before.children_user - before.children_system)
    assert min(taken) < most
