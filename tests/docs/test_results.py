"""The tables of figures are those of docs/results.json."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "build_results.py"


def test_every_table_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run scripts/build_results.py: {done.stderr}"


def test_both_readmes_show_the_blind_figures_first() -> None:
    names = [
        re.findall(r"<!-- table: ([a-z-]+) -->", (ROOT / page).read_text()) for page in ("README.md", "README.es.md")
    ]
    assert names[0] == names[1] == ["blind-test", "blind-notes", "development"]
