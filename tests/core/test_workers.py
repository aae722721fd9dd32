"""Worker processes: the same results, and none lost if a process is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from nadie.errors import ModelError
from nadie.run.workers import WorkerError, Workers


def doubling(folder: Path) -> Callable[[list[str]], list[str]]:
    """`die` ends the process; `die once` does so until it has left a file behind."""

    def work(batch: list[str]) -> list[str]:
        for item in batch:
            mark = folder / "died"
            if item == "die" or (item == "die once" and not mark.exists()):
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return [item * 2 for item in batch]

    return work


def failing(message: str) -> Callable[[list[str]], list[str]]:
    if message == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    raise ModelError(message)


def test_a_killed_process_costs_one_document(tmp_path: Path) -> None:
    workers = Workers(2, doubling, tmp_path, lambda item: f"lost {item}")
    try:
        under_way = [workers.submit(batch) for batch in (["a", "die", "b"], ["c"], ["die once", "d"], ["e"])]
        results = [each.result() for each in under_way]
    finally:
        workers.close()
    assert results == [["aa", "lost die", "bb"], ["cc"], ["die once" * 2, "dd"], ["ee"]]


@pytest.mark.parametrize(("how", "error"), [("broken", ModelError), ("die", WorkerError)])
def test_a_process_that_cannot_start_is_an_error(how: str, error: type[Exception]) -> None:
    workers = Workers(1, failing, how, str)
    try:
        with pytest.raises(error):
            workers.submit(["a"]).result()
    finally:
        workers.close()


_PARENT = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from test_workers import doubling
from nadie.run.workers import Workers

if __name__ == "__main__":
    workers = Workers(1, doubling, Path(sys.argv[1]), str)
    workers.submit(["a"]).result()
    print(*(process.pid for process in workers._processes), flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for the process in /proc")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    with subprocess.Popen([sys.executable, script, Path(__file__).parent], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert _is_running(child)
        parent.kill()
    deadline = time.monotonic() + 30
    while _is_running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(child)


def _is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
