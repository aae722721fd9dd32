"""The speed of nadie in Spark compared with its own two workers, and whether a lost worker changes the result.

    python benchmarks/spark.py [--notes 4000] [--model fast] [--parts one_core,two_workers,local,cluster] [--out FILE]

On one set of notes with the policy `research`: two worker processes of `nadie.run`, Spark with `local[2]`, a standalone
cluster of one master and two workers with a core each on this machine, and the same cluster with a worker killed during
the job. Each is measured after a job that starts the Python workers and loads the model, so the rate is that
of a long job. All outputs must be identical, row by row. Needs Java; ports are on 127.0.0.1 only.

The figures go to `docs/results.json` by `scripts/build_results.py --sizing FILE`, and from there to
docs/en/reference/sizing.md. The rate of one core is by processor time; for all others two cores must be idle.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")

import pyarrow as pa
import pyarrow.parquet

from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.errors import Failure
from nadie.files.annotated.reading import iter_readable
from nadie.run.documents import Run, RunOptions

ROOT = Path(__file__).resolve().parent.parent
WARM_UP = 64
Rows = dict[int, str]


def corpus(count: int) -> list[tuple[int, str, str]]:
    """Number, patient and text of the corpus's notes, repeated with another number if more are needed."""
    found = (item for item in iter_readable(ROOT / "data" / "notes" / "train", "notes") if isinstance(item, Document))
    texts = [document.text for document in found]
    return [(n, f"{n // 4}", f"{texts[n % len(texts)]}\nEpisodio {n:06d}.") for n in range(count)]


def by_workers(notes: list[tuple[int, str, str]], key: Path, model: str, workers: int) -> tuple[float, Rows]:
    """Notes per second of `nadie.run` with that many processes, and the output."""
    policy, secret = read_policy("research"), Secret.from_file(key)
    documents = [Document("", text, (), {"patient": patient}) for _, patient, text in notes]
    with Run(RunOptions(model, policy=policy, key=secret.key(), patient="meta:patient"), workers) as run:
        list(run.anonymize(documents[:WARM_UP]))
        clock = time.process_time if workers == 1 else time.perf_counter
        started = clock()
        done = list(run.anonymize(documents))
        seconds = clock() - started
    rows = {n: _text(result) for (n, _, _), result in zip(notes, done, strict=True)}
    return len(notes) / seconds, rows


def _text(result: Any) -> str:
    return str(result) if isinstance(result, Failure) else str(result.text)


def session(master: str, folder: Path) -> Any:
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.local.dir": str(folder / "local"),
        "spark.executor.memory": "1g",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "200",
        "spark.sql.files.maxPartitionBytes": "100k",
        "spark.executorEnv.PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master(master).appName("nadie")
    for name, value in settings.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def by_spark(spark: Any, folder: Path, model: str, killer: threading.Timer | None = None) -> tuple[float, Rows]:
    """Notes per second of one job, and the output; the killer's timer starts with the measured job."""
    from nadie.integrations.spark import anonymize

    frame = spark.read.parquet(str(folder / "notes"))
    options: dict[str, Any] = {
        "patient": "nhc",
        "keep": ["n"],
        "policy": "research",
        "key": folder / "key",
        "model": model,
    }
    anonymize(frame.limit(WARM_UP).repartition(4), "nota", **options).collect()
    if killer is not None:
        killer.start()
    started = time.perf_counter()
    found = anonymize(frame, "nota", **options).select("n", "nota", "nota_error").collect()
    seconds = time.perf_counter() - started
    return len(found) / seconds, {row["n"]: row["nota"] or row["nota_error"] for row in found}


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """One master and two workers, with a core and two gigabytes each: the address, and the processes of the workers."""
    from pyspark.find_spark_home import _find_spark_home

    command = [str(Path(_find_spark_home()) / "bin" / "spark-class")]
    port = _free_port()
    deploy = "org.apache.spark.deploy"
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *arguments: str) -> None:
        log = (folder / f"{len(started)}.log").open("wb")
        home = folder / f"work{len(started)}"
        environment = {**os.environ, "SPARK_WORKER_DIR": str(home), "SPARK_NO_DAEMONIZE": "1"}
        whole = [*command, f"{deploy}.{name}", "--host", "127.0.0.1", "--webui-port", str(_free_port()), *arguments]
        started.append(
            subprocess.Popen(whole, stdout=log, stderr=subprocess.STDOUT, env=environment, start_new_session=True)
        )

    address = f"spark://127.0.0.1:{port}"
    try:
        start("master.Master", "--port", str(port))
        _wait_for(port)
        for _ in range(2):
            start("worker.Worker", "--cores", "1", "--memory", "2g", address)
        _wait_for_lines(folder / "0.log", "Registering worker", 2)
        yield address, started[1:]
    finally:
        for process in started:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a worker with its executor and its Python workers: they are one session."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(port: int, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit("the master of the cluster did not start")


