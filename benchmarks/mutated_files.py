"""Damaged files of every container, ten thousand each: none may crash the run, hang it or leave an incomplete file.

    python benchmarks/mutated_files.py [--count 10000] [--only a.html]

Prints for each sample how many copies were written, how many were refused, and the processor seconds of the slowest
one. The exit code is 1 if anything else happened, or if a file took longer than ten seconds.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "files"))

from containers.helpers import run_files
from containers.mutations import mutated
from containers.samples import SAMPLES

from nadie.document import Document
from nadie.errors import Failure
from nadie.run.rewriting import Rewritten

_LONGEST = 10.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--only", choices=sorted(SAMPLES))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    problems = 0
    for name in [arguments.only] if arguments.only else SAMPLES:
        problems += _check(name, arguments.count, arguments.seed)
    return 1 if problems else 0


def _check(name: str, count: int, seed: int) -> int:
    outcomes: Counter[str] = Counter()
    slowest, problems = 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        file, out = Path(folder, name), Path(folder, "out")
        for copy in mutated(SAMPLES[name](), count, seed):
            file.write_bytes(copy)
            start = time.process_time()
            try:
                done = list(run_files([file], out))
            except Exception as error:
                outcomes[f"CRASH {type(error).__name__}"] += 1
                problems += 1
                continue
            slowest = max(slowest, time.process_time() - start)
            outcomes[_outcome(done[-1])] += 1
            left = {each.name for each in out.glob("*")} if out.exists() else set()
            if left - ({name} if isinstance(done[-1], Rewritten) else set()):
                problems += 1
                outcomes["HALF A FILE"] += 1
            for each in out.glob("*"):
                each.unlink()
    problems += slowest > _LONGEST
    print(f"{name}: {dict(outcomes)}, slowest {slowest:.2f} s", flush=True)
    return problems


def _outcome(done: object) -> str:
    if isinstance(done, Failure):
        return "refused"
    return "written" if isinstance(done, Rewritten) else "text" if isinstance(done, Document) else "STRANGE"


if __name__ == "__main__":
    sys.exit(main())
