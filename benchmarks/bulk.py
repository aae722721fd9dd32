"""Bulk runs: memory, kills at random moments, and the gain from a second worker.

    python benchmarks/bulk.py memory [--notes 100000] [--workers 2]
    python benchmarks/bulk.py kills [--notes 2000] [--kills 10]
    python benchmarks/bulk.py workers [--notes 4000]
    python benchmarks/bulk.py start [--repeats 10]

The notes are those of data/notes/train, repeated with other numbers, dates and surnames in each round, in one Parquet
file. `memory` samples the resident memory of all processes of a run, and prints the maximum of each fifth of it: memory
is constant if the last is no larger than the second. `kills` ends a run by SIGKILL at random moments, resumes it each
time, and compares the output with that of an undisturbed run. `workers` prints the wall time of one and two workers, on
as many cores, and the processor seconds of the parent and of its workers; the machine must be idle. `start` prints the
shortest of several start-up times of the command. All take `--model`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
SURNAMES = "Aldana Berruezo Cifuentes Donoso Escrivá Fajardo Goikoetxea Huarte Iribarren Jordà Lizarraga Monzó".split()
WARM_UP = 128  # notes that start every worker and fill its caches; their time is subtracted
_KEY = "clave de las pruebas de carga"


def notes(count: int, seed: int = 1) -> Iterator[tuple[str, str]]:
    """Record numbers and texts; no two rounds over the notes have an identifier in common."""
    from nadie.files.annotated.reading import read_documents

    texts = [document.text for document in read_documents(ROOT / "data" / "notes" / "train")]
    rng = random.Random(seed)
    for number in range(count):
        text = texts[number % len(texts)]
        changed = re.sub(r"\d", lambda match: str(rng.randrange(10)) if match[0] not in "012" else match[0], text)
        changed = re.sub(r"\b(García|Pérez|López|Martínez|Sánchez)\b", lambda _: rng.choice(SURNAMES), changed)
        yield f"{number // 4:07}", changed


def write_parquet(path: Path, count: int, group: int = 10_000) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("id", pa.int64()), ("nhc", pa.string()), ("nota", pa.string())])
    waiting: list[tuple[int, str, str]] = []
    with pq.ParquetWriter(path, schema) as writer:
        for number, (patient, text) in enumerate(notes(count)):
            waiting.append((number, patient, text))
            if len(waiting) == group or number == count - 1:
                columns = [list(column) for column in zip(*waiting, strict=True)]
                writer.write_table(pa.table(columns, schema=schema), row_group_size=group)
                waiting = []


def command(source: Path, out: Path, options: argparse.Namespace, *more: str) -> list[str]:
    return [
        *(sys.executable, "-m", "nadie", "anonymize", str(source), "--out", str(out), "--policy", "research"),
        *("--column", "nota", "--patient-column", "nhc", "--model", options.model),
        *("--workers", str(options.workers), *more),
    ]


def started(words: list[str]) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "NADIE_KEY": _KEY}
    return subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, start_new_session=True)


class Ended(NamedTuple):
    """Seconds of a completed run: wall time, processor time of the parent, and of its workers."""

    wall: float
    parent: float
    workers: float

    def without(self, start: Ended) -> Ended:
        return Ended(*(whole - part for whole, part in zip(self, start, strict=True)))


def finished(words: list[str]) -> Ended:
    began, before, parent = time.perf_counter(), processor_seconds(), 0.0
    with started(words) as process:
        while process.poll() is None:
            parent = processor_seconds(process.pid) or parent
            time.sleep(0.05)
        told = process.stderr.read() if process.stderr else b""
    if process.returncode:
        raise SystemExit(told.decode())
    return Ended(time.perf_counter() - began, parent, processor_seconds() - before - parent)


def processor_seconds(pid: int = 0) -> float:
    """The processor seconds of a process without its children; without a process, those of all ended children."""
    if not pid:
        used = os.times()
        return used.children_user + used.children_system
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    """The memory in bytes of a process and its children; shared memory is counted for each."""
    total, waiting = 0, [pid]
    while waiting:
        each = waiting.pop()
        try:
            total += int(Path(f"/proc/{each}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            for task in Path(f"/proc/{each}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue
    return total


def memory(folder: Path, options: argparse.Namespace) -> dict[str, object]:
    source = folder / "notes.parquet"
    write_parquet(source, options.notes, options.group)
    samples = []
    began = time.perf_counter()
    with started(command(source, folder / "out", options)) as process:
        while process.poll() is None and time.perf_counter() - began < options.seconds:
            samples.append(resident(process.pid) / 1e6)
            time.sleep(0.2)
        journal = folder / "out" / ".nadie-journal"
        is_done = process.poll() is not None
        kept = journal.stat().st_size if journal.exists() else 0
        if not is_done:
            os.killpg(process.pid, signal.SIGKILL)
    fifth = max(1, len(samples) // 5)
    return {
        "notes": options.notes,
        "model": options.model,
        "file_mb": round(source.stat().st_size / 1e6),
        "workers": options.workers,
        "came to its end": is_done,
        "journal_mb": round(kept / 1e6, 1),
        "seconds": round(time.perf_counter() - began),
        "peak_mb": round(max(samples)),
        "largest_mb_in_each_fifth": [round(max(samples[n * fifth : (n + 1) * fifth])) for n in range(5)],
    }


def kills(folder: Path, options: argparse.Namespace) -> dict[str, object]:
    source = folder / "notes.parquet"
    write_parquet(source, options.notes, group=max(1, options.notes // 5))
    undisturbed = finished(command(source, folder / "whole", options)).wall
    rng = random.Random(options.seed)
    moments = []
    for _ in range(options.kills):
        moment = rng.uniform(0.05, 0.95) * undisturbed
        with started(command(source, folder / "out", options, "--resume")) as process:
            try:
                process.wait(timeout=moment)
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                moments.append(round(moment, 1))
    finished(command(source, folder / "out", options, "--resume"))
    return {
        "notes": options.notes,
        "workers": options.workers,
        "killed after seconds": moments,
        "undisturbed_s": round(undisturbed, 1),
        "identical": tree(folder / "out") == tree(folder / "whole"),
    }


def tree(folder: Path) -> dict[str, str]:
    """Every file of the output, including hidden ones, by a hash of its bytes."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def two_workers(folder: Path, options: argparse.Namespace) -> dict[str, object]:
    source = folder / "notes.parquet"
    write_parquet(source, options.notes)
    few = folder / "few.parquet"
    write_parquet(few, WARM_UP)
    ended = {}
    for options.workers in (1, 2):
        start = finished(command(few, folder / f"few{options.workers}", options))
        ended[options.workers] = finished(command(source, folder / f"out{options.workers}", options)).without(start)
    return {
        "notes": options.notes,
        "model": options.model,
        "cores": len(os.sched_getaffinity(0)),
        "load_average": round(os.getloadavg()[0], 1),
        "notes_a_second": {workers: round((options.notes - WARM_UP) / each.wall, 1) for workers, each in ended.items()},
        "gain": round(ended[1].wall / ended[2].wall, 2),
        "processor_s": {
            "one process": round(ended[1].parent, 2),
            "parent of two workers": round(ended[2].parent, 2),
            "two workers": round(ended[2].workers, 2),
        },
        "identical": tree(folder / "out1") == tree(folder / "out2"),
    }