def _wait_for_lines(log: Path, words: str, count: int, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if log.read_text(errors="replace").count(words) >= count:
            return
        time.sleep(0.2)
    raise SystemExit("the workers of the cluster did not start")


def digest(rows: Rows) -> str:
    return hashlib.sha256(json.dumps(sorted(rows.items())).encode()).hexdigest()[:16]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=4000)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--parts", default="one_core,two_workers,local,cluster")
    options = parser.parse_args()
    if shutil.which("java") is None:
        raise SystemExit("Spark needs Java: apt-get install default-jre-headless")
    folder = Path(tempfile.mkdtemp(prefix="nadie-spark-"))
    try:
        figures = measured(folder, options)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    text = json.dumps(figures, indent=1)
    if options.out:
        options.out.write_text(text + "\n")
    print(text)
    return 0 if figures["identical"] else 1


def measured(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    notes = corpus(options.notes)
    (folder / "key").write_bytes(os.urandom(32))
    (folder / "notes").mkdir()
    table = pa.table({"n": [n for n, _, _ in notes], "nhc": [p for _, p, _ in notes], "nota": [t for _, _, t in notes]})
    for part in range(16):
        pyarrow.parquet.write_table(table.take(list(range(part, len(notes), 16))), folder / "notes" / f"{part}.parquet")
    rates: dict[str, float] = {}
    outputs: dict[str, str] = {}

    def told(name: str, result: tuple[float, Rows]) -> None:
        rates[name], rows = round(result[0], 2), result[1]
        outputs[name] = digest(rows)
        print(f"{name}: {rates[name]} notes a second, output {outputs[name]}", file=sys.stderr, flush=True)

    parts = options.parts.split(",")
    memory = 0
    if "one_core" in parts:
        told("one_core", by_workers(notes, folder / "key", options.model, 1))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if "two_workers" in parts:
        told("two_workers", by_workers(notes, folder / "key", options.model, 2))
    if "local" in parts:
        spark = session("local[2]", folder)
        told("spark_local", by_spark(spark, folder, options.model))
        spark.stop()
    if "cluster" in parts:
        with cluster(folder) as (address, workers):
            spark = session(address, folder)
            told("spark_cluster", by_spark(spark, folder, options.model))
            half = 0.5 * len(notes) / rates["spark_cluster"]
            killer = threading.Timer(half, _kill, [workers[0]])
            told("spark_cluster_worker_killed", by_spark(spark, folder, options.model, killer))
            killer.join()
            spark.stop()
    characters = sum(len(text) for _, _, text in notes) // len(notes)
    return {
        "notes": len(notes),
        "model": options.model,
        "characters_a_note": characters,
        "notes_per_second": rates,
        "peak_mb_one_process": memory,
        "identical": len(set(outputs.values())) == 1,
    }


if __name__ == "__main__":
    sys.exit(main())
