"""The number of nadie's modules whose functions run while `nadie anonymize` processes one note.

    python benchmarks/modules_passed.py [NOTE] [--model fast]

Code that runs during imports does not count.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import nadie
from nadie.cli.main import main as nadie_main

ROOT = Path(nadie.__file__).parent


def modules_of(arguments: list[str]) -> Counter[str]:
    """The calls into each module while the command runs."""
    calls: Counter[str] = Counter()

    def watch(frame: FrameType, event: str, _: Any) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(str(ROOT)) and not _importing(frame):
            calls[str(Path(name).relative_to(ROOT))] += 1

    sys.setprofile(watch)
    try:
        sys.argv = ["nadie", *arguments]
        nadie_main()
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
    return calls


def _importing(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(str(ROOT)):
            return True
        frame = frame.f_back
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("note", type=Path, nargs="?", default=ROOT.parent.parent / "examples" / "alta.txt")
    parser.add_argument("--model", default="fast")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        calls = modules_of(["anonymize", str(options.note), "--out", folder, "--model", options.model])
    patterns = [name for name in calls if name.startswith("detectors/patterns/")]
    for name in sorted(calls):
        print(f"{calls[name]:7d}  {name}")
    print(f"{len(calls)} modules, {len(calls) - len(patterns)} without those of patterns")


if __name__ == "__main__":
    main()