def start(folder: Path, options: argparse.Namespace) -> dict[str, object]:
    """Wall and processor seconds; the latter are reliable on a busy machine too.

    An installed package has its bytecode, so the first start, which writes it, is not counted.
    """
    note = ROOT / "examples" / "urgencias.txt"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    found: dict[str, object] = {"load_average": round(os.getloadavg()[0], 1)}
    for name, words in {"help": ["--help"], "one note": ["anonymize", str(note), "--model", options.model]}.items():
        taken = []
        for _ in range(options.repeats + 1):
            began, before = time.perf_counter(), processor_seconds()
            subprocess.run([sys.executable, "-m", "nadie", *words], capture_output=True, check=True, env=environment)
            taken.append((time.perf_counter() - began, processor_seconds() - before))
        walls, processors = zip(*taken[1:], strict=True)
        found[name] = {"wall_s": round(min(walls), 2), "processor_s": round(min(processors), 2)}
    return found


MEASURES = {"memory": memory, "kills": kills, "workers": two_workers, "start": start}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measure", choices=MEASURES)
    parser.add_argument("--notes", type=int, default=0)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=10, help="start: how often")
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--group", type=int, default=10_000, help="memory: rows in a row group")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="memory: end the run after so long")
    arguments = parser.parse_args()
    arguments.notes = arguments.notes or {"memory": 100_000, "kills": 2_000}.get(arguments.measure, 4_000)
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps(MEASURES[arguments.measure](Path(temporary), arguments), indent=1))
